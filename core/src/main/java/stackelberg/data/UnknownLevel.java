package stackelberg.data;

/** What becomes of a level that the training data did not have. */
public enum UnknownLevel {
    /** It is refused. */
    ERROR,
    /** All indicators of the feature are zero, as for a level that was dropped as the base. */
    ZERO
}
