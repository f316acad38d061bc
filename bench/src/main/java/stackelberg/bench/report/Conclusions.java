package stackelberg.bench.report;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import stackelberg.bench.Row;
import stackelberg.bench.Row.Protocol;

/** Which published comparisons of two solvers hold here: the same winner, line by line. */
final class Conclusions {
    private static final List<String> RIVALS = List.of("socp", "ltrsr", "admm");

    /** What a comparison is made over. */
    private record Set(String title, String experiment, Predicate<Row.Game> games) {}

    private static final List<Set> SETS = List.of(
            new Set("dense", "dense", game -> true),
            new Set("sparse, density 0.0001", "sparse", game -> game.density() == 1e-4),
            new Set("sparse, density 0.001", "sparse", game -> game.density() == 1e-3),
            new Set("sparse, density 0.01", "sparse", game -> game.density() == 0.01));

    private Conclusions() {}

    /** Adds the table; a line without rows shows what was published. */
    static void add(Document document, List<Row> rows) {
        document.paragraph(
                "Each published line compares two solvers on one game. It is compared here if both solvers ran on that game and are"
                        + " certified in every trial; the other lines that were run are counted in the last column.");
        Table table = new Table()
                .text("claim", "games", "protocol")
                .published("published")
                .ours("here", "same winner", "run, not certified");
        for (Set set : SETS) {
            for (String rival : RIVALS) {
                for (Protocol protocol : List.of(Protocol.PAPER, Protocol.FAIR)) {
                    Runs runs = new Runs(
                            rows,
                            protocol,
                            row -> row.experiment().equals(set.experiment) && set.games.test(row.game()));
                    table.add(set.title, line(set, rival, protocol, runs));
                }
            }
        }
        document.table(table);
    }

    private static List<Table.Cell> line(Set set, String rival, Protocol protocol, Runs runs) {
        int published = 0;
        int publishedYes = 0;
        int here = 0;
        int hereYes = 0;
        int same = 0;
        int unsolved = 0;
        for (Published.Times times : Published.paper().times()) {
            if (!times.family().equals(set.experiment) || !set.games.test(times.game())) {
                continue;
            }
            boolean won = times.cdAdmm() < times.of(rival);
            published++;
            publishedYes += won ? 1 : 0;
            Optional<Sample> one = runs.ran(times.game(), "cd-admm");
            Optional<Sample> other = runs.ran(times.game(), rival);
            if (one.isEmpty() || other.isEmpty()) {
                continue;
            }
            if (!one.get().certified() || !other.get().certified()) {
                unsolved++;
                continue;
            }
            boolean wins = one.get().mean() < other.get().mean();
            here++;
            hereYes += wins ? 1 : 0;
            same += wins == won ? 1 : 0;
        }
        return List.of(
                Table.Cell.of("CD-ADMM beats " + Solvers.label(rival)),
                Table.Cell.of(set.title),
                Table.Cell.of(Cells.name(protocol)),
                Table.Cell.of(of(publishedYes, published)),
                Table.Cell.of(of(hereYes, here)),
                Table.Cell.of(of(same, here)),
                Table.Cell.of("" + unsolved));
    }

    private static String of(int some, int all) {
        return all == 0 ? Show.NOTHING : some + " of " + all;
    }
}
