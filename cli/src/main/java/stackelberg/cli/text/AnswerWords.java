package stackelberg.cli.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import stackelberg.cli.answer.LossAnswer;
import stackelberg.cli.answer.Numbers;
import stackelberg.cli.answer.YesOrNoAnswer;
import stackelberg.game.PublishedRule;
import stackelberg.game.Sample;
import stackelberg.model.StackelbergModel;
import stackelberg.model.Training;
import stackelberg.model.response.Followers;
import stackelberg.model.response.RuleEvaluation;
import stackelberg.model.response.YesOrNo;

/** How well rules tell a yes from a no, in tables and as objects: before and after the move, this rule and today's. */
public final class AnswerWords {
    private final String event;
    private final double cutoff;
    private final Measured rule;
    /** Null where it is not known. */
    private final Measured today;

    /** A rule if nobody moves and after everybody has moved; measured once, because people are sorted for it. */
    private record Measured(YesOrNo honest, YesOrNo moved) {
        YesOrNoAnswer.Both answer() {
            return YesOrNoAnswer.Both.of(honest, moved);
        }
    }

    private AnswerWords(String event, double cutoff, Measured rule, Measured today) {
        this.event = event;
        this.cutoff = cutoff;
        this.rule = rule;
        this.today = today;
    }

    /** Of a rule among those whom it was learned from; empty where the loss is not logistic or there is no rule. */
    public static Optional<AnswerWords> of(Training training, StackelbergModel model, double cutoff) {
        if (!model.game().loss().isLogistic() || !model.optimality().finite()) {
            return Optional.empty();
        }
        Sample sample = training.sample();
        double[] p = sample.predictions(model.rule(), training.options().workers());
        Measured today = training.todaysScores()
                .map(scores -> measured(model, training.today().orElseThrow().rule(), sample, scores, cutoff))
                .orElse(null);
        return Optional.of(new AnswerWords(
                LossAnswer.event(model.game()), cutoff, measured(model, model.rule(), sample, p, cutoff), today));
    }

    private static Measured measured(
            StackelbergModel model, PublishedRule rule, Sample sample, double[] p, double cutoff) {
        Followers people = Followers.of(sample.population(), p, sample.z());
        RuleEvaluation e = RuleEvaluation.of(model.world(), rule, people.withTruth(sample.y(), sample.weights()));
        return new Measured(e.honest(cutoff), e.moved(cutoff));
    }

    /** The lines of a summary. */
    List<String> lines() {
        TextTable table = new TextTable()
                .add("", "nobody moves", "", "", "people move", "", "")
                .add("cut-off " + Numbers.plain(cutoff), "AUC", "accuracy", "mean", "AUC", "accuracy", "mean");
        if (today != null) {
            table.add(cells("today's rule", today));
        }
        table.add(cells("this rule", rule));
        List<String> lines = new ArrayList<>(table.toString().lines().toList());
        lines.add(String.format(
                Locale.ROOT,
                "  (mean: of the probabilities; %s of the people are a yes.)",
                Numbers.percent(rule.honest.shareOfYes())));
        return lines;
    }

    private static String[] cells(String name, Measured of) {
        YesOrNo honest = of.honest;
        YesOrNo moved = of.moved;
        return new String[] {
            name,
            measure(honest.auc()),
            measure(honest.accuracy()),
            measure(honest.meanProbability()),
            measure(moved.auc()),
            measure(moved.accuracy()),
            measure(moved.meanProbability())
        };
    }

    /** The same for programs. */
    public YesOrNoAnswer answer() {
        return new YesOrNoAnswer(
                event, cutoff, rule.honest.shareOfYes(), rule.answer(), today == null ? null : today.answer());
    }

    /** A measure between 0 and 1, or -1 and 1, with four digits; a dash where nothing can be told apart. */
    static String measure(double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.4f", value);
    }

    /**
     * What else is told of rules: by the order of people, by the probabilities and at the cut-off.
     *
     * @param event what is predicted of the share of people at or above the cut-off
     */
    static String more(List<RuleEvaluation> rules, String event, double cutoff) {
        TextTable table = new TextTable()
                .add("", "nobody moves", "", "", "", "people move", "", "", "")
                .add("cut-off " + Numbers.plain(cutoff), "Gini", "KS", "Brier", event, "Gini", "KS", "Brier", event);
        for (RuleEvaluation e : rules) {
            YesOrNo honest = e.honest(cutoff);
            YesOrNo moved = e.moved(cutoff);
            table.add(
                    e.rule().name(),
                    measure(honest.gini()),
                    measure(honest.ks()),
                    measure(honest.brier()),
                    Numbers.percent(honest.predictedYes()),
                    measure(moved.gini()),
                    measure(moved.ks()),
                    measure(moved.brier()),
                    Numbers.percent(moved.predictedYes()));
        }
        return table.toString();
    }

    /** Tenths of the people by their probability: what is said of them, and how many are a yes. */
    static String calibration(RuleEvaluation e, double cutoff) {
        List<YesOrNo.Group> before = e.honest(cutoff).calibration();
        List<YesOrNo.Group> after = e.moved(cutoff).calibration();
        TextTable table = new TextTable()
                .add("", "nobody moves", "", "", "people move", "", "")
                .add(e.rule().name(), "people", "predicted", "are a yes", "people", "predicted", "are a yes");
        for (int g = 0; g < Math.max(before.size(), after.size()); g++) {
            String[] left = cells(before, g);
            String[] right = cells(after, g);
            table.add("tenth " + (g + 1), left[0], left[1], left[2], right[0], right[1], right[2]);
        }
        return table.toString();
    }

    private static String[] cells(List<YesOrNo.Group> groups, int g) {
        return g >= groups.size()
                ? new String[] {"", "", ""}
                : new String[] {
                    String.format(Locale.ROOT, "%,d", groups.get(g).people()),
                    measure(groups.get(g).meanProbability()),
                    measure(groups.get(g).shareOfYes())
                };
    }
}
