package stackelberg.cli;

/** What the command's exit code says. */
final class ExitCode {
    static final int CERTIFIED = 0;
    static final int INTERNAL_ERROR = 1;
    static final int WRONG_USAGE = 2;
    static final int BAD_DATA = 3;
    static final int NOT_CERTIFIED = 4;

    private ExitCode() {}

    static int of(boolean certified) {
        return certified ? CERTIFIED : NOT_CERTIFIED;
    }
}
