package stackelberg.bench;

/** Rows made by hand. */
final class Rows {
    private static final Row.Machine MACHINE = new Row.Machine(2, "a virtual machine 17", "a processor", "abc123");

    private Rows() {}

    static Row certified(String experiment, String solver, String options, int trial, double seconds) {
        return row(experiment, solver, options, trial, "CONVERGED", seconds, 1e-12, "");
    }

    static Row uncertified(String experiment, String solver, String options, int trial, double seconds, double gap) {
        return row(experiment, solver, options, trial, "ITERATION_LIMIT", seconds, gap, "");
    }

    static Row skipped(String experiment, String solver, int trial, String why) {
        return row(experiment, solver, "", trial, Row.SKIPPED, Double.NaN, Double.NaN, why);
    }

    /** The same run, had a limit stopped it. */
    static Row stopped(Row row) {
        Row.Outcome was = row.outcome();
        Row.Outcome outcome = new Row.Outcome(
                "STOPPED_BY_LISTENER", false, was.seconds(), 5, 6, new Row.Proof(row.objective(), 1, 1));
        return new Row(row.task(), row.player(), outcome, row.memory(), row.machine(), "");
    }

    private static Row row(
            String experiment,
            String solver,
            String options,
            int trial,
            String status,
            double seconds,
            double gap,
            String note) {
        Row.Seconds phases = new Row.Seconds(seconds / 4, seconds / 4, seconds / 4, seconds / 8, seconds / 8);
        return new Row(
                new Row.Task(experiment, Row.Protocol.BOTH, Row.Game.dense(200, 100, 0.1), trial, trial, 10),
                new Row.Player(solver, options),
                new Row.Outcome(status, gap <= 1e-9, phases, 5, 6, new Row.Proof(1234.5, gap * 1000, gap)),
                new Row.Memory(100, 200),
                MACHINE,
                note);
    }
}
