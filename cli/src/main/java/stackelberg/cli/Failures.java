package stackelberg.cli;

import java.io.PrintWriter;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;
import stackelberg.data.DataException;

/** Failures as a user sees them: a message and an exit code, never a stack trace. */
final class Failures {
    /** An environment variable rather than an option, so that it works wherever the failure happens. */
    private static final String DEBUG = "STACKELBERG_DEBUG";

    private Failures() {}

    static int onWrongUsage(ParameterException e, String[] args) {
        CommandLine command = e.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("Error: " + e.getMessage());
        UnmatchedArgumentException.printSuggestions(e, err);
        err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
        err.flush();
        return ExitCode.WRONG_USAGE;
    }

    static int onException(Exception e, CommandLine command, ParseResult parsed) {
        PrintWriter err = command.getErr();
        boolean data = e instanceof DataException;
        if (data) {
            err.println("Error: " + e.getMessage());
        } else {
            err.println("Internal error: " + e.toString().lines().findFirst().orElse("") + " (please report it; "
                    + DEBUG + "=1 shows where it happened)");
        }
        if (System.getenv(DEBUG) != null) {
            e.printStackTrace(err);
        }
        err.flush();
        return data ? ExitCode.BAD_DATA : ExitCode.INTERNAL_ERROR;
    }

    /** The value, with what the library refuses in it told as wrong usage of the command. */
    static <T> T asUsage(CommandLine command, Supplier<T> value) {
        try {
            return value.get();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command, e.getMessage(), e);
        }
    }
}
