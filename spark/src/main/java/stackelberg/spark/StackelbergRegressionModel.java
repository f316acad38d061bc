package stackelberg.spark;

import org.apache.spark.ml.Model;
import org.apache.spark.ml.linalg.SparseVector;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.util.DefaultParamsWritable;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.ml.util.MLWriter;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import stackelberg.game.Response;

/**
 * A fitted rule: prediction p = coefficients'x + intercept, and (1 - t) p + t z after everybody has moved, t being the pull-through.
 *
 * <p>{@code responseCol} is added where the wishes are in the data; new people whose wishes nobody knows get the prediction alone.
 */
public final class StackelbergRegressionModel extends Model<StackelbergRegressionModel>
        implements StackelbergParams, DefaultParamsWritable {
    private static final long serialVersionUID = 1L;

    private final String uid;
    private final GameParams own;
    /** Null only while Spark reads the params of a saved model. */
    private final DistributedFit.Fitted fitted;

    /** A model without a rule: what Spark's reader fills with the saved params. */
    public StackelbergRegressionModel(String uid) {
        this(uid, null);
    }

    StackelbergRegressionModel(String uid, DistributedFit.Fitted fitted) {
        this.uid = uid;
        this.fitted = fitted;
        this.own = new GameParams(this);
        own.setDefaults(this);
    }

    public static MLReader<StackelbergRegressionModel> read() {
        return new ModelFiles.Reader();
    }

    public static StackelbergRegressionModel load(String path) {
        return read().load(path);
    }

    @Override
    public MLWriter write() {
        return new ModelFiles.Writer(DefaultParamsWritable.super.write(), fitted);
    }

    /** The same params with another rule. */
    StackelbergRegressionModel with(DistributedFit.Fitted rule) {
        return copyValues(new StackelbergRegressionModel(uid, rule), new ParamMap());
    }

    @Override
    public String uid() {
        return uid;
    }

    @Override
    public GameParams own() {
        return own;
    }

    /** One for each feature, immutable ones included. */
    public Vector coefficients() {
        return fitted.coefficients();
    }

    public double intercept() {
        return fitted.intercept();
    }

    public int numFeatures() {
        return fitted.coefficients().size();
    }

    /** t, the fraction of the gap to their wish that everybody closes. */
    public double pullThrough() {
        return fitted.summary().pullThrough();
    }

    /** The certificate, and how the rule was found. */
    public StackelbergSummary summary() {
        return fitted.summary();
    }

    /** The prediction for one vector. */
    public double predict(Vector features) {
        return predict(fitted.coefficients().toArray(), fitted.intercept(), features, getFeaturesCol());
    }

    private static double predict(double[] coefficients, double intercept, Vector features, String name) {
        if (features == null || features.size() != coefficients.length) {
            throw new IllegalArgumentException("Column '" + name + "' has "
                    + (features == null ? "a null" : "a vector with " + features.size() + " entries")
                    + "; the model needs vectors with " + coefficients.length + ".");
        }
        double sum = intercept;
        if (features instanceof SparseVector sparse) {
            for (int p = 0; p < sparse.indices().length; p++) {
                sum += coefficients[sparse.indices()[p]] * sparse.values()[p];
            }
            return sum;
        }
        double[] values = features.toArray();
        for (int j = 0; j < values.length; j++) {
            sum += coefficients[j] * values[j];
        }
        return sum;
    }

    @Override
    public Dataset<Row> transform(Dataset<?> dataset) {
        transformSchema(dataset.schema());
        double[] coefficients = fitted.coefficients().toArray();
        double constant = fitted.intercept();
        String name = getFeaturesCol();
        UDF1<Vector, Double> rule = features -> predict(coefficients, constant, features, name);
        Column prediction = functions.udf(rule, DataTypes.DoubleType).apply(dataset.col(DistributedFit.quoted(name)));
        Dataset<Row> predicted = dataset.withColumn(getPredictionCol(), prediction);
        if (!Schemas.hasResponse(this, dataset.schema())) {
            return predicted;
        }
        double t = pullThrough();
        UDF2<Double, Double, Double> after = (p, z) -> p == null || z == null ? null : Response.after(t, p, z);
        Column plain = predicted.col(DistributedFit.quoted(getPredictionCol()));
        Column wish = predicted.col(DistributedFit.quoted(getWishCol())).cast("double");
        return predicted.withColumn(
                getResponseCol(), functions.udf(after, DataTypes.DoubleType).apply(plain, wish));
    }

    @Override
    public StructType transformSchema(StructType schema) {
        return Schemas.withAnswers(this, schema);
    }

    @Override
    public StackelbergRegressionModel copy(ParamMap extra) {
        StackelbergRegressionModel copy = copyValues(new StackelbergRegressionModel(uid, fitted), extra);
        return hasParent() ? copy.setParent(parent()) : copy;
    }

    public StackelbergRegressionModel setFeaturesCol(String value) {
        set(featuresCol(), value);
        return this;
    }

    public StackelbergRegressionModel setWishCol(String value) {
        set(wishCol(), value);
        return this;
    }

    public StackelbergRegressionModel setPredictionCol(String value) {
        set(predictionCol(), value);
        return this;
    }

    public StackelbergRegressionModel setResponseCol(String value) {
        set(responseCol(), value);
        return this;
    }

    @Override
    public String toString() {
        return "StackelbergRegressionModel: uid=" + uid + ", gamma=" + getGamma()
                + (fitted == null ? "" : ", numFeatures=" + numFeatures() + ", pullThrough=" + pullThrough());
    }
}
