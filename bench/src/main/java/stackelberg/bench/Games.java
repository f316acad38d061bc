package stackelberg.bench;

import java.util.List;
import stackelberg.linalg.Workers;

/** Makes the units of experiments: a game, its seed and who plays it. */
final class Games {
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

    Unit dense(String experiment, int m, int n, double gamma, int trial, int trials, List<Contender> contenders) {
        long seed = trial;
        return new Unit(
                experiment,
                new Row.Game("dense", "", m, n, 1, gamma),
                seed,
                trial,
                trials,
                () -> SyntheticGame.dense(m, n, gamma, seed, workers),
                contenders);
    }

    Unit sparse(
            String experiment,
            int m,
            int n,
            double density,
            double gamma,
            int trial,
            int trials,
            List<Contender> contenders) {
        long seed = trial;
        return new Unit(
                experiment,
                new Row.Game("sparse", "", m, n, density, gamma),
                seed,
                trial,
                trials,
                () -> SyntheticGame.sparse(m, n, density, gamma, seed),
                contenders);
    }

    /** A subsample of m rows; all rows if m is 0. */
    Unit real(
            String experiment, RealGame game, int m, double gamma, int trial, int trials, List<Contender> contenders) {
        long seed = 1000L * m + trial;
        int rows = m == 0 ? data.table(game, workers).rows() : m;
        return new Unit(
                experiment,
                new Row.Game("real", game.name(), rows, game.features(), 1, gamma),
                seed,
                trial,
                trials,
                () -> game.sample(data.table(game, workers), rows, gamma, seed),
                contenders);
    }
}
