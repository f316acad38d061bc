package stackelberg.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** How the answer is told. */
final class OutputOptions {
    @Option(names = "--json", description = "Print one JSON object with stable keys instead of a summary.")
    boolean json;

    @Option(
            names = {"-q", "--quiet"},
            description = "Print no summary, no notes and no warnings.")
    boolean quiet;

    /** The answer on standard output: as an object, or for a person. */
    void print(CommandLine command, Supplier<Map<String, Object>> object, Supplier<String> text) {
        PrintWriter out = command.getOut();
        if (json) {
            out.println(Json.write(object.get()));
        } else if (!quiet) {
            out.print(text.get());
        }
        out.flush();
    }

    /** Where a solver's progress is shown: on standard error if that is a terminal, which only the launcher can tell. */
    ProgressLine progressLine(CommandLine command) {
        boolean shown = !quiet && Boolean.getBoolean("stackelberg.terminal");
        return new ProgressLine(shown ? command.getErr() : null, System::nanoTime);
    }

    /** Where the progress of a tuning is shown: nowhere if quiet. */
    TuningLine tuningLine(CommandLine command) {
        boolean terminal = Boolean.getBoolean("stackelberg.terminal");
        return new TuningLine(quiet ? null : command.getErr(), terminal, System::nanoTime);
    }

    /** Something the user should know, on standard error; warnings stand in the JSON object too. */
    void warn(CommandLine command, List<String> warnings) {
        if (!json) {
            warnings.forEach(warning -> note(command, "Warning: " + warning));
        }
    }

    /** Something the user may want to know, on standard error. */
    void note(CommandLine command, String message) {
        if (!quiet) {
            command.getErr().println(message);
            command.getErr().flush();
        }
    }
}
