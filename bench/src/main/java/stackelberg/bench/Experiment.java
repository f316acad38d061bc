package stackelberg.bench;

import java.util.List;

/**
 * Something of the paper, or of our own, that can be run by its name.
 *
 * @param name on the command line
 * @param title what it shows
 * @param real whether it needs the real data
 */
public record Experiment(String name, String title, boolean real, Plan plan) {
    /** The games to be played. */
    @FunctionalInterface
    interface Plan {
        List<Unit> units(Profile profile, Games games);
    }
}
