package stackelberg.cli.option;

import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import stackelberg.cli.report.ReportData;
import stackelberg.cli.report.ReportPage;
import stackelberg.cli.terminal.OutputFile;

/** The option for the report page. */
public final class ReportOptions {
    @Option(
            names = "--report",
            paramLabel = "FILE.html",
            description =
                    "Write an HTML page that explains the answer, with sliders for gamma; one file that needs no network.")
    @Nullable
    Path file;

    public boolean wanted() {
        return file != null;
    }

    /** Refuses a report that cannot be written, or that would overwrite an input or the other output, if there is one. */
    public void refuse(CommandLine command, @Nullable Path otherOutput, @Nullable Object... inputs) {
        OutputFile.refuseImpossible(command, "--report", file);
        OutputFile.refuseInputs(command, "--report", file, inputs);
        OutputFile.refuseSame(command, file, otherOutput);
    }

    /** Refuses a page for a game with both effects and limits, which its charts cannot show together. */
    public void refuseBoth(CommandLine command, boolean effects, boolean limits) {
        if (wanted() && effects && limits) {
            throw new CommandLine.ParameterException(
                    command,
                    "--report cannot draw the moves of a game with both --effect and limits."
                            + "\nMaybe leave out the page; the text and --json have " + "the earned share.");
        }
    }

    /** Writes the report and prints a note with its name. */
    public void write(ReportData data, OutputOptions output, CommandLine command) {
        write(there -> ReportPage.write(there, data), output, command);
    }

    /**
     * Writes a page of another kind, and prints a note with its name.
     *
     * @param page writes the page to the given file
     */
    void write(Consumer<Path> page, OutputOptions output, CommandLine command) {
        page.accept(file);
        output.note(command, "Report: " + file);
    }
}
