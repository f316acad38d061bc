package stackelberg.cli.terminal;

import java.io.PrintWriter;
import java.nio.file.InvalidPathException;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import stackelberg.data.DataException;

/** Reports failures to the user as a message and an exit code, never as a stack trace. */
public final class Failures {
    /** If this variable is set, stack traces are shown. It is an environment variable, not an option, so that it works before options have been read. */
    private static final String DEBUG = "STACKELBERG_DEBUG";

    private Failures() {}

    public static int onWrongUsage(ParameterException e, String[] args) {
        CommandLine command = e.getCommandLine();
        PrintWriter err = command.getErr();
        err.println(
                Visible.text("Error: " + (command.getParent() == null ? Misspelt.commandOr(e) : Misspelt.message(e))));
        err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
        err.flush();
        return ExitCode.WRONG_USAGE;
    }

    public static int onException(Exception e, CommandLine command, ParseResult parsed) {
        if (e instanceof DataException) {
            print("Error: " + Settings.of(command).message(e), e, command);
            return ExitCode.BAD_DATA;
        }
        if (e instanceof InvalidPathException path) {
            print(
                    "Error: \"" + path.getInput() + "\" cannot be the name of a file: " + path.getReason()
                            + ".\nMaybe check its characters.",
                    e,
                    command);
            return ExitCode.WRONG_USAGE;
        }
        return internal(e, command);
    }

    /** The exit code after an error of the virtual machine, such as too little memory, which is reported as one. */
    public static int onError(Error e, CommandLine command) {
        if (e instanceof OutOfMemoryError) {
            print(
                    "Error: There is not enough memory" + (e.getMessage() == null ? "" : ": " + e.getMessage())
                            + ".\nMaybe allow more with STACKELBERG_JAVA_OPTS=-Xmx8g.",
                    e,
                    command);
            return ExitCode.INTERNAL_ERROR;
        }
        return internal(e, command);
    }

    private static int internal(Throwable e, CommandLine command) {
        String first = e.toString().lines().findFirst().orElse("");
        print("Internal error: " + first + " (please report it; " + DEBUG + "=1 shows where)", e, command);
        return ExitCode.INTERNAL_ERROR;
    }

    private static void print(String message, Throwable e, CommandLine command) {
        PrintWriter err = command.getErr();
        err.println(Visible.text(message));
        if (System.getenv(DEBUG) != null) {
            e.printStackTrace(err);
        }
        err.flush();
    }

    /** Returns the value; if the library refuses to compute it, that is reported as wrong usage of the command. */
    public static <T> T asUsage(CommandLine command, Supplier<T> value) {
        try {
            return value.get();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command, Settings.of(command).message(e), e);
        }
    }
}
