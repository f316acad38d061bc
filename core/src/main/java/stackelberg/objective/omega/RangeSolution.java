package stackelberg.objective.omega;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import stackelberg.certificate.Certificate;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.game.Response;
import stackelberg.linalg.Vectors;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereFamily;
import stackelberg.sphere.SphereGeometry;

/**
 * The rule that minimises the worst loss, or the worst regret, over an interval of gammas. The regret is the loss minus
 * that of the best rule for the same gamma.
 *
 * <p>A rule's loss is convex in t, which decreases in gamma, so that its worst gamma is an end of the interval. If the
 * best rule for one end has no larger loss at the other end, it is the answer, with its own certificate; otherwise
 * {@link RangeSearch} finds a rule with equal losses at both ends. The proof uses the rows: the sums behind every bound
 * of the last search are evaluated there.
 *
 * @param certificate the certificate of the larger loss or regret: no rule has a lower one by more than its gap
 * @param regret the largest regret over the interval; null if losses are compared
 * @param status why the search ended
 * @param iterations the number of slices
 */
public record RangeSolution(
        Chosen chosen, Certificate certificate, @Nullable Regret regret, SphereResult.Status status, int iterations) {
    /** Rules that differ by less than this, relative, count as equal. */
    private static final double SAME = 1e-7;

    /**
     * The problem to solve.
     *
     * @param game the game, whose own gamma is not used
     * @param ordinary its reduction
     * @param low the best rule at the smallest gamma
     * @param regret whether each gamma's own best loss is subtracted
     * @param direct the solver whose decomposition of the data serves every omega
     */
    public record Problem(
            PredictionGame game, Reduction ordinary, End low, End high, boolean regret, DirectSolver direct) {
        double lowLess() {
            return regret ? low.certificate.objective() : 0;
        }

        double highLess() {
            return regret ? high.certificate.objective() : 0;
        }

        /** Returns the larger of the rule's two losses, or regrets, which is minimised. */
        double worst(Chosen rule) {
            return Math.max(rule.low - lowLess(), rule.high - highLess());
        }

        private Chosen chosen(End end) {
            double[] w = end.rule.w();
            double[] costs = game.costs();
            for (int j = 0; j < w.length; j++) {
                w[j] /= Math.sqrt(costs[j]);
            }
            return chosen(w, end == low ? 1 : 0, end.rule);
        }

        private Chosen chosen(double[] w, double weight, LinearRule rule) {
            return new Chosen(low.gamma, w, weight, rule, lost(rule, low.gamma), lost(rule, high.gamma));
        }

        private double lost(LinearRule rule, double gamma) {
            PredictionGame played = game.withGamma(gamma);
            return played.leaderLoss(rule, ordinary.family().workers()) + played.penalty(rule);
        }

        /** Returns the best rule of one end, if its loss at the other end is no larger. */
        private Optional<RangeSolution> own() {
            for (End end : List.of(low, high)) {
                if (!end.finite() || regret && low.gamma != high.gamma) {
                    continue;
                }
                Chosen rule = chosen(end);
                double here = end == low ? rule.low - lowLess() : rule.high - highLess();
                if (worst(rule) <= here) {
                    Regret none = regret ? new Regret(end.gamma, 0, end.certificate.gapBound()) : null;
                    return Optional.of(
                            new RangeSolution(rule, end.certificate, none, SphereResult.Status.CONVERGED, 0));
                }
            }
            return Optional.empty();
        }
    }

    /**
     * The best rule at one end of the interval.
     *
     * @param rule not finite if there is no finite rule
     */
    public record End(double gamma, LinearRule rule, Certificate certificate) {
        private boolean finite() {
            return certificate.finite()
                    && Double.isFinite(rule.intercept())
                    && Double.isFinite(Vectors.dot(rule.w(), rule.w()));
        }

        /** Returns a lower bound of the loss of every rule at this gamma. */
        private double atLeast() {
            return certificate.proof() == Certificate.Proof.PROVEN
                    ? Math.max(0, certificate.objective() - certificate.gapBound())
                    : 0;
        }
    }

    /**
     * A rule with its losses at both ends, ridge included.
     *
     * @param lowGamma the smallest gamma
     * @param w the coefficients on cost-scaled features
     * @param weight theta: among rules of the same omega the rule minimises theta times the loss at the smallest gamma
     *     plus 1 - theta times that at the largest
     * @param low the loss at the smallest gamma
     * @param high the loss at the largest gamma
     */
    public record Chosen(double lowGamma, double[] w, double weight, LinearRule rule, double low, double high) {}

    /**
     * The largest regret over the interval.
     *
     * @param gamma the gamma with the largest regret found
     * @param met the largest regret found
     * @param most an upper bound of all regrets
     */
    public record Regret(double gamma, double met, double most) {}

    /** Solves the problem by a search over omega. */
    public static RangeSolution of(Problem problem, SolverOptions options, ProgressListener listener) {
        return problem.own().orElseGet(() -> new Search(problem, options, listener).run());
    }

    /**
     * Certifies a model's rule from the data alone: a new search bounds the worst loss of every rule.
     *
     * @param w the coefficients on cost-scaled features
     * @param weight theta
     */
    public static RangeSolution again(Problem problem, double[] w, double weight, double tolerance) {
        SolverOptions options = SolverOptions.DEFAULT.withTolerance(tolerance);
        return problem.own()
                .filter(own -> near(own.chosen.w, w))
                .orElseGet(() -> new Search(problem, options, ProgressListener.NONE).again(w, weight));
    }

    /** Returns whether two rules are equal to the digits that a file stores and a second search finds. */
    private static boolean near(double[] one, double[] other) {
        return Vectors.norm(Vectors.minus(one, other)) <= SAME * Vectors.norm(one);
    }

    private static final class Search {
        private final Problem problem;
        private final SolverOptions options;
        private final double scale;
        private final MixedReduction rows;
        private final Condensed condensed;
        private final RangeSearch.Ends ends;
        private final RangeSearch search;

        Search(Problem problem, SolverOptions options, ProgressListener listener) {
            SphereFamily family = problem.ordinary.family();
            this.problem = problem;
            this.options = options;
            this.scale = family.zeroRuleLoss();
            PredictionGame game = problem.game.withGamma(problem.low.gamma);
            this.rows = MixedReduction.of(game, family.workers());
            this.condensed =
                    Condensed.of(game, rows, problem.ordinary, problem.direct.decomposition(family), family.workers());
            this.ends = new RangeSearch.Ends(
                    problem.low.gamma, problem.high.gamma, problem.lowLess(), problem.highLess(), game.ridge());
            this.search = new RangeSearch(condensed.few(), ends, scale, options, listener);
        }

        RangeSolution run() {
            RangeSearch.Result found = search.run();
            RangeSearch.Slice best = found.best();
            double[] w = condensed.coefficients(best.point().w());
            Chosen chosen =
                    problem.chosen(w, best.theta(), rows.recover(w, best.point().target()));
            for (End end : List.of(problem.low, problem.high)) {
                Chosen other = end.finite() ? problem.chosen(end) : chosen;
                chosen = problem.worst(other) < problem.worst(chosen) ? other : chosen;
            }
            return solution(chosen, found);
        }

        RangeSolution again(double[] w, double weight) {
            LinearRule rule = rows.recover(w, search.target(Vectors.dot(w, w), weight));
            return solution(problem.chosen(w, weight, rule), search.run());
        }

        private RangeSolution solution(Chosen chosen, RangeSearch.Result found) {
            double atEnds =
                    Math.max(problem.low.atLeast() - problem.lowLess(), problem.high.atLeast() - problem.highLess());
            double least = Math.max(new RangeProof(problem, rows, condensed, search).least(found), atEnds);
            Regret regret = problem.regret ? regret(chosen) : null;
            double most = regret == null ? problem.worst(chosen) : regret.most;
            double objective = Math.max(chosen.low, chosen.high);
            double size = Math.max(objective, 1e-9 * scale);
            boolean resolved = rows.resolved();
            double gap = resolved ? Math.max(0, most - least) : objective;
            // a lower bound above the rule's own loss is due to rounding and proves nothing
            boolean consistent = least <= most + options.tolerance() * size;
            boolean proven = resolved && consistent && gap <= options.tolerance() * size;
            double omega = Vectors.dot(chosen.w, chosen.w);
            double multiplier = search.multiplier(omega, chosen.weight);
            double pullThrough = Response.pullThrough(omega, problem.low.gamma);
            var bound = new Certificate.Bound(multiplier, Double.NaN, Double.NaN, gap);
            var certificate = new Certificate(
                    objective,
                    bound,
                    proven ? Certificate.Proof.PROVEN : Certificate.Proof.ESTIMATED,
                    false,
                    OmegaBranch.finiteness(found.limit(), problem.worst(chosen), gap, size, pullThrough),
                    scale,
                    Optional.empty());
            return new RangeSolution(
                    chosen,
                    certificate,
                    regret,
                    found.stopped() ? SphereResult.Status.STOPPED_BY_LISTENER : SphereResult.Status.CONVERGED,
                    found.evaluations());
        }

        /**
         * Returns the largest regret over the interval: at the ends it is what was minimised, and between them it is
         * bounded piece by piece.
         */
        private Regret regret(Chosen chosen) {
            double[] e =
                    problem.game.predict(chosen.rule, problem.ordinary.family().workers());
            Vectors.axpy(-1, problem.game.y(), e);
            double[] gap = rows.rows().gap();
            double[] weight = rows.rows().weight();
            var sums = new RangeSearch.Sums(
                    Vectors.dot(e, e, weight),
                    Vectors.dot(e, gap, weight),
                    Vectors.dot(gap, gap, weight) + problem.game.wishNoiseVariance());
            double omega = Vectors.dot(chosen.w, chosen.w);
            double size = Math.max(Math.max(chosen.low, chosen.high), 1e-9 * scale);
            double low = chosen.low - problem.low.atLeast();
            double high = chosen.high - problem.high.atLeast();
            return new RegretSearch(search, condensed.few(), ends, sums, omega)
                    .largest(low, high, options.tolerance() / 4 * size);
        }
    }

    /** Returns the rule as the point of the sphere at one gamma that a model stores. */
    public SphereResult sphereResult(double gamma) {
        return new SphereResult(
                SphereGeometry.pointOf(chosen.w, gamma),
                status,
                new SphereResult.Effort(iterations, 0, 1, 0),
                "a search over omega for the worst of two gammas");
    }
}
