package stackelberg.bench.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import stackelberg.bench.Row;
import stackelberg.bench.Row.Protocol;

/** Draws how time and memory grow with the size of a game. */
final class SizeFigures {
    private SizeFigures() {}

    /** Adds figures of time against m at a fixed n, and against n at a fixed m. The fixed value is the one with the most sizes; of several, the largest. */
    static void addScaling(Document document, List<Row> rows) {
        document.heading(3, "Scaling with m and n");
        Runs runs = new Runs(rows, Protocol.FAIR, row -> row.experiment().equals("scaling"));
        if (runs.isEmpty()) {
            document.paragraph("There are no rows for this figure.");
            return;
        }
        Map<String, Plot> plots = new LinkedHashMap<>();
        runs.games().stream()
                .collect(Collectors.groupingBy(
                        game -> List.of(game.family(), game.density(), game.gamma()),
                        LinkedHashMap::new,
                        Collectors.toList()))
                .forEach((kind, games) -> {
                    growth(plots, runs, games, "m", "n", Row.Game::m, Row.Game::n);
                    growth(plots, runs, games, "n", "m", Row.Game::n, Row.Game::m);
                });
        Table table = new Table().text("game").ours("trials");
        runs.solvers().forEach(solver -> table.ours(Solvers.label(solver)));
        for (Row.Game game : runs.games()) {
            List<Table.Cell> cells = new ArrayList<>();
            cells.add(Table.Cell.of(Cells.name(game)));
            cells.add(Cells.trials(runs.solvers().stream()
                    .flatMap(solver -> runs.of(game, solver).stream())
                    .toList()));
            runs.solvers().forEach(solver -> cells.add(Cells.time(runs.of(game, solver))));
            table.add(game.family() + game.n(), cells);
        }
        document.gallery(plots).table(table).bullets(Cells.reasons(runs.all()));
    }

    private static void growth(
            Map<String, Plot> plots,
            Runs runs,
            List<Row.Game> games,
            String grows,
            String stays,
            Function<Row.Game, Integer> growing,
            Function<Row.Game, Integer> fixed) {
        games.stream().collect(Collectors.groupingBy(fixed, TreeMap::new, Collectors.toList())).entrySet().stream()
                .filter(one -> one.getValue().size() > 1)
                .max(Comparator.comparingInt((Map.Entry<Integer, List<Row.Game>> one) ->
                                one.getValue().size())
                        .thenComparing(Map.Entry::getKey))
                .ifPresent(one -> {
                    Row.Game any = one.getValue().get(0);
                    String density = any.density() < 1 ? ", density " + Show.plain(any.density()) : "";
                    String title = "Scaling with " + grows + ", " + any.family() + density + ", " + stays + " = "
                            + Show.count(one.getKey()) + ", gamma " + Show.plain(any.gamma());
                    Plot plot = new Plot(
                            title,
                            new Axis.Style(grows, true, Show::tick),
                            new Axis.Style("mean time", true, Show::duration));
                    List<Row.Game> sizes = one.getValue().stream()
                            .sorted(Comparator.comparing(growing))
                            .toList();
                    lines(plot, runs, sizes, game -> growing.apply(game), Sample::mean);
                    plots.put("scaling " + grows + " " + any.family() + (any.density() < 1 ? any.density() : ""), plot);
                });
    }

    private static void lines(
            Plot plot, Runs runs, List<Row.Game> games, ToDoubleFunction<Row.Game> x, ToDoubleFunction<Sample> y) {
        for (String solver : runs.solvers()) {
            List<Curve.Point> points = new ArrayList<>();
            games.forEach(game -> runs.ran(game, solver)
                    .ifPresent(sample -> points.add(
                            new Curve.Point(x.applyAsDouble(game), y.applyAsDouble(sample), !sample.certified()))));
            plot.add(new Curve(Solvers.label(solver), Solvers.pen(solver), points));
        }
    }

    /** Adds a table of peak memory beside the size of X with its column of ones, 8 m (n + 1) bytes. */
    static void addMemory(Document document, List<Row> rows) {
        document.heading(3, "Memory");
        Runs runs = new Runs(rows, Protocol.FAIR, row -> row.experiment().equals("memory"));
        if (runs.isEmpty()) {
            document.paragraph("There are no rows for this figure.");
            return;
        }
        Plot plot = new Plot(
                "Peak memory of the process",
                new Axis.Style("size of X in MB", true, Show::tick),
                new Axis.Style("peak memory in MB", true, Show::tick));
        List<Row.Game> games = runs.games().stream()
                .sorted(Comparator.comparingDouble(SizeFigures::megabytes).thenComparing(Runs.BY_SIZE))
                .toList();
        lines(
                plot,
                runs,
                games,
                SizeFigures::megabytes,
                sample -> peak(sample, row -> row.memory().peak()));
        plot.add(new Curve(
                "X itself",
                new Curve.Pen("#8b8f97", "2 4", Curve.Mark.NONE),
                games.stream()
                        .map(game -> new Curve.Point(megabytes(game), megabytes(game), false))
                        .toList()));
        Table table = new Table()
                .text("game", "solver")
                .ours("trials", "X in MB", "before the run", "at the peak", "peak / X", "(peak - before) / X");
        for (Row.Game game : games) {
            for (String solver : runs.solvers()) {
                runs.ran(game, solver).ifPresent(sample -> table.add(Cells.name(game), memory(game, sample)));
            }
        }
        document.gallery(Map.of("Memory", plot)).table(table).bullets(Cells.reasons(runs.all()));
    }

    private static List<Table.Cell> memory(Row.Game game, Sample sample) {
        double x = megabytes(game);
        double before = peak(sample, row -> row.memory().before());
        double peak = peak(sample, row -> row.memory().peak());
        return List.of(
                Table.Cell.of(Cells.name(game)),
                Table.Cell.of(Solvers.label(sample.solver())),
                Cells.trials(List.of(sample)),
                Table.Cell.of(Show.digits(x)),
                Table.Cell.of(Show.digits(before)),
                Table.Cell.of(Show.digits(peak)),
                Table.Cell.of(Show.digits(peak / x)),
                Table.Cell.of(Show.digits((peak - before) / x)));
    }

    private static double megabytes(Row.Game game) {
        return 8e-6 * game.m() * (game.n() + 1.0);
    }

    /** The largest value over the trials, since a peak is a maximum. */
    private static double peak(Sample sample, ToDoubleFunction<Row> value) {
        return sample.rows().stream().mapToDouble(value).max().orElse(Double.NaN);
    }
}
