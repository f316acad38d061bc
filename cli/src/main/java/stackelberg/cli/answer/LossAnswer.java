package stackelberg.cli.answer;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;
import stackelberg.game.GameSpec;

/** Which loss is in use; no keys where it is squared. */
public record LossAnswer(
        @Meaning("logistic or huber:DELTA; only where the loss is not squared.") @JsonInclude(NON_NULL) @Nullable
        String loss,

        @Meaning("What is predicted, as in deny = yes; only with logistic loss.") @JsonInclude(NON_NULL) @Nullable
        String event,

        @Meaning("The probability from which on a yes is predicted; only with logistic loss.")
        @JsonInclude(NON_NULL)
        @Nullable
        Double cutoff) {
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
