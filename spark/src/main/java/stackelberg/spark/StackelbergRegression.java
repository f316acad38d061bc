package stackelberg.spark;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.ml.Estimator;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.util.DefaultParamsReadable;
import org.apache.spark.ml.util.DefaultParamsWritable;
import org.apache.spark.ml.util.Identifiable;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.types.StructType;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import stackelberg.game.GameSpec;
import stackelberg.model.StackelbergModel;

/**
 * Linear regression that anticipates strategic responses, as a Spark ML estimator: minimises sum_i s_i (w'x_i* + q'v_i - y_i)^2 where follower i answers a rule
 * with x_i* = argmin (w'x + q'v_i - z_i)^2 + gamma sum_j c_j (x_j - x_ij)^2.
 *
 * <p>The label y, the wish z and the weight s are columns; V are the {@code immutableFeatures} and the intercept. Features are not scaled, so costs of moves are in
 * their units: put a StandardScaler in front for costs in standard deviations. With {@code effects}, moves really change the label, to y_i + effects'(x_i* -
 * x_i).
 */
public final class StackelbergRegression extends Estimator<StackelbergRegressionModel>
        implements StackelbergParams, DefaultParamsWritable {
    private static final long serialVersionUID = 1L;

    private final String uid;
    private final GameParams own;

    public StackelbergRegression() {
        this(Identifiable.randomUID("stackelberg"));
    }

    public StackelbergRegression(String uid) {
        this.uid = uid;
        this.own = new GameParams(this);
        own.setDefaults(this);
    }

    /**
     * The estimator for a game declared with the core. A setting that Spark does not support is refused by name.
     *
     * @param game the game; its features must be listed in the order of the vectors' entries
     */
    public static StackelbergRegression of(GameSpec game) {
        return SparkGame.estimator(game);
    }

    /** Reads an estimator that {@link #write} has saved. */
    public static MLReader<StackelbergRegression> read() {
        return new DefaultParamsReadable<StackelbergRegression>() {}.read();
    }

    public static StackelbergRegression load(String path) {
        return ModelFiles.load(read(), path, StackelbergRegression.class);
    }

    @Override
    public String uid() {
        return uid;
    }

    @Override
    public GameParams own() {
        return own;
    }

    @Override
    public StackelbergRegressionModel fit(Dataset<?> dataset) {
        return fitAll(dataset, getGamma()).get(0);
    }

    /** Fits one model for each of {@code gammas}, in one training. */
    public List<StackelbergRegressionModel> fitPath(Dataset<?> dataset) {
        if (!isSet(gammas()) || getGammas().length == 0) {
            throw ParamWords.refused(
                    "path-without-gammas",
                    "fitPath needs gammas, which are not set, or empty.\nMaybe use {}, or fit for one gamma.",
                    ParamWords.param("gammas"));
        }
        return fitAll(dataset, getGammas());
    }

    /** Fits one model for each map of params, in one training if the maps differ in {@code gamma} only. */
    @Override
    public Seq<StackelbergRegressionModel> fit(Dataset<?> dataset, Seq<ParamMap> maps) {
        List<ParamMap> all = CollectionConverters.asJava(maps);
        boolean path = all.stream().allMatch(map -> map.size() == 1 && map.contains(gamma()));
        if (!path) {
            return super.fit(dataset, maps);
        }
        double[] values =
                all.stream().mapToDouble(map -> (Double) map.apply(gamma())).toArray();
        return CollectionConverters.asScala(fitAll(dataset, values)).toSeq();
    }

    private List<StackelbergRegressionModel> fitAll(Dataset<?> dataset, double... gammas) {
        List<StackelbergModel> fitted = ParamWords.worded(() -> DistributedFit.of(this, gammas, dataset));
        return IntStream.range(0, gammas.length)
                .mapToObj(i -> {
                    var model = new StackelbergRegressionModel(uid, new Fitted(fitted.get(i)));
                    ParamMap at = new ParamMap().put(gamma(), gammas[i]);
                    return copyValues(model, at).setParent(this);
                })
                .toList();
    }

    @Override
    public StructType transformSchema(StructType schema) {
        Schemas.requireTraining(this, schema);
        boolean effects = Arrays.stream(getEffects()).anyMatch(effect -> effect != 0);
        return Schemas.withAnswers(this, Schemas.wished(this, schema), effects, schema);
    }

    @Override
    public StackelbergRegression copy(ParamMap extra) {
        return defaultCopy(extra);
    }

    public StackelbergRegression setFeaturesCol(String value) {
        set(featuresCol(), value);
        return this;
    }

    public StackelbergRegression setLabelCol(String value) {
        set(labelCol(), value);
        return this;
    }

    public StackelbergRegression setWishCol(String value) {
        set(wishCol(), value);
        return this;
    }

    /** The wish as an expression in y (the label) and other columns, such as {@code max(y, quantile(y, 0.75))}. */
    public StackelbergRegression setWish(String expression) {
        set(wish(), expression);
        return this;
    }

    public StackelbergRegression setWeightCol(String value) {
        set(weightCol(), value);
        return this;
    }

    public StackelbergRegression setPredictionCol(String value) {
        set(predictionCol(), value);
        return this;
    }

    public StackelbergRegression setResponseCol(String value) {
        set(responseCol(), value);
        return this;
    }

    public StackelbergRegression setImprovementCol(String value) {
        set(improvementCol(), value);
        return this;
    }

    public StackelbergRegression setGamma(double value) {
        set(gamma(), value);
        return this;
    }

    public StackelbergRegression setGammas(double... values) {
        set(gammas(), values);
        return this;
    }

    public StackelbergRegression setCosts(double... values) {
        set(costs(), values);
        return this;
    }

    public StackelbergRegression setEffects(double... values) {
        set(effects(), values);
        return this;
    }

    public StackelbergRegression setWishNoise(double value) {
        set(wishNoise(), value);
        return this;
    }

    public StackelbergRegression setRidge(double value) {
        set(ridge(), value);
        return this;
    }

    /** Sets the bound on the rule's loss if nobody moves: {@code balanced}, {@code 5%} or {@code none}. */
    public StackelbergRegression setHedge(String value) {
        set(hedge(), value);
        return this;
    }

    public StackelbergRegression setImmutableFeatures(int... indices) {
        set(immutableFeatures(), indices);
        return this;
    }

    public StackelbergRegression setFitIntercept(boolean value) {
        set(fitIntercept(), value);
        return this;
    }

    public StackelbergRegression setSolver(String value) {
        set(solver(), value);
        return this;
    }

    public StackelbergRegression setTol(double value) {
        set(tol(), value);
        return this;
    }

    public StackelbergRegression setAggregationDepth(int value) {
        set(aggregationDepth(), value);
        return this;
    }
}
