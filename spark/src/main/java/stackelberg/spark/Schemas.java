package stackelberg.spark;

import java.util.Arrays;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StructType;

/** Which columns must be there, of which type, and which are added. */
final class Schemas {
    private Schemas() {}

    static void requireTraining(StackelbergParams params, StructType schema) {
        requireVector(schema, params.getFeaturesCol(), "featuresCol");
        requireNumber(schema, params.getLabelCol(), "labelCol");
        requireNumber(schema, params.getWishCol(), "wishCol");
        if (params.isSet(params.weightCol())) {
            requireNumber(schema, params.getWeightCol(), "weightCol");
        }
    }

    /**
     * The schema after a model has added its columns.
     *
     * @param effects whether moves do anything to the label
     */
    static StructType withAnswers(StackelbergParams params, boolean effects, StructType schema) {
        requireVector(schema, params.getFeaturesCol(), "featuresCol");
        StructType result = withNumber(schema, params.getPredictionCol(), "predictionCol");
        if (hasResponse(params, schema)) {
            result = withNumber(result, params.getResponseCol(), "responseCol");
        }
        return effects && hasImprovement(params, schema)
                ? withNumber(result, params.getImprovementCol(), "improvementCol")
                : result;
    }

    /** Whether the wishes are there and the response is wanted. */
    static boolean hasResponse(StackelbergParams params, StructType schema) {
        return isAdded(params, params.getResponseCol(), schema);
    }

    /** Whether the wishes are there and what moves do to the label is wanted. */
    static boolean hasImprovement(StackelbergParams params, StructType schema) {
        return isAdded(params, params.getImprovementCol(), schema);
    }

    private static boolean isAdded(StackelbergParams params, String column, StructType schema) {
        if (column.isEmpty() || !has(schema, params.getWishCol())) {
            return false;
        }
        requireNumber(schema, params.getWishCol(), "wishCol");
        return true;
    }

    private static StructType withNumber(StructType schema, String name, String param) {
        if (has(schema, name)) {
            throw new IllegalArgumentException("There is a column '" + name + "' already, which " + param
                    + " would overwrite.\nMaybe drop it, or choose another name for " + param + ".");
        }
        return schema.add(name, DataTypes.DoubleType, false);
    }

    private static void requireVector(StructType schema, String name, String param) {
        require(schema, name, param);
        if (!schema.apply(name).dataType().sameType(SQLDataTypes.VectorType())) {
            throw new IllegalArgumentException("Column '" + name + "' (" + param + ") is of type "
                    + schema.apply(name).dataType().catalogString()
                    + "; it must hold vectors.\nMaybe assemble it with a VectorAssembler.");
        }
    }

    private static void requireNumber(StructType schema, String name, String param) {
        require(schema, name, param);
        if (!(schema.apply(name).dataType() instanceof NumericType)) {
            throw new IllegalArgumentException("Column '" + name + "' (" + param + ") is of type "
                    + schema.apply(name).dataType().catalogString() + "; it must hold numbers.");
        }
    }

    private static void require(StructType schema, String name, String param) {
        if (!has(schema, name)) {
            throw new IllegalArgumentException("There is no column '" + name + "' (" + param + "); the columns are "
                    + String.join(", ", schema.fieldNames()) + ".");
        }
    }

    private static boolean has(StructType schema, String name) {
        return Arrays.asList(schema.fieldNames()).contains(name);
    }
}
