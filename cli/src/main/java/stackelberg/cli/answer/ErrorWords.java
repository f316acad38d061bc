package stackelberg.cli.answer;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;
import stackelberg.game.GameSpec.Today;
import stackelberg.model.StackelbergModel;
import stackelberg.model.StandardErrors;

/** The wording of standard errors: the table that regressions have, and sentences. */
public final class ErrorWords {
    private final StackelbergModel model;
    private final StandardErrors errors;

    /** @param errors of the model */
    private ErrorWords(StackelbergModel model, StandardErrors errors) {
        this.model = model;
        this.errors = errors;
    }

    /** The section about standard errors; empty if none were requested. */
    public static Optional<ErrorWords> of(StackelbergModel model) {
        return model.standardErrors().map(errors -> new ErrorWords(model, errors));
    }

    /** Whether the model has standard errors. */
    boolean found() {
        return errors.found().isPresent();
    }

    /** The headings of the table; with today's rule for comparison if it is known. */
    List<String> heads() {
        List<String> heads = new ArrayList<>(List.of("coefficient", "std. error", "t", "P>|t|", "95% from", "to"));
        today().ifPresent(rule -> heads.add("today's"));
        return heads;
    }

    private Optional<Today> today() {
        return Optional.of(model.game().today()).filter(Today::known);
    }

    /** The row of the intercept. */
    List<String> intercept() {
        Double now = today().map(rule -> rule.knownRule().intercept()).orElse(null);
        return cells(model.intercept(), errors.intervals().intercept(), now);
    }

    /** The row of a term. */
    List<String> cells(int term) {
        StackelbergModel.Term of = model.terms().get(term);
        Double now = today().map(rule -> rule.knownRule().coefficients().get(of.name()))
                .orElse(null);
        return cells(of.coefficient(), errors.intervals().coefficients().get(term), now);
    }

    private List<String> cells(double estimate, StandardErrors.Interval interval, @Nullable Double now) {
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
     * The table of standard errors with its remarks, or the reason why there are none.
     *
     * @param terms the indices of the terms in the table
     */
    public Answer answer(int[] terms) {
        Answer.Builder answer = Answer.builder();
        if (found()) {
            Answer.TableBuilder table =
                    Answer.table(Answer.cells(List.of("term"), heads()).toArray(String[]::new));
            table.row(Answer.cells(List.of("intercept"), intercept()));
            for (int j : terms) {
                table.row(Answer.cells(List.of(model.terms().get(j).name()), cells(j)));
            }
            answer.block(table.build());
        }
        return answer.say(sentences()).say(shares()).build();
    }

    /** How the standard errors were computed and what they treat as known, or why there are none. */
    public List<String> sentences() {
        if (!found()) {
            return List.of(StandardErrorsAnswer.reason(errors));
        }
        boolean drawn = errors.method().kind() == StandardErrors.Kind.BOOTSTRAP;
        String how = drawn
                ? String.format(
                        Locale.ROOT, "bootstrap, %,d samples", errors.method().replicates())
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
                        ? "Wishes, today's rule and a gamma given in percent are recomputed in every sample; the scales of the columns are treated as known."
                        : StandardErrorsAnswer.givenTodaysRule(model, errors)
                                ? "They treat today's rule, gamma and the scales of the columns as known, and can be too small. Maybe use --se "
                                        + "bootstrap:N, which recomputes today's rule and gamma in every sample."
                                : "They treat gamma, the wishes and the scales of the columns as known.");
        return sentences;
    }

    /** The standard errors of the pull-through and of the earned share. */
    Optional<String> shares() {
        return errors.found().map(all -> {
            if (all.pullThrough().error() == 0 && all.earned() == null) {
                return "This wish fixes the pull-through, so it has no standard error.";
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
                                    "; the earned share has a standard error of %s, 95%% from %s to %s.",
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
