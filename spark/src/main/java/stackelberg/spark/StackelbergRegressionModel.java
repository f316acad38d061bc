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
import org.jspecify.annotations.Nullable;
import stackelberg.data.wish.Wish;
import stackelberg.game.Response;
import stackelberg.model.StackelbergModel;

/**
 * A fitted rule. It adds the prediction p = coefficients'x + intercept, and in {@code responseCol} the prediction after the move, (1 - t) p + t z with the
 * pull-through t.
 *
 * <p>{@code responseCol} is added only if the data have wishes. With effects, {@code improvementCol} is the real change of the label by the move.
 */
public final class StackelbergRegressionModel extends Model<StackelbergRegressionModel>
        implements StackelbergParams, DefaultParamsWritable {
    private static final long serialVersionUID = 1L;

    private final String uid;
    private final GameParams own;
    /** The rule; null only while Spark reads the params of a saved model. */
    private final @Nullable Fitted fitted;

    /** A model without a rule, into which Spark's reader puts the saved params. */
    public StackelbergRegressionModel(String uid) {
        this(uid, null);
    }

    StackelbergRegressionModel(String uid, @Nullable Fitted fitted) {
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
        return new ModelFiles.Writer(DefaultParamsWritable.super.write(), model());
    }

    /** Returns a copy with another rule, and with the hedge of that rule among the params. */
    StackelbergRegressionModel with(StackelbergModel model) {
        ParamMap own = new ParamMap().put(hedge(), model.game().hedge().toString());
        return copyValues(new StackelbergRegressionModel(uid, new Fitted(model)), own);
    }

    /**
     * The core's model, which {@code ModelFile} saves, {@code Verification} verifies and {@code RuleAsSql} exports. Its features have the names in the ML
     * attributes of {@code featuresCol}, or 1, 2, 3, ...
     */
    public StackelbergModel model() {
        return fitted().model();
    }

    private Fitted fitted() {
        if (fitted == null) {
            throw ParamWords.refused(
                    "model-without-rule",
                    "The model {} has no rule.\nMaybe fit a StackelbergRegression, or load a model that was saved.",
                    uid);
        }
        return fitted;
    }

    @Override
    public String uid() {
        return uid;
    }

    @Override
    public GameParams own() {
        return own;
    }

    /** The coefficients, one for each feature, the immutable ones included. */
    public Vector coefficients() {
        return fitted().coefficients();
    }

    public double intercept() {
        return model().intercept();
    }

    public int numFeatures() {
        return coefficients().size();
    }

    /** The pull-through t: the share of the gap to the wish that each follower closes, from 0 to 1. */
    public double pullThrough() {
        return model().pullThrough();
    }

    /** The share of the gap by which the label really moves; 0 without effects, NaN without a finite rule. */
    public double earned() {
        return model().earned();
    }

    /** The certificate, and how the rule was found. */
    public StackelbergSummary summary() {
        return new StackelbergSummary(fitted());
    }

    /** The prediction for one feature vector. */
    public double predict(Vector features) {
        return predict(coefficients().toArray(), intercept(), features, getFeaturesCol());
    }

    private static double predict(double[] coefficients, double intercept, Vector features, String name) {
        if (features == null || features.size() != coefficients.length) {
            throw ParamWords.unusable(
                    "vector-length",
                    "Column '{}' has {}; the model needs vectors with {}.",
                    name,
                    features == null ? "a null" : "a vector with " + features.size() + " entries",
                    coefficients.length);
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
        if (getGamma() != model().gamma()) {
            throw ParamWords.refused(
                    "gamma-of-another-rule",
                    "gamma is {}, but this rule is the best one at {}.\nMaybe fit again, or use fitPath for a model at every"
                            + " gamma.",
                    getGamma(),
                    model().gamma());
        }
        double[] coefficients = coefficients().toArray();
        double constant = intercept();
        String name = getFeaturesCol();
        UDF1<Vector, Double> rule = features -> predict(coefficients, constant, features, name);
        Column prediction = functions.udf(rule, DataTypes.DoubleType).apply(dataset.col(DistributedFit.quoted(name)));
        Dataset<Row> predicted = dataset.withColumn(getPredictionCol(), prediction);
        Dataset<Row> moved = predicted;
        Wish wish = wished();
        if (Schemas.hasResponse(this, wish, dataset.schema())) {
            moved = moved.withColumn(getResponseCol(), ofGap(predicted, wish, response()));
        }
        if (hasEffects() && Schemas.hasImprovement(this, wish, dataset.schema())) {
            moved = moved.withColumn(getImprovementCol(), ofGap(predicted, wish, improvement()));
        }
        return moved;
    }

    /** A function of a row's prediction and wish. */
    private Column ofGap(Dataset<Row> predicted, @Nullable Wish wish, UDF2<Double, Double, Double> formula) {
        Column plain = predicted.col(DistributedFit.quoted(getPredictionCol()));
        Column wished = wish == null
                ? predicted.col(DistributedFit.quoted(getWishCol())).cast("double")
                : new Wishes(predicted, getLabelCol()).column(wish);
        return functions.udf(formula, DataTypes.DoubleType).apply(plain, wished);
    }

    /** The wish expression with its statistics from training; absent if wishes are a column. */
    private @Nullable Wish wished() {
        Wish wish = Wishes.parse(model().game().chosenWish());
        return isSet(wishCol()) || !isSet(wish()) && wish.column().isPresent() ? null : wish;
    }

    /** The real change of the label by the move, from the core's formulas; null where the wish is null. */
    private UDF2<Double, Double, Double> improvement() {
        double share = earned();
        return (prediction, wish) -> wish == null ? null : share * (wish - prediction);
    }

    private boolean hasEffects() {
        return model().game().hasEffects();
    }

    /** The prediction after the move, from the core's formulas; null where the wish is null. */
    private UDF2<Double, Double, Double> response() {
        if (model().optimality().finite()) {
            double t = pullThrough();
            return (prediction, wish) -> wish == null ? null : Response.after(t, prediction, wish);
        }
        // near the limit point predictions are huge and 1 - t tiny: only their product, computed in one step, keeps its
        // digits
        double omega = model().omega();
        double gamma = model().gamma();
        return (prediction, wish) ->
                wish == null ? null : Response.of(omega, gamma).after(prediction, wish);
    }

    @Override
    public StructType transformSchema(StructType schema) {
        return Schemas.withAnswers(this, wished(), hasEffects(), schema);
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

    public StackelbergRegressionModel setImprovementCol(String value) {
        set(improvementCol(), value);
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
