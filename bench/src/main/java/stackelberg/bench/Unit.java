package stackelberg.bench;

import java.util.List;
import java.util.function.Supplier;
import stackelberg.game.PredictionGame;

/**
 * One game and everybody who plays it; the data is made once for all of them.
 *
 * @param maker makes the game, always the same
 */
record Unit(
        String experiment,
        Row.Game game,
        long seed,
        int trial,
        int trials,
        Supplier<PredictionGame> maker,
        List<Contender> contenders) {
    /** Games whose runs teach each other which variant is best: the same but for their size. */
    String kin() {
        String shape = game.family().equals("real") ? "" : "|" + game.multiple();
        return experiment + "|" + game.family() + "|" + game.name() + "|" + game.density() + "|" + game.gamma() + shape;
    }
}
