package stackelberg.objective.program;

import java.util.List;
import org.jspecify.annotations.Nullable;
import stackelberg.estimate.Loss;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereProblem.Stationarity;

/**
 * Finds the best rules after the move among those whose loss before any move is at most a bound, in one game at one
 * gamma.
 *
 * <p>The bound is given as a number or as an excess over the best rule before any move, or it is chosen such that the
 * larger of the two excesses, before and after the move, is smallest (balanced).
 */
public interface Program {
    /**
     * Returns the program of a game with squared loss, on rows in memory, rows on other machines, or sums.
     *
     * @param weight the sum of the weights of all rows
     * @param direct the solver whose decomposition of the data is used if one is needed; null for a new one
     * @param listener receives every sphere problem, and may stop the search
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

    /** Returns whether there is a program for hedges with this loss and as many columns. */
    static boolean takes(Loss loss, int columns) {
        return loss.isSquared() || columns <= ConvexProgram.MOST_COLUMNS;
    }

    /**
     * Returns the program of a game with any other convex loss, without effects and without noise of the wishes.
     *
     * @param pure its best rule after the move, without a hedge
     * @param listener receives every minimisation, and may stop the search
     */
    static Program convex(
            PredictionGame game,
            ConvexSearch.Found pure,
            SolverOptions options,
            Workers workers,
            ProgressListener listener) {
        return new ConvexProgram(game, pure, options, workers, listener);
    }

    /**
     * Returns the best rule after the move among those whose loss before any move exceeds the smallest possible one by
     * at most this excess: for squared loss, a ratio of root mean squares; otherwise, a difference of mean losses.
     */
    Hedged hedged(double hedge);

    /**
     * Returns the best rule after the move among those whose loss before any move, a sum over the rows, is at most a
     * bound.
     */
    Hedged within(double bound);

    /**
     * Returns the rule with the smallest rho whose losses before and after the move both exceed the best ones by at
     * most rho.
     */
    Hedged balanced();

    /**
     * Returns rules for other bounds, from the best rule after the move to the best one before any move, computed in
     * the space of the last answer; empty if they would take a search.
     */
    default List<Trade> trades() {
        return List.of();
    }

    /** Returns the rule of a point of a reduced game. */
    static LinearRule rule(Reduction reduction, double gamma, Point point) {
        return SquaredProgram.rule(reduction, gamma, point);
    }

    /** Returns what is proven of a known point, from the data alone. */
    Losses check(Point point, double bound);

    /**
     * A rule that keeps a bound on its loss before any move, with its losses and what is proven of them.
     *
     * @param rule in the units of the game; not finite if no finite rule is best, which can happen only without a hedge
     * @param point its point on the sphere
     * @param losses its losses
     * @param reference the best rules before and after the move
     * @param effort what the search took
     */
    record Hedged(LinearRule rule, Point point, Losses losses, Reference reference, Effort effort) {
        /** Returns a proven bound of how much smaller M can be for any rule that keeps the bound. */
        public double gap() {
            return Math.max(0, losses.moved() - losses.lower());
        }

        /**
         * Returns that gap relative to the loss.
         *
         * @param ungameable p0, which replaces a loss near 0
         */
        public double relativeGap(double ungameable) {
            return gap() / Stationarity.scale(losses.moved(), ungameable);
        }

        /** Returns the smallest rho by which the rule's two losses exceed the best ones that were found. */
        public double regret() {
            return reference.regret(losses);
        }

        /** Returns the same with the proven lower bounds of the best losses; infinite if there are none. */
        public double regretBound() {
            return reference.regretBound(losses);
        }
    }

    /**
     * A point of the sphere with the weight of the hedge there.
     *
     * @param share theta: the rule minimises theta times the loss before any move plus 1 - theta times that after the
     *     move; 0 if the best rule after the move keeps the bound
     */
    record Point(double[] r, double share) {}

