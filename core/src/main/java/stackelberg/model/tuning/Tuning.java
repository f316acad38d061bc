package stackelberg.model.tuning;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.IntToDoubleFunction;
import org.jspecify.annotations.Nullable;
import stackelberg.data.Message;
import stackelberg.data.Table;
import stackelberg.estimate.Loss;
import stackelberg.estimate.Resampling;
import stackelberg.estimate.Resampling.Folds;
import stackelberg.game.GameSpec;
import stackelberg.game.Hedge;
import stackelberg.game.Response;
import stackelberg.linalg.Workers;
import stackelberg.objective.Pipeline;

/**
 * The result of cross-validating gamma: the held-out loss of the rule of each model gamma when people respond with any
 * gamma of the world.
 *
 * <p>The model's gamma is chosen (a small one expects large moves), the world's is a fact. If the held-out rows
 * responded with the model's own gamma, a larger one would always look better, because it makes them move less. So the
 * rules are compared in a given world ({@link #curve}) or, if that is unknown, by their regret over many worlds ({@link
 * #regret}). For each rule and fold, squared loss is a quadratic function of the world's pull-through, so any number of
 * worlds costs almost nothing; with another loss, each world takes a pass over the held-out predictions.
 */
public final class Tuning {
    private static final MathContext SHARE_DIGITS = new MathContext(14);

    private final Candidates candidates;
    private final Folds folds;
    /** By fold and candidate. */
    private final HeldOut[][] heldOut;

    private final double[] foldWeights;
    /** The factor on gammas, by fold. */
    private final double[] stretch;

    private final GameSpec spec;
    private final double omega;
    private final double meanLoss;
    private final String method;
    private final boolean settled;
    private final List<Message> warnings;

    Tuning(
            Candidates candidates,
            HeldOut[][] heldOut,
            double[] stretch,
            FoldedSample data,
            String method,
            boolean settled,
            List<Message> warnings) {
        this.candidates = candidates;
        this.folds = data.folds();
        this.heldOut = heldOut;
        this.foldWeights = data.foldWeights();
        this.stretch = stretch;
        this.spec = data.spec();
        this.omega = data.omega();
        this.meanLoss = data.meanLoss();
        this.method = method;
        this.settled = settled;
        this.warnings = List.copyOf(warnings);
    }

    /** Returns the spec; throws, naming the setting, if cross-validation does not support it. */
    public static GameSpec requireTunable(GameSpec spec) {
        return CrossValidation.requireTunable(spec);
    }

    /**
     * Cross-validates every gamma of the plan.
     *
     * @param spec the declared game, whose own gamma is not used
     * @param pipeline the pipeline for folds that are solved from their rows
     */
    public static Tuning of(
            GameSpec spec, Table table, Plan plan, Pipeline pipeline, Workers workers, Listener listener) {
        return CrossValidation.of(spec, table, plan, pipeline, workers, listener, true);
    }

    /**
     * Returns the gamma of each model: every gamma of the plan with its first ridge, then with its second, and so on.
     */
    public double[] gammas() {
        return candidates.gammas().clone();
    }

    /**
     * Returns the share of the gap that people close under today's rule at this gamma; empty if the plan has gammas as
     * numbers.
     */
    public OptionalDouble shareOf(double gamma) {
        if (Double.isNaN(omega)) {
            return OptionalDouble.empty();
        }
        // rounded so that a gamma which came from the share 0.3 gives 0.3 again, not 0.30000000000000004
        BigDecimal share = new BigDecimal(Response.pullThrough(omega, gamma));
        return OptionalDouble.of(share.round(SHARE_DIGITS).doubleValue());
    }

    /**
     * Returns the gamma at which people close this share of the gap under today's rule of all rows; only for a plan
     * with shares.
     */
    public double gammaOf(double share) {
        if (Double.isNaN(omega)) {
            throw new IllegalStateException("The gammas of the plan are numbers, not shares.");
        }
        return omega * (1 - share) / share;
    }

    /** Returns the ridge of each model. */
    public double[] ridges() {
        return candidates.ridges().clone();
    }

    public Folds folds() {
        return folds;
    }

    /** Returns the probability with which a row is truthful, in the training and the held-out rows. */
    public double truthfulShare() {
        return spec.truthfulShare();
    }

