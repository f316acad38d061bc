package stackelberg.cli.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import stackelberg.cli.answer.Numbers;
import stackelberg.cli.answer.TuneAnswer;
import stackelberg.model.tuning.Tuning;

/** Every model gamma in every world, for when nobody knows what moving costs, and the choice of least worst-case regret. */
public record RegretReport(Tuning tuning, Tuning.Regret table) implements TuningReport {
    private static final int WORLDS_SHOWN = 5;

    /** A rule that explains less than this of the variance is hardly better than the mean, which nobody can pull. */
    private static final double LITTLE = 0.1;

    @Override
    public double gamma() {
        return table.gammas()[table.choice()];
    }

    @Override
    public double ridge() {
        return table.ridges()[table.choice()];
    }

    @Override
    public String choice() {
        return "least-worst-regret";
    }

    @Override
    public String text() {
        int[] worlds = worldsShown();
        TextTable lines = new TextTable();
        List<String> header = new ArrayList<>(List.of("model gamma", "worst regret", "in world"));
        boolean ridges = TuningReport.hasRidges(tuning);
        if (ridges) {
            header.add(1, "ridge");
        }
        IntStream.of(worlds).forEach(k -> header.add("loss in " + TuningReport.gamma(tuning, table.worldGammas()[k])));
        header.add("");
        lines.add(header.toArray(String[]::new));
        for (int j = 0; j < table.gammas().length; j++) {
            List<String> cells = new ArrayList<>(List.of(
                    TuningReport.gamma(tuning, table.gammas()[j]),
                    Numbers.number(table.worstRegret()[j]),
                    TuningReport.gamma(tuning, table.worldGammas()[table.worstWorld()[j]])));
            if (ridges) {
                cells.add(1, TuningReport.ridge(table.ridges()[j]));
            }
            for (int k : worlds) {
                cells.add(Numbers.number(table.loss()[j][k]));
            }
            cells.add(j == table.choice() ? "<- choice" : "");
            lines.add(cells.toArray(String[]::new));
        }
        return String.format(
                        Locale.ROOT,
                        "The %s of people held out (%d folds), in %d %s where moving costs from %s to %s%s:%n%n",
                        TuningReport.error(tuning),
                        tuning.folds().count(),
                        table.worldGammas().length,
                        table.worldGammas().length == 1 ? "world" : "worlds",
                        TuningReport.gamma(
                                tuning, Arrays.stream(table.worldGammas()).min().orElseThrow()),
                        TuningReport.gamma(
                                tuning, Arrays.stream(table.worldGammas()).max().orElseThrow()),
                        TuningReport.truthful(tuning))
                + lines + "\n" + TuningReport.hedged(tuning) + TuningReport.why(tuning) + "\n" + conclusion()
                + TuningReport.atTheEdge(gamma(), tuning);
    }

    private String conclusion() {
        int choice = table.choice();
        double world = table.worldGammas()[table.worstWorld()[choice]];
        return "What moving costs in the world is not known, so the choice is the rule that one would regret least: whatever\n"
                + "the world's gamma turns out to be, its loss is at most "
                + Numbers.number(table.worstRegret()[choice])
                + " above that of the best rule for that\nworld (worst at "
                + TuningReport.gamma(tuning, world)
                + "). That depends on which worlds are thought possible: narrow them with --world-gammas, or say\n"
                + "the world's gamma with --world-gamma if you know it.\n"
                + TuningReport.chosen(this, tuning);
    }

    /** A few worlds from end to end. */
    private int[] worldsShown() {
        int worlds = table.worldGammas().length;
        int count = Math.min(WORLDS_SHOWN, worlds);
        return count == 1
                ? new int[] {0}
                : IntStream.range(0, count)
                        .map(i -> Math.round((float) i * (worlds - 1) / (count - 1)))
                        .toArray();
    }

    @Override
    public TuneAnswer.Figures figures() {
        return TuneAnswer.Figures.of(table);
    }

    @Override
    public String asked() {
        return "How cautious should the rule be, if nobody knows what moving costs"
                + PopulationWords.areTruthful(tuning.truthfulShare()) + "? Every gamma is judged in every world,"
                + " by people it was not learned from.";
    }