    /**
     * The losses of a rule between the two best ones.
     *
     * @param share theta, as in {@link Point}; 1 for the best rule before any move
     * @param honest the loss before any move
     * @param moved the loss after the move, without the penalty of a ridge
     * @param pullThrough t
     */
    record Trade(double share, double honest, double moved, double pullThrough) {}

    /**
     * Losses, each a weighted sum over the rows.
     *
     * @param bound B, the largest loss before any move that is allowed
     * @param honest H, the loss before any move
     * @param moved M, the loss after the move, with the penalty of a ridge
     * @param lower a proven lower bound of M for all rules that keep the bound
     */
    record Losses(double bound, double honest, double moved, double lower) {}

    /**
     * The best rules before and after the move.
     *
     * @param rule the best rule before any move, fitted with the ridge mu ||w||^2
     * @param honest its loss before any move, without the penalty
     * @param honestLower a proven lower bound of that loss for such rules; 0 if there is none
     * @param moved the loss after the move of the best rule for it, with the penalty; an infimum if no finite rule
     *     attains it
     * @param movedLower a proven lower bound of that loss
     * @param units the units of the excess, see {@link Excess}
     */
    record Reference(
            LinearRule rule, double honest, double honestLower, double moved, double movedLower, Excess units) {
        /** Returns the smallest rho by which these losses exceed the best ones that were found. */
        public double regret(Losses losses) {
            return regret(losses, honest, moved);
        }

        /** Returns the same with the proven lower bounds of the best losses; infinite if there are none. */
        public double regretBound(Losses losses) {
            return regret(losses, honestLower, movedLower);
        }

        private double regret(Losses losses, double bestHonest, double bestMoved) {
            return Math.max(0, Math.max(units.of(losses.honest(), bestHonest), units.of(losses.moved(), bestMoved)));
        }
    }

    /**
     * What a search took.
     *
     * @param problems the number of sphere problems, or of minimisations by Newton's method
     * @param passes the number of passes over the data
     * @param seconds the total time
     * @param stopped whether the listener stopped it early; the rule then keeps the bound but may be far from the best
     */
    record Effort(int problems, int passes, double seconds, boolean stopped) {}

    /**
     * The excess of a loss over the best one.
     *
     * @param kind the units
     * @param weight the sum of all weights, which turns a sum of losses into a mean
     */
    record Excess(Kind kind, double weight) {
        /** The units of an excess. */
        public enum Kind {
            /** The ratio of root mean squares minus 1: sqrt(loss/best) - 1. */
            PROPORTION,
            /** The difference of root mean squares, for a best loss that is almost 0. */
            ROOT,
            /** The difference of mean losses, for losses that are not squared. */
            MEAN
        }

        /** Returns rho, the excess. */
        double of(double loss, double best) {
            return switch (kind) {
                case PROPORTION -> best > 0 ? Math.sqrt(loss / best) - 1 : Double.POSITIVE_INFINITY;
                case ROOT -> (Math.sqrt(loss) - Math.sqrt(best)) / Math.sqrt(weight);
                case MEAN -> (loss - best) / weight;
            };
        }

        /** Returns the loss whose excess over the best is rho. */
        double bound(double best, double rho) {
            return switch (kind) {
                case PROPORTION -> best * (1 + rho) * (1 + rho);
                case ROOT -> (Math.sqrt(best) + rho * Math.sqrt(weight)) * (Math.sqrt(best) + rho * Math.sqrt(weight));
                case MEAN -> best + rho * weight;
            };
        }

        /** Returns the derivative of {@link #bound} by rho. */
        double slope(double best, double rho) {
            return switch (kind) {
                case PROPORTION -> 2 * best * (1 + rho);
                case ROOT -> 2 * (Math.sqrt(best) + rho * Math.sqrt(weight)) * Math.sqrt(weight);
                case MEAN -> weight;
            };
        }
    }
}
