package stackelberg.bench.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import stackelberg.bench.Row;
import stackelberg.bench.Row.Protocol;

/** Relative errors (f_SOCP - f_X) / |f_SOCP| over all sizes and trials of a case, beside the published ones: the paper's tables 1, 6, 7 and 10. */
final class ErrorTable {
    private static final List<String> SOLVERS = List.of("ltrsr", "admm", "cd-admm", "krylov");

    /** A line of the paper's tables: one case, over all its sizes and trials. */
    private record Case(String name, double density, double gamma, double multiple) {
        static final Comparator<Case> ORDER = Comparator.comparing(Case::name)
                .thenComparing(Case::density)
                .thenComparing(Comparator.comparing(Case::gamma).reversed())
                .thenComparing(Comparator.comparing(Case::multiple).reversed());

        static Case of(Row.Game game) {
            boolean real = !game.name().isEmpty();
            return new Case(game.name(), game.density(), game.gamma(), real ? Double.NaN : game.multiple());
        }

        static Case of(Published.Errors line) {
            return new Case(line.name(), line.density(), line.gamma(), line.multiple());
        }

        String text() {
            if (!name.isEmpty()) {
                return name;
            }
            String where = "m = " + Cells.multiple(multiple) + ", gamma " + Show.plain(gamma);
            return density < 1 ? "density " + Show.plain(density) + ", " + where : where;
        }
    }

    private final Runs runs;
    private final Map<Case, List<Row.Game>> cases = new TreeMap<>(Case.ORDER);
    private final Map<Case, Published.Errors> published = new TreeMap<>(Case.ORDER);

    private ErrorTable(Runs runs, Predicate<Published.Errors> lines) {
        this.runs = runs;
        runs.games().forEach(game -> cases.computeIfAbsent(Case.of(game), unused -> new ArrayList<>())
                .add(game));
        Published.paper().errors().stream().filter(lines).forEach(line -> {
            published.put(Case.of(line), line);
            cases.putIfAbsent(Case.of(line), List.of());
        });
    }

    /** Adds the table, or a sentence if there are no rows. */
    static void add(
            Document document, String title, List<Row> rows, Predicate<Row> wanted, Predicate<Published.Errors> lines) {
        for (Protocol protocol : List.of(Protocol.PAPER, Protocol.FAIR)) {
            Runs runs = new Runs(rows, protocol, wanted);
            document.heading(3, title + ", protocol " + Cells.name(protocol));
            if (runs.isEmpty()) {
                document.paragraph("There are no rows for this table.");
            } else {
                document.table(new ErrorTable(runs, lines).table());
            }
        }
    }

    private Table table() {
        Table table = new Table()
                .text("case", "solver")
                .ours("average", "smallest", "largest")
                .published("published average", "smallest", "largest")
                .ours("pairs", "f below SOCP's", "f above SOCP's", "largest certified gap", "SOCP's own");
        cases.forEach((one, games) -> {
            for (String solver : SOLVERS) {
                Published.Spread paper = Optional.ofNullable(published.get(one))
                        .map(line -> line.of(solver))
                        .orElse(Published.Spread.NONE);
                Errors errors = errors(games, solver);
                if (errors.size.getCount() > 0 || Double.isFinite(paper.average())) {
                    table.add(one.text(), line(one, solver, errors, paper));
                }
            }
        });
        return table;
    }

    /** The sizes of the errors, the number of each sign, and the number of certified trials. */
    private static final class Errors {
        private final DoubleSummaryStatistics size = new DoubleSummaryStatistics();
        private final DoubleSummaryStatistics gap = new DoubleSummaryStatistics();
        private final DoubleSummaryStatistics gapOfSocp = new DoubleSummaryStatistics();
        private int below;
        private int above;
    }

    private Errors errors(List<Row.Game> games, String solver) {
        Errors errors = new Errors();
        for (Row.Game game : games) {
            Optional<Sample> socp = runs.ran(game, "socp");
            Optional<Sample> other = runs.ran(game, solver);
            if (socp.isEmpty() || other.isEmpty()) {
                continue;
            }
            for (Row row : other.get().rows()) {
                socp.get().rows().stream()
                        .filter(base -> base.trial() == row.trial()
                                && base.task().seed() == row.task().seed())
                        .findFirst()
                        .ifPresent(base -> compare(errors, base, row));
            }
        }
        return errors;
    }

    private static void compare(Errors errors, Row socp, Row other) {
        double error = (socp.objective() - other.objective()) / Math.abs(socp.objective());
        if (!Double.isFinite(error)) {
            return;
        }
        errors.size.accept(Math.abs(error));
        errors.below += error > 0 ? 1 : 0;
        errors.above += error < 0 ? 1 : 0;
        errors.gap.accept(other.relativeGap());
        errors.gapOfSocp.accept(socp.relativeGap());
    }

    private static List<Table.Cell> line(Case one, String solver, Errors errors, Published.Spread paper) {
        boolean any = errors.size.getCount() > 0;
        List<Table.Cell> cells = new ArrayList<>();
        cells.add(Table.Cell.of(one.text()));
        cells.add(Table.Cell.of(Solvers.label(solver)));
        cells.add(Table.Cell.of(Show.exponent(any ? errors.size.getAverage() : Double.NaN)));
        cells.add(Table.Cell.of(Show.exponent(errors.size.getMin())));
        cells.add(Table.Cell.of(Show.exponent(errors.size.getMax())));
        cells.add(Table.Cell.of(Show.exponent(paper.average())));
        cells.add(Table.Cell.of(Show.exponent(paper.smallest())));
        cells.add(Table.Cell.of(Show.exponent(paper.largest())));
        cells.add(Table.Cell.of(any ? Show.count(errors.size.getCount()) : Show.NOTHING));
        cells.add(Table.Cell.of(any ? Show.count(errors.below) : Show.NOTHING));
        cells.add(Table.Cell.of(any ? Show.count(errors.above) : Show.NOTHING));
        cells.add(Table.Cell.of(Show.exponent(errors.gap.getMax())));
        cells.add(Table.Cell.of(Show.exponent(errors.gapOfSocp.getMax())));
        return cells;
    }
}
