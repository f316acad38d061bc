package stackelberg.cli.answer;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import stackelberg.game.GameSpec.Today;
import stackelberg.model.StackelbergModel;
import stackelberg.model.StandardErrors;

/** Standard errors: how much a rule would differ if it were fitted to another sample. */
record StandardErrorsAnswer(
        @Meaning("How they were computed: hc1, hc0 or bootstrap:N.")
        String method,

        @Meaning("Why there are none, as a sentence; null where there are some.") @Nullable
        String reason,

        @Meaning(
                "Whether they treat today's rule as known, although it was fitted to the same people and gamma, the wishes or the hedge depend on it.")
        boolean givenTodaysRule,

        @Meaning("How many rows have a weight above 0.") int people,

        @Meaning("The number of coefficients, intercept included.")
        int parameters,

        @Meaning("people less parameters.") int degreesOfFreedom,

        @Meaning("How many bootstrap samples were drawn; 0 without bootstrap.")
        int replicates,

        @Meaning("The level of the intervals.") double level,
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
                        || model.game().isHedged()
                        || TODAY.matcher(wish).find());
    }

    /** The standard errors of all estimates, in the units of the data. */
    record Intervals(
            @Meaning("Standard error of the intercept. Only where there are standard errors.")
            Tested intercept,

            @Meaning("Standard errors of the coefficients, by encoded column. Only where there are standard errors.")
            Map<String, Tested> coefficients,

            @Meaning("Standard error of the pull-through. Only where there are standard errors.")
            Interval pullThrough,

            @Meaning(
                    "Standard error of the share of the gap that the target itself closes; null without effects. Only where there are standard errors.")
            @Nullable
            Interval earned) {
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

    /** The standard error of an estimate and its interval. */
    record Interval(
            @Meaning("The standard error.") double standardError,
            @Meaning("The lower end of the interval.") double low,
            @Meaning("The upper end of the interval.") double high) {
        static Interval of(StandardErrors.Interval interval) {
            return new Interval(interval.error(), interval.low(), interval.high());
        }
    }

    /** The same with a test of the hypothesis that the coefficient is 0. */
    record Tested(
            @JsonUnwrapped Interval interval,

            @Meaning("The estimate divided by its standard error; null if that is 0.")
            double t,

            @Meaning("The p-value of Student's t; null if the standard error is 0.")
            double p) {
        static Tested of(StandardErrors errors, double estimate, StandardErrors.Interval interval) {
            return new Tested(
                    Interval.of(interval),
                    StandardErrors.t(estimate, interval),
                    errors.probability(estimate, interval));
        }
    }
}
