package stackelberg.solver.mixed;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import stackelberg.certificate.Certificate;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.game.Response;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereGeometry;

/**
 * The rule that is best after the move among those that lose at most a bound if nobody moves, the frontier of the two losses, and what is proven: the
 * certificate's gap is M - max over theta of (L(theta) - theta B)/(1 - theta), so that no rule that keeps the bound loses less by more than it. A ridge's penalty
 * counts in M, and not in the bound.
 */
public final class HedgedSolution {
    /** The shares at which the frontier is shown, beside 0, 1 and the chosen one. */
    private static final double[] SHARES = {0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9};

    /** A sum of squares over few who stand for many is off by less, relative; the bound is kept by more. */
    private static final double SPARED = 1e-10;

    private static final double LEAST_SPARED = 1e-13;

    /** So much of the room between the bound and the least loss is not missed, because both sides of a bracket are farther apart. */
    private static final double UNFELT = HedgeSearch.NARROW;

    /** What rounding may put above the bound, relative, where a rule is read from a file. */
    private static final double KEPT = 1e-9;

    /** Enough for a few digits. */
    private static final double ROUGH = 1e-6;

    private static final double ROUGH_WIDTH = 0.05;

    private final HedgeSearch.Chosen chosen;
    private final Certificate certificate;
    private final List<Point> frontier;
    private final SphereResult.Status status;
    private final int iterations;

    private HedgedSolution(
            HedgeSearch.Chosen chosen,
            Certificate certificate,
            List<Point> frontier,
            SphereResult.Status status,
            int iterations) {
        this.chosen = chosen;
        this.certificate = certificate;
        this.frontier = List.copyOf(frontier);
        this.status = status;
        this.iterations = iterations;
    }

    /**
     * A rule that is best for some weighing of the two losses.
     *
     * @param share theta, the weight of the loss if nobody moves: 0 is the rule without a hedge, 1 least squares
     * @param honest sum of weighted squares if nobody moves
     * @param moved the same after the move, without what a ridge adds
     * @param pullThrough t
     * @param gap no rule that loses as little if nobody moves loses less after the move, with what a ridge adds, by more than this; not a
     *     number at share 1
     */
    public record Point(double share, double honest, double moved, double pullThrough, double gap) {}

    /**
     * What is searched.
     *
     * @param game in which everybody moves, at one gamma
     * @param ordinary the same, reduced
     * @param ends of the frontier
     * @param bound B, which least squares keeps
     * @param direct whose decomposition of the data serves every share
     */
    public record Problem(PredictionGame game, Reduction ordinary, Ends ends, double bound, DirectSolver direct) {}

    /**
     * The ends of the frontier.
     *
     * @param pure the rule without a hedge
     * @param certificate of it
     * @param leastSquares the rule that is best if nobody moves
     */
    public record Ends(LinearRule pure, Certificate certificate, LinearRule leastSquares) {}

    /** Searches over the shares. */
    public static HedgedSolution of(Problem problem, SolverOptions options, ProgressListener listener) {
        return new Search(problem, options, listener).run();
    }

    /** The point of the frontier that keeps the bound, to a few digits and without a proof. */
    public static Point nearly(Problem problem) {
        Search search = new Search(problem, SolverOptions.DEFAULT.withTolerance(ROUGH), ProgressListener.NONE);
        HedgeSearch.Chosen chosen = search.chosen(ROUGH_WIDTH);
        return search.point(chosen.share(), chosen.rule(), Double.NaN);
    }

    /** A model's point r with its share, from the data alone: a new search at the share bounds the loss of every rule that keeps the bound. */
    public static HedgedSolution again(Problem problem, double[] r, double share, double tolerance) {
        SolverOptions options = SolverOptions.DEFAULT.withTolerance(tolerance);
        Search search = new Search(problem, options, ProgressListener.NONE);
        return share == 0
                ? search.pure()
                : search.solution(search.rowsAt(SphereGeometry.coefficients(r, problem.game.gamma()), share));
    }

    private static final class Search {
        private final PredictionGame game;
        private final Ends ends;
        private final double bound;
        private final double scale;
        private final double tolerance;
        private final HedgeSearch rows;
        private final HedgeSearch few;
        private final Condensed condensed;

