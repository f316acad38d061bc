package stackelberg.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import stackelberg.bench.Row;
import stackelberg.bench.Row.Protocol;

/** Draws the paper's runtime figures: mean time against the size of the subsample of each real game, with a table of some points. */
final class RealFigures {
    static final List<String> EXPERIMENTS = List.of("wine", "building", "insurance", "blog");

    private RealFigures() {}

    static boolean has(Row row) {
        return EXPERIMENTS.contains(row.experiment());
    }

    /** Adds the figures of one data set, the modest and the severe game side by side, and a table of some of their points. */
    static void add(Document document, List<Row> rows, String experiment) {
        for (Protocol protocol : List.of(Protocol.PAPER, Protocol.FAIR)) {
            Runs runs = new Runs(rows, protocol, row -> row.experiment().equals(experiment));
            document.heading(3, "Time on " + experiment + ", protocol " + Cells.name(protocol));
            if (runs.isEmpty()) {
                document.paragraph("There are no rows for this figure.");
                continue;
            }
            Map<String, List<Row.Game>> cases = new TreeMap<>();
            runs.games().forEach(game -> cases.computeIfAbsent(
                            game.name() + ", gamma " + Show.plain(game.gamma()), unused -> new ArrayList<>())
                    .add(game));
            Map<String, Plot> plots = new LinkedHashMap<>();
            cases.forEach((name, games) -> {
                String title = name + ", protocol " + Cells.name(protocol);
                // gamma is not shown: it is the same in all of the paper's figures
                plots.put(title.replace(", gamma 0.1, protocol", ""), plot(title, runs, games));
            });
            document.gallery(plots).table(table(runs, cases)).bullets(Cells.reasons(runs.all()));
        }
    }

    private static Plot plot(String title, Runs runs, List<Row.Game> games) {
        Plot plot = new Plot(
                title,
                new Axis.Style("people in the subsample, m", false, Show::tick),
                new Axis.Style("mean time", true, Show::duration));
        for (String solver : runs.solvers()) {
            plot.add(curve(solver, runs, games));
        }
        return plot;
    }

    private static Curve curve(String solver, Runs runs, List<Row.Game> games) {
        List<Curve.Point> points = new ArrayList<>();
        for (Row.Game game : games) {
            runs.ran(game, solver)
                    .ifPresent(sample -> points.add(new Curve.Point(game.m(), sample.mean(), !sample.certified())));
        }
        return new Curve(Solvers.label(solver), Solvers.pen(solver), points);
    }

    /** Adds a table of the smallest, the middle and the largest size of every case. */
    private static Table table(Runs runs, Map<String, List<Row.Game>> cases) {
        SortedSet<String> solvers = runs.solvers();
        Table table = new Table().text("game").ours("m", "trials");
        solvers.forEach(solver -> table.ours(Solvers.label(solver)));
        cases.forEach((name, games) -> {
            for (int k : new TreeSet<>(List.of(0, games.size() / 2, games.size() - 1))) {
                Row.Game game = games.get(k);
                List<Sample> samples = solvers.stream()
                        .flatMap(solver -> runs.of(game, solver).stream())
                        .toList();
                List<Table.Cell> cells = new ArrayList<>();
                cells.add(Table.Cell.of(game.name()));
                cells.add(Table.Cell.of(Show.count(game.m())));
                cells.add(Cells.trials(samples));
                double best = samples.stream()
                        .filter(Sample::certified)
                        .mapToDouble(Sample::mean)
                        .min()
                        .orElse(Double.NaN);
                for (String solver : solvers) {
                    var sample = runs.of(game, solver);
                    boolean fastest = sample.filter(Sample::certified)
                            .filter(one -> one.mean() == best)
                            .isPresent();
                    cells.add(Cells.time(sample).marked(fastest ? Cells.FASTEST : ""));
                }
                table.add(name, cells);
            }
        });
        return table;
    }
}
