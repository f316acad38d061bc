package stackelberg.cli.terminal;

/** What the command's exit code says. */
public final class ExitCode {
    public static final int CERTIFIED = 0;
    public static final int INTERNAL_ERROR = 1;
    public static final int WRONG_USAGE = 2;
    public static final int BAD_DATA = 3;
    public static final int NOT_CERTIFIED = 4;

    /** Of a request to serve; a command that SIGINT ends has the same. */
    public static final int CANCELLED = 130;

    private ExitCode() {}

    public static int of(boolean certified) {
        return certified ? CERTIFIED : NOT_CERTIFIED;
    }
}
