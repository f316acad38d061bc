package stackelberg.bench;

import java.util.List;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener.Progress;

/** What is timed on a game: a solver with its options, or a whole fit or tuning. */
@FunctionalInterface
interface Method {
    /**
     * Runs once and measures the time, starting from matrices in memory.
     *
     * @param limit seconds after which an iterative solver is stopped
     */
    Played run(PredictionGame game, Workers workers, double limit);

    /**
     * The result of one run.
     *
     * @param trace the progress of the iterations; empty unless a trace was requested
     * @param note a remark, such as the reason why the run was skipped
     */
    record Played(Row.Outcome outcome, List<Progress> trace, String note) {}
}
