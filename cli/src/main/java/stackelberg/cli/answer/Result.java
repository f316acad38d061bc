package stackelberg.cli.answer;

import java.util.List;
import stackelberg.data.Message;

/** The result of a command: a JSON document for programs and its wording for people. */
public interface Result {
    /** The JSON document: a record whose components are the keys, except those marked {@code @JsonIgnore}, which only the text needs. */
    default Object json() {
        return this;
    }

    /** The answer in words, for the terminal, the page and the notebook. */
    Answer answer();

    /** The JSON document of {@link #warning}. */
    record Warnings(List<Message> warnings) {}

    /** Returns a result that consists of a warning only. */
    static Result warning(Message warning) {
        return new Result() {
            @Override
            public Object json() {
                return new Warnings(List.of(warning));
            }

            @Override
            public Answer answer() {
                return Answer.builder().warnings(List.of(warning)).build();
            }
        };
    }
}
