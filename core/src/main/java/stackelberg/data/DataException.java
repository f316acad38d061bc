package stackelberg.data;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Thrown when data cannot be used as they are. The message states what is wrong, where (column, row, line), the rule, and "Maybe ..." what to do. */
public final class DataException extends RuntimeException implements Message.Carrier {
    private static final long serialVersionUID = 1L;

    /** The code of a message that has none of its own. */
    private static final String CODE = "data";

    private final transient @Nullable Message message;

    /** A message that refers to no setting. */
    public DataException(String message) {
        this(message, null);
    }

    /** A message that refers to no setting. */
    public DataException(String message, @Nullable Throwable cause) {
        this(Message.plain(CODE, String.valueOf(message)), cause);
    }

    /** A message that may refer to settings; the exception's own text names them as Java does. */
    public DataException(Message message) {
        this(message, null);
    }

    /** A message that may refer to settings, and what caused it. */
    public DataException(Message message, @Nullable Throwable cause) {
        super(message.text(), cause);
        this.message = message;
    }

    @Override
    public Message asMessage() {
        // a message is not serialised with its exception, only its text is
        return message == null ? Message.plain(CODE, String.valueOf(getMessage())) : message;
    }

    /** The known name with the fewest edits to the given one, for "Maybe you meant ..."; null if none is close enough to be a typing error. */
    public static @Nullable String nearest(String name, Collection<String> known) {
        return Names.nearest(name, known);
    }

    /** The names as a message lists them, cut after a dozen: 'a', 'b', 'c' and 5 more. */
    public static String list(Collection<String> names) {
        return Names.list(names);
    }
}
