package stackelberg.cli.answer;

import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import stackelberg.data.Message;
import stackelberg.model.StackelbergModel;

/**
 * The result of {@code tune}: the choice, and the model that was fitted with it.
 *
 * @param tuned the choice
 * @param model the model fitted to all data with that choice, if one was requested
 * @param warnings the warnings about the choice and about the model
 * @param document the JSON document
 */
public record TuningResult(
        TuningReport tuned, @Nullable StackelbergModel model, List<Message> warnings, Supplier<TuneAnswer> document)
        implements Result {
    @Override
    public TuneAnswer json() {
        return document.get();
    }

    @Override
    public Answer answer() {
        Answer.Builder answer = Answer.builder().sections(tuned.answer());
        if (model != null) {
            answer.say("Fitted to all data with that gamma:").sections(ModelWords.of(model, null));
        }
        return answer.build().withWarnings(warnings);
    }
}
