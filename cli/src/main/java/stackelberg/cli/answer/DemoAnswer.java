package stackelberg.cli.answer;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import stackelberg.model.StackelbergModel;

/** The answer of {@code demo}: the model, and before it the story of the built-in game. */
public record DemoAnswer(@JsonUnwrapped ModelAnswer model) implements Result {
    public static DemoAnswer of(StackelbergModel model) {
        return new DemoAnswer(ModelAnswer.of(model));
    }

    @Override
    public Answer answer() {
        return Answer.builder()
                .say(
                        "500 people apply for loans. A published rule scores them, and each changes the figures that can be changed to get"
                                + " the score\nthat they want. This is the rule that is right once they have done so:")
                .sections(model.answer())
                .build();
    }
}
