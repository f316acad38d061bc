package stackelberg.cli.option;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import picocli.CommandLine;
import stackelberg.cli.report.ReportData;
import stackelberg.cli.terminal.OutputFile;
import stackelberg.game.GameSpec;
import stackelberg.linalg.Workers;

/** The steps of a command that learns from data, in their order: refuse, read, print, report. What it learns is its own business. */
public final class LearningRun {
    private final CommandLine command;
    private final String data;
    private final LearningOptions learning;
    private final ReportOptions report;
    private final OutputOptions output;
    private Workers workers;

    public LearningRun(
            CommandLine command, String data, LearningOptions learning, ReportOptions report, OutputOptions output) {
        this.command = command;
        this.data = data;
        this.learning = learning;
        this.report = report;
        this.output = output;
    }

    /**
     * Refuses outputs that would overwrite an input or one another, before anything is computed.
     *
     * @param files what the command writes itself, by the option that says where; null where it does not
     * @param alsoRead what it reads besides the data
     * @return who does the work from here on
     */
    public Workers begin(Map<String, Path> files, String... alsoRead) {
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
        workers = learning.input().workers(command);
        return workers;
    }

    /** The data, and the game on them. */
    public Study read(GameSpec declared) {
        return output.during("reading", command, () -> learning.read(data, declared, workers, command));
    }

    public void print(Supplier<?> answer, Supplier<String> text, List<String> warnings) {
        output.print(command, answer, text);
        output.warn(command, warnings);
        learning.columns.groupNote().ifPresent(note -> output.note(command, note));
    }

    /** Writes a page of another kind, if one is wanted. */
    public void page(Consumer<Path> page) {
        if (report.wanted()) {
            report.write(page, output, command);
        }
    }

    /** Writes a page, if one is wanted. */
    public void report(Supplier<ReportData> page) {
        if (report.wanted()) {
            report.write(page.get(), output, command);
        }
    }
}
