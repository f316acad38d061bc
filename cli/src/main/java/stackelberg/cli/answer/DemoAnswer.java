package stackelberg.cli.answer;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import stackelberg.model.StackelbergModel;

/** The answer of {@code demo}: the model, and before it a description of the built-in data. */
public record DemoAnswer(@JsonUnwrapped ModelAnswer model) implements Result {
    public static DemoAnswer of(StackelbergModel model) {
        return new DemoAnswer(ModelAnswer.of(model));
    }

    @Override
    public Answer answer() {
        return Answer.builder()
                .say(
                        "500 people apply for loans. A published rule scores them, and they change the figures that they can change to get the\nscore "
                                + "they want. This rule predicts well whether they do so or not:")
                .sections(model.answer())
                .build();
    }
}
