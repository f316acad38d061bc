package stackelberg.bench;

import stackelberg.bench.Row.Game;

/** Receives the progress of a benchmark. */
@FunctionalInterface
public interface BenchListener {
    /** Ignores all progress. */
    BenchListener NONE = now -> {};

    /** Called before every run. */
    void onRun(Now now);

    /**
     * The run that starts now.
     *
     * @param elapsed seconds since the start of the benchmark
     * @param ahead estimated seconds until its end
     */
    record Now(String experiment, Game game, int trial, String solver, String options, double elapsed, double ahead) {}
}
