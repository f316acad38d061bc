package stackelberg.cli.answer;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import stackelberg.data.Message;
import stackelberg.game.PublishedRule;
import stackelberg.model.StackelbergModel;
import stackelberg.model.response.Retraining;

/**
 * The result of {@code simulate}: the outcome of repeated retraining.
 *
 * @param played the rounds
 * @param model the rule that anticipates
 * @param warnings warnings about both
 */
public record RetrainingReport(Retraining played, StackelbergModel model, List<Message> warnings) implements Result {
    private static final int FIRST_SHOWN = 5;
    private static final int LAST_SHOWN = 3;

    /** One row per round. */
    public CsvText csv(boolean raw) {
        List<String> names = List.copyOf(model.coefficients().keySet());
        String error = isSquared() ? "rmse" : "meanLoss";
        List<String> header = new ArrayList<>(
                List.of("round", "promised", "loss", error, "pullThrough", "change", "anticipated", "intercept"));
        header.addAll(names);
        CsvText csv = new CsvText(header, raw);
        for (Retraining.Round round : played.rounds()) {
            PublishedRule rule = played.published(round.rule());
            List<Object> row = new ArrayList<>(List.of(
                    round.number(),
                    round.promised(),
                    round.loss(),
                    error(round.loss()),
                    round.pullThrough(),
                    round.change(),
                    round.anticipated(),
                    rule.intercept()));
            names.forEach(name -> row.add(rule.coefficients().get(name)));
            csv.row(row);
        }
        return csv;
    }

    /** The root mean square of a squared loss, or the mean of another loss. */
    public double error(double loss) {
        RetrainingAnswer.Errors errors = RetrainingAnswer.Errors.of(played, loss);
        return isSquared() ? errors.rmse() : errors.meanLoss();
    }

    private boolean isSquared() {
        return played.loss().isSquared();
    }

    @Override
    public RetrainingAnswer json() {
        return RetrainingAnswer.of(played, model, warnings);
    }

    /** By what fraction a loss exceeds the long-run loss of the rule that anticipates; NaN without such a rule. */
    public double excess(double loss) {
        return RetrainingAnswer.excess(played, loss);
    }

    @Override
    public Answer answer() {
        Answer.TableBuilder table = Answer.table(
                "round", "promised", "lost", LossWords.unit(played.loss()), "pull-through", "change", "anticipating");
        int all = played.rounds().size();
        int[] shown = IntStream.range(0, all)
                .filter(k -> k < FIRST_SHOWN || k >= all - LAST_SHOWN)
                .toArray();
        for (int k : shown) {
            if (k == all - LAST_SHOWN && all > FIRST_SHOWN + LAST_SHOWN) {
                table.row("...");
            }
            Retraining.Round round = played.rounds().get(k);
            table.row(
                    String.valueOf(round.number()),
                    Numbers.number(round.promised()),
                    Numbers.number(round.loss()),
                    Numbers.number(error(round.loss())),
                    Numbers.pullThrough(round.pullThrough()),
                    String.format(Locale.ROOT, "%.1e", round.change()),
                    Double.isNaN(round.anticipated()) ? "-" : Numbers.number(round.anticipated()));
        }
        return Answer.builder()
                .say(game())
                .section()
                .block(table.build())
                .section()
                .say(sentences())
                .warnings(warnings)
                .build();
    }

    /** The assumptions of the simulation in one sentence. */
    public String game() {
        Retraining.Plan plan = played.plan();
        String start = plan.memory() == Retraining.Memory.ORIGINAL
                ? "from their original features"
                : "from the features of the round before";
        String part =
                plan.inertia() == 0 ? "move fully" : "make " + Numbers.percent(1 - plan.inertia()) + " of the move";
        return String.format(
                Locale.ROOT,
                "%s, retrained on %,d people for %,d rounds: people start each round %s and %s.",
                model.game().target(),
                model.rows(),
                played.rounds().size(),
                start,
                part);
    }

    /** The findings, one sentence each. */
    public List<String> sentences() {
        List<String> lines = new ArrayList<>(List.of(course()));
        played.anticipated()
                .ifPresentOrElse(
                        losses -> lines.add(String.format(
                                Locale.ROOT,
                                "The rule that anticipates%s loses %s%s: retraining loses %s.",
                                model.certified() ? " (certified)" : " (not certified)",
                                Numbers.number(losses.mean()),
                                losses.least() == losses.most() ? "" : " on average in the same rounds",
                                more(excess(played.longRun().mean())))),
                        () -> lines.add("There is no finite rule that anticipates to compare with."));
        if (played.anticipated().isPresent()
                && (played.plan().memory() == Retraining.Memory.PRESENT
                        || played.plan().inertia() > 0)) {
            lines.add("That rule is the best for people who move once and fully; here they do not.");
        }
        lines.add(fixedPoint());
        if (model.game().ridge() > 0) {
            lines.add("Losses exclude the ridge penalty, which the rule that anticipates takes into account.");
        }
        return lines;
    }

    private String course() {
        Retraining.Losses losses = played.longRun();
        String range = losses.most() - losses.least() <= 1e-4 * losses.mean()
                ? "loses " + Numbers.number(losses.mean()) + " a round"
                : "loses " + Numbers.number(losses.least()) + " to " + Numbers.number(losses.most()) + " a round, "
                        + Numbers.number(losses.mean()) + " on average";
        if (played.endsInRounding()) {
            return String.format(
                    Locale.ROOT,
                    "Retraining runs away: after %,d rounds people close all but %.0e of the gap, and it %s. The simulation ends there, because the "
                            + "next rule would be fitted to rounding errors.",
                    played.rounds().size(),
                    1 - played.rounds().get(played.rounds().size() - 1).pullThrough(),
                    range);
        }
        return switch (played.outcome()) {
            case SETTLES -> "Retraining settles at a rule that " + range + ".";
            case CIRCLES ->
                String.format(
                        Locale.ROOT, "Retraining cycles: the same %d rules repeat, and it %s.", played.period(), range);
            case RUNS_AWAY -> "Retraining runs away: each rule is further from the first one, and it " + range + ".";
            case OPEN ->
                String.format(
                        Locale.ROOT,
                        "Retraining has not settled after %,d rounds, and no cycle is seen: in the second half of them it %s.",
                        played.rounds().size(),
                        range);
        };
    }

    private String fixedPoint() {
        if (played.fixedPoint().isEmpty()) {
            return played.plan().memory() == Retraining.Memory.PRESENT
                    ? "Retraining has not reached a stable rule."
                    : "No stable rule was found: refitting changes every rule.";
        }
        Retraining.FixedPoint point = played.fixedPoint().get();
        String cost = Double.isNaN(excess(point.loss()))
                ? ""
                : ", " + more(excess(point.loss())) + " than the rule that anticipates";
        return point.reached()
                ? String.format(
                        Locale.ROOT,
                        "Verified: the rule is stable; %s on people who have responded to it gives the same rule (to %.1e).",
                        learned(),
                        point.residual())
                : String.format(
                        Locale.ROOT,
                        "A stable rule exists (verified to %.1e), but retraining does not reach it: it loses %s%s.",
                        point.residual(),
                        Numbers.number(point.loss()),
                        cost);
    }

    /** Returns the method by which each rule is fitted, in words. */
    private String learned() {
        return isSquared()
                ? "least squares"
                : played.loss().isLogistic() ? "logistic regression" : "regression by Huber loss";
    }

    private static String more(double excess) {
        return String.format(Locale.ROOT, "%.1f%% %s", 100 * Math.abs(excess), excess < 0 ? "less" : "more");
    }
}
