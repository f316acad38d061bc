package stackelberg.cli.answer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import stackelberg.data.Message;
import stackelberg.model.tuning.Tuning;

/**
 * The held-out regret of every model gamma at every gamma of the world, and the choice with the smallest worst-case regret: for a world whose gamma is not
 * known.
 */
public record RegretReport(Tuning tuning, Tuning.Regret regret) implements TuningReport {
    private static final int WORLDS_SHOWN = 5;

    /** Below this share of explained variance a rule is reported as hardly better than predicting the mean. */
    private static final double LITTLE = 0.1;

    @Override
    public double gamma() {
        return regret.gammas()[regret.choice()];
    }

    @Override
    public double ridge() {
        return regret.ridges()[regret.choice()];
    }

    @Override
    public String choice() {
        return "least-worst-regret";
    }

    @Override
    public String heading() {
        return String.format(
                Locale.ROOT,
                "The %s of held-out people (%d folds), in %d %s where moving costs from %s to %s%s:",
                TuningReport.error(tuning),
                tuning.folds().count(),
                regret.worldGammas().length,
                regret.worldGammas().length == 1 ? "world" : "worlds",
                TuningReport.gamma(
                        tuning, Arrays.stream(regret.worldGammas()).min().orElseThrow()),
                TuningReport.gamma(
                        tuning, Arrays.stream(regret.worldGammas()).max().orElseThrow()),
                TuningReport.truthful(tuning));
    }

    @Override
    public Answer.Table table() {
        int[] worlds = worldsShown();
        boolean ridges = TuningReport.hasRidges(tuning);
        Answer.TableBuilder table = Answer.table(Answer.cells(
                List.of(TuningReport.cells(ridges, "model gamma", "ridge", "worst regret", "in world")),
                IntStream.of(worlds)
                        .mapToObj(k -> "loss in " + TuningReport.gamma(tuning, regret.worldGammas()[k]))
                        .toList(),
                List.of("")));
        for (int j = 0; j < regret.gammas().length; j++) {
            double[] losses = regret.loss()[j];
            boolean choice = j == regret.choice();
            table.row(
                    Answer.cells(
                            List.of(TuningReport.cells(
                                    ridges,
                                    TuningReport.gamma(tuning, regret.gammas()[j]),
                                    TuningReport.ridge(regret.ridges()[j]),
                                    Numbers.number(regret.worstRegret()[j]),
                                    TuningReport.gamma(tuning, regret.worldGammas()[regret.worstWorld()[j]]))),
                            IntStream.of(worlds)
                                    .mapToObj(k -> Numbers.number(losses[k]))
                                    .toList(),
                            List.of(choice ? "<- choice" : "")),
                    choice);
        }
        return table.build();
    }

    @Override
    public List<String> reasons() {
        int choice = regret.choice();
        return List.of(
                "The world's gamma is not known, so the choice is the rule with the smallest worst-case regret: in each of these worlds its"
                        + " loss is at most "
                        + Numbers.number(regret.worstRegret()[choice])
                        + " above that of the best rule for that world (worst at "
                        + TuningReport.gamma(tuning, regret.worldGammas()[regret.worstWorld()[choice]]) + ").",
                "The choice depends on which worlds are possible: narrow them with --world-gammas, or give the world's gamma with --world-gamma.");
    }

    /** A few worlds to print, spread over the range. */
    private int[] worldsShown() {
        int worlds = regret.worldGammas().length;
        int count = Math.min(WORLDS_SHOWN, worlds);
        return count == 1
                ? new int[] {0}
                : IntStream.range(0, count)
                        .map(i -> Math.round((float) i * (worlds - 1) / (count - 1)))
                        .toArray();
    }

    @Override
    public TuneAnswer.Figures figures() {
        return TuneAnswer.Figures.of(regret);
    }

    @Override
    public String asked() {
        return "How cautious should the rule be, if the cost of moving is not known"
                + PopulationWords.areTruthful(tuning.truthfulShare()) + "? Every gamma is judged in every world,"
                + " on held-out people.";
    }

