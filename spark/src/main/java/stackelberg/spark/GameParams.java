package stackelberg.spark;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
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
import stackelberg.solver.SolverOptions;

/**
 * The params of one estimator or model, made from the declarations of the game's settings: their defaults, their checks and, unless it mentions other front
 * ends, their help.
 *
 * <p>{@link ParamWords} knows which setting has which param.
 */
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
        labelCol = new Param<>(owner, "labelCol", Settings.TARGET.help());
        wishCol = new Param<>(owner, "wishCol", "column of wishes: the prediction each person would like to get");
        wish = new Param<>(
                owner,
                "wish",
                "the wish as an expression in y (the label) and other columns, such as" + " max(y, quantile(y, 0.75))");
        weightCol = new Param<>(owner, "weightCol", Settings.WEIGHT.help());
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
                new Check<>((game, value) -> game.gamma((Double) value)));
        gammas = new DoubleArrayParam(
                owner, "gammas", "the gammas of fitPath (> 0)", new Check<>((game, values) -> Arrays.stream(values)
                        .forEach(game::gamma)));
        costs = new DoubleArrayParam(
                owner,
                "costs",
                "relative cost of moving each feature (> 0), one for every feature; empty if all are 1",
                new Check<>((game, values) -> byFeature(values, game::cost)));
        effects = new DoubleArrayParam(
                owner,
                "effects",
                "what a move by one unit of each feature really does to the label, one for every feature, 0 for those"
                        + " that people cannot change; empty if moves do nothing to it",
                new Check<>((game, values) -> byFeature(values, game::effect)));
        wishNoise = new DoubleParam(
                owner,
                "wishNoise",
                Settings.WISH_NOISE.help(),
                new Check<>((game, value) -> game.wishNoise((Double) value)));
        ridge = new DoubleParam(
                owner, "ridge", Settings.RIDGE.help(), new Check<>((game, value) -> game.ridge((Double) value)));
        hedge = new Param<>(
                owner, "hedge", Settings.HEDGE.help(), new Check<>((game, text) -> game.hedge(Hedge.parse(text))));
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
                new Check<>((game, value) -> SolverOptions.DEFAULT.withTolerance((Double) value)));
        aggregationDepth = new IntParam(
                owner,
                "aggregationDepth",
                "levels of the tree that adds the partitions' sums (>= 1)",
                ParamValidators.gtEq(1));
    }

    /** Hands each value to a setter of the game, which checks it; features have no names yet. */
    private static void byFeature(double[] values, BiConsumer<String, Double> setter) {
        for (int j = 0; j < values.length; j++) {
            setter.accept("feature " + j, values[j]);
        }
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
        owner.setDefault(wishNoise, Settings.WISH_NOISE.byDefault());
        owner.setDefault(ridge, Settings.RIDGE.byDefault());
        owner.setDefault(hedge, Hedge.BALANCED.toString());
        owner.setDefault(immutableFeatures, new int[0]);
        owner.setDefault(fitIntercept, true);
        owner.setDefault(solver, "auto");
        owner.setDefault(tol, SolverOptions.DEFAULT.tolerance());
        owner.setDefault(aggregationDepth, 2);
    }

    /** The game that the owner's params declare, for features of these names. */
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
        GameSpec.Builder game = GameSpec.builder()
                .target(owner.getLabelCol())
                .wish(wished)
                .weight(owner.isSet(weightCol) ? owner.getWeightCol() : null)
                .features(names)
                .gamma(owner.getGamma())
                .wishNoise(owner.getWishNoise())
                .ridge(owner.getRidge())
                .hedge(Hedge.parse(owner.getHedge()))
                .immutable(immutable)
                .intercept(owner.getFitIntercept() ? GameSpec.Intercept.IMMUTABLE : GameSpec.Intercept.NONE)
                .scaling(Scaling.NONE);
        double[] costs = oneForEach(this.costs, owner.getCosts(), names);
        double[] effects = oneForEach(this.effects, owner.getEffects(), names);
        for (int j = 0; j < names.size(); j++) {
            // the cost of a feature that nobody moves has no meaning, and the array has to have one
            if (costs.length > 0 && !immutable.contains(names.get(j))) {
                game.cost(names.get(j), costs[j]);
            }
            if (effects.length > 0 && effects[j] != 0) {
                game.effect(names.get(j), effects[j]);
            }
        }
        return game.build();
    }

    /** The values of an array param, which is empty or has one for each feature. */
    private static double[] oneForEach(DoubleArrayParam param, double[] values, List<String> names) {
        if (values.length != 0 && values.length != names.size()) {
            throw ParamWords.refused(
                    param.name() + "-length",
                    "{} has {} values, but there are {} features; it needs one for each.",
                    param.name(),
                    values.length,
                    names.size());
        }
        return values;
    }

    /**
     * The encoded game: features as they are, without scaling, the manipulable ones first.
     *
     * @param wished the wish as an expression of the wish language
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

    /**
     * Declares the value of a param as a setting of a game.
     *
     * @param <T> the type of the value
     */
    @FunctionalInterface
    private interface Declaration<T> extends Serializable {
        void declare(GameSpec.Builder game, T value);
    }

    /** Refuses a value of a param that the library refuses for the setting, with its message. */
    private static final class Check<T> extends AbstractFunction1<T, Object> implements Serializable {
        private static final long serialVersionUID = 1L;

        private final Declaration<T> declaration;

        Check(Declaration<T> declaration) {
            this.declaration = declaration;
        }

        @Override
        public Object apply(T value) {
            return ParamWords.worded(() -> {
                declaration.declare(GameSpec.builder(), value);
                return true;
            });
        }
    }
}
