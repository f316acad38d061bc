package stackelberg.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import stackelberg.bench.Row;
import stackelberg.bench.Row.Protocol;

/** Compares the published comparisons of two solvers with the results here, line by line: does the same solver win? */
final class Conclusions {
    private static final List<Double> DENSITIES = List.of(1.0, 1e-4, 1e-3, 0.01);

    /** The comparison of two solvers on one game: which one is faster here, and in the paper. */
    private record Duel(Sample first, Sample second, boolean wonInThePaper) {
        boolean ran() {
            return first.ran() && second.ran();
        }

        boolean certified() {
            return first.certified() && second.certified();
        }

        boolean won() {
            return first.mean() < second.mean();
        }
    }

    /** A line of the table: the duels of two solvers. */
    private record Line(String first, String second, String games, Protocol protocol, List<Duel> duels) {
        /** Returns the number of duels that are won among those that count, as "3 of 4". */
        String of(Predicate<Duel> counting, Predicate<Duel> won) {
            long all = duels.stream().filter(counting).count();
            return all == 0
                    ? Show.NOTHING
                    : duels.stream().filter(counting.and(won)).count() + " of " + all;
        }
    }

    private Conclusions() {}

    /** Adds the tables of comparisons; a line without runs shows the published result only. */
    static void add(Document document, List<Row> rows) {
        if (rows.stream().noneMatch(row -> Published.times(row.game()).isPresent())) {
            document.paragraph(
                    "None of the published sizes is among these rows (a quick run has smaller ones), so there is nothing to"
                            + " compare line by line.");
        } else {
            document.paragraph(
                    "Each published line compares two solvers on one game. It is compared here if both solvers ran on"
                            + " that game and are certified in every trial; the other lines that were run are counted"
                            + " separately; the last column compares times alone.");
            document.table(lineByLine(rows));
        }
        document.paragraph(
                "For the building data the paper shows a figure and states which solver is faster, without numbers. Every size counts as a line here.");
        document.table(inTheText(rows));
    }

    /** @param published whether there are published numbers to compare with */
    private static Table<Line> table(boolean published) {
        Table<Line> table = new Table<Line>()
                .text("claim", line -> Solvers.label(line.first) + " beats " + Solvers.label(line.second))
                .text("games", Line::games)
                .text("protocol", line -> Show.name(line.protocol));
        if (published) {
            table.number("published", line -> line.of(duel -> true, Duel::wonInThePaper));
        }
        table.number("here", line -> line.of(Duel::certified, Duel::won));
        if (published) {
            table.number("same winner", line -> line.of(Duel::certified, duel -> duel.won() == duel.wonInThePaper));
        }
        return table.number("run, not certified", line -> line.duels.stream()
                        .filter(duel -> duel.ran() && !duel.certified())
                        .count())
                .number("faster, certified or not", line -> line.of(Duel::ran, Duel::won));
    }

    private static Table<Line> lineByLine(List<Row> rows) {
        Table<Line> table = table(true);
        for (double density : DENSITIES) {
            String family = density == 1 ? "dense" : "sparse";
            String games = family + (density == 1 ? "" : ", density " + Show.plain(density));
            for (String rival : List.of("socp", "ltrsr", "admm")) {
                for (Protocol protocol : Runs.PROTOCOLS) {
                    Runs runs = new Runs(
                            rows,
                            protocol,
                            row -> row.experiment().equals(family) && row.game().density() == density);
                    List<Duel> duels = Published.TIMES.stream()
                            .filter(line -> line.game().density() == density)
                            .map(line -> new Duel(
                                    runs.of(line.game(), "cd-admm"),
                                    runs.of(line.game(), rival),
                                    line.seconds("cd-admm") < line.seconds(rival)))
                            .toList();
                    table.add(new Line("cd-admm", rival, games, protocol, duels));
                }
            }
        }
        return table;
    }

    /** The comparison with the paper's figure of the building data, which names the winner at every size without numbers. */
    private static Table<Line> inTheText(List<Row> rows) {
        Table<Line> table = table(false);
        for (String claim : List.of("cd-admm sdp", "cd-admm socp", "cd-admm admm", "ltrsr cd-admm")) {
            String first = claim.substring(0, claim.indexOf(' '));
            String second = claim.substring(claim.indexOf(' ') + 1);
            for (Protocol protocol : Runs.PROTOCOLS) {
                Runs runs = new Runs(rows, protocol, row -> row.experiment().equals("building"));
                List<Duel> duels = new ArrayList<>();
                runs.games().forEach(game -> duels.add(new Duel(runs.of(game, first), runs.of(game, second), true)));
                table.add(new Line(first, second, "building, modest and severe", protocol, duels));
            }
        }
        return table;
    }
}
