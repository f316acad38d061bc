package stackelberg.cli.answer;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import org.jspecify.annotations.Nullable;
import stackelberg.estimate.Loss;
import stackelberg.model.response.WhatIf;

/**
 * The losses of a rule if the assumptions are wrong, where they were computed.
 *
 * @param whatIf errors after people have moved, if an assumption is wrong; null where they were not computed
 * @param whatIfOn the people the rules were tested on: held-out people, 5 folds; held-out groups, 5 folds; or the sample
 * @param whatIfNoise the standard deviation of the noise in NOISIER_WISHES
 */
record WhatIfAnswer(@Nullable List<Row> whatIf, @Nullable String whatIfOn, double whatIfNoise) {
    /** @param figures absent if the losses were not computed */
    public static WhatIfAnswer of(Loss loss, @Nullable WhatIf figures) {
        return figures == null
                ? new WhatIfAnswer(null, null, Double.NaN)
                : new WhatIfAnswer(
                        figures.rows().stream()
                                .map(row -> Row.of(loss, row, figures.promised().error()))
                                .toList(),
                        on(figures),
                        figures.wishError());
    }

    /** Returns the people that the rules were tested on, in words. */
    public static String on(WhatIf figures) {
        return switch (figures.judged()) {
            case HELD_OUT_PEOPLE -> "held-out people, 5 folds";
            case HELD_OUT_GROUPS -> "held-out groups, 5 folds";
            case SAMPLE -> "the sample";
        };
    }

    /**
     * One wrong assumption.
     *
     * @param world the assumption that differs from the declared ones
     * @param more by what fraction this rule's error exceeds the error under the declared assumptions
     */
    record Row(
            WhatIf.Doubt world,
            @JsonUnwrapped @Nullable Squared squared,
            @JsonUnwrapped @Nullable Other other,
            double more) {
        static Row of(Loss loss, WhatIf.Row row, double promised) {
            return new Row(
                    row.doubt(),
                    loss.isSquared() ? new Squared(row.error(), row.todayError()) : null,
                    loss.isSquared() ? null : new Other(row.error(), row.todayError()),
                    row.error() / promised - 1);
        }
    }

    /**
     * The errors of both rules under squared loss.
     *
     * @param rmse this rule's root mean squared error. Only where the loss is squared
     * @param todayRmse the root mean squared error of today's rule. Only where the loss is squared
     */
    record Squared(double rmse, double todayRmse) {}

    /**
     * The errors of both rules under another loss.
     *
     * @param loss this rule's mean loss. Only where the loss is not squared
     * @param todayLoss the mean loss of today's rule. Only where the loss is not squared
     */
    record Other(double loss, double todayLoss) {}
}
