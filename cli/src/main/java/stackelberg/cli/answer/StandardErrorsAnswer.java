package stackelberg.cli.answer;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import stackelberg.game.GameSpec;
import stackelberg.game.GameSpec.Today;
import stackelberg.model.StackelbergModel;
import stackelberg.model.StandardErrors;

/**
 * Standard errors: how much a rule would differ if it were fitted to another sample.
 *
 * @param method how the standard errors were computed: hc1, hc0 or bootstrap:N
 * @param reason why there are no standard errors, as a sentence; otherwise null
 * @param givenTodaysRule whether the standard errors treat today's rule as known, although it was fitted to the same people and gamma, the wishes or the hedge
 * depend on it
 * @param people the number of rows with a weight above 0
 * @param parameters the number of coefficients, intercept included
 * @param degreesOfFreedom the number of people minus the number of parameters
 * @param replicates how many bootstrap samples were drawn; 0 without bootstrap
 * @param level the confidence level of the intervals
 */
record StandardErrorsAnswer(
        String method,
        @Nullable String reason,
        boolean givenTodaysRule,
        int people,
        int parameters,
        int degreesOfFreedom,
        int replicates,
        double level,
        @JsonUnwrapped @Nullable Intervals intervals) {
    private static final Pattern SETTING = Pattern.compile("standardErrors\\(\"([^\"]+)\"\\)");
    private static final Pattern TODAY = Pattern.compile("\\btoday\\b");

    static StandardErrorsAnswer of(StackelbergModel model, StandardErrors errors) {
        return new StandardErrorsAnswer(
                errors.method().inWords(),
                reason(errors),
                givenTodaysRule(model, errors),
                errors.people(),
                errors.parameters(),
                errors.degreesOfFreedom(),
                errors.method().replicates(),
                StandardErrors.LEVEL,
                errors.found().map(all -> Intervals.of(model, errors, all)).orElse(null));
    }

    /** The reason why there are no standard errors, if there are none. */
    public static @Nullable String reason(StandardErrors errors) {
        return errors.reason() == null
                ? null
                : "No standard errors: " + SETTING.matcher(errors.reason()).replaceAll("--se $1");
    }

    /** Whether today's rule, learned from the same people, determines gamma, the wishes or the hedge's bound: only the bootstrap accounts for that. */
    public static boolean givenTodaysRule(StackelbergModel model, StandardErrors errors) {
        String wish = model.provenance().options().getOrDefault("wish", "");
        return errors.method().kind() != StandardErrors.Kind.BOOTSTRAP
                && model.game().today().kind() != Today.Kind.GIVEN
                && (model.game().gammaShare().isPresent()
                        || model.game().isHedged() && model.game().hedgeOf() == GameSpec.HedgeOf.TODAY
                        || TODAY.matcher(wish).find());
    }

    /**
     * The standard errors of all estimates, in the units of the data.
     *
     * @param intercept standard error of the intercept. Only where there are standard errors
     * @param coefficients standard errors of the coefficients, by encoded column. Only where there are standard errors
     * @param pullThrough standard error of the pull-through. Only where there are standard errors
     * @param earned standard error of the share of the gap that the target itself closes; null without effects. Only where there are standard errors
     */
    record Intervals(
            Tested intercept,
            Map<String, Tested> coefficients,
            Interval pullThrough,
            @Nullable Interval earned) {
        static Intervals of(StackelbergModel model, StandardErrors errors, StandardErrors.Intervals all) {
            Map<String, Tested> coefficients = new LinkedHashMap<>();
            for (int j = 0; j < all.coefficients().size(); j++) {
                StackelbergModel.Term term = model.terms().get(j);
                coefficients.put(
                        term.name(),
                        Tested.of(errors, term.coefficient(), all.coefficients().get(j)));
            }
            return new Intervals(
                    Tested.of(errors, model.intercept(), all.intercept()),
                    coefficients,
                    Interval.of(all.pullThrough()),
                    all.earned() == null ? null : Interval.of(all.earned()));
        }
    }

    /**
     * The standard error of an estimate and its interval.
     *
     * @param standardError the standard error
     * @param low the lower end of the interval
     * @param high the upper end of the interval
     */
    record Interval(double standardError, double low, double high) {
        static Interval of(StandardErrors.Interval interval) {
            return new Interval(interval.error(), interval.low(), interval.high());
        }
    }

    /**
     * An interval, with a test of the hypothesis that the coefficient is 0.
     *
     * @param t the estimate divided by its standard error; null if the standard error is 0
     * @param p the p-value of Student's t; null if the standard error is 0
     */
    record Tested(@JsonUnwrapped Interval interval, double t, double p) {
        static Tested of(StandardErrors errors, double estimate, StandardErrors.Interval interval) {
            return new Tested(
                    Interval.of(interval),
                    StandardErrors.t(estimate, interval),
                    errors.probability(estimate, interval));
        }
    }
}
