package stackelberg.bench;

import stackelberg.bench.Row.Game;

/** Watches a bench at work. */
public interface BenchListener {
    /** Watches nothing. */
    BenchListener NONE = new BenchListener() {
        @Override
        public void onRun(Now now) {}

        @Override
        public void onRow(Row row) {}
    };

    /** Called before every run. */
    void onRun(Now now);

    /** Called after every run, also of those that were skipped. */
    void onRow(Row row);

    /**
     * What is about to run.
     *
     * @param elapsed seconds since the start
     * @param ahead a guess of the seconds until the end
     */
    record Now(String experiment, Game game, int trial, String solver, String options, double elapsed, double ahead) {}
}