    /** Returns the hedge, which is measured on the training rows of each fold. */
    public Hedge hedge() {
        return spec.hedge();
    }

    /** Returns the loss by which rules are learned and evaluated. */
    public Loss loss() {
        return spec.loss();
    }

    /** Returns a sentence about how the folds were computed, and why. */
    public String method() {
        return method;
    }

    /**
     * Returns whether every rule of every fold is finite and its solver reports convergence to the tolerance; if not,
     * the warnings say how many are not. (The rule that is finally chosen is fitted and certified.)
     */
    public boolean settled() {
        return settled;
    }

    public List<Message> warnings() {
        return warnings;
    }

    /** Returns the summed loss of a fold's held-out rows under one model's rule, in a world with gamma worldGamma. */
    public double foldLoss(int fold, int model, double worldGamma) {
        requirePositive(worldGamma);
        return heldOut[fold][model].loss(stretch[fold] * worldGamma, spec.truthfulShare());
    }

    /** Returns the weighted mean of the held-out loss over all folds. */
    public double loss(int model, double worldGamma) {
        double sum = 0;
        double weight = 0;
        for (int f = 0; f < heldOut.length; f++) {
            sum += foldLoss(f, model, worldGamma);
            weight += foldWeights[f];
        }
        return sum / weight;
    }

    /**
     * Returns the weighted mean of the held-out loss of the constant rule that predicts the mean of the training rows,
     * which nobody can manipulate.
     */
    public double meanLoss() {
        return meanLoss;
    }

    /**
     * Returns the curve over the model gammas in one world, each with its best ridge there, with the minimum and the
     * one-standard-error choice.
     */
    public Curve curve(double worldGamma) {
        List<Curve.Point> points = new ArrayList<>();
        for (int j : bestOfEachGamma(model -> loss(model, worldGamma))) {
            double pullThrough = 0;
            for (int f = 0; f < heldOut.length; f++) {
                pullThrough += heldOut[f][j].pullThrough(stretch[f] * worldGamma) / heldOut.length;
            }
            pullThrough *= 1 - spec.truthfulShare();
            double loss = loss(j, worldGamma);
            points.add(new Curve.Point(
                    candidates.gammas()[j],
                    candidates.ridges()[j],
                    loss,
                    standardError(j, worldGamma, loss),
                    pullThrough));
        }
        return Curve.of(worldGamma, points);
    }

    /**
     * Returns the loss and the regret of every model gamma in each of these worlds. Each model gamma has the ridge whose largest regret over the worlds is smallest.
     */
    public Regret regret(double... worldGammas) {
        if (worldGammas.length == 0) {
            throw new IllegalArgumentException("There is no world gamma to compare in.\nMaybe give a range of them.");
        }
        double[][] loss = new double[candidates.count()][worldGammas.length];
        for (int j = 0; j < loss.length; j++) {
            for (int k = 0; k < worldGammas.length; k++) {
                loss[j][k] = loss(j, worldGammas[k]);
            }
        }
        Regret all = Regret.of(candidates.gammas(), candidates.ridges(), worldGammas, loss);
        return all.of(bestOfEachGamma(model -> all.worstRegret()[model]));
    }

    /** Returns, for each gamma, the model whose ridge minimises a value; of equal values, the first. */
    private int[] bestOfEachGamma(IntToDoubleFunction value) {
        Map<Double, Integer> best = new LinkedHashMap<>();
        for (int j = 0; j < candidates.count(); j++) {
            int model = j;
            best.merge(
                    candidates.gammas()[j],
                    model,
                    (old, other) -> value.applyAsDouble(other) < value.applyAsDouble(old) ? other : old);
        }
        return best.values().stream().mapToInt(Integer::intValue).toArray();
    }

    /**
     * Returns the standard error of a ratio of sums over folds, sqrt(K/(K - 1) sum_f (L_f - mean W_f)^2)/W, which for
     * folds of equal size is sd/sqrt(K).
     */
    private double standardError(int model, double worldGamma, double mean) {
        double squares = 0;
        double weight = 0;
        for (int f = 0; f < heldOut.length; f++) {
            double deviation = foldLoss(f, model, worldGamma) - mean * foldWeights[f];
            squares += deviation * deviation;
            weight += foldWeights[f];
        }
        int count = heldOut.length;
        return Math.sqrt(squares * count / (count - 1)) / weight;
    }

