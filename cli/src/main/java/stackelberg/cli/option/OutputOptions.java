package stackelberg.cli.option;

import java.io.PrintWriter;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import stackelberg.cli.answer.JsonText;
import stackelberg.cli.terminal.ProgressLine;
import stackelberg.cli.terminal.Settings;
import stackelberg.cli.terminal.StatusLine;
import stackelberg.cli.terminal.Visible;
import stackelberg.linalg.Workers;

/** How the answer is told. */
public final class OutputOptions {
    @Option(names = "--json", description = "Print one JSON object with stable keys instead of a summary.")
    private boolean json;

    @Option(
            names = {"-q", "--quiet"},
            description = "Print no summary, no notes and no warnings.")
    private boolean quiet;

    public boolean json() {
        return json;
    }

    /**
     * The answer on standard output: as JSON, or for a person.
     *
     * @param answer a record of {@code cli.answer}
     */
    public void print(CommandLine command, Supplier<?> answer, Supplier<String> text) {
        PrintWriter out = command.getOut();
        if (json) {
            out.println(JsonText.of(answer.get(), Settings.of(command)::asOptions));
        } else if (!quiet) {
            out.print(Visible.text(text.get()));
        }
        out.flush();
    }

    /** Where long work says how far it is: on standard error, nowhere if quiet; only the launcher can tell whether that is a terminal. */
    public StatusLine statusLine(CommandLine command) {
        return StatusLine.ticking(quiet ? null : command.getErr(), Boolean.getBoolean("stackelberg.terminal"));
    }

    /** Does work of unknown length, with such a line that counts its seconds. */
    public <T> T during(String what, CommandLine command, Supplier<T> work) {
        try (StatusLine line = statusLine(command)) {
            line.doing(what);
            T found = work.get();
            // of a request that is cancelled nothing is written
            Workers.throwIfInterrupted();
            return found;
        }
    }

    /** The same for a solver that is to reach the tolerance. */
    ProgressLine progressLine(CommandLine command, double tolerance) {
        return new ProgressLine(statusLine(command), tolerance, System::nanoTime);
    }

    /** Something the user should know, on standard error; warnings stand in the JSON object too. */
    public void warn(CommandLine command, List<String> warnings) {
        if (!json) {
            Settings.of(command).asOptions(warnings).forEach(warning -> note(command, "Warning: " + warning));
        }
    }

    /** Something the user may want to know, on standard error. */
    public void note(CommandLine command, String message) {
        if (!quiet) {
            command.getErr().println(Visible.text(message));
            command.getErr().flush();
        }
    }
}
