package stackelberg.objective.program;

import java.util.List;
import org.jspecify.annotations.Nullable;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereProblem.Stationarity;

/**
 * The rules that are best after the move among those whose loss if nobody moves is at most a bound, in one game at one gamma.
 *
 * <p>The bound is said as a number, as an excess over the best rule if nobody moves, or chosen so that the rule is as little worse as possible than the best rule of either case (balanced).
 */
public interface Program {
    /**
     * The program of a game with squared loss, on rows at hand, sums or rows elsewhere.
     *
     * @param weight the sum of the weights of all rows
     * @param direct whose decomposition of the data is used where one is made; null for one of its own
     * @param listener hears of every sphere problem, and can stop the search
     */
    static Program squared(
            Reduction reduction,
            double gamma,
            double weight,
            SolverOptions options,
            @Nullable DirectSolver direct,
            ProgressListener listener) {
        return new SquaredProgram(reduction, gamma, weight, options, direct, SquaredProgram.Sizes.DEFAULT, listener);
    }

    /**
     * The program of a game with any other convex loss, whose moves do not change the target and whose wishes are known.
     *
     * @param pure its best rule after the move, without a hedge
     * @param listener hears of every minimisation, and can stop the search
     */
    static Program convex(
            PredictionGame game,
            ConvexSearch.Found pure,
            SolverOptions options,
            Workers workers,
            ProgressListener listener) {
        return new ConvexProgram(game, pure, options, workers, listener);
    }

    /** The best rule after the move of those that are at most this excess worse than the best rule if nobody moves: for squared loss of root mean squares in proportion, else of mean losses. */
    Hedged hedged(double hedge);

    /** The same of those that lose at most a bound, a sum over the rows, if nobody moves. */
    Hedged within(double bound);

    /** The rule that is at most rho worse than the best one whether people stay or move, with the least rho. */
    Hedged balanced();

    /** Rules with other bounds, from the best rule after the move to the best one if nobody moves, as the space of the last answer has them; none where they would have to be searched for. */
    default List<Trade> trades() {
        return List.of();
    }

    /** The rule of a point of a reduced game. */
    static LinearRule rule(Reduction reduction, double gamma, Point point) {
        return SquaredProgram.rule(reduction, gamma, point);
    }

    /** What is proven of a point that is known, from the data alone. */
    Losses check(Point point, double bound);

    /**
     * A rule that keeps a bound on its loss if nobody moves, what it loses, and what is proven.
     *
     * @param rule in the units of the game; not finite where no finite rule is best, which only a rule without a hedge can be
     * @param point where it lies on the sphere
     * @param losses what it loses
     * @param reference the best rules of both cases
     * @param effort what it took
     */
    record Hedged(LinearRule rule, Point point, Losses losses, Reference reference, Effort effort) {
        /** M less what no rule can do better: proven. */
        public double gap() {
            return Math.max(0, losses.moved() - losses.lower());
        }

        /**
         * The gap relative to the loss.
         *
         * @param ungameable p0, which a loss near 0 falls back on
         */
        public double relativeGap(double ungameable) {
            return gap() / Stationarity.scale(losses.moved(), ungameable);
        }

        /** The least rho at which the rule is at most rho worse than the best rule of either case, by the losses that were found. */
        public double regret() {
            return reference.regret(losses);
        }

        /** The same by the losses that are proven; infinite where nothing is. */
        public double regretBound() {
            return reference.regretBound(losses);
        }
    }

    /**
     * A point of the sphere and the weight of the hedge there.
     *
     * @param share theta: the rule is best for theta times the loss if nobody moves and 1 - theta times that after the move; 0 where the best rule after the move keeps the bound
     */
    record Point(double[] r, double share) {}

    /**
     * What a rule between the best ones of both cases loses.
     *
     * @param share theta, as in {@link Point}; 1 for the best rule if nobody moves
     * @param honest what it loses if nobody moves
     * @param moved what it loses after the move, without what a ridge adds
     * @param pullThrough t
     */
    record Trade(double share, double honest, double moved, double pullThrough) {}

    /**
     * Sums of weighted losses.
     *
     * @param bound B, the most that the rule may lose if nobody moves
     * @param honest H, what it loses if nobody moves
     * @param moved M, what it loses after the move, with what a ridge adds
     * @param lower no rule that keeps the bound has a smaller M: proven
     */
    record Losses(double bound, double honest, double moved, double lower) {}

    /**
     * The best rules of both cases.
     *
     * @param rule the best rule if nobody moves, with the ridge mu ||w||^2
     * @param honest what it loses then, without the ridge's part
     * @param honestLower no such rule loses less then: proven; 0 where nothing is
     * @param moved what the best rule after the move loses, with what a ridge adds; an infimum where no finite rule is best
     * @param movedLower no rule loses less: proven
     * @param units of the excess, see {@link Excess}
     */
    record Reference(
            LinearRule rule, double honest, double honestLower, double moved, double movedLower, Excess units) {
        /** The least rho at which a rule that loses so much is at most rho worse than these, by what they were found to lose. */
        public double regret(Losses losses) {
            return regret(losses, honest, moved);
        }

        /** The same by what they are proven to lose at least; infinite where nothing is. */
        public double regretBound(Losses losses) {
            return regret(losses, honestLower, movedLower);
        }

        private double regret(Losses losses, double bestHonest, double bestMoved) {
            return Math.max(0, Math.max(units.of(losses.honest(), bestHonest), units.of(losses.moved(), bestMoved)));
        }
    }

    /**
     * What it took.
     *
     * @param problems sphere problems, or minimisations by Newton
     * @param passes over the data
     * @param seconds of all of it
     * @param stopped whether the listener ended it early; the rule keeps the bound, and may be far from the best
     */
    record Effort(int problems, int passes, double seconds, boolean stopped) {}

    /**
     * By how much a loss is worse than the best one.
     *
     * @param kind the units
     * @param weight the sum of all weights, by which a sum of losses is a mean
     */
    record Excess(Kind kind, double weight) {
        /** The units of an excess. */
        public enum Kind {
            /** Root mean squares, in proportion: sqrt(loss/best) - 1. */
            PROPORTION,
            /** The difference of root mean squares: where one of the best losses is next to nothing. */
            ROOT,
            /** The difference of mean losses: where the loss is not squared. */
            MEAN
        }

        /** rho. */
        double of(double loss, double best) {
            return switch (kind) {
                case PROPORTION -> best > 0 ? Math.sqrt(loss / best) - 1 : Double.POSITIVE_INFINITY;
                case ROOT -> (Math.sqrt(loss) - Math.sqrt(best)) / Math.sqrt(weight);
                case MEAN -> (loss - best) / weight;
            };
        }

        /** The loss that is rho worse than the best. */
        double bound(double best, double rho) {
            return switch (kind) {
                case PROPORTION -> best * (1 + rho) * (1 + rho);
                case ROOT -> (Math.sqrt(best) + rho * Math.sqrt(weight)) * (Math.sqrt(best) + rho * Math.sqrt(weight));
                case MEAN -> best + rho * weight;
            };
        }

        /** The slope of {@link #bound} in rho. */
        double slope(double best, double rho) {
            return switch (kind) {
                case PROPORTION -> 2 * best * (1 + rho);
                case ROOT -> 2 * (Math.sqrt(best) + rho * Math.sqrt(weight)) * Math.sqrt(weight);
                case MEAN -> weight;
            };
        }
    }
}