        Search(Problem problem, SolverOptions options, ProgressListener listener) {
            Reduction ordinary = problem.ordinary;
            Workers workers = ordinary.family().workers();
            this.game = problem.game;
            this.ends = problem.ends;
            this.bound = problem.bound;
            this.scale = ordinary.family().ungameableLoss();
            this.tolerance = options.tolerance();
            MixedReduction all = MixedReduction.of(game, workers);
            this.condensed =
                    Condensed.of(game, all, ordinary, problem.direct.decomposition(ordinary.family()), workers);
            this.rows = new HedgeSearch(game, all.withBasis(condensed), scale, options, listener, workers);
            this.few = new HedgeSearch(condensed.game(), condensed.reduction(), scale, options, listener, workers);
        }

        HedgedSolution run() {
            return pureHonest() <= bound ? pure() : solution(chosen(HedgeSearch.NARROW));
        }

        private double pureHonest() {
            return ends.certificate().finite() ? rows.honest(ends.pure()) : Double.POSITIVE_INFINITY;
        }

        /** The rule without a hedge, which keeps the bound. */
        HedgedSolution pure() {
            double moved = rows.moved(ends.pure());
            return solution(new HedgeSearch.Chosen(null, 0, ends.pure(), pureHonest(), moved), ends.certificate());
        }

        HedgeSearch.Chosen rowsAt(double[] w, double share) {
            LinearRule rule = rows.rule(w, share);
            return new HedgeSearch.Chosen(w, share, rule, rows.honest(rule), rows.moved(rule));
        }

        HedgedSolution solution(HedgeSearch.Chosen chosen) {
            return solution(chosen, certificate(chosen));
        }

        private HedgedSolution solution(HedgeSearch.Chosen chosen, Certificate proof) {
            List<Point> frontier = frontier(chosen, proof);
            boolean stopped = few.stopped() || rows.stopped();
            return new HedgedSolution(
                    chosen,
                    proof,
                    frontier,
                    stopped ? SphereResult.Status.STOPPED_BY_LISTENER : SphereResult.Status.CONVERGED,
                    few.iterations() + rows.iterations());
        }

        /** @param width of the bracket of log theta/(1 - theta) */
        private HedgeSearch.Chosen chosen(double width) {
            double leastHonest = rows.honest(ends.leastSquares());
            double unfelt = Math.min(SPARED * bound, UNFELT * (bound - leastHonest));
            double spared = Math.max(LEAST_SPARED * bound, unfelt);
            HedgeSearch.Bracket bracket = few.bracket(bound - spared, leastHonest, width);
            if (bracket.better() == null) {
                return leastSquares();
            }
            double[] better = condensed.coefficients(bracket.better().w());
            double share = bracket.better().share();
            HedgeSearch.Chosen found = bracket.worse() == null
                    ? rows.between(better, share, better, share, bound)
                    : rows.between(
                            condensed.coefficients(bracket.worse().w()),
                            bracket.worse().share(),
                            better,
                            share,
                            bound);
            HedgeSearch.Chosen least = leastSquares();
            // where the frontier jumps, the rule at its end may be better than that of the feasible side
            return found.honest() <= bound && found.moved() <= least.moved() ? found : least;
        }

        private HedgeSearch.Chosen leastSquares() {
            LinearRule rule = ends.leastSquares();
            return new HedgeSearch.Chosen(scaled(rule, game), 1, rule, rows.honest(rule), rows.moved(rule));
        }

