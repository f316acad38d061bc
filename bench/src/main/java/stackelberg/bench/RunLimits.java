package stackelberg.bench;

import java.util.Set;
import stackelberg.solver.auto.Solvers;

/**
 * What may be run, and how long it may take.
 *
 * @param budgetSeconds for everything; runs that are expected to end later are left out
 * @param secondsPerRun for one run; longer ones are written down as skipped, iterative ones are stopped
 * @param solvers the only ones to run; all if empty
 * @param largestN games with more features are left out
 * @param trials at most so many of each game; the rest is left for another time
 * @param protocol the only one that solvers with two ways are run by
 */
public record RunLimits(
        double budgetSeconds,
        double secondsPerRun,
        Set<String> solvers,
        int largestN,
        int trials,
        Row.Protocol protocol) {
    /** By both protocols. */
    public RunLimits(double budgetSeconds, double secondsPerRun, Set<String> solvers, int largestN, int trials) {
        this(budgetSeconds, secondsPerRun, solvers, largestN, trials, Row.Protocol.BOTH);
    }

    public RunLimits {
        if (!(budgetSeconds > 0) || !(secondsPerRun > 0)) {
            throw new IllegalArgumentException("No time is given for anything.\nMaybe give a minute or more.");
        }
        if (largestN < 1 || trials < 1) {
            throw new IllegalArgumentException("Nothing may be run: "
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
        return unit.game().n() <= largestN && unit.task().trial() <= trials;
    }

    boolean allows(Contender contender) {
        return (solvers.isEmpty() || solvers.contains(contender.solver()))
                && (protocol == Row.Protocol.BOTH || contender.protocol().countsFor(protocol));
    }
}
