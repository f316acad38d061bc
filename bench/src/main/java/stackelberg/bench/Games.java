package stackelberg.bench;

import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import stackelberg.linalg.Workers;

/**
 * Makes the units of experiments: a game, its seed and its contenders.
 *
 * @param data the real data sets; absent if experiments on real data are not run
 */
record Games(Profile profile, @Nullable RealData data, Workers workers) {
    /** The only gamma that the paper uses on real data. */
    private static final double GAMMA_OF_REAL = 0.1;

    /** The value for the profile. */
    <T> T pick(T full, T quick, T smoke) {
        return switch (profile) {
            case FULL -> full;
            case QUICK -> quick;
            case SMOKE -> smoke;
        };
    }

    /** A synthetic game; the number of the trial is its seed. */
    Unit synthetic(String experiment, Row.Game game, int trial, int trials, List<Contender> contenders) {
        long seed = trial;
        return new Unit(experiment, game, seed, trial, trials, () -> SyntheticGame.of(game, seed, workers), contenders);
    }

    /** All trials of a synthetic game. */
    List<Unit> trials(String experiment, Row.Game game, int trials, List<Contender> contenders) {
        return IntStream.rangeClosed(1, trials)
                .mapToObj(trial -> synthetic(experiment, game, trial, trials, contenders))
                .toList();
    }

    /** A real game on a random subsample of m rows; on all rows if m is 0. */
    Unit real(String experiment, RealGame game, int m, int trial, int trials, List<Contender> contenders) {
        RealData real =
                Objects.requireNonNull(data, "Experiments on real games are planned only where their data are found.");
        long seed = 1000L * m + trial;
        int rows = m == 0 ? real.table(game, workers).rows() : m;
        return new Unit(
                experiment,
                new Row.Game("real", game.name(), rows, game.source().features, 1, GAMMA_OF_REAL),
                seed,
                trial,
                trials,
                () -> game.sample(real.table(game, workers), rows, GAMMA_OF_REAL, seed),
                contenders);
    }
}
