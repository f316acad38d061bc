package stackelberg.bench;

import java.util.List;
import java.util.function.Supplier;
import stackelberg.game.PredictionGame;

/**
 * One game and all contenders that are run on it. The data is made once for all of them.
 *
 * @param maker makes the game; deterministic
 * @param contenders the solvers to run, each with its variants
 */
record Unit(
        String experiment,
        Row.Game game,
        long seed,
        int trial,
        int trials,
        Supplier<PredictionGame> maker,
        List<Contender> contenders) {
    Row.Task task(Contender contender) {
        return new Row.Task(experiment, contender.protocol(), game, seed, trial, trials);
    }

    /** The key of games that are alike except for their size (and, if synthetic, gamma): the best variant on one is a good guess for the next. */
    String kin() {
        String rest =
                game.family().equals("real") ? String.valueOf(game.gamma()) : game.density() + "|" + game.multiple();
        return experiment + "|" + game.family() + "|" + game.name() + "|" + rest;
    }
}
