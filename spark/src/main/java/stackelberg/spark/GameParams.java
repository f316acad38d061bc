package stackelberg.spark;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.ml.param.BooleanParam;
import org.apache.spark.ml.param.DoubleArrayParam;
import org.apache.spark.ml.param.DoubleParam;
import org.apache.spark.ml.param.IntArrayParam;
import org.apache.spark.ml.param.IntParam;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamValidators;
import org.apache.spark.ml.param.Params;
import scala.runtime.AbstractFunction1;

/** The params of an estimator or a model, made for one owner. */
public final class GameParams implements Serializable {
    private static final long serialVersionUID = 1L;

    final Param<String> featuresCol;
    final Param<String> labelCol;
    final Param<String> wishCol;
    final Param<String> weightCol;
    final Param<String> predictionCol;
    final Param<String> responseCol;
    final DoubleParam gamma;
    final DoubleArrayParam gammas;
    final DoubleArrayParam costs;
    final DoubleParam wishNoise;
    final IntArrayParam immutableFeatures;
    final BooleanParam fitIntercept;
    final Param<String> solver;
    final DoubleParam tol;
    final IntParam aggregationDepth;

    GameParams(Params owner) {
        featuresCol =
                new Param<>(owner, "featuresCol", "column of feature vectors, in the units that moves are paid in");
        labelCol = new Param<>(owner, "labelCol", "column of true labels");
        wishCol = new Param<>(owner, "wishCol", "column of wishes: the prediction each person would like to get");
        weightCol = new Param<>(owner, "weightCol", "column of weights in the loss; if not set, every row counts once");
        predictionCol = new Param<>(owner, "predictionCol", "column for the prediction from the features as they are");
        responseCol = new Param<>(
                owner,
                "responseCol",
                "column for the prediction after everybody has moved, where the wishes are known; empty for none");
        gamma = new DoubleParam(
                owner,
                "gamma",
                "how hard it is to move: moving feature j by d costs gamma * costs[j] * d^2 (> 0)",
                ParamValidators.gt(0));
        gammas = new DoubleArrayParam(owner, "gammas", "the gammas of fitPath (> 0)", new AllPositive());
        costs = new DoubleArrayParam(
                owner,
                "costs",
                "relative cost of moving each feature (> 0), one for every feature; empty if all are 1",
                new AllPositive());
        wishNoise = new DoubleParam(
                owner,
                "wishNoise",
                "standard deviation with which the wishes are known (>= 0)",
                ParamValidators.gtEq(0));
        immutableFeatures =
                new IntArrayParam(owner, "immutableFeatures", "indices of the features that nobody can change");
        fitIntercept = new BooleanParam(owner, "fitIntercept", "whether to fit an intercept, which nobody can change");
        solver = new Param<>(
                owner,
                "solver",
                "direct (one pass that forms the sums of products, for few features), krylov (some passes over cached"
                        + " rows) or auto",
                ParamValidators.inArray(List.of("auto", "direct", "krylov")));
        tol = new DoubleParam(
                owner,
                "tol",
                "relative gap to the global optimum to be reached and proven",
                ParamValidators.inRange(0, 1, false, false));
        aggregationDepth = new IntParam(
                owner,
                "aggregationDepth",
                "levels of the tree that adds the partitions' sums (>= 1)",
                ParamValidators.gtEq(1));
    }

    /** Gives the owner everything that has a default. */
    void setDefaults(Params owner) {
        owner.setDefault(featuresCol, "features");
        owner.setDefault(labelCol, "label");
        owner.setDefault(wishCol, "wish");
        owner.setDefault(predictionCol, "prediction");
        owner.setDefault(responseCol, "response");
        owner.setDefault(gamma, 1.0);
        owner.setDefault(costs, new double[0]);
        owner.setDefault(wishNoise, 0.0);
        owner.setDefault(immutableFeatures, new int[0]);
        owner.setDefault(fitIntercept, true);
        owner.setDefault(solver, "auto");
        owner.setDefault(tol, 1e-9);
        owner.setDefault(aggregationDepth, 2);
    }

    private static final class AllPositive extends AbstractFunction1<double[], Object> implements Serializable {
        private static final long serialVersionUID = 1L;

        @Override
        public Object apply(double[] values) {
            return Arrays.stream(values).allMatch(value -> value > 0 && value < Double.POSITIVE_INFINITY);
        }
    }
}
