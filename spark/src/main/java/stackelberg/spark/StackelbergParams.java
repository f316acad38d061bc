package stackelberg.spark;

import org.apache.spark.ml.param.BooleanParam;
import org.apache.spark.ml.param.DoubleArrayParam;
import org.apache.spark.ml.param.DoubleParam;
import org.apache.spark.ml.param.IntArrayParam;
import org.apache.spark.ml.param.IntParam;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.Params;

/** The params of estimator and model, under Spark's own names where Spark has them. */
public interface StackelbergParams extends Params {
    /** The params of this object. */
    GameParams own();

    default Param<String> featuresCol() {
        return own().featuresCol;
    }

    default Param<String> labelCol() {
        return own().labelCol;
    }

    default Param<String> wishCol() {
        return own().wishCol;
    }

    default Param<String> wish() {
        return own().wish;
    }

    default Param<String> weightCol() {
        return own().weightCol;
    }

    default Param<String> predictionCol() {
        return own().predictionCol;
    }

    default Param<String> responseCol() {
        return own().responseCol;
    }

    default Param<String> improvementCol() {
        return own().improvementCol;
    }

    default DoubleParam gamma() {
        return own().gamma;
    }

    default DoubleArrayParam gammas() {
        return own().gammas;
    }

    default DoubleArrayParam costs() {
        return own().costs;
    }

    default DoubleArrayParam effects() {
        return own().effects;
    }

    default DoubleParam wishNoise() {
        return own().wishNoise;
    }

    default DoubleParam ridge() {
        return own().ridge;
    }

    default Param<String> hedge() {
        return own().hedge;
    }

    default IntArrayParam immutableFeatures() {
        return own().immutableFeatures;
    }

    default BooleanParam fitIntercept() {
        return own().fitIntercept;
    }

    default Param<String> solver() {
        return own().solver;
    }

    default DoubleParam tol() {
        return own().tol;
    }

    default IntParam aggregationDepth() {
        return own().aggregationDepth;
    }

    default String getFeaturesCol() {
        return getOrDefault(featuresCol());
    }

    default String getLabelCol() {
        return getOrDefault(labelCol());
    }

    default String getWishCol() {
        return getOrDefault(wishCol());
    }

    /** Returns the wish expression; fails if none is set. */
    default String getWish() {
        return getOrDefault(wish());
    }

    /** Returns the weight column; fails if none is set. */
    default String getWeightCol() {
        return getOrDefault(weightCol());
    }

    default String getPredictionCol() {
        return getOrDefault(predictionCol());
    }

    default String getResponseCol() {
        return getOrDefault(responseCol());
    }

    default String getImprovementCol() {
        return getOrDefault(improvementCol());
    }

    default double getGamma() {
        return (Double) getOrDefault(gamma());
    }

    /** Returns the gammas of fitPath; fails if none are set. */
    default double[] getGammas() {
        return getOrDefault(gammas());
    }

    default double[] getCosts() {
        return getOrDefault(costs());
    }

    default double[] getEffects() {
        return getOrDefault(effects());
    }

    default double getWishNoise() {
        return (Double) getOrDefault(wishNoise());
    }

    default double getRidge() {
        return (Double) getOrDefault(ridge());
    }

    default String getHedge() {
        return getOrDefault(hedge());
    }

    default int[] getImmutableFeatures() {
        return getOrDefault(immutableFeatures());
    }

    default boolean getFitIntercept() {
        return (Boolean) getOrDefault(fitIntercept());
    }

    default String getSolver() {
        return getOrDefault(solver());
    }

    default double getTol() {
        return (Double) getOrDefault(tol());
    }

    default int getAggregationDepth() {
        return (Integer) getOrDefault(aggregationDepth());
    }
}
