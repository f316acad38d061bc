package stackelberg.data;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Thrown when data cannot be used as they are. The message states what is wrong, where (column, row, line), the rule, and "Maybe ..." what to do. */
public final class DataException extends RuntimeException implements Message.Carrier {
    private static final long serialVersionUID = 1L;

    private final transient @Nullable Message message;

    /** Makes an exception from a code, a sentence and its values, as {@link Message#of} does. */
    public static DataException of(String code, String sentence, @Nullable Object... values) {
        return new DataException(Message.of(code, sentence, values));
    }

    /** Makes an exception from the refusal of an argument whose value comes from data: with the same message and, if there is one, the same code. */
    public static DataException because(IllegalArgumentException refused) {
        return new DataException(
                refused instanceof Message.Carrier carrier
                        ? carrier.asMessage()
                        : Message.plain("value-refused", String.valueOf(refused.getMessage())),
                refused);
    }

    /** Makes an exception with a message that may refer to settings; the text of the exception names them as in Java. */
    public DataException(Message message) {
        this(message, null);
    }

    /** Makes an exception with a message that may refer to settings, and a cause. */
    public DataException(Message message, @Nullable Throwable cause) {
        super(message.text(), cause);
        this.message = message;
    }

    @Override
    public Message asMessage() {
        // a message is not serialised with its exception, only its text is
        return message == null ? Message.plain("data", String.valueOf(getMessage())) : message;
    }

    /** The known name with the fewest edits to the given one, for "Maybe you meant ..."; absent if none is close enough to be a typing error. */
    public static @Nullable String nearest(String name, Collection<String> known) {
        return Names.nearest(name, known);
    }

    /** The names as a message lists them, cut after a dozen: 'a', 'b', 'c' and 5 more. */
    public static String list(Collection<String> names) {
        return Names.list(names);
    }
}
