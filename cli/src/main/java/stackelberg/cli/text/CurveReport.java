package stackelberg.cli.text;

import java.util.List;
import java.util.Locale;
import stackelberg.cli.answer.Numbers;
import stackelberg.cli.answer.TuneAnswer;
import stackelberg.model.tuning.Tuning;

/** The curve over the model gammas in a world whose gamma is known, its minimum and the one-standard-error choice. */
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
    public String text() {
        TextTable table = new TextTable();
        boolean ridges = TuningReport.hasRidges(tuning);
        table.add(
                TuningReport.cells(ridges, "model gamma", "ridge", "mean loss", "standard error", "pull-through", ""));
        for (int j = 0; j < curve.points().size(); j++) {
            Tuning.Curve.Point point = curve.points().get(j);
            table.add(TuningReport.cells(
                    ridges,
                    TuningReport.gamma(tuning, point.gamma()),
                    TuningReport.ridge(point.ridge()),
                    Numbers.number(point.loss()),
                    Numbers.number(point.standardError()),
                    String.format(Locale.ROOT, "%.4f", point.pullThrough()),
                    mark(j)));
        }
        return String.format(
                        Locale.ROOT,
                        "The %s of people held out (%d folds), who respond with the world's gamma %s%s:%n%n",
                        TuningReport.error(tuning),
                        tuning.folds().count(),
                        TuningReport.gamma(tuning, curve.worldGamma()),
                        TuningReport.truthful(tuning))
                + table + "\n" + TuningReport.hedged(tuning) + TuningReport.why(tuning) + "\n"
                + sentence("Smallest loss:", minimum())
                + cautious()
                + TuningReport.chosen(this, tuning)
                + TuningReport.atTheEdge(gamma(), tuning);
    }

    private String cautious() {
        return curve.best() == curve.oneStandardError()
                ? "No other rule within one standard error of it can be pulled less.\n"
                : sentence("Within one standard error of it, and pulled least:", oneStandardError())
                        + "The data cannot tell the two apart, so the one that people can pull less is the safer choice.\n";
    }

    private String mark(int index) {
        boolean best = index == curve.best();
        boolean chosen = index == curve.oneStandardError();
        return chosen ? best ? "<- smallest, choice" : "<- choice" : best ? "<- smallest" : "";
    }

    private String sentence(String what, Tuning.Curve.Point point) {
        return String.format(
                Locale.ROOT,
                "%s gamma %s, loss %s +- %s, where people get %s of the way to their wish.%n",
                what,
                TuningReport.gamma(tuning, point.gamma()),
                Numbers.number(point.loss()),
                Numbers.number(point.standardError()),
                Numbers.percent(point.pullThrough()));
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
                + "? Every gamma is judged by people it was not learned from.";
    }

    @Override
    public String sentence() {
        return curve.best() == curve.oneStandardError()
                ? "Gamma " + TuningReport.gamma(tuning, gamma()) + TuningReport.withRidge(this, tuning)
                        + " has the smallest loss on people held out."
                : "Gamma " + TuningReport.gamma(tuning, gamma()) + TuningReport.withRidge(this, tuning)
                        + " is within one standard error of the smallest loss (gamma "
                        + TuningReport.gamma(tuning, minimum().gamma()) + ") and can be pulled least.";
    }

    @Override
    public List<String> warnings() {
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
