package stackelberg.bench.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import stackelberg.bench.Row;

/** Makes the paper's tables 2, 3, 5, 8 and 9: times on synthetic games, beside the published ones. */
final class TimeTable {
    private static final Comparator<Row.Game> LINES = Comparator.comparing(Row.Game::density)
            .thenComparing(Comparator.comparing(Row.Game::multiple).reversed())
            .thenComparing(Row.Game::n);

    private TimeTable() {}

    /** Adds the table of the wanted games of one family, dense or sparse, with its notes for each protocol. */
    static void add(Document document, String title, List<Row> rows, String family, Predicate<Row.Game> wanted) {
        Runs.sections(
                document,
                title,
                rows,
                row -> row.experiment().equals(family) && wanted.test(row.game()),
                runs -> document.table(table(runs, game -> game.family().equals(family) && wanted.test(game)))
                        .bullets(runs.reasons()));
    }

    private static Table<Row.Game> table(Runs runs, Predicate<Row.Game> wanted) {
        SortedSet<Row.Game> games = new TreeSet<>(LINES);
        games.addAll(runs.games());
        // published lines without a run are shown too, unless no run has a published size
        if (runs.games().stream().anyMatch(game -> Published.times(game).isPresent())) {
            Published.TIMES.stream().map(Published::game).filter(wanted).forEach(games::add);
        }
        List<String> others = new ArrayList<>(List.of("krylov", "direct"));
        runs.solvers().stream()
                .filter(solver -> !Solvers.OF_THE_PAPER.contains(solver) && !others.contains(solver))
                .forEach(others::add);
        List<String> all = new ArrayList<>(Solvers.OF_THE_PAPER);
        all.addAll(others);

        Table<Row.Game> table = new Table<>();
        if (games.stream().map(Row.Game::density).distinct().count() > 1) {
            table.text("density", game -> Show.plain(game.density()));
        }
        table.text("m", TimeTable::m)
                .number("n", game -> Show.count(game.n()))
                .number("trials", game -> Sample.trials(runs.of(game, all)));
        for (String solver : Solvers.OF_THE_PAPER) {
            boolean socp = solver.equals("socp");
            table.number(Solvers.label(solver) + (socp ? " (eig)" : ""), game -> time(
                                    runs.of(game, solver), socp, runs.of(game, all))
                            .inBold(runs.of(game, solver).isFastestOf(runs.of(game, Solvers.OF_THE_PAPER))))
                    .number("published", game -> published(game, solver, socp));
        }
        others.forEach(solver ->
                table.number(Solvers.label(solver), game -> time(runs.of(game, solver), false, runs.of(game, all))));
        int number = 0;
        for (String above : List.of("socp", "admm")) {
            table.number("Ratio" + ++number, game -> runs.of(game, above).ratioTo(runs.of(game, "cd-admm")))
                    .number("published", game -> Show.digits(seconds(game, above) / seconds(game, "cd-admm")));
        }
        table.number(
                "Ratio3",
                game -> Show.digits(Sample.fastest(runs.of(game, Solvers.OF_THE_PAPER))
                        / Sample.fastest(runs.of(game, List.of("krylov")))));
        games.forEach(table::add);
        return table;
    }

    /** m as a multiple of n if the game is published or the multiple is one of the paper's. */
    private static String m(Row.Game game) {
        boolean half = game.multiple() * 2 == Math.rint(game.multiple() * 2);
        return half || Published.times(game).isPresent() ? Show.multiple(game.multiple()) : Show.count(game.m());
    }

    /** @param eigenvalues whether their time is added in brackets */
    private static Cell time(Sample sample, boolean eigenvalues, List<Sample> all) {
        Cell cell = sample.cell().marked(sample.isFastestOf(all) ? Solvers.FASTEST : "");
        String factor = " (" + Show.digits(sample.mean(row -> row.seconds().factor())) + ")";
        return eigenvalues && sample.ran() ? new Cell(cell.text() + factor, cell.mark(), cell.note(), false) : cell;
    }

    private static Cell published(Row.Game game, String solver, boolean eigenvalues) {
        double time = seconds(game, solver);
        boolean fastest = Solvers.OF_THE_PAPER.stream().allMatch(other -> time <= seconds(game, other));
        String factor = " (" + Show.digits(seconds(game, "socp-eig")) + ")";
        return Cell.of(Show.digits(time) + (eigenvalues && Published.times(game).isPresent() ? factor : ""))
                .inBold(fastest);
    }

    private static double seconds(Row.Game game, String solver) {
        return Published.times(game).map(line -> line.seconds(solver)).orElse(Double.NaN);
    }
}
