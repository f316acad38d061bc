package stackelberg.bench.report;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import stackelberg.bench.Row;
import stackelberg.bench.Row.Protocol;

/** Compares the published comparisons of two solvers with the results here, line by line: does the same solver win? */
final class Conclusions {
    private static final List<String> RIVALS = List.of("socp", "ltrsr", "admm");

    /** The set of games that a comparison covers. */
    private record Set(String title, String experiment, Predicate<Row.Game> games) {}

    private static final List<Set> SETS = List.of(
            new Set("dense", "dense", game -> true),
            new Set("sparse, density 0.0001", "sparse", game -> game.density() == 1e-4),
            new Set("sparse, density 0.001", "sparse", game -> game.density() == 1e-3),
            new Set("sparse, density 0.01", "sparse", game -> game.density() == 0.01));

    private Conclusions() {}

    /** Adds the table of comparisons; a line without runs shows the published result only. */
    static void add(Document document, List<Row> rows) {
        if (rows.stream().noneMatch(row -> Published.paper().times(row.game()).isPresent())) {
            document.paragraph(
                    "None of the published sizes is among these rows (a quick run has smaller ones), so there is nothing to"
                            + " compare line by line.");
            inTheText(document, rows);
            return;
        }
        document.paragraph(
                "Each published line compares two solvers on one game. It is compared here if both solvers ran on"
                        + " that game and are certified in every trial; the other lines that were run are counted"
                        + " apart; the last column goes by time alone.");
        Table table = new Table()
                .text("claim", "games", "protocol")
                .published("published")
                .ours("here", "same winner", "run, not certified", "faster, certified or not");
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
        inTheText(document, rows);
    }

    /** Adds the comparison with the paper's figure of the building data, which names the winner at every size without numbers. */
    private static void inTheText(Document document, List<Row> rows) {
        document.paragraph(
                "On the building data the paper shows a figure and says who is faster, without numbers. Every size counts as a line here.");
        Table table = new Table()
                .text("claim", "games", "protocol")
                .ours("here", "run, not certified", "faster, certified or not");
        for (String claim : List.of("cd-admm sdp", "cd-admm socp", "cd-admm admm", "ltrsr cd-admm")) {
            String winner = claim.substring(0, claim.indexOf(' '));
            String loser = claim.substring(claim.indexOf(' ') + 1);
            for (Protocol protocol : List.of(Protocol.PAPER, Protocol.FAIR)) {
                Runs runs = new Runs(rows, protocol, row -> row.experiment().equals("building"));
                Score score = new Score();
                runs.games().forEach(game -> score.add(runs, game, winner, loser));
                table.add(
                        claim,
                        List.of(
                                Table.Cell.of(Solvers.label(winner) + " beats " + Solvers.label(loser)),
                                Table.Cell.of("building, modest and severe"),
                                Table.Cell.of(Cells.name(protocol)),
                                Table.Cell.of(of(score.won, score.compared)),
                                Table.Cell.of("" + score.unsolved),
                                Table.Cell.of(of(score.faster, score.compared + score.unsolved))));
            }
        }
        document.table(table);
    }

    /** Counts how often one solver is faster than another, over games on which both are certified. */
    private static final class Score {
        private int compared;
        private int won;
        private int unsolved;
        private int faster;

        /** Whether the first solver wins on this game; empty if the two cannot be compared. */
        Optional<Boolean> add(Runs runs, Row.Game game, String first, String second) {
            Optional<Sample> one = runs.ran(game, first);
            Optional<Sample> other = runs.ran(game, second);
            if (one.isEmpty() || other.isEmpty()) {
                return Optional.empty();
            }
            boolean wins = one.get().mean() < other.get().mean();
            faster += wins ? 1 : 0;
            if (!one.get().certified() || !other.get().certified()) {
                unsolved++;
                return Optional.empty();
            }
            compared++;
            won += wins ? 1 : 0;
            return Optional.of(wins);
        }
    }

    private static List<Table.Cell> line(Set set, String rival, Protocol protocol, Runs runs) {
        int published = 0;
        int publishedWon = 0;
        int same = 0;
        Score here = new Score();
        for (Published.Times times : Published.paper().times()) {
            if (times.game().family().equals(set.experiment) && set.games.test(times.game())) {
                boolean won = times.cdAdmm() < times.of(rival);
                published++;
                publishedWon += won ? 1 : 0;
                same += here.add(runs, times.game(), "cd-admm", rival)
                        .filter(wins -> wins == won)
                        .map(wins -> 1)
                        .orElse(0);
            }
        }
        return List.of(
                Table.Cell.of("CD-ADMM beats " + Solvers.label(rival)),
                Table.Cell.of(set.title),
                Table.Cell.of(Cells.name(protocol)),
                Table.Cell.of(of(publishedWon, published)),
                Table.Cell.of(of(here.won, here.compared)),
                Table.Cell.of(of(same, here.compared)),
                Table.Cell.of("" + here.unsolved),
                Table.Cell.of(of(here.faster, here.compared + here.unsolved)));
    }

    private static String of(int some, int all) {
        return all == 0 ? Show.NOTHING : some + " of " + all;
    }
}
