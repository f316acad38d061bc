package stackelberg.cli.answer;

import java.util.List;
import java.util.Locale;
import stackelberg.data.Message;
import stackelberg.model.tuning.Tuning;

/**
 * The held-out loss of every model gamma if the world's gamma is known, with its minimum and the one-standard-error
 * choice.
 */
public record CurveReport(Tuning tuning, Tuning.Curve curve) implements TuningReport {
    private Tuning.Curve.Point minimum() {
        return curve.points().get(curve.best());
    }

    private Tuning.Curve.Point oneStandardError() {
        return curve.points().get(curve.oneStandardError());
    }

    @Override
    public double gamma() {
        return oneStandardError().gamma();
    }

    @Override
    public double ridge() {
        return oneStandardError().ridge();
    }

    @Override
    public String choice() {
        return "one-standard-error";
    }

    @Override
    public String heading() {
        return String.format(
                Locale.ROOT,
                "The %s of held-out people (%d folds) who respond with the world's gamma %s%s:",
                TuningReport.error(tuning),
                tuning.folds().count(),
                TuningReport.gamma(tuning, curve.worldGamma()),
                TuningReport.truthful(tuning));
    }

    @Override
    public Answer.Table table() {
        boolean ridges = TuningReport.hasRidges(tuning);
        Answer.TableBuilder table = Answer.table(
                TuningReport.cells(ridges, "model gamma", "ridge", "mean loss", "standard error", "pull-through", ""));
        for (int j = 0; j < curve.points().size(); j++) {
            Tuning.Curve.Point point = curve.points().get(j);
            table.row(
                    List.of(TuningReport.cells(
                            ridges,
                            TuningReport.gamma(tuning, point.gamma()),
                            TuningReport.ridge(point.ridge()),
                            Numbers.number(point.loss()),
                            Numbers.number(point.standardError()),
                            String.format(Locale.ROOT, "%.4f", point.pullThrough()),
                            mark(j))),
                    j == curve.oneStandardError());
        }
        return table.build();
    }

    @Override
    public List<String> reasons() {
        String smallest = sentence("Smallest loss:", minimum());
        return curve.best() == curve.oneStandardError()
                ? List.of(smallest, "No other rule within one standard error of it has a smaller pull-through.")
                : List.of(
                        smallest,
                        sentence(
                                "Within one standard error of it, with the smallest pull-through:", oneStandardError()),
                        "The data do not distinguish the two, so the one with the smaller pull-through is the safer choice.");
    }

    private String mark(int index) {
        boolean best = index == curve.best();
        boolean chosen = index == curve.oneStandardError();
        return chosen ? best ? "<- smallest, choice" : "<- choice" : best ? "<- smallest" : "";
    }

    private String sentence(String what, Tuning.Curve.Point point) {
        return String.format(
                Locale.ROOT,
                "%s gamma %s, loss %s +- %s, where people %s.",
                what,
                TuningReport.gamma(tuning, point.gamma()),
                Numbers.number(point.loss()),
                Numbers.number(point.standardError()),
                GapWords.close(point.pullThrough()));
    }

    @Override
    public TuneAnswer.Figures figures() {
        return TuneAnswer.Figures.of(curve);
    }

    @Override
    public String asked() {
        return "How cautious should the rule be in a world where moving costs gamma "
                + TuningReport.gamma(tuning, curve.worldGamma())
                + PopulationWords.areTruthful(tuning.truthfulShare())
                + "? Every gamma is judged on held-out people.";
    }

    @Override
    public String sentence() {
        return curve.best() == curve.oneStandardError()
                ? name() + " has the smallest loss on held-out people."
                : name() + " is within one standard error of the smallest loss (gamma "
                        + TuningReport.gamma(tuning, minimum().gamma()) + ") and has the smallest pull-through.";
    }

    @Override
    public List<Message> warnings() {
        return tuning.warnings();
    }

    @Override
    public CsvText csv() {
        CsvText csv = new CsvText(List.of("gamma", "loss", "standardError", "pullThrough", "ridge"));
        curve.points()
                .forEach(point -> csv.row(List.of(
                        point.gamma(), point.loss(), point.standardError(), point.pullThrough(), point.ridge())));
        return csv;
    }
}
