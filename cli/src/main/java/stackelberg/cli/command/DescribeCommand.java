package stackelberg.cli.command;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import stackelberg.cli.answer.DescriptionReport;
import stackelberg.cli.option.DataOptions;
import stackelberg.cli.option.LearningOptions;
import stackelberg.cli.option.OutputOptions;
import stackelberg.cli.option.RawTextOption;
import stackelberg.cli.option.Study;
import stackelberg.cli.terminal.ExitCode;
import stackelberg.cli.terminal.OutputFile;
import stackelberg.cli.terminal.Settings;
import stackelberg.game.Description;
import stackelberg.game.GameSpec;
import stackelberg.linalg.Workers;

/** {@code stackelberg describe}: the columns of a file, their roles in a game, and the command to try next. */
@Command(
        name = "describe",
        description = {
            "Describe a data file and what fit would do with it: kinds of columns, missing values, ranges, columns that would be left out and why, "
                    + "possible targets, and a command to try next.",
            "Options of fit that describe the data or the game work here too; the proposed command contains them."
        },
        sortOptions = false,
        footer = {
            "  stackelberg describe wine.csv",
            "  stackelberg describe loans.csv --target repaid --ignore region",
            "  stackelberg describe wide.csv -o columns.csv",
            "  zcat big.csv.gz | stackelberg describe - --no-header --json",
            "  stackelberg describe --x X.npy --y y.npy"
        })
public final class DescribeCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "DATA", arity = "0..1", description = DataOptions.DATA)
    private @Nullable String data;

    @Option(names = "-o", paramLabel = "FILE", description = "Write one CSV row per column.")
    private @Nullable Path file;

    @Mixin
    private RawTextOption rawText;

    @Mixin
    private LearningOptions learning;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        CommandLine command = spec.commandLine();
        OutputFile.refuseInputs(command, file, learning.files(data));
        boolean raw = rawText.ofFileAlone(file, command);
        Workers workers = learning.input().workers(command);
        GameSpec declared = learning.game(command, game -> {});
        Study study =
                output.during("reading", command, () -> learning.readUndeclared(data, declared, workers, command));
        Description described =
                output.during("looking", command, () -> Description.of(study.table(), study.game(), workers));
        NextCommand next = NextCommand.of(described, study, data, command);
        DescriptionReport report = new DescriptionReport(
                study.name(),
                described,
                next.words(),
                next.wish(),
                next.opposite(),
                next.whyNot(),
                Settings.of(command));
        if (file != null) {
            report.csv(raw).save(file);
        }
        output.print(command, () -> report);
        return ExitCode.CERTIFIED;
    }
}
