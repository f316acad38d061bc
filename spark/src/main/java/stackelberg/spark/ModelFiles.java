package stackelberg.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.util.DefaultParamsReadable;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.ml.util.MLWriter;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** A saved model: Spark's own metadata with the params, and one Parquet row with the rule and its summary. */
final class ModelFiles {
    private static final StructType SCHEMA = new StructType()
            .add("coefficients", SQLDataTypes.VectorType())
            .add("intercept", DataTypes.DoubleType)
            .add("gamma", DataTypes.DoubleType)
            .add("pullThrough", DataTypes.DoubleType)
            .add("objective", DataTypes.DoubleType)
            .add("multiplier", DataTypes.DoubleType)
            .add("gapBound", DataTypes.DoubleType)
            .add("relativeGap", DataTypes.DoubleType)
            .add("proof", DataTypes.StringType)
            .add("unique", DataTypes.BooleanType)
            .add("finite", DataTypes.BooleanType)
            .add("certified", DataTypes.BooleanType)
            .add("solver", DataTypes.StringType)
            .add("status", DataTypes.StringType)
            .add("iterations", DataTypes.IntegerType)
            .add("passes", DataTypes.IntegerType)
            .add("note", DataTypes.StringType)
            .add("rows", DataTypes.LongType);

    private ModelFiles() {}

    private static String dataPath(String path) {
        return path + "/data";
    }

    /** Writes the params by Spark's own writer, then the rule beside them. */
    static final class Writer extends MLWriter {
        private final MLWriter params;
        private final DistributedFit.Fitted fitted;

        Writer(MLWriter params, DistributedFit.Fitted fitted) {
            this.params = params;
            this.fitted = fitted;
        }

        @Override
        public void saveImpl(String path) {
            try {
                params.session(sparkSession()).save(path);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            StackelbergSummary s = fitted.summary();
            Row row = RowFactory.create(
                    fitted.coefficients(),
                    fitted.intercept(),
                    s.gamma(),
                    s.pullThrough(),
                    s.objective(),
                    s.multiplier(),
                    s.gapBound(),
                    s.relativeGap(),
                    s.proof(),
                    s.unique(),
                    s.finite(),
                    s.certified(),
                    s.solver(),
                    s.status(),
                    s.iterations(),
                    s.passes(),
                    s.note(),
                    s.rows());
            sparkSession()
                    .createDataFrame(List.of(row), SCHEMA)
                    .coalesce(1)
                    .write()
                    .parquet(dataPath(path));
        }
    }

    /** Reads the params by Spark's own reader, then the rule. */
    static final class Reader extends MLReader<StackelbergRegressionModel> {
        @Override
        public StackelbergRegressionModel load(String path) {
            StackelbergRegressionModel params = new DefaultParamsReadable<StackelbergRegressionModel>() {}.read()
                    .session(sparkSession())
                    .load(path);
            Row row = sparkSession().read().parquet(dataPath(path)).first();
            StackelbergSummary summary = new StackelbergSummary(
                    row.getAs("gamma"),
                    row.getAs("pullThrough"),
                    row.getAs("objective"),
                    row.getAs("multiplier"),
                    row.getAs("gapBound"),
                    row.getAs("relativeGap"),
                    row.getAs("proof"),
                    row.getAs("unique"),
                    row.getAs("finite"),
                    row.getAs("certified"),
                    row.getAs("solver"),
                    row.getAs("status"),
                    row.getAs("iterations"),
                    row.getAs("passes"),
                    row.getAs("note"),
                    row.getAs("rows"));
            return params.with(new DistributedFit.Fitted(row.getAs("coefficients"), row.getAs("intercept"), summary));
        }
    }
}
