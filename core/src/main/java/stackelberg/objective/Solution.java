package stackelberg.objective;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import stackelberg.certificate.Certificate;
import stackelberg.game.LinearRule;
import stackelberg.objective.omega.RangeSolution;
import stackelberg.objective.program.Program;
import stackelberg.solver.SphereResult;
import stackelberg.sphere.SphereProblem.Stationarity;

/**
 * The answer at one gamma.
 *
 * @param gamma the gamma
 * @param rule in the units of the game; not finite if there is no finite rule
 * @param result the point of the sphere, and why the solver stopped there
 * @param certificate what is proven of the rule
 * @param penalty the part of the certificate's objective that the ridge adds
 * @param recoverSeconds the time that recovering the rule from its point took
 * @param details what else the objective knows of the rule, at most one detail of each kind
 */
public record Solution(
        double gamma,
        LinearRule rule,
        SphereResult result,
        Certificate certificate,
        double penalty,
        double recoverSeconds,
        List<Detail> details) {
    /** Losses that differ by less than this, relative, count as equal. */
    private static final double SAME_LOSS = 1e-9;

    public Solution {
        details = List.copyOf(details);
    }

    /** Makes a solution without details. */
    public Solution(double gamma, LinearRule rule, SphereResult result, Certificate certificate, double penalty) {
        this(gamma, rule, result, certificate, penalty, 0, List.of());
    }

    /** Returns the loss after the move: the objective without the ridge. */
    public double loss() {
        return Math.max(0, certificate.objective() - penalty);
    }

    /** Returns the detail of this kind, if there is one. */
    public <T extends Detail> Optional<T> detail(Class<T> kind) {
        return details.stream().filter(kind::isInstance).map(kind::cast).findFirst();
    }

    /** Returns why other rules are as good, if some are known to be. */
    public Optional<Tie> tie() {
        return detail(Tie.class);
    }

    Solution with(Detail more) {
        List<Detail> all = new ArrayList<>(details);
        all.add(more);
        return new Solution(gamma, rule, result, certificate, penalty, recoverSeconds, all);
    }

    /**
     * Returns the solution with the loss of the rule itself, which rounding may make different from that of its point
     * near tau = 1 if there are effects; the gap bound grows by the difference.
     */
    Solution losing(double ruleLoss) {
        double worse = ruleLoss - loss();
        if (!(Math.abs(worse) > SAME_LOSS * Stationarity.scale(certificate.objective(), certificate.scale()))) {
            return this;
        }
        Certificate own = certificate.worseBy(worse);
        return new Solution(gamma, rule, result, own, penalty, recoverSeconds, details);
    }

    Solution recoveredIn(double seconds) {
        return new Solution(gamma, rule, result, certificate, penalty, seconds, details);
    }

    /** Returns a result for a known point, which took no work. */
    static SphereResult known(double[] r) {
        return new SphereResult(r, SphereResult.Status.CONVERGED, new SphereResult.Effort(0, 0, 0, 0), "");
    }

    /**
     * The solutions of one run.
     *
     * @param solutions one for each gamma
     * @param solver the name of the solver
     * @param solveSeconds the time for all of them
     * @param certifySeconds the time for all certificates, if these are computed separately
     */
    public record Run(List<Solution> solutions, String solver, double solveSeconds, double certifySeconds) {
        public Run {
            solutions = List.copyOf(solutions);
        }

        /** Returns a run whose solutions were found and certified since the given time in nanoseconds. */
        static Run since(long start, String solver, List<Solution> solutions) {
            return new Run(solutions, solver, (System.nanoTime() - start) * 1e-9, 0);
        }

        /** Returns the run with a change applied to every solution; its time counts as solving. */
        Run map(UnaryOperator<Solution> change) {
            long start = System.nanoTime();
            List<Solution> changed = solutions.stream().map(change).toList();
            return new Run(changed, solver, solveSeconds + (System.nanoTime() - start) * 1e-9, certifySeconds);
        }

        /** Returns the first solution. */
        public Solution first() {
            return solutions.get(0);
        }
    }

    /** What one kind of game adds to its answer. */
    public sealed interface Detail permits Tie, Mixed, Hedged, Limited, Convex, LimitPoint, Between {}

    /**
     * Says why other rules are as good as this one, which has the smallest pull-through of them.
     *
     * @param kind the kind of wishes
     * @param factor the ratio of the rule's coefficients to those of least squares; NaN if they are not proportional
     */
    public record Tie(Kind kind, double factor) implements Detail {
        static final Tie OTHER = new Tie(Kind.OTHER, Double.NaN);

        /** The tolerance for equality of numbers computed from data. */
        private static final double SAME = 1e-6;

        /** The kind of wishes, up to what the immutable columns explain. */
        public enum Kind {
            /** The predictions of least squares. */
            TODAY,
            /** A multiple of the predictions of least squares. */
            MULTIPLE,
            /** The same wish for every row. */
            ONE_WISH,
            /** Another linear combination of the features. */
            LINEAR,
            /** The tie does not come from the wishes. */
            OTHER
        }

        /**
         * Returns the tie of a linear wish.
         *
         * @param k the ratio of the wishes to the predictions of least squares; NaN if they are not proportional
         * @param t the pull-through
         */
        static Tie of(double k, double t) {
            Kind kind = Double.isNaN(k)
                    ? Kind.LINEAR
                    : Math.abs(k) <= SAME ? Kind.ONE_WISH : Math.abs(k - 1) <= SAME ? Kind.TODAY : Kind.MULTIPLE;
            return new Tie(kind, kind == Kind.TODAY ? 1 : (1 - k * t) / (1 - t));
        }
    }

    /** Marks a game in which rows have different gammas: the point of the sphere then only stores the rule. */
    public record Mixed() implements Detail {}

    /**
     * How a rule was chosen among those whose loss before any move keeps a bound.
     *
     * @param share theta: the rule minimises theta times the loss before any move plus 1 - theta times that after the
     *     move
     * @param bound the largest loss before any move that is allowed
     * @param frontier rules for other bounds, in order of their share; empty if finding them would take a search
     * @param balance for a balanced rule; null for a hedge in percent
     */
    public record Hedged(
            double share,
            double bound,
            List<Point> frontier,
            @Nullable Balance balance) implements Detail {
        public Hedged {
            frontier = List.copyOf(frontier);
        }

        /**
         * The excesses of a rule over the best rules before and after the move, of which the larger is the regret.
         *
         * @param regret the regret by the losses found, in the units below
         * @param regretBound the regret by the proven lower bounds of the best losses; infinite if one of them has no
         *     bound
         * @param honestBest the loss before any move of the best rule for that case, fitted with this game's ridge but
         *     without its penalty
         * @param movedBest the loss after the move of the best rule for that case, with the penalty
         * @param units the ratio of root mean squares, or their difference if one of the best losses is almost 0; the
         *     difference of mean losses if the loss is not squared
         */
        public record Balance(
                double regret, double regretBound, double honestBest, double movedBest, Program.Excess.Kind units) {
            static Balance of(Program.Reference reference, Program.Losses losses) {
                return new Balance(
                        reference.regret(losses),
                        reference.regretBound(losses),
                        reference.honest(),
                        reference.moved(),
                        reference.units().kind());
            }
        }

        /**
         * A rule that minimises a weighted sum of the two losses.
         *
         * @param share theta: 0 gives the rule without a hedge, 1 the best rule before any move
         * @param honest the loss before any move, a weighted sum
         * @param moved the loss after the move, without the penalty of a ridge
         * @param pullThrough t
         * @param gap an upper bound of how much smaller the loss after the move, with the penalty, of another rule with
         *     the same honest loss can be; NaN if not proven
         */
        public record Point(double share, double honest, double moved, double pullThrough, double gap) {
            static Point of(Program.Trade trade) {
                return new Point(trade.share(), trade.honest(), trade.moved(), trade.pullThrough(), Double.NaN);
            }
        }
    }

    /**
     * What is known of the best rule without limits.
     *
     * @param unlimited its certificate in the game without limits
     * @param promised its loss after the move there
     * @param real its loss under the limits; NaN if there is no such rule
     * @param heldBefore the number of rows that a limit stops under it
     * @param held the number of rows that a limit stops under the rule found instead
     * @param earned the mean share of the gap that the true target closes under that rule; 0 without effects
     * @param starts the number of rules at which descents started
     */
    public record Limited(
            Certificate unlimited, double promised, double real, int heldBefore, int held, double earned, int starts)
            implements Detail {}

    /**
     * Facts about a game whose loss is not squared.
     *
     * @param common whether all wishes are equal, up to what the immutable columns explain
     * @param active whether the best point of the ball lies on its surface, where the rules are, or is as good as one
     *     there
     */
    public record Convex(boolean common, boolean active) implements Detail {}

    /**
     * The limit point, where it is better than every finite rule.
     *
     * @param scaled the rule times 1 - tau, whose coefficients are finite
     */
    public record LimitPoint(LinearRule scaled) implements Detail {}

    /**
     * The losses of a rule at both ends of an interval of gammas, beside those of the best rules there.
     *
     * @param low the smallest gamma
     * @param high the largest gamma
     * @param weight theta: among rules of the same omega this one minimises theta times the loss at the smallest gamma
     *     plus 1 - theta times that at the largest
     * @param regret the largest regret over the interval; null if losses are compared
     */
    public record Between(End low, End high, double weight, RangeSolution.@Nullable Regret regret) implements Detail {
        /**
         * One end of the interval.
         *
         * @param loss the rule's loss after the move
         * @param penalty the penalty of a ridge
         * @param best the loss of the best rule for this gamma
         * @param bestPenalty the penalty of that rule
         * @param proven whether that rule is proven to be the best
         */
        public record End(double gamma, double loss, double penalty, double best, double bestPenalty, boolean proven) {
            /** Returns loss plus penalty, the minimised objective. */
            public double objective() {
                return loss + penalty;
            }

            /** Returns how much the rule loses more than the best rule for this gamma. */
            public double regret() {
                return Math.max(0, loss + penalty - best - bestPenalty);
            }
        }
    }
}
