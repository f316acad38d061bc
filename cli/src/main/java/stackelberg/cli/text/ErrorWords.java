package stackelberg.cli.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import stackelberg.cli.answer.Finite;
import stackelberg.cli.answer.Numbers;
import stackelberg.cli.answer.StandardErrorsAnswer;
import stackelberg.game.GameSpec.Today;
import stackelberg.model.StackelbergModel;
import stackelberg.model.StandardErrors;

/** How sure a rule is, as the table that regressions have, as sentences and as an object. */
public final class ErrorWords {
    private final StackelbergModel model;
    private final StandardErrors errors;

    /** @param errors of the model */
    private ErrorWords(StackelbergModel model, StandardErrors errors) {
        this.model = model;
        this.errors = errors;
    }

    /** Empty where nobody asked. */
    public static Optional<ErrorWords> of(StackelbergModel model) {
        return model.standardErrors().map(errors -> new ErrorWords(model, errors));
    }

    /** Whether there are any. */
    boolean found() {
        return errors.found().isPresent();
    }

    /** What stands above the columns, today's rule beside where it is known. */
    List<String> heads() {
        List<String> heads = new ArrayList<>(List.of("coefficient", "std. error", "t", "P>|t|", "95% from", "to"));
        today().ifPresent(rule -> heads.add("today's"));
        return heads;
    }

    private Optional<Today> today() {
        return Optional.of(model.game().today()).filter(Today::known);
    }

    /** Of the intercept. */
    List<String> intercept() {
        Double now = today().map(rule -> rule.rule().intercept()).orElse(null);
        return cells(model.intercept(), errors.intervals().intercept(), now);
    }

    /** Of a term. */
    List<String> cells(int term) {
        StackelbergModel.Term of = model.terms().get(term);
        Double now =
                today().map(rule -> rule.rule().coefficients().get(of.name())).orElse(null);
        return cells(of.coefficient(), errors.intervals().coefficients().get(term), now);
    }

    private List<String> cells(double estimate, StandardErrors.Interval interval, Double now) {
        boolean sure = interval.error() == 0;
        List<String> cells = new ArrayList<>(List.of(
                Numbers.number(estimate),
                Numbers.number(interval.error()),
                sure ? "-" : String.format(Locale.ROOT, "%.2f", StandardErrors.t(estimate, interval)),
                sure ? "-" : String.format(Locale.ROOT, "%.3f", errors.probability(estimate, interval)),
                Numbers.number(interval.low()),
                Numbers.number(interval.high())));
        today().ifPresent(rule -> cells.add(now == null ? "-" : Numbers.number(now)));
        return cells;
    }

    /**
     * A line of the table for whoever draws it elsewhere; null is unknown.
     *
     * @param today what today's rule has
     */
    public record Row(String name, double coefficient, Spread spread, Double today) {}

    /**
     * How much an estimate would differ with other people.
     *
     * @param p how probable an estimate as far from 0 would be if the truth were 0
     */
    public record Spread(double error, Double t, Double p, double low, double high) {}

    /** The intercept, these terms, the pull-through and what is earned; none where there are no standard errors. */
    public List<Row> rows(int[] terms) {
        List<Row> rows = new ArrayList<>();
        errors.found().ifPresent(all -> {
            Map<String, Double> now =
                    today().map(rule -> rule.rule().coefficients()).orElse(Map.of());
            Double constant = today().map(rule -> rule.rule().intercept()).orElse(null);
            rows.add(row("intercept", model.intercept(), all.intercept(), constant));
            for (int j : terms) {
                StackelbergModel.Term term = model.terms().get(j);
                rows.add(row(term.name(), term.coefficient(), all.coefficients().get(j), now.get(term.name())));
            }
            rows.add(share("pull-through", model.pullThrough(), all.pullThrough()));
            if (all.earned() != null) {
                rows.add(share("earned part of the gap", model.earned(), all.earned()));
            }
        });
        return rows;
    }

    private Row row(String name, double estimate, StandardErrors.Interval interval, Double now) {
        Spread spread = new Spread(
                interval.error(),
                Finite.number(StandardErrors.t(estimate, interval)),
                Finite.number(errors.probability(estimate, interval)),
                interval.low(),
                interval.high());
        return new Row(name, estimate, spread, now);
    }

    private static Row share(String name, double estimate, StandardErrors.Interval interval) {
        return new Row(name, estimate, new Spread(interval.error(), null, null, interval.low(), interval.high()), null);
    }

    /** By what they were found and what they take as given, or why there are none. */
    public List<String> sentences() {
        if (!found()) {
            return List.of(StandardErrorsAnswer.reason(errors));
        }
        boolean drawn = errors.method().kind() == StandardErrors.Kind.BOOTSTRAP;
        String how = drawn
                ? String.format(
                        Locale.ROOT,
                        "bootstrap, %,d draws of the people",
                        errors.method().replicates())
                : errors.method().kind().name();
        List<String> sentences = new ArrayList<>();
        sentences.add(String.format(
                Locale.ROOT,
                "Standard errors: %s; %,d people, %,d coefficients, %,d degrees of freedom.",
                how,
                errors.people(),
                errors.parameters(),
                errors.degreesOfFreedom()));
        sentences.add(
                drawn
                        ? "Wishes, today's rule and gamma as a share are those of each draw; the scales of the columns are given."
                        : StandardErrorsAnswer.givenTodaysRule(model, errors)
                                ? "They take today's rule, gamma and the scales of the columns as known, and can be too small; --se bootstrap:N estimates today's rule and"
                                        + " gamma again in every draw."
                                : "They take gamma, the wishes and the scales of the columns as known.");
        return sentences;
    }

    /** How sure the pull-through is, and what is earned. */
    Optional<String> shares() {
        return errors.found().map(all -> {
            if (all.pullThrough().error() == 0 && all.earned() == null) {
                return "The pull-through is fixed by this wish, whatever the sample.";
            }
            String pull = String.format(
                    Locale.ROOT,
                    "The pull-through has a standard error of %s, 95%% from %s to %s",
                    Numbers.number(all.pullThrough().error()),
                    Numbers.number(all.pullThrough().low()),
                    Numbers.number(all.pullThrough().high()));
            return all.earned() == null
                    ? pull + "."
                    : pull
                            + String.format(
                                    Locale.ROOT,
                                    "; the earned part one of %s, from %s to %s.",
                                    Numbers.number(all.earned().error()),
                                    Numbers.number(all.earned().low()),
                                    Numbers.number(all.earned().high()));
        });
    }

    /** 1 - loss/total; not a number where the loss is not squared. */
    DoubleUnaryOperator rSquared() {
        return model.game().loss().isSquared() ? errors::rSquared : loss -> Double.NaN;
    }
}
