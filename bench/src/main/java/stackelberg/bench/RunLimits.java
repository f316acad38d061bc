package stackelberg.bench;

import java.util.Set;

/**
 * What may be run, and how long it may take.
 *
 * @param budgetSeconds for everything; runs that are expected to end later are left out
 * @param secondsPerRun for one run; longer ones are written down as skipped, iterative ones are stopped
 * @param solvers the only ones to run; all if empty
 * @param largestN games with more features are left out
 */
public record RunLimits(double budgetSeconds, double secondsPerRun, Set<String> solvers, int largestN) {
    public RunLimits {
        if (!(budgetSeconds > 0) || !(secondsPerRun > 0)) {
            throw new IllegalArgumentException("A limit of " + Math.min(budgetSeconds, secondsPerRun)
                    + " seconds leaves no time for anything.\nMaybe give it more.");
        }
        solvers = Set.copyOf(solvers);
    }

    boolean allows(Unit unit) {
        return unit.game().n() <= largestN;
    }

    boolean allows(Contender contender) {
        return solvers.isEmpty() || solvers.contains(contender.solver());
    }
}
