package stackelberg.spark;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.spark.ml.param.BooleanParam;
import org.apache.spark.ml.param.DoubleArrayParam;
import org.apache.spark.ml.param.DoubleParam;
import org.apache.spark.ml.param.IntArrayParam;
import org.apache.spark.ml.param.IntParam;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamValidators;
import org.apache.spark.ml.param.Params;
import scala.runtime.AbstractFunction1;
import stackelberg.data.Encoding;
import stackelberg.data.Encoding.EncodedColumn;
import stackelberg.data.Missing;
import stackelberg.data.Scaling;
import stackelberg.game.GameSpec;
import stackelberg.game.Hedge;
import stackelberg.game.Settings;
import stackelberg.game.World;

/** The params of one estimator or model. */
public final class GameParams implements Serializable {
    private static final long serialVersionUID = 1L;

    final Param<String> featuresCol;
    final Param<String> labelCol;
    final Param<String> wishCol;
    final Param<String> wish;
    final Param<String> weightCol;
    final Param<String> predictionCol;
    final Param<String> responseCol;
    final Param<String> improvementCol;
    final DoubleParam gamma;
    final DoubleArrayParam gammas;
    final DoubleArrayParam costs;
    final DoubleArrayParam effects;
    final DoubleParam wishNoise;
    final DoubleParam ridge;
    final Param<String> hedge;
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
        wish = new Param<>(
                owner,
                "wish",
                "what people wish instead, in words: an expression in y (the label) and other columns, such as"
                        + " max(y, quantile(y, 0.75))");
        weightCol = new Param<>(owner, "weightCol", "column of weights in the loss; if not set, every row counts once");
        predictionCol = new Param<>(owner, "predictionCol", "column for the prediction from the features as they are");
        responseCol = new Param<>(
                owner,
                "responseCol",
                "column for the prediction after the move, where the wishes are known; empty for none");
        improvementCol = new Param<>(
                owner,
                "improvementCol",
                "column for what the moves really do to the label, where there are effects and the wishes are known;"
                        + " empty for none");
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
        effects = new DoubleArrayParam(
                owner,
                "effects",
                "what a move by one unit of each feature really does to the label, one for every feature, 0 for those"
                        + " that people cannot change; empty if moves do nothing to it",
                new AllFinite());
        wishNoise = new DoubleParam(
                owner,
                "wishNoise",
                "standard deviation with which the wishes are known (>= 0)",
                ParamValidators.gtEq(0));
        ridge = new DoubleParam(
                owner,
                "ridge",
                "what the rule pays for relying on features, per person and feature as it is (>= 0)",
                ParamValidators.gtEq(0));
        hedge = new Param<>(owner, "hedge", Settings.HEDGE.help(), new Hedges());
        immutableFeatures =
                new IntArrayParam(owner, "immutableFeatures", "indices of the features that people cannot change");
        fitIntercept =
                new BooleanParam(owner, "fitIntercept", "whether to fit an intercept, which people cannot change");
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

    /** Sets the defaults of the owner's params. */
    void setDefaults(Params owner) {
        owner.setDefault(featuresCol, "features");
        owner.setDefault(labelCol, "label");
        owner.setDefault(wishCol, "wish");
        owner.setDefault(predictionCol, "prediction");
        owner.setDefault(responseCol, "response");
        owner.setDefault(improvementCol, "improvement");
        owner.setDefault(gamma, 1.0);
        owner.setDefault(costs, new double[0]);
        owner.setDefault(effects, new double[0]);
        owner.setDefault(wishNoise, 0.0);
        owner.setDefault(ridge, 0.0);
        owner.setDefault(hedge, String.valueOf(Settings.HEDGE.byDefault()));
        owner.setDefault(immutableFeatures, new int[0]);
        owner.setDefault(fitIntercept, true);
        owner.setDefault(solver, "auto");
        owner.setDefault(tol, 1e-9);
        owner.setDefault(aggregationDepth, 2);
    }

    /** The core's declaration of the game with the owner's params, for features of these names. */
    GameSpec spec(StackelbergParams owner, List<String> names) {
        // in quotes, so that the name is not read as an expression
        String column = DistributedFit.quoted(owner.getWishCol());
        return spec(owner, names, owner.isSet(wish) ? owner.getWish() : column);
    }

