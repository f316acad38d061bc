package stackelberg.bench;

import stackelberg.game.PredictionGame;
import stackelberg.linalg.Workers;

/** A way to play a game that is timed: a solver with its options, or a whole command. */
@FunctionalInterface
interface Method {
    /**
     * One timed run from matrices in memory.
     *
     * @param limit seconds after which an iterative solver is stopped
     */
    Outcome run(PredictionGame game, Workers workers, double limit);
}
