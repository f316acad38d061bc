package stackelberg.bench.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import stackelberg.bench.Row;
import stackelberg.bench.Row.Protocol;

/** Draws time against the size of real games, as the paper does, and how time and memory grow with the size of synthetic ones. */
final class TimeFigures {
    static final List<String> REAL = List.of("wine", "building", "insurance", "blog");

    private TimeFigures() {}

    /**
     * Adds the figures of one data set, mean time against the size of the subsample with the modest and the severe game side by side, and a table of the smallest,
     * the middle and the largest size of both.
     */
    static void addReal(Document document, List<Row> rows, String experiment) {
        String title = "Time on " + experiment;
        Runs.sections(document, title, rows, row -> row.experiment().equals(experiment), runs -> {
            Map<String, List<Row.Game>> cases = new TreeMap<>();
            runs.games().forEach(game -> cases.computeIfAbsent(
                            game.name() + ", gamma " + Show.plain(game.gamma()), unused -> new ArrayList<>())
                    .add(game));
            Map<String, Plot> plots = new LinkedHashMap<>();
            Table<Row.Game> table = new Table<Row.Game>().text("game", Row.Game::name);
            table.number("m", game -> Show.count(game.m()));
            solvers(table, runs, Solvers.FASTEST);
            cases.forEach((name, games) -> {
                String shown = name + ", protocol " + Show.name(runs.protocol());
                Plot plot = new Plot(
                        shown,
                        new Axis.Style("people in the subsample, m", false, Show::tick),
                        new Axis.Style("mean time", true, Show::duration));
                // gamma is not in the file's name: it is the same in all of the paper's figures
                plots.put(
                        shown.replace(", gamma 0.1, protocol", ""),
                        curves(plot, runs, games, Row.Game::m, Sample::mean));
                for (int k : new TreeSet<>(List.of(0, games.size() / 2, games.size() - 1))) {
                    table.add(games.get(k));
                }
            });
            document.gallery(plots).table(table).bullets(runs.reasons());
        });
    }

    /** Adds figures of time against m at a fixed n, and against n at a fixed m. The fixed value is the one with the most sizes; of several, the largest. */
    static void addScaling(Document document, List<Row> rows) {
        Runs fair = new Runs(rows, Protocol.FAIR, row -> row.experiment().equals("scaling"));
        fair.section(document, "Scaling with m and n", runs -> {
            Map<String, Plot> plots = new LinkedHashMap<>();
            runs.games().stream()
                    .collect(Collectors.groupingBy(
                            game -> List.of(game.family(), game.density(), game.gamma()),
                            LinkedHashMap::new,
                            Collectors.toList()))
                    .forEach((kind, games) -> {
                        growth(plots, runs, games, true);
                        growth(plots, runs, games, false);
                    });
            Table<Row.Game> table = new Table<Row.Game>().text("game", Show::name);
            solvers(table, runs, "");
            runs.games().forEach(table::add);
            document.gallery(plots).table(table).bullets(runs.reasons());
        });
    }

    /** @param inRows whether m grows and n is fixed, rather than the other way round */
    private static void growth(Map<String, Plot> plots, Runs runs, List<Row.Game> games, boolean inRows) {
        String grows = inRows ? "m" : "n";
        Function<Row.Game, Integer> growing = inRows ? Row.Game::m : Row.Game::n;
        Function<Row.Game, Integer> fixed = inRows ? Row.Game::n : Row.Game::m;
        games.stream().collect(Collectors.groupingBy(fixed, TreeMap::new, Collectors.toList())).values().stream()
                .filter(sizes -> sizes.size() > 1)
                .max(Comparator.comparingInt((List<Row.Game> sizes) -> sizes.size())
                        .thenComparing(sizes -> fixed.apply(sizes.get(0))))
                .ifPresent(sizes -> {
                    Row.Game any = sizes.get(0);
                    String density = any.density() < 1 ? ", density " + Show.plain(any.density()) : "";
                    Plot plot = new Plot(
                            "Scaling with " + grows + ", " + any.family() + density + ", " + (inRows ? "n" : "m")
                                    + " = " + Show.count(fixed.apply(any)) + ", gamma " + Show.plain(any.gamma()),
                            new Axis.Style(grows, true, Show::tick),
                            new Axis.Style("mean time", true, Show::duration));
                    List<Row.Game> sorted =
                            sizes.stream().sorted(Comparator.comparing(growing)).toList();
                    plots.put(
                            "scaling " + grows + " " + any.family() + (any.density() < 1 ? any.density() : ""),
                            curves(plot, runs, sorted, growing::apply, Sample::mean));
                });
    }

