package stackelberg.objective.limited;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import stackelberg.game.LinearRule;
import stackelberg.game.Population;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SphereResult;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereGeometry;

/**
 * Finds a good rule under limits on moves, by descents from the best rule without limits, today's rule, least squares,
 * w = 0 and random rules around them. The result is never worse than any of these.
 *
 * <p>With one or two features, descents also start from the valleys of a grid ({@link Everywhere}). If there are many
 * rows, the starts are compared on a sample of them. Nothing is proven: the loss has kinks and may have many local
 * minima.
 */
public final class LimitedSearch {
    /** The largest number of features for which a grid is searched. */
    private static final int EVERYWHERE = 2;

    /** The number of random starts. */
    private static final int AROUND = 6;

    /** The relative distance of random starts from the rules around which they lie. */
    private static final double SPREAD = 0.5;

    /** The number of rows on which starts are compared, if there are more than twice as many. */
    private static final int SOME = 4_000;

    /** The largest number of rows on which a grid is evaluated. */
    private static final int ON_GRID = 1_000;

    /** The largest number of valleys from which descents start; with few rows there are more valleys. */
    private static final int MOST_VALLEYS = 40;

    private static final int SOME_VALLEYS = 12;

    /** The number of descents that are continued to full accuracy, with many rows and with few. */
    private static final int FINISHED = 1;

    private static final int MOST_FINISHED = 5;
    private static final int FEW_ITERATIONS = 200;
    private static final int MOST_ITERATIONS = 1_000;

    /** The tolerances of the first descents, of the final ones, and of the final ones with many rows. */
    private static final double COARSE = 1e-7;

    private static final double FINE = 1e-12;
    private static final double LARGE = 1e-10;

    /** Relative gains below this are no reason to leave the best rule without limits. */
    private static final double KEPT = 1e-9;

    /** A feature whose part of the norm is below this, relative, is treated as having no weight. */
    private static final double NO_WEIGHT = 1e-4;

    /** The largest number of kinks that a descent leaves one after another. */
    private static final int MOST_KINKS = 5;

    private final Problem problem;
    private final LimitedLoss loss;
    private final ProgressListener listener;
    private final Workers workers;
    private int iterations;
    private int passes;
    private int steps;
    private boolean stopped;

    private LimitedSearch(Problem problem, ProgressListener listener, Workers workers) {
        this.problem = problem;
        this.loss = new LimitedLoss(problem.game, workers);
        this.listener = listener;
        this.workers = workers;
    }

    /**
     * The problem to solve.
     *
     * @param game the game with its limits, its population and its effects
     * @param ordinary the reduction of the same rows with one gamma and without limits
     * @param unlimited the best rule without limits; null if there is no finite one
     * @param others further rules to start at
     */
    public record Problem(
            PredictionGame game,
            Reduction ordinary,
            @Nullable LinearRule unlimited,
            List<LinearRule> others) {
        public Problem {
            others = List.copyOf(others);
        }
    }

    /**
     * The result of a search.
     *
     * @param objective the rule's loss under the limits, with the ridge
     * @param starts the number of rules at which descents started
     * @param status LOCAL, unless the last descent was stopped
     */
    public record Found(
            LinearRule rule, double objective, int starts, SphereResult.Status status, SphereResult.Effort effort) {}

    /**
     * Searches for the best rule.
     *
     * @param seed the seed of the random starts
     */
    public static Found of(Problem problem, long seed, ProgressListener listener, Workers workers) {
        return new LimitedSearch(problem, listener, workers).found(seed);
    }

    private record Place(double[] theta, double loss) {}

    private Found found(long seed) {
        int people = problem.game.x().rows();
        boolean many = people > 2 * SOME;
        LimitedLoss sketch = many ? new LimitedLoss(problem.game.subset(some(SOME)), workers) : loss;
        List<double[]> starts = starts(seed);
        Descent quick = new Descent(sketch, COARSE, FEW_ITERATIONS, this::goesOn);
        List<double[]> ends = new ArrayList<>();
        for (int k = 0; k < starts.size() && !stopped; k++) {
            ends.add(counted(quick.from(starts.get(k))).theta());
        }
        List<Place> places = Stream.concat(starts.stream(), ends.stream())
                .map(theta -> new Place(theta, loss.at(theta)))
                .filter(place -> Double.isFinite(place.loss))
                .sorted(Comparator.comparingDouble(Place::loss))
                .toList();
        passes += starts.size() + ends.size();
        Place best = places.get(0);
        boolean settled = true;
        Descent slow = new Descent(loss, many ? LARGE : FINE, MOST_ITERATIONS, this::goesOn);
        for (Place place : places.subList(0, Math.min(places.size(), many ? FINISHED : MOST_FINISHED))) {
            Descent.End end = stopped ? null : offKinks(slow, counted(slow.from(place.theta)));
            if (end != null && end.loss() < best.loss) {
                best = new Place(end.theta(), end.loss());
                settled = end.settled();
            }
        }
        LinearRule free = problem.unlimited;
        double unlimited = free == null ? Double.POSITIVE_INFINITY : loss.at(loss.thetaOf(free));
        LinearRule kept = unlimited <= best.loss + KEPT * Math.abs(best.loss) ? free : null;
        SphereResult.Status ended = settled ? SphereResult.Status.LOCAL : SphereResult.Status.ITERATION_LIMIT;
        return new Found(
                kept != null ? kept : loss.ruleOf(best.theta),
                kept != null ? unlimited : loss.at(best.theta),
                starts.size(),
                stopped ? SphereResult.Status.STOPPED_BY_LISTENER : ended,
                new SphereResult.Effort(iterations, passes, 0, 0));
    }

