package stackelberg.bench.report;

import java.util.List;
import java.util.function.Predicate;
import stackelberg.bench.Row;
import stackelberg.bench.Row.Protocol;

/** Compares the published comparisons of two solvers with the results here, line by line: does the same solver win? */
final class Conclusions {
    /** The set of games that a comparison covers. */
    private record Set(String title, String experiment, Predicate<Row.Game> games) {}

    private static final List<Set> SETS = List.of(
            new Set("dense", "dense", game -> true),
            new Set("sparse, density 0.0001", "sparse", game -> game.density() == 1e-4),
            new Set("sparse, density 0.001", "sparse", game -> game.density() == 1e-3),
            new Set("sparse, density 0.01", "sparse", game -> game.density() == 0.01));

    /** Counts how often one solver is faster than another, over games on which both are certified. */
    private static final class Score {
        private final String first;
        private final String second;
        private final String games;
        private final Protocol protocol;
        private int published;
        private int publishedWon;
        private int compared;
        private int won;
        private int same;
        private int unsolved;
        private int faster;

        Score(String first, String second, String games, Protocol protocol) {
            this.first = first;
            this.second = second;
            this.games = games;
            this.protocol = protocol;
        }

        /** @param inThePaper whether the first solver wins in the paper */
        void add(Runs runs, Row.Game game, boolean inThePaper) {
            published++;
            publishedWon += inThePaper ? 1 : 0;
            Sample one = runs.of(game, first);
            Sample other = runs.of(game, second);
            boolean wins = one.mean() < other.mean();
            faster += wins ? 1 : 0;
            if (one.certified() && other.certified()) {
                compared++;
                won += wins ? 1 : 0;
                same += wins == inThePaper ? 1 : 0;
            } else if (one.ran() && other.ran()) {
                unsolved++;
            }
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
                            + " apart; the last column goes by time alone.");
            document.table(lineByLine(rows));
        }
        document.paragraph(
                "On the building data the paper shows a figure and says who is faster, without numbers. Every size counts as a line here.");
        document.table(inTheText(rows));
    }

    /** @param published whether there are published numbers to compare with */
    private static Table<Score> table(boolean published) {
        Table<Score> table = new Table<Score>()
                .text("claim", score -> Solvers.label(score.first) + " beats " + Solvers.label(score.second))
                .text("games", score -> score.games)
                .text("protocol", score -> Show.name(score.protocol));
        if (published) {
            table.published("published", score -> of(score.publishedWon, score.published));
        }
        table.ours("here", score -> of(score.won, score.compared));
        if (published) {
            table.ours("same winner", score -> of(score.same, score.compared));
        }
        return table.ours("run, not certified", score -> score.unsolved)
                .ours("faster, certified or not", score -> of(score.faster, score.compared + score.unsolved));
    }

    private static String of(int some, int all) {
        return all == 0 ? Show.NOTHING : some + " of " + all;
    }

    private static Table<Score> lineByLine(List<Row> rows) {
        Table<Score> table = table(true);
        for (Set set : SETS) {
            Predicate<Row.Game> games = game -> game.family().equals(set.experiment) && set.games.test(game);
            for (String rival : List.of("socp", "ltrsr", "admm")) {
                for (Protocol protocol : Runs.PROTOCOLS) {
                    Runs runs = new Runs(
                            rows, protocol, row -> row.experiment().equals(set.experiment) && games.test(row.game()));
                    Score score = new Score("cd-admm", rival, set.title, protocol);
                    Published.TIMES.stream()
                            .filter(line -> games.test(line.game()))
                            .forEach(line ->
                                    score.add(runs, line.game(), line.seconds("cd-admm") < line.seconds(rival)));
                    table.add(set.title, score);
                }
            }
        }
        return table;
    }

    /** The comparison with the paper's figure of the building data, which names the winner at every size without numbers. */
    private static Table<Score> inTheText(List<Row> rows) {
        Table<Score> table = table(false);
        for (List<String> claim : List.of(
                List.of("cd-admm", "sdp"),
                List.of("cd-admm", "socp"),
                List.of("cd-admm", "admm"),
                List.of("ltrsr", "cd-admm"))) {
            for (Protocol protocol : Runs.PROTOCOLS) {
                Runs runs = new Runs(rows, protocol, row -> row.experiment().equals("building"));
                Score score = new Score(claim.get(0), claim.get(1), "building, modest and severe", protocol);
                runs.games().forEach(game -> score.add(runs, game, true));
                table.add(claim.toString(), score);
            }
        }
        return table;
    }
}
