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
    public static Run stackelberg(Object... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine command = Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
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