    /** Adds a figure and a table of peak memory beside the size of X with its column of ones, 8 m (n + 1) bytes. */
    static void addMemory(Document document, List<Row> rows) {
        Runs fair = new Runs(rows, Protocol.FAIR, row -> row.experiment().equals("memory"));
        ToDoubleFunction<Sample> before =
                sample -> largest(sample, row -> row.memory().before());
        ToDoubleFunction<Sample> peak =
                sample -> largest(sample, row -> row.memory().peak());
        fair.section(document, "Memory", runs -> {
            Plot plot = new Plot(
                    "Peak memory of the process",
                    new Axis.Style("size of X in MB", true, Show::tick),
                    new Axis.Style("peak memory in MB", true, Show::tick));
            List<Row.Game> games = runs.games().stream()
                    .sorted(Comparator.comparingDouble(TimeFigures::megabytes).thenComparing(Runs.BY_SIZE))
                    .toList();
            curves(plot, runs, games, TimeFigures::megabytes, peak)
                    .add(new Curve(
                            "X itself",
                            new Curve.Pen("#8b8f97", "2 4", Curve.Mark.NONE),
                            games.stream()
                                    .map(game -> new Curve.Point(megabytes(game), megabytes(game), false))
                                    .toList()));
            Table<Sample> table = new Table<Sample>()
                    .text("game", sample -> Show.name(sample.game()))
                    .text("solver", sample -> Solvers.label(sample.solver()))
                    .number("trials", sample -> Sample.trials(List.of(sample)))
                    .number("X in MB", sample -> Show.digits(megabytes(sample.game())))
                    .number("before the run", sample -> Show.digits(before.applyAsDouble(sample)))
                    .number("at the peak", sample -> Show.digits(peak.applyAsDouble(sample)))
                    .number("peak / X", sample -> Show.digits(peak.applyAsDouble(sample) / megabytes(sample.game())))
                    .number(
                            "(peak - before) / X",
                            sample -> Show.digits((peak.applyAsDouble(sample) - before.applyAsDouble(sample))
                                    / megabytes(sample.game())));
            games.forEach(game ->
                    runs.of(game, runs.solvers()).stream().filter(Sample::ran).forEach(table::add));
            document.gallery(Map.of("Memory", plot)).table(table).bullets(runs.reasons());
        });
    }

    /** Adds a curve for every solver. */
    private static Plot curves(
            Plot plot, Runs runs, List<Row.Game> games, ToDoubleFunction<Row.Game> x, ToDoubleFunction<Sample> y) {
        for (String solver : runs.solvers()) {
            List<Curve.Point> points = games.stream()
                    .map(game -> runs.of(game, solver))
                    .filter(Sample::ran)
                    .map(sample -> new Curve.Point(
                            x.applyAsDouble(sample.game()), y.applyAsDouble(sample), !sample.certified()))
                    .toList();
            plot.add(new Curve(Solvers.label(solver), Solvers.pen(solver), points));
        }
        return plot;
    }

    /** Adds the number of trials and a column of times for every solver, with a mark for the fastest one. */
    private static void solvers(Table<Row.Game> table, Runs runs, String fastest) {
        table.number("trials", game -> Sample.trials(runs.of(game, runs.solvers())));
        for (String solver : runs.solvers()) {
            table.number(Solvers.label(solver), game -> {
                Sample sample = runs.of(game, solver);
                return sample.cell().marked(sample.isFastestOf(runs.of(game, runs.solvers())) ? fastest : "");
            });
        }
    }

    private static double megabytes(Row.Game game) {
        return 8e-6 * game.m() * (game.n() + 1.0);
    }

    /** The largest value over the trials, since a peak is a maximum. */
    private static double largest(Sample sample, ToDoubleFunction<Row> value) {
        return sample.rows().stream().mapToDouble(value).max().orElse(Double.NaN);
    }
}
