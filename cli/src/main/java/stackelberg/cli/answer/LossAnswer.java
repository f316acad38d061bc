package stackelberg.cli.answer;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;
import stackelberg.game.GameSpec;

/**
 * The loss in use; no keys with squared loss.
 *
 * @param loss the loss, logistic or huber:DELTA; only where the loss is not squared
 * @param event the event that is predicted, as in deny = yes; only with logistic loss
 * @param cutoff the smallest probability that is predicted as a yes; only with logistic loss
 */
public record LossAnswer(
        @JsonInclude(NON_NULL) @Nullable String loss,
        @JsonInclude(NON_NULL) @Nullable String event,
        @JsonInclude(NON_NULL) @Nullable Double cutoff) {
    public static LossAnswer of(GameSpec spec, double cutoff) {
        boolean logistic = spec.loss().isLogistic();
        return new LossAnswer(
                spec.loss().isSquared() ? null : spec.loss().inWords(),
                logistic ? event(spec) : null,
                logistic ? cutoff : null);
    }

    /** The event whose probability is predicted, as in deny = yes. */
    public static String event(GameSpec spec) {
        return spec.answers().event(spec.chosenTarget());
    }
}
