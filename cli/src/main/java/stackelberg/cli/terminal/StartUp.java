package stackelberg.cli.terminal;

/** Measures the time that a command needs before its work begins, mostly to parse its words. */
public final class StartUp {
    private static volatile long begun;

    private StartUp() {}

    /** Starts the measurement, when the words of the command are known. */
    public static void begin() {
        begun = System.nanoTime();
    }

    /** Seconds since {@link #begin}; 0 if it was never called. */
    public static double seconds() {
        return begun == 0 ? 0 : (System.nanoTime() - begun) * 1e-9;
    }
}
