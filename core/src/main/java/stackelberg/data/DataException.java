package stackelberg.data;

import java.util.Collection;

/** Data that cannot be used as they are. The message says what, where, against which rule, and "Maybe ..." what to do. */
public final class DataException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public DataException(String message) {
        super(message);
    }

    public DataException(String message, Throwable cause) {
        super(message, cause);
    }

    /** For messages: the known name with the fewest edits to the given one, null if none is close enough to be meant. */
    public static String nearest(String name, Collection<String> known) {
        return Names.nearest(name, known);
    }

    /** For messages: 'a', 'b', 'c' and 5 more. */
    public static String list(Collection<String> names) {
        return Names.list(names);
    }
}
