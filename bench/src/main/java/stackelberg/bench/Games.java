package stackelberg.bench;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import stackelberg.linalg.Workers;

/** Makes the units of experiments: a game, its seed and its contenders. */
final class Games {
    /** The only gamma that the paper uses on real data. */
    private static final double GAMMA_OF_REAL = 0.1;

    private final @Nullable RealData data;
    private final Workers workers;

    /**
     * Games over the given real data.
     *
     * @param data the real data sets; absent if experiments on real data are not run
     */
    Games(@Nullable RealData data, Workers workers) {
        this.data = data;
        this.workers = workers;
    }

    /** A synthetic game; the number of the trial is its seed. */
    Unit synthetic(String experiment, Row.Game game, int trial, int trials, List<Contender> contenders) {
        long seed = trial;
        return new Unit(
                new Row.Task(experiment, game, seed, trial, trials),
                () -> SyntheticGame.of(game, seed, workers),
                contenders);
    }

    /** A real game on a random subsample of m rows; on all rows if m is 0. */
    Unit real(String experiment, RealGame game, int m, int trial, int trials, List<Contender> contenders) {
        RealData real =
                Objects.requireNonNull(data, "Experiments on real games are planned only where their data are found.");
        long seed = 1000L * m + trial;
        int rows = m == 0 ? real.table(game, workers).rows() : m;
        Row.Game named = new Row.Game("real", game.name(), rows, game.features(), 1, GAMMA_OF_REAL);
        return new Unit(
                new Row.Task(experiment, named, seed, trial, trials),
                () -> game.sample(real.table(game, workers), rows, GAMMA_OF_REAL, seed),
                contenders);
    }
}
