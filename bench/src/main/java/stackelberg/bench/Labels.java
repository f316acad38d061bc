package stackelberg.bench;

/** Formats numbers in the names of variants. */
final class Labels {
    private Labels() {}

    /** A number without a needless fraction: 50, not 50.0. */
    static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15 ? "" + (long) value : "" + value;
    }
}
