package stackelberg.objective;

import java.util.OptionalDouble;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import stackelberg.data.Message;
import stackelberg.game.GameSpec;
import stackelberg.game.LinearRule;
import stackelberg.objective.program.Program;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereSolver;
import stackelberg.solver.auto.Solvers;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.sphere.SphereProblem;

/**
 * The leader's objective in one variant of the game: how it is minimised, and what is proven of the solution. It is the
 * only place that distinguishes variants of the game.
 *
 * <p>{@link GameSpec} decides which settings can be combined. An objective refuses only what depends on the data, such
 * as a size beyond which it cannot decompose them.
 */
public sealed interface Objective
        permits SphereObjective, ProgramObjective, PopulationObjective, RangeObjective, LimitedObjective {

    /** Returns the objective of a declared game. */
    static Objective of(GameSpec spec) {
        Objective unlimited = spec.between() != null
                ? new RangeObjective(spec)
                : spec.mixed()
                        ? new PopulationObjective(spec)
                        : spec.loss().isSquared() && !spec.isHedged()
                                ? new SphereObjective(spec)
                                : new ProgramObjective(spec);
        return spec.limits().none() ? unlimited : new LimitedObjective(unlimited);
    }

    /** Finds the best rule at the declared gamma, with a bound of its distance from the optimum. */
    Solution.Run solve(PreparedGame game, Options options);

    /**
     * Finds the best rule at each of these gammas instead of the declared one; throws if the game has no path of
     * gammas.
     */
    Solution.Run path(PreparedGame game, Options options, double... gammas);

    /** Recomputes everything that is claimed of a known rule, from the data alone. */
    Solution recheck(PreparedGame game, Options options, Claim claim);

    /**
     * Returns the problem on the sphere, for use with other solvers; throws with the reason if the game is not one such
     * problem.
     */
    default SphereProblem sphereProblem(PreparedGame game) {
        throw new Message.Refused(notOneSphere());
    }

    /** Returns why the game is not one problem on the sphere, and what to leave out. */
    Message notOneSphere();

    /**
     * Returns the ridge, per unit of weight, with the smallest generalised cross-validation error, if the data can be
     * fitted almost exactly; empty if it is unknown or more expensive than the fit.
     *
     * @param degrees the number of rows minus the number of immutable columns
     */
    default OptionalDouble suggestedRidge(PreparedGame game, double gamma, int degrees) {
        return OptionalDouble.empty();
    }

    /**
     * Returns the best rule after the move with, as its reference, the best rule before any move: a balanced rule lies
     * between them.
     */
    default Program.Hedged references(PreparedGame game, Options options, double gamma) {
        throw new IllegalStateException("The game has no hedge.");
    }

    /**
     * How rules are found; the game does not depend on these options.
     *
     * @param solver the solver of sphere problems; null for the default
     * @param limits the tolerance and the iteration limit of the solver
     * @param listener receives the progress and may stop the solver
     * @param seed the seed of the random starting points of descents
     */
    record Options(@Nullable SphereSolver solver, SolverOptions limits, ProgressListener listener, long seed) {
        double tolerance() {
            return limits.tolerance();
        }

        /** Returns the options without the listener, for work that is not part of the progress of a fit. */
        Options withoutListener() {
            return new Options(solver, limits, ProgressListener.NONE, seed);
        }

        /** Returns the pipeline (reduce, solve, certify, recover) with the game's decomposition. */
        Pipeline pipeline(PreparedGame game) {
            return new Pipeline(
                    solver == null ? Solvers.byDefault(game.direct(), game.workers()) : solver, limits, listener);
        }

        /** Returns the solver for many small problems on different data. */
        SphereSolver slices(PreparedGame game) {
            return solver == null ? new DirectSolver(game.workers()) : solver;
        }
    }

    /**
     * A known rule with what is claimed of it.
     *
     * @param r the point of the sphere from which the rule was recovered
     * @param gamma the gamma of that sphere
     * @param rule supplies the rule in the units of the game; used only if it is not recovered from r
     * @param weight theta, the weight of the loss before any move under a hedge, or of the loss at the smallest gamma
     *     of a range; otherwise 0
     * @param starts the number of rules at which descents started, under limits
     * @param tolerance the relative gap at which a search for a better rule stops
     */
    record Claim(double[] r, double gamma, Supplier<LinearRule> rule, double weight, int starts, double tolerance) {}
}
