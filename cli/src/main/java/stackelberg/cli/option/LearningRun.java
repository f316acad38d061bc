package stackelberg.cli.option;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import stackelberg.cli.answer.Result;
import stackelberg.cli.report.ReportData;
import stackelberg.cli.terminal.OutputFile;
import stackelberg.game.GameSpec;
import stackelberg.linalg.Workers;

/** The steps of a command that learns from data: check the options, read, print, report. The command itself does the fit. */
public final class LearningRun {
    private final CommandLine command;
    private final @Nullable String data;
    private final LearningOptions learning;
    private final ReportOptions report;
    private final OutputOptions output;

    public LearningRun(
            CommandLine command,
            @Nullable String data,
            LearningOptions learning,
            ReportOptions report,
            OutputOptions output) {
        this.command = command;
        this.data = data;
        this.learning = learning;
        this.report = report;
        this.output = output;
    }

    /**
     * Refuses outputs that would overwrite an input or one another, before anything is computed.
     *
     * @param files the outputs of the command itself, by option; absent if not written
     * @param alsoRead the files that the command reads besides the data
     * @return the threads to use from here on
     */
    public Workers begin(Map<String, @Nullable Path> files, @Nullable String... alsoRead) {
        Object[] inputs = Stream.concat(Stream.of(learning.files(data)), Stream.of(alsoRead))
                .toArray();
        List<Path> before = new ArrayList<>();
        files.forEach((option, file) -> {
            OutputFile.refuseInputs(command, option, file, inputs);
            report.refuse(command, file, inputs);
            before.forEach(other -> OutputFile.refuseSame(command, other, file));
            before.add(file);
        });
        report.refuseBoth(command, learning.game.hasEffects(), learning.game.hasLimits());
        return learning.input().workers(command);
    }

    /** Reads the data and completes the game. */
    public Study read(GameSpec declared, Workers workers) {
        return output.during("reading", command, () -> learning.read(data, declared, workers, command));
    }

    /** Prints the result, its warnings, and a note about the groups. */
    public void print(Supplier<? extends Result> result) {
        output.print(command, result);
        learning.columns.groupNote().ifPresent(note -> output.note(command, note));
    }

    /**
     * Writes a page of another kind if {@code --report} is given.
     *
     * @param page writes the page to the given file
     */
    public void page(Consumer<Path> page) {
        if (report.wanted()) {
            report.write(page, output, command);
        }
    }

    /** Writes the report if {@code --report} is given. */
    public void report(Supplier<ReportData> page) {
        if (report.wanted()) {
            report.write(page.get(), output, command);
        }
    }
}