        /** What is proven of a rule that keeps the bound, by a search over every omega at its share. */
        private Certificate certificate(HedgeSearch.Chosen of) {
            // at share 1 nothing is weighed any more: what is left is proven next to it
            HedgeSearch.Met at = rows.at(Math.min(of.share(), 1 - 1e-9));
            boolean resolved = rows.reduction().resolved();
            boolean known = ends.certificate().proof() == Certificate.Proof.PROVEN;
            double pure =
                    known ? ends.certificate().objective() - ends.certificate().gapBound() : 0;
            double least = Math.max(0, Math.max(pure, at.leastMoved(bound)));
            double gap = resolved ? Math.max(0, of.moved() - least) : of.moved();
            boolean kept = of.honest() <= bound * (1 + KEPT);
            // a bound above what the rule loses is rounding, and proves nothing
            boolean consistent = least <= of.moved() + tolerance * Math.max(of.moved(), 1e-9 * scale);
            boolean proven = kept && resolved && consistent && gap <= tolerance * Math.max(of.moved(), 1e-9 * scale);
            Certificate slice =
                    rows.slice(of.w(), at.share()).orElse(at.result().slice());
            return new Certificate(
                    of.moved(),
                    new Certificate.Bound(slice.multiplier(), slice.residual(), slice.curvature(), gap),
                    proven ? Certificate.Proof.PROVEN : Certificate.Proof.ESTIMATED,
                    // of rules at other omegas nothing is known
                    false,
                    Certificate.Finiteness.FINITE,
                    scale,
                    Optional.empty());
        }

        private List<Point> frontier(HedgeSearch.Chosen of, Certificate proof) {
            List<Point> points = new ArrayList<>();
            if (ends.certificate().finite()) {
                points.add(point(0, ends.pure(), ends.certificate().gapBound()));
            }
            for (int k = 0; k < SHARES.length && !few.stopped(); k++) {
                HedgeSearch.Met at = few.at(SHARES[k]);
                double gap = Math.max(0, at.moved() - at.leastMoved(at.honest()));
                double t = Response.pullThrough(Vectors.dot(at.w(), at.w()), game.gamma());
                points.add(new Point(at.share(), at.honest(), at.moved() - penalty(t), t, gap));
            }
            if (of.share() > 0 && of.share() < 1) {
                points.add(point(of.share(), of.rule(), proof.gapBound()));
            }
            points.add(point(1, ends.leastSquares(), Double.NaN));
            return undominated(points, point -> point.moved() + penalty(point.pullThrough()));
        }

        /** mu gamma t. */
        private double penalty(double t) {
            return game.ridge() * game.gamma() * t;
        }

        private Point point(double share, LinearRule rule, double gap) {
            double moved = rows.moved(rule) - game.penalty(rule);
            return new Point(share, rows.honest(rule), moved, game.pullThrough(rule), gap);
        }
    }

    /**
     * In order of the share, each better after the move than all that lose as little if nobody moves.
     *
     * @param cost what is minimised after the move
     */
    private static List<Point> undominated(List<Point> points, ToDoubleFunction<Point> cost) {
        List<Point> sorted = new ArrayList<>(points);
        sorted.sort(Comparator.comparingDouble(Point::share));
        List<Point> kept = new ArrayList<>();
        for (Point point : sorted) {
            boolean dominated = sorted.stream()
                    .anyMatch(other -> other != point
                            && other.honest() <= point.honest()
                            && cost.applyAsDouble(other) <= cost.applyAsDouble(point)
                            && (other.honest() < point.honest()
                                    || cost.applyAsDouble(other) < cost.applyAsDouble(point)
                                    || other.share() < point.share()));
            if (!dominated) {
                kept.add(point);
            }
        }
        return kept;
    }

    /** w on cost-scaled features. */
    private static double[] scaled(LinearRule rule, PredictionGame game) {
        double[] w = rule.w();
        double[] costs = game.costs();
        for (int j = 0; j < w.length; j++) {
            w[j] /= Math.sqrt(costs[j]);
        }
        return w;
    }

    public LinearRule rule() {
        return chosen.rule();
    }

    /** theta, at which the bound is reached; 0 where the rule without a hedge keeps it. */
    public double share() {
        return chosen.share();
    }

    /** From share 0 to share 1; no point is worse than another in both losses. */
    public List<Point> frontier() {
        return frontier;
    }

    /** Of the loss after the move, among the rules that keep the bound. */
    public Certificate certificate() {
        return certificate;
    }

    /** The rule as the point of the sphere that a model keeps; only where the share is above 0. */
    public SphereResult sphereResult(double gamma) {
        return new SphereResult(
                SphereGeometry.pointOf(chosen.w(), gamma),
                status,
                new SphereResult.Effort(iterations, 3 * iterations, iterations, 0),
                "the frontier of the two losses, one sphere problem per iteration");
    }
}
