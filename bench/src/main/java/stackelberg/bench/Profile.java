package stackelberg.bench;

/** How much of an experiment is run. */
public enum Profile {
    /** The paper's sizes and trials. */
    FULL,
    /** Every table and figure at small size, in a few minutes. */
    QUICK,
    /** Smaller still: what must always hold, in seconds. */
    SMOKE;

    <T> T pick(T full, T quick, T smoke) {
        return switch (this) {
            case FULL -> full;
            case QUICK -> quick;
            case SMOKE -> smoke;
        };
    }
}