    private static void requirePositive(double worldGamma) {
        if (!(worldGamma > 0) || Double.isInfinite(worldGamma)) {
            throw new IllegalArgumentException(
                    "The world's gamma is " + worldGamma + "; it must be positive and finite.");
        }
    }

    /**
     * What to cross-validate.
     *
     * @param gammas the model gammas to choose from
     * @param shares whether the gammas are given as shares of the gap that people close under today's rule; each fold
     *     has its own today's rule
     * @param folds the number of folds, or {@link #USUAL_FOLDS}
     * @param seed the seed of the permutation that assigns rows to folds
     * @param group a column whose rows with equal values stay in one fold, or null
     * @param ridges the ridges to choose from; none for the game's own
     */
    public record Plan(
            double[] gammas,
            boolean shares,
            int folds,
            long seed,
            @Nullable String group,
            double... ridges) {
        /** Ten folds, or as many as there are rows or groups if these are fewer. */
        public static final int USUAL_FOLDS = 0;

        private static final int USUAL = 10;

        public Plan {
            gammas = gammas.clone();
            ridges = ridges.clone();
            for (double ridge : ridges) {
                if (!(ridge >= 0) || Double.isInfinite(ridge)) {
                    throw new IllegalArgumentException("A ridge is " + ridge + "; it must be 0 or more and finite.");
                }
            }
            if (gammas.length == 0) {
                throw new IllegalArgumentException(
                        "There is no model gamma to choose from.\nMaybe give a range of them.");
            }
            for (double gamma : gammas) {
                if (!(gamma > 0) || Double.isInfinite(gamma)) {
                    throw new IllegalArgumentException(
                            "A model gamma is " + gamma + "; it must be positive and finite.");
                }
                if (shares && gamma >= 1) {
                    throw new IllegalArgumentException(
                            "A model gamma is a share of " + gamma + "; it must be less than 1.");
                }
            }
            if (folds < 2 && folds != USUAL_FOLDS) {
                throw new IllegalArgumentException("The number of folds is " + folds + "; it must be at least 2.");
            }
        }

        /** Returns a plan with the usual folds, seed 0 and no groups. */
        public static Plan of(double... gammas) {
            return new Plan(gammas, USUAL_FOLDS, 0, null);
        }

        /** Returns the same plan with gammas given as shares of the gap that people close under today's rule. */
        public static Plan ofShares(double... shares) {
            return new Plan(shares, true, USUAL_FOLDS, 0, null);
        }

        /** Makes a plan with gammas as numbers. */
        public Plan(double[] gammas, int folds, long seed, @Nullable String group, double... ridges) {
            this(gammas, false, folds, seed, group, ridges);
        }

        Folds foldsOf(Table rows, double[] weights) {
            Resampling all = Resampling.of(weights, seed);
            Resampling units = group == null ? all : all.grouped(rows, group);
            return folds == USUAL_FOLDS ? units.foldsAtMost(USUAL) : units.folds(folds);
        }

        @Override
        public double[] gammas() {
            return gammas.clone();
        }

        @Override
        public double[] ridges() {
            return ridges.clone();
        }

        /** Returns a copy that combines every gamma with each of these ridges, instead of the game's own. */
        public Plan withRidges(double... newRidges) {
            return new Plan(gammas, shares, folds, seed, group, newRidges);
        }

        public Plan withFolds(int newFolds) {
            return new Plan(gammas, shares, newFolds, seed, group, ridges);
        }

        public Plan withSeed(long newSeed) {
            return new Plan(gammas, shares, folds, newSeed, group, ridges);
        }

        /**
         * Returns a copy that holds out rows with the same value of the column together; the column is not a feature.
         */
        public Plan withGroup(String column) {
            return new Plan(gammas, shares, folds, seed, column, ridges);
        }
    }

    /** Receives the progress of a cross-validation and may stop it. */
    @FunctionalInterface
    public interface Listener {
        /** Ignores the progress and never stops. */
        Listener NONE = (phase, fraction) -> true;

