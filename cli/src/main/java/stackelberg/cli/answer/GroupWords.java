package stackelberg.cli.answer;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import stackelberg.model.response.ByGroup;

/** The wording of errors and moves by group. */
public final class GroupWords {
    /** At most this many groups are printed: the largest ones. */
    private static final int SHOWN = 20;

    private static final double ROUNDING = 1e-9;

    private final ByGroup figures;
    private final ByGroup shown;
    private final double truthfulShare;

    public GroupWords(ByGroup figures, double truthfulShare) {
        this.figures = figures;
        this.shown = figures.largest(SHOWN);
        this.truthfulShare = truthfulShare;
    }

    /**
     * Two tables by group: the errors of the rules, and the moves.
     *
     * @param people the people that are counted, as in "the training sample"
     */
    void say(String people, Answer.Builder answer) {
        Answer.TableBuilder right = Answer.table("", "", error(), "", "bias", "")
                .text(1)
                .head(shown.column(), "rule", "nobody moves", "people move", "nobody moves", "people move");
        Answer.TableBuilder moves = Answer.table(
                        shown.column(), "rule", "pays for moving", "how far", moving(), score() + " rises by")
                .text(1);
        for (ByGroup.Part part : shown.parts()) {
            for (int k = 0; k < part.rules().size(); k++) {
                ByGroup.Figures rule = part.rules().get(k);
                String name = k == 0 ? name(part) : "";
                right.row(
                        name,
                        shown.rules().get(k),
                        cell(rule.error().before()),
                        cell(rule.error().after()),
                        cell(rule.bias().before()),
                        cell(rule.bias().after()));
                moves.row(
                        name,
                        shown.rules().get(k),
                        cell(rule.cost()),
                        cell(rule.distance()),
                        cell(rule.moving(), Numbers::percent),
                        cell(rule.move()));
            }
        }
        answer.say("By %s, on %s; in brackets 95%% intervals, with the rules held fixed:", shown.column(), people)
                .block(right.build())
                .section()
                .block(moves.build())
                .say(sentences());
    }

    /** Returns the tables as a separate answer. */
    public Answer answer(String whom) {
        Answer.Builder answer = Answer.builder();
        say(whom, answer);
        return answer.build();
    }

    /** The name of the error. */
    String error() {
        return LossWords.unit(figures.loss());
    }

    /** The name of the quantity that moves change: score or probability. */
    private String score() {
        return figures.loss().isLogistic() ? "probability" : "score";
    }

    private String moving() {
        return "moves by > " + Numbers.plain(shown.threshold());
    }

    private static String name(ByGroup.Part part) {
        return String.format(Locale.ROOT, "%s (%,d)%s", part.name(), part.people(), part.few() ? " *" : "");
    }

    private static String cell(ByGroup.Figure figure) {
        return cell(figure, GroupWords::three);
    }

    private static String cell(ByGroup.Figure figure, DoubleFunction<String> number) {
        if (Double.isNaN(figure.value())) {
            return "-";
        }
        // the bias of a group whose indicator the rule uses is rounding error only
        boolean nothing = Math.abs(figure.value()) < ROUNDING * (figure.high() - figure.low());
        return (nothing ? "0" : number.apply(figure.value()))
                + (Double.isNaN(figure.low())
                        ? ""
                        : " (" + number.apply(figure.low()) + " to " + number.apply(figure.high()) + ")");
    }

    /** Returns a number with three significant digits, or with all digits before the point if there are more. */
    private static String three(double value) {
        double size = Math.abs(value);
        if (size == 0 || size < 1e-4 || size >= 1e9) {
            return size == 0 ? "0" : String.format(Locale.ROOT, "%.2e", value);
        }
        BigDecimal rounded = new BigDecimal(value).round(new MathContext(3));
        return String.format(Locale.ROOT, "%,." + Math.max(0, rounded.scale()) + "f", value);
    }

    /** Remarks below the tables: what the headings mean, and how to read the figures. */
    private List<String> sentences() {
        List<String> all = new ArrayList<>();
        all.add("Bias: "
                + (figures.loss().isLogistic() ? "mean probability minus share of yes" : "mean of score minus truth")
                + ". How far: in scaled units. Moves: the share of people whose " + score() + " changes by more than "
                + Numbers.plain(shown.threshold()) + ", about a tenth of the target's standard deviation.");
        if (truthfulShare > 0) {
            all.add("It is not known who is truthful: all figures are expected values.");
        }
        if (shown.parts().size() < shown.groups()) {
            long people = shown.parts().stream().mapToLong(ByGroup.Part::people).sum();
            all.add(String.format(
                    Locale.ROOT,
                    "These are the %d largest of %,d groups, %s of the people.",
                    shown.parts().size(),
                    shown.groups(),
                    Numbers.percent(people / (double) shown.people())));
        }
        if (shown.parts().stream().anyMatch(ByGroup.Part::few)) {
            all.add("* Fewer than " + ByGroup.FEW + " people, by weight: too few to trust the intervals.");
        }
        return all;
    }

    /** The groups that are printed. */
    public ByGroup shown() {
        return shown;
    }

    /** All groups with figures. */
    List<ByGroup.Part> parts() {
        return figures.parts();
    }

    /**
     * The key {@code groups} of {@code fit --json}.
     *
     * @param rule the index of this rule among the rules of the figures, -1 if there is no finite rule
     * @param today the index of today's rule, -1 if it is not known
     */
    public GroupsAnswer answer(int rule, int today) {
        return GroupsAnswer.of(figures, error(), rule, today);
    }

    /**
     * The key {@code byGroup} of {@code evaluate --json}: the settings shared by all groups, and the figures of today's
     * rule by group.
     *
     * @param rules the number of rules before today's rule
     */
    GroupsAnswer.Beside besideRules(int rules) {
        return GroupsAnswer.Beside.of(figures, error(), rules);
    }
}
