package stackelberg.cli.option;

import java.io.PrintWriter;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import stackelberg.cli.answer.Answer;
import stackelberg.cli.answer.JsonText;
import stackelberg.cli.answer.Result;
import stackelberg.cli.terminal.ProgressLine;
import stackelberg.cli.terminal.Settings;
import stackelberg.cli.terminal.StatusLine;
import stackelberg.cli.terminal.Visible;
import stackelberg.data.Message;
import stackelberg.linalg.Workers;

/** The options for the form of the answer. */
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

    /** Prints the result on standard output, as JSON or as text, and its warnings on standard error. */
    public void print(CommandLine command, Supplier<? extends Result> result) {
        PrintWriter out = command.getOut();
        if (json) {
            out.println(JsonText.of(result.get().json(), Settings.of(command)));
        } else if (!quiet) {
            Answer answer = result.get().answer();
            out.print(answer.text());
            out.flush();
            warn(command, answer.warnings());
        }
        out.flush();
    }

    /** Refuses JSON together with another form of the answer. */
    public void refuseJsonWith(CommandLine command, boolean given, String other) {
        if (json && given) {
            throw new CommandLine.ParameterException(
                    command, "Both --json and " + other + " are given.\nMaybe leave out one of them.");
        }
    }

    /** Prints the result on standard output as an HTML fragment, its warnings included. */
    public void printHtml(CommandLine command, Result result) {
        Answer answer = result.answer();
        command.getOut().print(answer.html(Settings.of(command)));
        command.getOut().flush();
    }

    /** The progress line of long work, on standard error unless the command is quiet; the launcher says whether standard error is a terminal. */
    public StatusLine statusLine(CommandLine command) {
        return StatusLine.ticking(quiet ? null : command.getErr(), Boolean.getBoolean("stackelberg.terminal"));
    }

    /** Runs work of unknown duration, with a progress line that counts the seconds. */
    public <T> T during(String what, CommandLine command, Supplier<T> work) {
        try (StatusLine line = statusLine(command)) {
            line.doing(what);
            T found = work.get();
            // a cancelled request writes nothing
            Workers.throwIfInterrupted();
            return found;
        }
    }

    /** The progress line of a solver, which estimates the time until the tolerance is reached. */
    ProgressLine progressLine(CommandLine command, double tolerance) {
        return new ProgressLine(statusLine(command), tolerance, System::nanoTime);
    }

    /** Prints a warning on standard error; warnings are in the JSON object too. */
    public void warn(CommandLine command, List<Message> warnings) {
        if (!json) {
            Settings wording = Settings.of(command);
            warnings.forEach(warning -> note(command, "Warning: " + warning.text(wording)));
        }
    }

    /** Prints a note on standard error. */
    public void note(CommandLine command, String message) {
        if (!quiet) {
            command.getErr().println(Visible.text(message));
            command.getErr().flush();
        }
    }
}