    /**
     * Continues a descent that may have ended at a kink. With effects, a row at a limit can move a feature in only one
     * direction, so that the loss has a kink where the feature's coefficient is 0: descents that end there continue
     * along the kink and then away from it.
     */
    private Descent.End offKinks(Descent descent, Descent.End from) {
        Descent.End end = from;
        for (int k = 0; k < MOST_KINKS && problem.game.effects().isPresent() && !stopped; k++) {
            double[] theta = end.theta().clone();
            boolean[] none = new boolean[theta.length];
            double[] costs = problem.game.costs();
            double most = loss.ruleOf(theta).omega(costs) * NO_WEIGHT * NO_WEIGHT;
            boolean any = false;
            for (int j = 0; j < costs.length; j++) {
                none[j] = theta[j] * theta[j] / costs[j] <= most;
                theta[j] = none[j] ? 0 : theta[j];
                any |= none[j];
            }
            if (!any) {
                return end;
            }
            Descent.End along = counted(descent.from(theta, none));
            Descent.End off = stopped ? along : counted(descent.from(along.theta()));
            if (!(off.loss() < end.loss() - KEPT * Math.abs(end.loss()))) {
                return off.loss() < end.loss() ? off : end;
            }
            end = off;
        }
        return end;
    }

    private Descent.End counted(Descent.End end) {
        iterations += end.iterations();
        passes += end.evaluations();
        return end;
    }

    private boolean goesOn(double value) {
        var progress = new ProgressListener.Progress(++steps, value, Double.NaN, Double.NaN, Double.NaN);
        stopped = listener.onIteration(progress) == ProgressListener.Decision.STOP;
        return !stopped;
    }

    /** Returns this many rows, evenly spaced. */
    private int[] some(int count) {
        long people = problem.game.x().rows();
        return IntStream.range(0, count).map(k -> (int) (k * people / count)).toArray();
    }

    private List<double[]> starts(long seed) {
        int n = loss.features();
        List<LinearRule> known = new ArrayList<>(problem.others);
        if (problem.unlimited != null) {
            known.add(0, problem.unlimited);
        }
        known.add(loss.ruleOf(leastSquares()));
        List<LinearRule> rules = new ArrayList<>(known);
        rules.add(problem.ordinary.naiveRule(new double[n]));
        Random random = new Random(seed);
        for (int k = 0; k < AROUND; k++) {
            rules.add(around(known.get(k % known.size()), random));
        }
        List<double[]> starts = new ArrayList<>();
        rules.forEach(rule -> starts.add(loss.thetaOf(rule)));
        if (n >= 1 && n <= EVERYWHERE) {
            starts.addAll(valleys());
        }
        return starts;
    }

    /** Returns the best rule before any move, up to what the metric adds for collinear features. */
    private double[] leastSquares() {
        PredictionGame game = problem.game;
        Population truthful = Population.ofOneGamma(game.x().rows(), game.gamma(), 1);
        LimitedLoss honest = new LimitedLoss(game.withPopulation(truthful).withRidge(0), workers);
        double[] gradient = new double[loss.size()];
        honest.at(new double[loss.size()], gradient);
        double[] theta = honest.metric().downhill(gradient);
        Vectors.scale(0.5, theta);
        return theta;
    }

    /** Returns a random rule around another; its immutable part is the best without limits, or before any move. */
    private LinearRule around(LinearRule rule, Random random) {
        double[] costs = problem.game.costs();
        double[] w = rule.w();
        double typical = Math.sqrt(rule.omega(costs) / Math.max(1, w.length));
        for (int j = 0; j < w.length; j++) {
            double scaled = w[j] / Math.sqrt(costs[j]);
            w[j] = scaled * Math.exp(SPREAD * random.nextGaussian()) + SPREAD * typical * random.nextGaussian();
        }
        double gamma = problem.game.gamma();
        SphereGeometry geometry =
                SphereGeometry.of(gamma, problem.ordinary.family().effects());
        return random.nextBoolean()
                ? problem.ordinary.recover(geometry.point(w), gamma)
                : problem.ordinary.naiveRule(w);
    }

    private List<double[]> valleys() {
        PredictionGame game = problem.game;
        int people = game.x().rows();
        PredictionGame few = people > ON_GRID ? game.subset(some(ON_GRID)) : game;
        LimitedLoss sketch = new LimitedLoss(few, workers);
        Population alike = Population.ofOneGamma(few.x().rows(), few.gamma(), 0);
        PredictionGame plain = few.withPopulation(alike).withBounds(null).withEffects(new double[loss.features()]);
        boolean known = people <= ON_GRID && game.effects().isEmpty();
        Reduction reduction = known ? problem.ordinary : Reduction.of(plain, workers);
        double omega = loss.ruleOf(leastSquares()).omega(game.costs());
        boolean noisy = Arrays.stream(few.wishNoise()).anyMatch(sd -> sd > 0);
        double answers = (noisy ? 15.0 : 1.0) * few.x().rows();
        return new Everywhere(sketch, few, reduction)
                .valleys(omega, answers, people > ON_GRID / 2 ? SOME_VALLEYS : MOST_VALLEYS);
    }
}