    private GameSpec spec(StackelbergParams owner, List<String> names, String wished) {
        Set<String> immutable = new LinkedHashSet<>();
        for (int j : owner.getImmutableFeatures()) {
            immutable.add(names.get(j));
        }
        String weight = owner.isSet(weightCol) ? owner.getWeightCol() : null;
        GameSpec.Intercept intercept = owner.getFitIntercept() ? GameSpec.Intercept.IMMUTABLE : GameSpec.Intercept.NONE;
        GameSpec.Builder game = GameSpec.builder()
                .target(owner.getLabelCol())
                .wish(wished)
                .weight(weight)
                .features(names)
                .gamma(owner.getGamma())
                .wishNoise(owner.getWishNoise())
                .ridge(owner.getRidge())
                .hedge(Hedge.parse(owner.getHedge()))
                .immutable(immutable)
                .intercept(intercept)
                .scaling(Scaling.NONE);
        costsByName(owner.getCosts(), names, immutable).forEach(game::cost);
        effectsByName(owner.getEffects(), names, immutable).forEach(game::effect);
        return game.build();
    }

    /**
     * The core's world for features without scaling, the manipulable ones first.
     *
     * @param wished the wish as an expression of the core
     */
    World world(StackelbergParams owner, List<String> names, String wished) {
        GameSpec spec = spec(owner, names, wished);
        // the spec made from params lists them, if only as an empty set
        Set<String> immutable = Objects.requireNonNull(spec.immutable());
        List<Encoding.Feature> features = new ArrayList<>();
        for (boolean fixed : new boolean[] {false, true}) {
            for (String name : names) {
                if (immutable.contains(name) == fixed) {
                    var asItIs = new EncodedColumn(name, null, 0, 1);
                    features.add(new Encoding.Feature(name, List.of(), 0, null, List.of(asItIs)));
                }
            }
        }
        return World.of(spec, new Encoding(features, Missing.ERROR, List.of()));
    }

    private static Map<String, Double> costsByName(double[] costs, List<String> names, Set<String> immutable) {
        Map<String, Double> byName = new LinkedHashMap<>();
        if (costs.length != 0 && costs.length != names.size()) {
            throw new IllegalArgumentException("costs has " + costs.length + " values, but there are " + names.size()
                    + " features; it needs one for each, those of immutable features being ignored.");
        }
        for (int j = 0; j < costs.length; j++) {
            if (!immutable.contains(names.get(j))) {
                byName.put(names.get(j), costs[j]);
            }
        }
        return byName;
    }

    private static Map<String, Double> effectsByName(double[] effects, List<String> names, Set<String> immutable) {
        Map<String, Double> byName = new LinkedHashMap<>();
        if (effects.length != 0 && effects.length != names.size()) {
            throw new IllegalArgumentException("effects has " + effects.length + " values, but there are "
                    + names.size() + " features; it needs one for each, 0 where a move does nothing to the label.");
        }
        for (int j = 0; j < effects.length; j++) {
            if (effects[j] != 0 && immutable.contains(names.get(j))) {
                throw new IllegalArgumentException("effects has " + effects[j] + " for the feature with the index " + j
                        + ", which people cannot change; it must be 0 there.\nMaybe take it out of immutableFeatures.");
            }
            if (effects[j] != 0) {
                byName.put(names.get(j), effects[j]);
            }
        }
        return byName;
    }

    private static final class AllFinite extends AbstractFunction1<double[], Object> implements Serializable {
        private static final long serialVersionUID = 1L;

        @Override
        public Object apply(double[] values) {
            return Arrays.stream(values).allMatch(Double::isFinite);
        }
    }

    private static final class Hedges extends AbstractFunction1<String, Object> implements Serializable {
        private static final long serialVersionUID = 1L;

        @Override
        public Object apply(String text) {
            Hedge.parse(text);
            return true;
        }
    }

    private static final class AllPositive extends AbstractFunction1<double[], Object> implements Serializable {
        private static final long serialVersionUID = 1L;

        @Override
        public Object apply(double[] values) {
            return Arrays.stream(values).allMatch(value -> value > 0 && value < Double.POSITIVE_INFINITY);
        }
    }
}
