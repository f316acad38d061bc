package stackelberg.spark;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import stackelberg.data.wish.Wish;

/** Checks the columns of a dataset (presence and type), and adds those of a model's answers. */
final class Schemas {
    private Schemas() {}

    static void requireTraining(StackelbergParams params, StructType schema) {
        requireVector(schema, params.getFeaturesCol(), "featuresCol");
        requireNumber(schema, params.getLabelCol(), "labelCol");
        if (!params.isSet(params.wish())) {
            requireNumber(schema, params.getWishCol(), "wishCol");
        } else if (params.isSet(params.wishCol())) {
            throw ParamWords.refused(
                    "wish-with-wish-col",
                    "wish is {}, and wishCol is '{}'; only one of the two can define the wishes.\nMaybe clear the other.",
                    params.getWish(),
                    params.getWishCol());
        } else {
            requireNumbers(schema, wished(params, schema));
        }
        if (params.isSet(params.weightCol())) {
            requireNumber(schema, params.getWeightCol(), "weightCol");
        }
    }

    /**
     * The schema after a model has added its columns.
     *
     * @param wish the wish expression; absent if wishes are a column
     * @param effects whether moves change the label
     */
    static StructType withAnswers(StackelbergParams params, @Nullable Wish wish, boolean effects, StructType schema) {
        requireVector(schema, params.getFeaturesCol(), "featuresCol");
        StructType result = withNumber(schema, params.getPredictionCol(), "predictionCol");
        if (hasResponse(params, wish, schema)) {
            result = withNumber(result, params.getResponseCol(), "responseCol");
        }
        return effects && hasImprovement(params, wish, schema)
                ? withNumber(result, params.getImprovementCol(), "improvementCol")
                : result;
    }

    /** Whether the response column is added: it is requested, and the dataset has the wishes. */
    static boolean hasResponse(StackelbergParams params, @Nullable Wish wish, StructType schema) {
        return isAdded(params, wish, params.getResponseCol(), schema);
    }

    /** Whether the improvement column is added: it is requested, and the dataset has the wishes. */
    static boolean hasImprovement(StackelbergParams params, @Nullable Wish wish, StructType schema) {
        return isAdded(params, wish, params.getImprovementCol(), schema);
    }

    private static boolean isAdded(StackelbergParams params, @Nullable Wish wish, String column, StructType schema) {
        if (wish != null) {
            boolean known = wish.columns().stream().allMatch(name -> has(schema, name))
                    && (!wish.usesTarget() || has(schema, params.getLabelCol()));
            if (column.isEmpty() || !known) {
                return false;
            }
            requireNumbers(schema, wish);
            return true;
        }
        if (column.isEmpty() || !has(schema, params.getWishCol())) {
            return false;
        }
        requireNumber(schema, params.getWishCol(), "wishCol");
        return true;
    }

    /** The wish expression of the params; absent if wishes are a column. */
    static @Nullable Wish wished(StackelbergParams params, StructType schema) {
        return params.isSet(params.wish()) ? Wishes.parse(params.getWish(), List.of(schema.fieldNames())) : null;
    }

    private static void requireNumbers(StructType schema, @Nullable Wish wish) {
        Objects.requireNonNull(wish).columns().forEach(name -> requireNumber(schema, name, "wish"));
    }

    private static StructType withNumber(StructType schema, String name, String param) {
        if (has(schema, name)) {
            throw ParamWords.refused(
                    "column-exists",
                    "There is a column '{}' already, which {} would overwrite.\nMaybe drop it, or choose another name with {}.",
                    name,
                    param,
                    ParamWords.param(param));
        }
        return schema.add(name, DataTypes.DoubleType, false);
    }

    private static void requireVector(StructType schema, String name, String param) {
        require(schema, name, param);
        if (!schema.apply(name).dataType().sameType(SQLDataTypes.VectorType())) {
            throw ParamWords.refused(
                    "column-not-of-vectors",
                    "Column '{}' ({}) is of type {}; it must hold vectors.\nMaybe assemble it with a VectorAssembler.",
                    name,
                    param,
                    schema.apply(name).dataType().catalogString());
        }
    }

    private static void requireNumber(StructType schema, String name, String param) {
        require(schema, name, param);
        if (!(schema.apply(name).dataType() instanceof NumericType)) {
            throw ParamWords.refused(
                    "column-not-of-numbers",
                    "Column '{}' ({}) is of type {}; it must hold numbers.",
                    name,
                    param,
                    schema.apply(name).dataType().catalogString());
        }
    }

    private static void require(StructType schema, String name, String param) {
        if (!has(schema, name)) {
            throw ParamWords.refused(
                    "no-such-column",
                    "There is no column '{}' ({}); the columns are {}.",
                    name,
                    param,
                    String.join(", ", schema.fieldNames()));
        }
    }

    private static boolean has(StructType schema, String name) {
        return Arrays.asList(schema.fieldNames()).contains(name);
    }
}
