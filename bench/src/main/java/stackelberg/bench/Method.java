package stackelberg.bench;

import java.util.List;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener.Progress;

/** A way to play a game that is timed: a solver with its options, or a whole command. */
@FunctionalInterface
interface Method {
    /**
     * One timed run from matrices in memory.
     *
     * @param limit seconds after which an iterative solver is stopped
     */
    Played run(PredictionGame game, Workers workers, double limit);

    /**
     * What one run came to.
     *
     * @param trace what the solver reported of its iterations; empty unless it was asked for
     */
    record Played(Row.Outcome outcome, List<Progress> trace) {}
}