    @Override
    public String sentence() {
        return name() + " has the smallest worst-case regret: in no world is its mean " + TuningReport.error(tuning)
                + " more than " + Numbers.number(regret.worstRegret()[regret.choice()])
                + " above that of the best rule there.";
    }

    /** Warns if the rule of least worst-case regret is nearly constant, or is worse than the mean in many worlds. */
    @Override
    public List<Message> warnings() {
        List<String> faults = new ArrayList<>();
        if (explained(regret.choice()) < LITTLE) {
            faults.add(saysLittle());
        }
        int[] worlds = worldsInOrder();
        long worse = IntStream.of(worlds).filter(this::isWorseThanTheMean).count();
        if (2 * worse > worlds.length) {
            faults.add(String.format(
                    Locale.ROOT,
                    "On held-out people the chosen rule is worse than the mean in %d of %d worlds: %s.",
                    worse,
                    worlds.length,
                    whereWorse(worlds)));
        }
        if (faults.isEmpty()) {
            return tuning.warnings();
        }
        faults.add(
                "Maybe give the world's gamma with --world-gamma, or leave out unlikely worlds with --world-gammas.");
        List<Message> warnings = new ArrayList<>(tuning.warnings());
        warnings.add(Message.plain("choice-doubtful", String.join(" ", faults)));
        return warnings;
    }

    private String saysLittle() {
        int most = IntStream.range(0, regret.gammas().length)
                .boxed()
                .max(Comparator.comparingDouble(this::explained))
                .orElseThrow();
        String other = explained(most) < LITTLE
                ? "no gamma that was tried gives a rule that " + (tuning.loss().isSquared() ? "explains" : "saves")
                        + " more than " + share(explained(most))
                : "the rule for gamma " + TuningReport.gamma(tuning, regret.gammas()[most])
                        + (tuning.loss().isSquared() ? " explains " : " saves ")
                        + share(explained(most)) + " where it does";
        return "The chosen rule predicts little better than the mean: of the "
                + (tuning.loss().isSquared() ? "variance" : TuningReport.error(tuning) + " of the mean")
                + " of held-out people it "
                + (tuning.loss().isSquared() ? "explains " : "saves ")
                + share(explained(regret.choice())) + " in the world where it does best; " + other + ".";
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
        String first = TuningReport.gamma(tuning, regret.worldGammas()[worlds[from]]);
        String last = TuningReport.gamma(tuning, regret.worldGammas()[worlds[to]]);
        if (from == 0) {
            return to == worlds.length - 1 ? "all of them" : "up to world gamma " + last;
        }
        return to == worlds.length - 1 ? "from world gamma " + first : "from world gamma " + first + " to " + last;
    }

    private boolean isWorseThanTheMean(int world) {
        return regret.loss()[regret.choice()][world] > tuning.meanLoss();
    }

    /** Returns the indices of the worlds by ascending gamma. */
    private int[] worldsInOrder() {
        return IntStream.range(0, regret.worldGammas().length)
                .boxed()
                .sorted(Comparator.comparingDouble(k -> regret.worldGammas()[k]))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /** The explained share of the variance, 1 - loss/(loss of the mean), in the world where it is largest. */
    private double explained(int rule) {
        return 1 - Arrays.stream(regret.loss()[rule]).min().orElseThrow() / tuning.meanLoss();
    }

    private static String share(double explained) {
        return explained > 0 ? Numbers.percent(explained) : "nothing";
    }

    @Override
    public CsvText csv() {
        CsvText csv = new CsvText(List.of("gamma", "worldGamma", "loss", "regret", "ridge"));
        for (int j = 0; j < regret.gammas().length; j++) {
            for (int k = 0; k < regret.worldGammas().length; k++) {
                csv.row(List.of(
                        regret.gammas()[j],
                        regret.worldGammas()[k],
                        regret.loss()[j][k],
                        regret.regret()[j][k],
                        regret.ridges()[j]));
            }
        }
        return csv;
    }
}
