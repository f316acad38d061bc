package stackelberg.objective;

import java.util.Optional;
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
 * What the leader minimises: how it is solved, and what is proven of the answer. The only place that tells variants of the game apart.
 *
 * <p>Which settings can be combined is the game's to say ({@link GameSpec}); an objective refuses what depends on the data, as a size beyond which it cannot decompose them.
 */
public sealed interface Objective
        permits SphereObjective, ProgramObjective, PopulationObjective, RangeObjective, LimitedObjective {

    /** The objective of a declared game. */
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

    /** The best rule at the declared gamma, and how far it can be from optimal. */
    Solution.Run solve(PreparedGame game, Options options);

    /** The same at each of these gammas instead of the declared one; refused where there is no path of gammas to follow. */
    Solution.Run path(PreparedGame game, Options options, double... gammas);

    /** Recomputes everything that is claimed of a rule that is known, from the data alone. */
    Solution recheck(PreparedGame game, Options options, Claim claim);

    /** The problem on the sphere, for solving it elsewhere; refused with the reason where the game is not one such problem. */
    default SphereProblem sphereProblem(PreparedGame game) {
        throw new Message.Refused(notOneSphere());
    }

    /** Why the game is not one problem on the sphere, and what to leave out. */
    Message notOneSphere();

    /** Whether a rule takes many sphere problems, so that a loop over rules asks for fewer digits of each. */
    boolean isSearch();

    /**
     * The ridge, per unit of weight, that generalised cross-validation prefers, where rows can be fitted whatever they hold; empty where that is not known or costs more than the fit.
     *
     * @param degrees rows less the columns that cannot be moved
     */
    default OptionalDouble suggestedRidge(PreparedGame game, double gamma, int degrees) {
        return OptionalDouble.empty();
    }

    /** The best rule after the move and, as its reference, the best one if nobody moves: what a balanced rule lies between. */
    default Program.Hedged references(PreparedGame game, Options options, double gamma) {
        throw new IllegalStateException("The game has no hedge.");
    }

    /** What the rule would become with a hedge; empty where that takes longer than the fit, or does not go with the game. */
    default Optional<Solution.Hedged.Point> hedged(PreparedGame game, Options options, double gamma, double hedge) {
        return Optional.empty();
    }

    /**
     * How rules are found, which the game does not depend on.
     *
     * @param solver of sphere problems; null for the default
     * @param limits the tolerance and the iterations that a solver is given
     * @param seed of rules that a descent draws to begin at
     */
    record Options(@Nullable SphereSolver solver, SolverOptions limits, ProgressListener listener, long seed) {
        double tolerance() {
            return limits.tolerance();
        }

        /** The same for what is no part of the progress of a fit. */
        Options unheard() {
            return new Options(solver, limits, ProgressListener.NONE, seed);
        }

        /** Reduce, solve, certify, recover, with the game's decomposition. */
        Pipeline pipeline(PreparedGame game) {
            return new Pipeline(
                    solver == null ? Solvers.byDefault(game.direct(), game.workers()) : solver, limits, listener);
        }

        /** The solver of many small problems that are not of the same data. */
        SphereSolver slices(PreparedGame game) {
            return solver == null ? new DirectSolver(game.workers()) : solver;
        }
    }

    /**
     * A rule that somebody else found.
     *
     * @param r the point of the sphere that it was recovered from
     * @param gamma at which
     * @param rule in the units of the game; asked for only where it is not recovered from r
     * @param weight theta, of the loss if nobody moves under a hedge, or of that at the smallest gamma of an interval; 0 otherwise
     * @param starts rules that descents began at, under limits
     * @param tolerance the relative gap at which a search for a better rule stops
     */
    record Claim(double[] r, double gamma, Supplier<LinearRule> rule, double weight, int starts, double tolerance) {}
}
