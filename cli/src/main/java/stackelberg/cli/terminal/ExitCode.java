package stackelberg.cli.terminal;

/** The exit codes of the command. */
public final class ExitCode {
    public static final int CERTIFIED = 0;
    public static final int INTERNAL_ERROR = 1;
    public static final int WRONG_USAGE = 2;
    public static final int BAD_DATA = 3;
    public static final int NOT_CERTIFIED = 4;

    /** A cancelled request of serve; the same code as of a command that SIGINT ends. */
    public static final int CANCELLED = 130;

    private ExitCode() {}

    public static int of(boolean certified) {
        return certified ? CERTIFIED : NOT_CERTIFIED;
    }
}
