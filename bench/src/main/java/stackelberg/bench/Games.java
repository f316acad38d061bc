package stackelberg.bench;

import java.util.List;
import stackelberg.linalg.Workers;

/** Makes the units of experiments: a game, its seed and who plays it. */
final class Games {
    /** The only one that the paper plays on real data. */
    private static final double GAMMA_OF_REAL = 0.1;

    private final RealData data;
    private final Workers workers;

    /**
     * Games over the given real data.
     *
     * @param data null if there is none
     */
    Games(RealData data, Workers workers) {
        this.data = data;
        this.workers = workers;
    }

    Unit synthetic(String experiment, Row.Game game, int trial, int trials, List<Contender> contenders) {
        long seed = trial;
        return new Unit(
                new Row.Task(experiment, game, seed, trial, trials),
                () -> SyntheticGame.of(game, seed, workers),
                contenders);
    }

    /** A subsample of m rows; all rows if m is 0. */
    Unit real(String experiment, RealGame game, int m, int trial, int trials, List<Contender> contenders) {
        long seed = 1000L * m + trial;
        int rows = m == 0 ? data.table(game, workers).rows() : m;
        Row.Game named = new Row.Game("real", game.name(), rows, game.features(), 1, GAMMA_OF_REAL);
        return new Unit(
                new Row.Task(experiment, named, seed, trial, trials),
                () -> game.sample(data.table(game, workers), rows, GAMMA_OF_REAL, seed),
                contenders);
    }
}
