package stackelberg.cli.terminal;

/** What a command takes before it does anything: reading its words. */
public final class StartUp {
    private static volatile long begun;

    private StartUp() {}

    /** The words are there. */
    public static void begin() {
        begun = System.nanoTime();
    }

    /** Since then. */
    public static double seconds() {
        return begun == 0 ? 0 : (System.nanoTime() - begun) * 1e-9;
    }
}
