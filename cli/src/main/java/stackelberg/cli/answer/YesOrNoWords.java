package stackelberg.cli.answer;

import java.util.List;
import java.util.Locale;
import stackelberg.model.response.RuleEvaluation;
import stackelberg.model.response.YesOrNo;

/** Tables of how well several rules separate yes from no. */
final class YesOrNoWords {
    private YesOrNoWords() {}

    /**
     * Further measures of rules: of the ranking (AUC), of the probabilities and of decisions at the cut-off.
     *
     * @param event the event that is predicted, as in "deny = yes"
     */
    static Answer.Table more(List<RuleEvaluation> rules, String event, double cutoff) {
        Answer.TableBuilder table = Answer.table("", "nobody moves", "", "", "", "people move", "", "", "")
                .head("cut-off " + Numbers.plain(cutoff), "Gini", "KS", "Brier", event, "Gini", "KS", "Brier", event);
        for (RuleEvaluation e : rules) {
            YesOrNo honest = e.honest(cutoff);
            YesOrNo moved = e.moved(cutoff);
            table.row(
                    e.rule().name(),
                    YesOrNoAnswer.measure(honest.gini()),
                    YesOrNoAnswer.measure(honest.ks()),
                    YesOrNoAnswer.measure(honest.brier()),
                    Numbers.percent(honest.predictedYes()),
                    YesOrNoAnswer.measure(moved.gini()),
                    YesOrNoAnswer.measure(moved.ks()),
                    YesOrNoAnswer.measure(moved.brier()),
                    Numbers.percent(moved.predictedYes()));
        }
        return table.build();
    }

    /** Tenths of the people by their probability: what is predicted, and how many are a yes. */
    static Answer.Table calibration(RuleEvaluation e, double cutoff) {
        List<YesOrNo.Group> before = e.honest(cutoff).calibration();
        List<YesOrNo.Group> after = e.moved(cutoff).calibration();
        Answer.TableBuilder table = Answer.table("", "nobody moves", "", "", "people move", "", "")
                .head(e.rule().name(), "people", "predicted", "are a yes", "people", "predicted", "are a yes");
        for (int g = 0; g < Math.max(before.size(), after.size()); g++) {
            table.row(Answer.cells(List.of("tenth " + (g + 1)), cells(before, g), cells(after, g)));
        }
        return table.build();
    }

    private static List<String> cells(List<YesOrNo.Group> groups, int g) {
        return g >= groups.size()
                ? List.of("", "", "")
                : List.of(
                        String.format(Locale.ROOT, "%,d", groups.get(g).people()),
                        YesOrNoAnswer.measure(groups.get(g).meanProbability()),
                        YesOrNoAnswer.measure(groups.get(g).shareOfYes()));
    }
}
