package stackelberg.bench;

import java.util.List;

/**
 * A set of runs behind tables and figures of the paper, or of our own.
 *
 * @param name its name on the command line
 * @param title what it shows
 * @param real whether it needs the real data sets
 * @param plan makes its games
 */
public record Experiment(String name, String title, boolean real, Plan plan) {
    /** Makes the games of an experiment, with the solvers that are run on each. */
    @FunctionalInterface
    interface Plan {
        List<Unit> units(Profile profile, Games games);
    }
}