        /**
         * Called from time to time, never from two threads at once.
         *
         * @param phase what is being done, in words
         * @param fraction the fraction of the whole work that is done, from 0 to 1 and never decreasing: after s
         *     seconds about s (1 - fraction)/fraction remain
         * @return false to stop; the tuning then ends with a {@link java.util.concurrent.CancellationException}
         */
        boolean onProgress(String phase, double fraction);
    }

    /**
     * The losses of every model gamma in every world, and their regrets. The model with the smallest worst regret is
     * the choice if the world's gamma is unknown.
     *
     * @param gammas the model gammas
     * @param ridges the ridge of each of them
     * @param worldGammas the gammas of the worlds
     * @param loss the mean held-out loss, by model and world
     * @param regret the loss minus the smallest loss in that world
     * @param worstRegret the largest regret of each model
     * @param worstWorld the index of the world with that regret
     */
    public record Regret(
            double[] gammas,
            double[] ridges,
            double[] worldGammas,
            double[][] loss,
            double[][] regret,
            double[] worstRegret,
            int[] worstWorld) {
        /** Returns the index of the model with the smallest worst regret. */
        public int choice() {
            int least = 0;
            for (int j = 1; j < worstRegret.length; j++) {
                least = worstRegret[j] < worstRegret[least] ? j : least;
            }
            return least;
        }

        /** Computes the regrets from the losses of every model in every world. */
        static Regret of(double[] gammas, double[] ridges, double[] worldGammas, double[][] loss) {
            int models = gammas.length;
            int worlds = worldGammas.length;
            double[][] regret = new double[models][worlds];
            double[] worstRegret = new double[models];
            int[] worstWorld = new int[models];
            for (int k = 0; k < worlds; k++) {
                double best = Double.POSITIVE_INFINITY;
                for (int j = 0; j < models; j++) {
                    best = Math.min(best, loss[j][k]);
                }
                for (int j = 0; j < models; j++) {
                    regret[j][k] = loss[j][k] - best;
                    if (regret[j][k] > worstRegret[j]) {
                        worstRegret[j] = regret[j][k];
                        worstWorld[j] = k;
                    }
                }
            }
            return new Regret(gammas, ridges, worldGammas.clone(), loss, regret, worstRegret, worstWorld);
        }

        /** Returns some of the models, with their regrets relative to all models. */
        Regret of(int[] some) {
            return new Regret(
                    pick(gammas, some),
                    pick(ridges, some),
                    worldGammas,
                    Arrays.stream(some).mapToObj(j -> loss[j]).toArray(double[][]::new),
                    Arrays.stream(some).mapToObj(j -> regret[j]).toArray(double[][]::new),
                    pick(worstRegret, some),
                    Arrays.stream(some).map(j -> worstWorld[j]).toArray());
        }

        private static double[] pick(double[] values, int[] some) {
            return Arrays.stream(some).mapToDouble(j -> values[j]).toArray();
        }
    }

    /**
     * The loss of each model gamma in a world with gamma worldGamma.
     *
     * @param worldGamma the gamma with which people respond
     * @param points one per model gamma
     * @param best the index of the smallest loss
     * @param oneStandardError among the rules within one standard error of the best, the index of the one with the
     *     smallest pull-through in this world: if the data cannot distinguish two rules, the one that is manipulated
     *     less is safer
     */
    public record Curve(double worldGamma, List<Point> points, int best, int oneStandardError) {
        public Curve {
            points = List.copyOf(points);
        }

        /**
         * The result of one model gamma.
         *
         * @param gamma the model's gamma
         * @param ridge the ridge that is best with it
         * @param loss the mean held-out loss
         * @param standardError the standard error of that mean, from the spread over the folds
         * @param pullThrough the fraction of the gap that people close, mean over the folds
         */
        public record Point(double gamma, double ridge, double loss, double standardError, double pullThrough) {}

        static Curve of(double worldGamma, List<Point> points) {
            int best = 0;
            for (int j = 1; j < points.size(); j++) {
                best = points.get(j).loss() < points.get(best).loss() ? j : best;
            }
            double limit = points.get(best).loss() + points.get(best).standardError();
            int cautious = best;
            for (int j = 0; j < points.size(); j++) {
                boolean within = points.get(j).loss() <= limit;
                if (within && points.get(j).pullThrough() < points.get(cautious).pullThrough()) {
                    cautious = j;
                }
            }
            return new Curve(worldGamma, points, best, cautious);
        }
    }
}
