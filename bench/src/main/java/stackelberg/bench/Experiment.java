package stackelberg.bench;

import java.util.List;
import java.util.function.Function;

/**
 * A set of runs behind tables and figures of the paper, or of our own.
 *
 * @param name its name on the command line
 * @param title what it shows
 * @param real whether it needs the real data sets
 * @param plan makes its games
 */
public record Experiment(String name, String title, boolean real, Function<Games, List<Unit>> plan) {
    /** An experiment on synthetic games. */
    Experiment(String name, String title, Function<Games, List<Unit>> plan) {
        this(name, title, false, plan);
    }

    static Experiment real(String name, String title, Function<Games, List<Unit>> plan) {
        return new Experiment(name, title, true, plan);
    }
}
