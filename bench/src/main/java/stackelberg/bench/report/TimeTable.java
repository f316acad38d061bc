package stackelberg.bench.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import stackelberg.bench.Row;
import stackelberg.bench.Row.Protocol;

/** Makes the paper's tables 2, 3, 5, 8 and 9: times on synthetic games, beside the published ones. */
final class TimeTable {
    private static final Comparator<Row.Game> LINES = Comparator.comparing(Row.Game::density)
            .thenComparing(Comparator.comparing(Row.Game::multiple).reversed())
            .thenComparing(Row.Game::n);

    private final Runs runs;
    private final SortedSet<Row.Game> games = new TreeSet<>(LINES);
    private final List<String> others = new ArrayList<>();
    private final boolean densities;

    private TimeTable(Runs runs, Predicate<Row.Game> wanted) {
        this.runs = runs;
        games.addAll(runs.games());
        // published lines without a run are shown too, unless no run has a published size
        if (runs.games().stream().anyMatch(game -> Published.paper().times(game).isPresent())) {
            Published.paper().times().stream()
                    .map(Published.Times::game)
                    .filter(wanted)
                    .forEach(games::add);
        }
        densities = games.stream().map(Row.Game::density).distinct().count() > 1;
        others.addAll(List.of("krylov", "direct"));
        runs.solvers().stream()
                .filter(solver -> !Solvers.OF_THE_PAPER.contains(solver) && !others.contains(solver))
                .forEach(others::add);
    }

    /** Adds the table with its notes, or a sentence if there are no rows. */
    static void add(Document document, String title, List<Row> rows, String experiment, Predicate<Row.Game> wanted) {
        for (Protocol protocol : List.of(Protocol.PAPER, Protocol.FAIR)) {
            Runs runs = new Runs(rows, protocol, row -> row.experiment().equals(experiment) && wanted.test(row.game()));
            document.heading(3, title + ", protocol " + Cells.name(protocol));
            if (runs.isEmpty()) {
                document.paragraph("There are no rows for this table.");
            } else {
                document.table(new TimeTable(runs, wanted).table()).bullets(Cells.reasons(runs.all()));
            }
        }
    }

    private Table table() {
        Table table = new Table();
        if (densities) {
            table.text("density");
        }
        table.text("m").ours("n", "trials");
        for (String solver : Solvers.OF_THE_PAPER) {
            table.ours(Solvers.label(solver) + (solver.equals("socp") ? " (eig)" : ""))
                    .published("published");
        }
        others.forEach(solver -> table.ours(Solvers.label(solver)));
        table.ours("Ratio1")
                .published("published")
                .ours("Ratio2")
                .published("published")
                .ours("Ratio3");
        games.forEach(game -> table.add(game.density() + " " + game.multiple(), line(game)));
        return table;
    }

    private List<Table.Cell> line(Row.Game game) {
        Optional<Published.Times> published = Published.paper().times(game);
        double quickest = fastest(game, Solvers.OF_THE_PAPER);
        List<String> all = new ArrayList<>(Solvers.OF_THE_PAPER);
        all.addAll(others);
        double quickestOfAll = fastest(game, all);
        double quickestPublished = Solvers.OF_THE_PAPER.stream()
                .mapToDouble(solver -> published(published, solver))
                .min()
                .getAsDouble();

        List<Table.Cell> cells = new ArrayList<>();
        if (densities) {
            cells.add(Table.Cell.of(Show.plain(game.density())));
        }
        cells.add(Table.Cell.of(
                published.isPresent() || game.multiple() * 2 == Math.rint(game.multiple() * 2)
                        ? Cells.multiple(game.multiple())
                        : Show.count(game.m())));
        cells.add(Table.Cell.of(Show.count(game.n())));
        cells.add(Cells.trials(
                all.stream().flatMap(solver -> runs.of(game, solver).stream()).toList()));
        for (String solver : Solvers.OF_THE_PAPER) {
            Optional<Sample> sample = runs.of(game, solver);
            boolean socp = solver.equals("socp");
            cells.add(winner(socp ? Cells.timeWithFactor(sample) : Cells.time(sample), sample, quickestOfAll)
                    .inBold(isFastest(sample, quickest)));
            double time = published(published, solver);
            String eig = socp && published.isPresent()
                    ? " (" + Show.digits(published.get().eig()) + ")"
                    : "";
            cells.add(Table.Cell.of(Show.digits(time) + eig).inBold(time == quickestPublished));
        }
        for (String solver : others) {
            Optional<Sample> sample = runs.of(game, solver);
            cells.add(winner(Cells.time(sample), sample, quickestOfAll));
        }
        for (String above : List.of("socp", "admm")) {
            cells.add(Cells.ratio(runs.of(game, above), runs.of(game, "cd-admm")));
            cells.add(Table.Cell.of(Show.digits(published(published, above) / published(published, "cd-admm"))));
        }
        double krylov = fastest(game, List.of("krylov"));
        cells.add(Table.Cell.of(
                Double.isFinite(quickest) && Double.isFinite(krylov) ? Show.digits(quickest / krylov) : Show.NOTHING));
        return cells;
    }

    private static Table.Cell winner(Table.Cell cell, Optional<Sample> sample, double quickest) {
        return isFastest(sample, quickest) ? cell.marked(Cells.FASTEST) : cell;
    }

    private static boolean isFastest(Optional<Sample> sample, double quickest) {
        return sample.filter(Sample::certified)
                .filter(one -> one.mean() == quickest)
                .isPresent();
    }

    /** The shortest time of the certified solvers. */
    private double fastest(Row.Game game, List<String> solvers) {
        return solvers.stream()
                .flatMap(solver -> runs.of(game, solver).stream())
                .filter(Sample::certified)
                .mapToDouble(Sample::mean)
                .min()
                .orElse(Double.NaN);
    }

    private static double published(Optional<Published.Times> line, String solver) {
        return line.map(times -> times.of(solver)).orElse(Double.NaN);
    }
}
