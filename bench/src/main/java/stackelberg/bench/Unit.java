package stackelberg.bench;

import java.util.List;
import java.util.function.Supplier;
import stackelberg.game.PredictionGame;

/**
 * One game and everybody who plays it; the data is made once for all of them.
 *
 * @param maker makes the game, always the same
 */
record Unit(Row.Task task, Supplier<PredictionGame> maker, List<Contender> contenders) {
    Row.Game game() {
        return task.game();
    }

    /** Games whose runs teach each other which variant is best: the same but for their size, and for synthetic ones gamma. */
    String kin() {
        Row.Game game = game();
        String rest =
                game.family().equals("real") ? String.valueOf(game.gamma()) : game.density() + "|" + game.multiple();
        return task.experiment() + "|" + game.family() + "|" + game.name() + "|" + rest;
    }
}
