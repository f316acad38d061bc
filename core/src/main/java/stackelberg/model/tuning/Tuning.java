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
 * How cautious the rule should be: the held-out losses of every model gamma, for people who respond with any gamma of the world.
 *
 * <p>The model's gamma is a choice (small: the rule fears that everybody moves), the world's is a fact. If people held out responded with the
 * model's own gamma, a larger one would always look better, because it makes them move less; so each rule is judged in a given world ({@link
 * #curve}) or, when that is unknown, by its regret over many worlds ({@link #regret}). Per rule and fold squared loss is a quadratic in the
 * world's pull-through, so any number of worlds costs nothing; by another loss a world costs a look at everybody's prediction.
 */
public final class Tuning {
    private static final MathContext SHARE_DIGITS = new MathContext(14);

    private final Candidates candidates;
    private final Folds folds;
    /** By fold and candidate. */
    private final HeldOut[][] heldOut;

    private final double[] foldWeights;
    /** By fold, what gammas are multiplied by. */
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
            FoldData data,
            String method,
            boolean settled,
            List<Message> warnings) {
        this.candidates = candidates;
        this.folds = data.folds();
        this.heldOut = heldOut;
        this.foldWeights = data.foldWeights();
        this.stretch = data.stretch();
        this.spec = data.spec();
        this.omega = data.omega();
        this.meanLoss = data.meanLoss();
        this.method = method;
        this.settled = settled;
        this.warnings = List.copyOf(warnings);
    }

    /** The same game; refused by name where cross-validation cannot judge its rules. */
    public static GameSpec requireTunable(GameSpec spec) {
        return CrossValidation.requireTunable(spec);
    }

    /**
     * Cross-validates every gamma of the plan in one go.
     *
     * @param spec the game, whose own gamma plays no part
     * @param pipeline of the folds that are solved in step
     */
    public static Tuning of(
            GameSpec spec, Table table, Plan plan, Pipeline pipeline, Workers workers, Listener listener) {
        return CrossValidation.of(spec, plan, pipeline, workers, listener).run(table);
    }

    /** The gamma of each model: every gamma of the plan with its first ridge, then with its second, and so on. */
    public double[] gammas() {
        return candidates.gammas().clone();
    }

    /** The share of the gap to their wish that people who face today's rule close where moving costs gamma; empty where the plan has gammas as numbers. */
    public OptionalDouble shareOf(double gamma) {
        if (Double.isNaN(omega)) {
            return OptionalDouble.empty();
        }
        // gammas came from shares: what 30% was is 0.3 again, and not 0.30000000000000004
        BigDecimal share = new BigDecimal(Response.pullThrough(omega, gamma));
        return OptionalDouble.of(share.round(SHARE_DIGITS).doubleValue());
    }

    /** The gamma at which people who face today's rule close this share of the gap, by all rows; only where the plan has shares. */
    public double gammaOf(double share) {
        if (Double.isNaN(omega)) {
            throw new IllegalStateException("The gammas of the plan are numbers, so that no share was counted.");
        }
        return omega * (1 - share) / share;
    }

    /** The ridge of each model. */
    public double[] ridges() {
        return candidates.ridges().clone();
    }

    public Folds folds() {
        return folds;
    }

    /** The probability with which the people held out stay as they are; those a rule was learned from too. */
    public double truthfulShare() {
        return spec.truthfulShare();
    }

    /** How good every rule has to be if nobody moves, among the training rows of its fold. */
    public Hedge hedge() {
        return spec.hedge();
    }

    /** What people held out are judged by, and a rule is learned by. */
    public Loss loss() {
        return spec.loss();
    }

    /** How the folds were computed and why, for people. */
    public String method() {
        return method;
    }

    /**
     * Whether every rule of every fold is finite and its solver has converged to the tolerance (by its own account; the rule that is chosen in the
     * end is fitted and certified); if not, the warnings say how many are not.
     */
    public boolean settled() {
        return settled;
    }

    public List<Message> warnings() {
        return warnings;
    }

    /** The summed loss of the people held out in one fold under the rule of one model gamma, in a world where moving costs worldGamma. */
    public double foldLoss(int fold, int model, double worldGamma) {
        requirePositive(worldGamma);
        return heldOut[fold][model].loss(stretch[fold] * worldGamma, spec.truthfulShare());
    }

    /** The loss of a person held out, weights respected: the sum over all folds, divided by the sum of the weights. */
    public double loss(int model, double worldGamma) {
        double sum = 0;
        double weight = 0;
        for (int f = 0; f < heldOut.length; f++) {
            sum += foldLoss(f, model, worldGamma);
            weight += foldWeights[f];
        }
        return sum / weight;
    }

    /** The loss of a person held out, weights respected, if everybody is predicted the mean of the training rows: a rule nobody can pull. */
    public double meanLoss() {
        return meanLoss;
    }

    /** The curve over the model gammas in one world, each with its best ridge there, its minimum and the one-standard-error choice. */
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

    /** All model gammas in all these worlds, each with the ridge that is regretted least, and the choice of least worst-case regret. */
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

    /** For each gamma the model whose ridge makes this smallest, the first ridge winning ties. */
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

    /** Of the ratio of sums over folds: sqrt(K/(K - 1) sum_f (L_f - mean W_f)^2)/W, which for folds of one size is sd/sqrt(K). */
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
     * What is to be cross-validated.
     *
     * @param gammas the model gammas to choose from: how hard the rule believes it is to move
     * @param shares whether they are shares of the gap that people close under today's rule, which each fold has its own of
     * @param folds how many parts the rows are cut into, or {@link #USUAL_FOLDS}
     * @param seed of the permutation that cuts them
     * @param group a column whose equal values stay in one fold, or null
     * @param ridges the ridges to choose from beside them; none for the game's own
     */
    public record Plan(double[] gammas, boolean shares, int folds, long seed, String group, double... ridges) {
        /** Ten folds, or as many as there are rows or groups if they are fewer. */
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

        /** The usual folds, seed 0, no groups. */
        public static Plan of(double... gammas) {
            return new Plan(gammas, USUAL_FOLDS, 0, null);
        }

        /** The same with gammas as shares of the gap to their wish that people close who face today's rule. */
        public static Plan ofShares(double... shares) {
            return new Plan(shares, true, USUAL_FOLDS, 0, null);
        }

        /** With gammas that are numbers. */
        public Plan(double[] gammas, int folds, long seed, String group, double... ridges) {
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

        /** Every gamma is tried with every one of these ridges, instead of the game's own. */
        public Plan withRidges(double... newRidges) {
            return new Plan(gammas, shares, folds, seed, group, newRidges);
        }

        public Plan withFolds(int newFolds) {
            return new Plan(gammas, shares, newFolds, seed, group, ridges);
        }

        public Plan withSeed(long newSeed) {
            return new Plan(gammas, shares, folds, newSeed, group, ridges);
        }

        /** Rows with the same value of the column are held out together; the column is not a feature. */
        public Plan withGroup(String column) {
            return new Plan(gammas, shares, folds, seed, column, ridges);
        }
    }

    /** Watches a cross-validation and may stop it. */
    @FunctionalInterface
    public interface Listener {
        /** Watches nothing and never stops anything. */
        Listener NONE = (phase, fraction) -> true;

        /**
         * Called now and then, never from two threads at once.
         *
         * @param phase what is being done, for people
         * @param fraction how much of the whole work is done, from 0 to 1 and never falling: after s seconds about s (1 - fraction)/fraction remain
         * @return false to stop; the tuning then ends with a {@link java.util.concurrent.CancellationException}
         */
        boolean onProgress(String phase, double fraction);
    }

    /**
     * Every model gamma in every world, and the one that is never far from the best: the choice when nobody knows what moving costs.
     *
     * @param gammas the model gammas
     * @param ridges the ridge that is judged with each of them
     * @param worldGammas what moving may cost
     * @param loss the mean loss of a person held out, by model and world
     * @param regret loss less the smallest loss in that world
     * @param worstRegret the largest regret of each model
     * @param worstWorld the index of the world where that is
     */
    public record Regret(
            double[] gammas,
            double[] ridges,
            double[] worldGammas,
            double[][] loss,
            double[][] regret,
            double[] worstRegret,
            int[] worstWorld) {
        /** The index of the model with the smallest worst regret. */
        public int choice() {
            int least = 0;
            for (int j = 1; j < worstRegret.length; j++) {
                least = worstRegret[j] < worstRegret[least] ? j : least;
            }
            return least;
        }

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

        /** Some of the models; their regrets stay those against all. */
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
     * How each model gamma does among people for whom moving costs worldGamma.
     *
     * @param worldGamma what moving costs them
     * @param points one per model gamma
     * @param best the index of the smallest loss
     * @param oneStandardError the index of the rule that people can pull least (the smallest pull-through in this world) among those within one
     *     standard error of the best: if the data cannot tell two rules apart, the one that is gamed less is the safer
     */
    public record Curve(double worldGamma, List<Point> points, int best, int oneStandardError) {
        public Curve {
            points = List.copyOf(points);
        }

        /**
         * One model gamma.
         *
         * @param gamma the model's gamma
         * @param ridge the ridge that is best with it
         * @param loss the mean loss of a person held out
         * @param standardError of that mean, from the spread over the folds
         * @param pullThrough how much of the gap to their wish people close, mean over the folds
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
