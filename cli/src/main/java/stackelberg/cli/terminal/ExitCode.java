package stackelberg.cli.terminal;

/** The exit codes of the command. */
public final class ExitCode {
    public static final int CERTIFIED = 0;
    public static final int INTERNAL_ERROR = 1;
    public static final int WRONG_USAGE = 2;
    public static final int BAD_DATA = 3;
    public static final int NOT_CERTIFIED = 4;

    /** The code of a cancelled request of serve, equal to that of a command ended by SIGINT. */
    public static final int CANCELLED = 130;

    private ExitCode() {}

    public static int of(boolean certified) {
        return certified ? CERTIFIED : NOT_CERTIFIED;
    }
}
