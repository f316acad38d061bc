package stackelberg.bench;

import java.util.Set;
import stackelberg.solver.auto.Solvers;

/**
 * Limits on which runs are made and how long they take.
 *
 * @param budgetSeconds total time; runs that are expected to end later are not started
 * @param secondsPerRun time of one run; runs expected to take longer are recorded as skipped, iterative solvers are stopped
 * @param solvers the only solvers to run; all if empty
 * @param largestN games with more features are left out
 * @param trials the number of trials per game at most; further trials can be run later
 * @param protocol the only protocol to run, for solvers that have two
 */
public record RunLimits(
        double budgetSeconds,
        double secondsPerRun,
        Set<String> solvers,
        int largestN,
        int trials,
        Row.Protocol protocol) {
    public RunLimits {
        if (!(budgetSeconds > 0) || !(secondsPerRun > 0)) {
            throw new IllegalArgumentException("The time is limited to " + budgetSeconds + " s in all and "
                    + secondsPerRun + " s per run; both must be positive.\nMaybe give a minute or more.");
        }
        if (largestN < 1 || trials < 1) {
            throw new IllegalArgumentException("These limits exclude every run: "
                    + (trials < 1 ? trials + " trials." : "games of at most " + largestN + " features.")
                    + "\nMaybe give 1 or more.");
        }
        for (String solver : solvers) {
            if (!Solvers.names().contains(solver)) {
                throw new IllegalArgumentException("There is no solver \"" + solver + "\". Maybe one of "
                        + String.join(", ", Solvers.names()) + ".");
            }
        }
        solvers = Set.copyOf(solvers);
    }

    boolean allows(Unit unit) {
        return unit.game().n() <= largestN && unit.trial() <= trials;
    }

    boolean allows(Contender contender) {
        return (solvers.isEmpty() || solvers.contains(contender.solver()))
                && (protocol == Row.Protocol.BOTH || contender.protocol().countsFor(protocol));
    }
}
