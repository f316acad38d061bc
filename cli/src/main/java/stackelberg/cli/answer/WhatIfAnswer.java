package stackelberg.cli.answer;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import org.jspecify.annotations.Nullable;
import stackelberg.estimate.Loss;
import stackelberg.model.response.WhatIf;

/** The losses of a rule if the assumptions are wrong, where they were computed. */
record WhatIfAnswer(
        @Meaning("Errors after people have moved, if an assumption is wrong; null where they were not computed.")
        @Nullable
        List<Row> whatIf,

        @Meaning(
                "The people the rules were tested on: held-out people, 5 folds; held-out groups, 5 folds; or the sample.")
        @Nullable
        String whatIfOn,

        @Meaning("The standard deviation of the noise in NOISIER_WISHES.")
        double whatIfNoise) {
    /** @param figures absent if they were not computed */
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

    /** Who the rules were judged on. */
    public static String on(WhatIf figures) {
        return switch (figures.judged()) {
            case HELD_OUT_PEOPLE -> "held-out people, 5 folds";
            case HELD_OUT_GROUPS -> "held-out groups, 5 folds";
            case SAMPLE -> "the sample";
        };
    }

    /** One wrong assumption. */
    record Row(
            @Meaning("What differs from the declared assumptions.")
            WhatIf.Doubt world,

            @JsonUnwrapped @Nullable Squared squared,
            @JsonUnwrapped @Nullable Other other,

            @Meaning("By what fraction this rule's error exceeds the error under the declared assumptions.")
            double more) {
        static Row of(Loss loss, WhatIf.Row row, double promised) {
            return new Row(
                    row.doubt(),
                    loss.isSquared() ? new Squared(row.error(), row.todayError()) : null,
                    loss.isSquared() ? null : new Other(row.error(), row.todayError()),
                    row.error() / promised - 1);
        }
    }

    /** By squared loss. */
    record Squared(
            @Meaning("This rule's root mean squared error. Only where the loss is squared.")
            double rmse,

            @Meaning("That of today's rule. Only where the loss is squared.")
            double todayRmse) {}

    /** By another loss. */
    record Other(
            @Meaning("This rule's mean loss. Only where the loss is not squared.")
            double loss,

            @Meaning("That of today's rule. Only where the loss is not squared.")
            double todayLoss) {}
}
