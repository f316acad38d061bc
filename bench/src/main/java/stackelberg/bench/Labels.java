package stackelberg.bench;

/** Numbers in names. */
final class Labels {
    private Labels() {}

    /** 50, not 50.0. */
    static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15 ? "" + (long) value : "" + value;
    }
}
