package stackelberg.bench;

/** The size of an experiment. */
public enum Profile {
    /** The paper's sizes and numbers of trials; takes hours. */
    FULL,
    /** Every table and figure at small sizes; takes a few minutes. */
    QUICK,
    /** The smallest sizes, for tests; takes seconds. */
    SMOKE
}