    @Override
    public String sentence() {
        return "Gamma " + TuningReport.gamma(tuning, gamma()) + TuningReport.withRidge(this, tuning)
                + " is regretted least: in no world is its mean " + TuningReport.error(tuning) + " more than "
                + Numbers.number(table.worstRegret()[table.choice()]) + " above that of the best rule there.";
    }

    /** A rule that fears every world may end up saying the same of everybody, or counting on moves that few worlds have. */
    @Override
    public List<String> warnings() {
        List<String> faults = new ArrayList<>();
        if (explained(table.choice()) < LITTLE) {
            faults.add(saysLittle());
        }
        int[] worlds = worldsInOrder();
        long worse = IntStream.of(worlds).filter(this::isWorseThanTheMean).count();
        if (2 * worse > worlds.length) {
            faults.add(String.format(
                    Locale.ROOT,
                    "The chosen rule is worse than the mean, held out, in %d of %d worlds: %s.",
                    worse,
                    worlds.length,
                    whereWorse(worlds)));
        }
        if (faults.isEmpty()) {
            return tuning.warnings();
        }
        faults.add("Maybe say what moving costs with --world-gamma, or leave out unlikely worlds with --world-gammas.");
        List<String> warnings = new ArrayList<>(tuning.warnings());
        warnings.add(String.join(" ", faults));
        return warnings;
    }

    private String saysLittle() {
        int most = IntStream.range(0, table.gammas().length)
                .boxed()
                .max(Comparator.comparingDouble(this::explained))
                .orElseThrow();
        String other = explained(most) < LITTLE
                ? "no gamma tried gives one that says more than " + share(explained(most))
                : "the rule for gamma " + TuningReport.gamma(tuning, table.gammas()[most])
                        + (tuning.loss().isSquared() ? " explains " : " saves ")
                        + share(explained(most)) + " where it does";
        return "The chosen rule says little beyond the mean: of the "
                + (tuning.loss().isSquared() ? "variance" : TuningReport.error(tuning) + " of the mean")
                + " held out it "
                + (tuning.loss().isSquared() ? "explains " : "saves ")
                + share(explained(table.choice())) + " in the world where it does best; " + other + ".";
    }

    /** The runs of worlds where the choice is worse than the mean: usually one at either end, the loss being nearly convex in the pull-through. */
    private String whereWorse(int[] worlds) {
        List<String> runs = new ArrayList<>();
        for (int from = 0; from < worlds.length; from++) {
            if (!isWorseThanTheMean(worlds[from])) {
                continue;
            }
            int to = from;
            while (to + 1 < worlds.length && isWorseThanTheMean(worlds[to + 1])) {
                to++;
            }
            runs.add(run(worlds, from, to));
            from = to;
        }
        return String.join(" and ", runs);
    }

    private String run(int[] worlds, int from, int to) {
        String first = TuningReport.gamma(tuning, table.worldGammas()[worlds[from]]);
        String last = TuningReport.gamma(tuning, table.worldGammas()[worlds[to]]);
        if (from == 0) {
            return to == worlds.length - 1 ? "all of them" : "up to world gamma " + last;
        }
        return to == worlds.length - 1 ? "from world gamma " + first : "from world gamma " + first + " to " + last;
    }

    private boolean isWorseThanTheMean(int world) {
        return table.loss()[table.choice()][world] > tuning.meanLoss();
    }

    /** From the world where moving is easiest, whatever order they were given in. */
    private int[] worldsInOrder() {
        return IntStream.range(0, table.worldGammas().length)
                .boxed()
                .sorted(Comparator.comparingDouble(k -> table.worldGammas()[k]))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /** 1 - loss/loss of the mean, in the world where that is largest. */
    private double explained(int rule) {
        return 1 - Arrays.stream(table.loss()[rule]).min().orElseThrow() / tuning.meanLoss();
    }

    private static String share(double explained) {
        return explained > 0 ? Numbers.percent(explained) : "nothing";
    }

    @Override
    public CsvText csv() {
        CsvText csv = new CsvText(List.of("gamma", "worldGamma", "loss", "regret", "ridge"));
        for (int j = 0; j < table.gammas().length; j++) {
            for (int k = 0; k < table.worldGammas().length; k++) {
                csv.row(List.of(
                        table.gammas()[j],
                        table.worldGammas()[k],
                        table.loss()[j][k],
                        table.regret()[j][k],
                        table.ridges()[j]));
            }
        }
        return csv;
    }
}
