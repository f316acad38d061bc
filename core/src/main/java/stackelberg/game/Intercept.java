package stackelberg.game;

/** Who can change the constant term. */
public enum Intercept {
    /** Nobody: the sensible choice. */
    IMMUTABLE,
    /** Everybody, like a feature that is 1 for all: the paper's model. */
    MANIPULABLE,
    /** There is none. */
    NONE
}
