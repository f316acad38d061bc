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
 * @param gamma how hard it is to move
 * @param rule in the units of the game; not finite where the certificate is not
 * @param result the point of the sphere, and why the solver stopped there
 * @param certificate what is proven of the rule
 * @param penalty what the ridge adds to the certificate's objective
 * @param recoverSeconds what the way back from the sphere took
 * @param details what else the objective knows of the rule, at most one of a kind
 */
public record Solution(
        double gamma,
        LinearRule rule,
        SphereResult result,
        Certificate certificate,
        double penalty,
        double recoverSeconds,
        List<Detail> details) {
    /** Losses that are closer, relative, are equal. */
    private static final double SAME_LOSS = 1e-9;

    public Solution {
        details = List.copyOf(details);
    }

    /** A solution of which nothing else is known. */
    public Solution(double gamma, LinearRule rule, SphereResult result, Certificate certificate, double penalty) {
        this(gamma, rule, result, certificate, penalty, 0, List.of());
    }

    /** The loss after the move: the objective without the ridge. */
    public double loss() {
        return Math.max(0, certificate.objective() - penalty);
    }

    /** What is known of that kind. */
    public <T extends Detail> Optional<T> detail(Class<T> kind) {
        return details.stream().filter(kind::isInstance).map(kind::cast).findFirst();
    }

    /** Why other rules are as good, where some are known to be. */
    public Optional<Tie> tie() {
        return detail(Tie.class);
    }

    Solution with(Detail more) {
        List<Detail> all = new ArrayList<>(details);
        all.add(more);
        return new Solution(gamma, rule, result, certificate, penalty, recoverSeconds, all);
    }

    /**
     * The same where the rule in its own digits loses something else than its point, as it may next to tau = 1 where moves change the target: the loss is the rule's, and the gap as much
     * larger.
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

    /** A point that is known, which nothing had to be done for. */
    static SphereResult known(double[] r) {
        return new SphereResult(r, SphereResult.Status.CONVERGED, new SphereResult.Effort(0, 0, 0, 0), "");
    }

    /**
     * The solutions of one run, and what it took.
     *
     * @param solutions one for each gamma
     * @param solver who found them
     * @param solveSeconds for all of them
     * @param certifySeconds for the certificates of all of them, where they are computed apart
     */
    public record Run(List<Solution> solutions, String solver, double solveSeconds, double certifySeconds) {
        public Run {
            solutions = List.copyOf(solutions);
        }

        /** Solutions that were found and certified since a time, in nanoseconds. */
        static Run since(long start, String solver, List<Solution> solutions) {
            return new Run(solutions, solver, (System.nanoTime() - start) * 1e-9, 0);
        }

        /** The same with something changed in every solution, which takes time of solving. */
        Run map(UnaryOperator<Solution> change) {
            long start = System.nanoTime();
            List<Solution> changed = solutions.stream().map(change).toList();
            return new Run(changed, solver, solveSeconds + (System.nanoTime() - start) * 1e-9, certifySeconds);
        }

        /** The only solution, or that of the first gamma. */
        public Solution first() {
            return solutions.get(0);
        }
    }

    /** What one kind of game adds to its answer. */
    public sealed interface Detail permits Tie, Mixed, Hedged, Limited, Convex, Between {}

    /**
     * Why other rules are as good as one, which is the one of them with the smallest pull-through.
     *
     * @param kind what the wishes are
     * @param factor the rule's coefficients over those of least squares; not a number where they are no multiple
     */
    public record Tie(Kind kind, double factor) implements Detail {
        static final Tie OTHER = new Tie(Kind.OTHER, Double.NaN);

        /** Numbers from data that are closer are the same. */
        private static final double SAME = 1e-6;

        /** What the wishes are, up to what the immutable columns explain. */
        public enum Kind {
            /** What least squares predicts. */
            TODAY,
            /** A multiple of it. */
            MULTIPLE,
            /** The same for every row. */
            ONE_WISH,
            /** Another combination of the features. */
            LINEAR,
            /** Not what makes the rules equal. */
            OTHER
        }

        /**
         * @param k the wishes over what least squares predicts; not a number where they are no multiple of it
         * @param t the pull-through
         */
        static Tie of(double k, double t) {
            Kind kind = Double.isNaN(k)
                    ? Kind.LINEAR
                    : Math.abs(k) <= SAME ? Kind.ONE_WISH : Math.abs(k - 1) <= SAME ? Kind.TODAY : Kind.MULTIPLE;
            return new Tie(kind, kind == Kind.TODAY ? 1 : (1 - k * t) / (1 - t));
        }
    }

    /** Rows respond differently, so that the point of the sphere is only a way to keep the rule. */
    public record Mixed() implements Detail {}

    /**
     * How a rule was chosen among those that lose at most a bound if nobody moves.
     *
     * @param share theta: the rule is best for theta times the loss if nobody moves and 1 - theta times that after the move
     * @param bound the most that it may lose if nobody moves
     * @param frontier rules of other bounds, in order of their share; empty where they would have to be searched for
     * @param balance of a balanced rule; null for a hedge in percent
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
         * How much worse the rule is, whether people stay or move, than the best rule for that case: the larger of the two excesses.
         *
         * @param regret by the losses that were found, in the units below
         * @param regretBound the same, by what the best rules are proven to lose at least; infinite where nothing is proven of one of them
         * @param honestBest what the best rule loses if nobody moves, with this game's ridge but without its penalty
         * @param movedBest what the best rule after the move loses, with what a ridge adds
         * @param units root mean squares in proportion, or their difference where one of the best losses is next to nothing; the difference of means of losses that are not squared
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
         * A rule that is best for some weighing of the two losses.
         *
         * @param share theta: 0 is the rule without a hedge, 1 the best rule if nobody moves
         * @param honest sum of weighted squares if nobody moves
         * @param moved the same after the move, without what a ridge adds
         * @param pullThrough t
         * @param gap how much less a rule with the same honest loss can lose after the move, with what a ridge adds, at most; not a number where that is not proven
         */
        public record Point(double share, double honest, double moved, double pullThrough, double gap) {
            static Point of(Program.Trade trade) {
                return new Point(trade.share(), trade.honest(), trade.moved(), trade.pullThrough(), Double.NaN);
            }
        }
    }

    /**
     * What became of the rule that is best without limits.
     *
     * @param unlimited what is proven of it, in the game without limits
     * @param promised what it would lose after the move there
     * @param real what it loses under the limits; not a number where there is no such rule
     * @param heldBefore rows that a limit holds back under it
     * @param held rows that a limit holds back under the rule that was found instead
     * @param earned the part of the gap that the truth closes under that rule, on average over the rows; 0 where moves do nothing to it
     * @param starts rules that descents began at
     */
    public record Limited(
            Certificate unlimited, double promised, double real, int heldBefore, int held, double earned, int starts)
            implements Detail {}

    /**
     * What is known of a game whose loss is not squared.
     *
     * @param common whether all wish for the same, up to what the immutable columns explain
     * @param active whether the best point of the ball is on its surface, where the rules are, or as good as one there
     */
    public record Convex(boolean common, boolean active) implements Detail {}

    /**
     * What a rule loses at both ends of an interval of gammas, and what the best rules of these would.
     *
     * @param low the smallest gamma
     * @param high the largest
     * @param weight theta: among rules as large this one is best for theta times the loss at the smallest gamma and 1 - theta times that at the largest
     * @param regret the largest regret over the interval; null where losses are compared
     */
    public record Between(End low, End high, double weight, RangeSolution.@Nullable Regret regret) implements Detail {
        /**
         * One end.
         *
         * @param loss what the rule loses after the move
         * @param penalty what a ridge adds
         * @param best what the best rule of this gamma loses
         * @param bestPenalty what a ridge adds to that
         * @param proven whether it is proven to be the best
         */
        public record End(double gamma, double loss, double penalty, double best, double bestPenalty, boolean proven) {
            /** What is minimised. */
            public double objective() {
                return loss + penalty;
            }

            /** What not knowing gamma costs here. */
            public double regret() {
                return Math.max(0, loss + penalty - best - bestPenalty);
            }
        }
    }
}
