package stackelberg.bench;

import stackelberg.bench.Row.Game;

/** Watches a bench at work. */
@FunctionalInterface
public interface BenchListener {
    /** Watches nothing. */
    BenchListener NONE = now -> {};

    /** Called before every run. */
    void onRun(Now now);

    /**
     * What is about to run.
     *
     * @param elapsed seconds since the start
     * @param ahead a guess of the seconds until the end
     */
    record Now(String experiment, Game game, int trial, String solver, String options, double elapsed, double ahead) {}
}
