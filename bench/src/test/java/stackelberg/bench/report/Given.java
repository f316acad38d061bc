package stackelberg.bench.report;

import java.util.List;
import java.util.stream.IntStream;
import stackelberg.bench.Row;
import stackelberg.bench.Row.Protocol;

/** Rows made by hand. */
record Given(
        String experiment,
        Protocol protocol,
        Row.Game game,
        String solver,
        String options,
        int trial,
        double time,
        double gap,
        double objective,
        String note,
        boolean skipped) {
    /** Of the total time: half a factorisation, a quarter each for solving and certifying. */
    static Given dense(int m, int n, String solver) {
        return new Given(
                "dense",
                Protocol.BOTH,
                new Row.Game("dense", "", m, n, 1, 0.1),
                solver,
                "",
                1,
                1,
                1e-12,
                100,
                "",
                false);
    }

    static Given sparse(int m, int n, double density, String solver) {
        return dense(m, n, solver).in("sparse").on(new Row.Game("sparse", "", m, n, density, 0.1));
    }

    static Given real(String name, int m, String solver) {
        return dense(m, 11, solver)
                .in(name.substring(0, name.indexOf(' ')))
                .on(new Row.Game("real", name, m, 11, 1, 0.1));
    }

    Given in(String value) {
        return new Given(value, protocol, game, solver, options, trial, time, gap, objective, note, skipped);
    }

    Given on(Row.Game value) {
        return new Given(experiment, protocol, value, solver, options, trial, time, gap, objective, note, skipped);
    }

    Given under(Protocol value) {
        return new Given(experiment, value, game, solver, options, trial, time, gap, objective, note, skipped);
    }

    Given with(String value) {
        return new Given(experiment, protocol, game, solver, value, trial, time, gap, objective, note, skipped);
    }

    Given trial(int value) {
        return new Given(experiment, protocol, game, solver, options, value, time, gap, objective, note, skipped);
    }

    Given takes(double seconds) {
        return new Given(experiment, protocol, game, solver, options, trial, seconds, gap, objective, note, skipped);
    }

    Given gap(double value) {
        return new Given(experiment, protocol, game, solver, options, trial, time, value, objective, note, skipped);
    }

    Given reaches(double value) {
        return new Given(experiment, protocol, game, solver, options, trial, time, gap, value, note, skipped);
    }

    Given skippedBecause(String value) {
        return new Given(
                experiment, protocol, game, solver, options, trial, Double.NaN, Double.NaN, Double.NaN, value, true);
    }

    List<Row> trials(int count) {
        return IntStream.rangeClosed(1, count).mapToObj(k -> trial(k).row()).toList();
    }

    Row row() {
        Row.Seconds seconds = new Row.Seconds(0, time / 2, time / 4, time / 4, 0);
        return new Row(
                new Row.Task(experiment, protocol, game, 40 + trial, trial, 10),
                new Row.Player(solver, options),
                new Row.Outcome(
                        skipped ? Row.SKIPPED : "CONVERGED",
                        gap <= 1e-9,
                        seconds,
                        7,
                        3,
                        new Row.Proof(objective, gap * objective, gap)),
                new Row.Memory(100, 300),
                new Row.Machine(2, "jdk", "cpu", "c0ffee"),
                note);
    }
}
