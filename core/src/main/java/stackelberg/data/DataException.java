package stackelberg.data;

/** Data that cannot be used as they are. The message says what, where, against which rule, and "Maybe ..." what to do. */
public final class DataException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public DataException(String message) {
        super(message);
    }

    public DataException(String message, Throwable cause) {
        super(message, cause);
    }
}
