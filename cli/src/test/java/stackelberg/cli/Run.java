package stackelberg.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What one run of the command gave.
 *
 * @param code the exit code
 * @param out standard output
 * @param err standard error
 */
public record Run(int code, String out, String err) {
    /** How often a command line is used again: making one takes longer than a small fit. */
    private static final int AGAIN = 30;

    private static final ThreadLocal<Used> USED = ThreadLocal.withInitial(Used::new);

    private static final class Used {
        private CommandLine command;
        private int times;

        CommandLine next() {
            if (times++ % AGAIN == 0) {
                command = Main.commandLine();
            }
            return command;
        }
    }

    public static Run stackelberg(Object... args) {
        return of(Main.commandLine(), args);
    }

    /** The same on a command line that may have been used before by this thread: for tests that run thousands. */
    static Run oneOfMany(Object... args) {
        return of(USED.get().next(), args);
    }

    private static Run of(CommandLine commandLine, Object... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine command = commandLine.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        String[] words = new String[args.length];
        for (int i = 0; i < words.length; i++) {
            words[i] = args[i].toString();
        }
        int code = Main.execute(command, words);
        return new Run(code, out.toString(), err.toString());
    }

    JsonNode json() {
        return JsonMapper.shared().readTree(out);
    }
}
