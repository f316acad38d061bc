package stackelberg.cli.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Optional;
import stackelberg.cli.answer.Answer;
import stackelberg.cli.answer.Numbers;
import stackelberg.game.GameSpec.Intercept;
import stackelberg.game.Sample;
import stackelberg.model.StackelbergModel;

/**
 * Explains why there is no best rule if giving everyone the score they want is as good as any rule, and what to try. A number that differs from 0 only by
 * rounding is set to 0.
 *
 * @param shift mean of z_i - y_i
 * @param shiftSpread standard deviation of z_i - y_i; 0 if all want the truth plus the same number
 * @param spread standard deviation of the truth
 * @param limit the root mean squared error in the limit of growing coefficients
 * @param granted the root mean squared error of the scores that people want
 */
record NoRule(StackelbergModel model, double shift, double shiftSpread, double spread, double limit, double granted) {
    /** The rounding error of a difference that is exactly zero, relative to the numbers subtracted. */
    static final double ROUNDING = 1e-9;

    /**
     * The explanation for a model without a finite equilibrium, and the people it was fitted to.
     *
     * @param y the truth about these people
     * @param wishLoss the loss of the scores that people want
     */
    static NoRule of(StackelbergModel model, Sample people, double[] y, double weight, double wishLoss) {
        double[] shifts = people.z().clone();
        for (int i = 0; i < shifts.length; i++) {
            shifts[i] -= y[i];
        }
        double shift = mean(shifts, people.weights());
        double spread = spread(y, people.weights());
        double shiftSpread = spread(shifts, people.weights());
        double limit = Math.sqrt(Math.max(0, model.losses().anticipated()) / weight);
        double negligible = ROUNDING * Math.max(spread, Math.abs(shift));
        return new NoRule(
                model,
                Math.abs(shift) <= negligible ? 0 : shift,
                shiftSpread <= negligible ? 0 : shiftSpread,
                spread,
                limit <= negligible ? 0 : limit,
                Math.sqrt(wishLoss / weight));
    }

    private boolean fixedConstant() {
        return model.game().intercept() == Intercept.IMMUTABLE;
    }

    /** @param rules the rules for the gammas on the page */
    Answer why(List<StackelbergModel> rules) {
        Answer.Builder answer = Answer.builder();
        // five digits at most: a shift that was declared as 1 is 1
        String size = Numbers.gamma(Math.abs(shift));
        if (shiftSpread > 0) {
            answer.say(
                    "The scores that people want differ from the truth by %s on average, with a standard deviation of %s. Giving"
                            + " everyone the score they want, and correcting for what %s of that difference, is as good as any rule.",
                    Numbers.number(shift),
                    Numbers.number(shiftSpread),
                    fixedConstant()
                            ? "the constant and the immutable columns explain"
                            : "the immutable columns explain");
        } else if (shift == 0) {
            answer.say("Everyone wants the truth. Giving everyone the score they want is therefore right.");
        } else {
            answer.say(
                    "Everyone wants the truth %s %s. Giving everyone the score they want therefore reveals the truth: %s %s.",
                    shift > 0 ? "plus" : "less", size, shift > 0 ? "subtract" : "add", size);
        }
        answer.say(
                "The larger the coefficients of a rule, the closer people come to the score they want, and the better the rule. So for every rule "
                        + "there is a better one, and none is the best.");
        if (rules.size() > 1) {
            List<StackelbergModel> finite =
                    rules.stream().filter(rule -> rule.optimality().finite()).toList();
            answer.say(
                    finite.isEmpty()
                            ? "Another gamma does not help: of the %d gammas on this page, %s, none has a rule."
                            : "Of the %d gammas on this page, %3$d have a rule, %2$s: move the slider there.",
                    rules.size(),
                    range(finite.isEmpty() ? rules : finite),
                    finite.size());
        }
        return answer.build();
    }

    private static String range(List<StackelbergModel> rules) {
        DoubleSummaryStatistics gammas =
                rules.stream().mapToDouble(StackelbergModel::gamma).summaryStatistics();
        return "from " + Numbers.gamma(gammas.getMin()) + " to " + Numbers.gamma(gammas.getMax());
    }

    Answer facts() {
        return Answer.builder()
                .block(Answer.table()
                        .row(
                                "Limit of the error as coefficients grow",
                                limit == 0 ? "0, to rounding" : Numbers.number(limit))
                        .row("Limit of the pull-through", "100%")
                        .row("Error if everyone gets the score they want", Numbers.number(granted))
                        .row("Standard deviation of " + model.game().chosenTarget(), Numbers.number(spread))
                        .build())
                .build();
    }

    /** What to try: one sentence for each remedy. */
    Answer tries() {
        double noise = model.game().wishNoise();
        Answer.Builder answer = Answer.builder();
        answer.say(
                "%s with --wish-noise: what people want is not known exactly. A tenth of the standard deviation of %s is %s,"
                        + " all of it %s. The larger the noise, the less the rule makes people move.",
                noise > 0
                        ? "Say that wishes are less certain than " + Numbers.plain(noise)
                        : "Say how uncertain the wishes are",
                model.game().chosenTarget(),
                Numbers.number(spread / 10),
                Numbers.number(spread));
        answer.say(
                "Declare wishes that do not depend on the target: a column with the score that each person wants, or a level that most want to reach, "
                        + "such as --wish \"max(y,quantile(0.5))\".");
        if (fixedConstant()) {
            answer.say(
                    "If people can change the constant too, use --intercept manipulable: then the constant cannot cancel a shift that is the same for "
                            + "everyone.");
        }
        if (model.terms().stream().anyMatch(term -> !term.manipulable())) {
            answer.say(
                    "Do not declare more columns immutable: the more there are, the better they predict the wishes.");
        }
        return answer.build();
    }

    /** Returns the command with {@code --wish-noise} appended; empty if the command has that option already, or if the target does not vary. */
    Optional<String> again(String command) {
        return command.contains("--wish-noise") || spread == 0
                ? Optional.empty()
                : Optional.of(command + " --wish-noise "
                        + new BigDecimal(spread).round(new MathContext(2)).toPlainString());
    }

    private static double mean(double[] values, double[] weights) {
        double sum = 0;
        double weight = 0;
        for (int i = 0; i < values.length; i++) {
            sum += weights[i] * values[i];
            weight += weights[i];
        }
        return sum / weight;
    }

    /** The standard deviation. */
    private static double spread(double[] values, double[] weights) {
        double mean = mean(values, weights);
        double[] squares = new double[values.length];
        for (int i = 0; i < squares.length; i++) {
            squares[i] = (values[i] - mean) * (values[i] - mean);
        }
        return Math.sqrt(mean(squares, weights));
    }
}
