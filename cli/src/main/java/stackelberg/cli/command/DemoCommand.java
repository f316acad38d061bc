package stackelberg.cli.command;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import stackelberg.cli.answer.DemoAnswer;
import stackelberg.cli.option.Gamma;
import stackelberg.cli.option.OutputOptions;
import stackelberg.cli.option.Study;
import stackelberg.cli.report.ReportData;
import stackelberg.cli.report.ReportPage;
import stackelberg.cli.report.ReportWords;
import stackelberg.cli.terminal.ExitCode;
import stackelberg.cli.terminal.Failures;
import stackelberg.cli.terminal.OutputFile;
import stackelberg.data.DataException;
import stackelberg.data.io.AtomicFile;
import stackelberg.game.GameSpec;
import stackelberg.linalg.Workers;
import stackelberg.model.StackelbergModel;
import stackelberg.model.StackelbergRegression.FitOptions;
import stackelberg.model.Training;

/** {@code stackelberg demo}: fits a built-in game. */
@Command(
        name = "demo",
        description =
                "Fit a rule to built-in data: 500 loan applicants who change their figures to get a better score.",
        sortOptions = false,
        footer = {"  stackelberg demo", "  stackelberg demo --gamma 60%%", "  stackelberg demo --write-data loans.csv"})
public final class DemoCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(
            names = "--gamma",
            paramLabel = Gamma.LABEL,
            converter = Gamma.Converter.class,
            description = Gamma.MEANING + " (default: " + Gamma.DEFAULT + "%).")
    private @Nullable Gamma gamma;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "The seed by which the applicants are drawn (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(
            names = "--write-data",
            paramLabel = "FILE.csv",
            description = "Write the applicants to this CSV file; an existing file is replaced.")
    private @Nullable Path dataFile;

    @Option(
            names = "--report",
            paramLabel = "FILE.html",
            description = "The file for the page that explains the answer (default: ${DEFAULT-VALUE}).")
    private Path reportFile = Path.of("stackelberg-demo.html");

    @Option(names = "--no-report", description = "Write no page.")
    private boolean noReport;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        CommandLine command = spec.commandLine();
        if (noReport && command.getParseResult().hasMatchedOption("--report")) {
            throw new CommandLine.ParameterException(
                    command, "Both --report and --no-report are given.\nMaybe leave out one of them.");
        }
        if (command.getParseResult().hasMatchedOption("--report")) {
            OutputFile.refuseInputs(command, "--report", reportFile);
        }
        OutputFile.refuseImpossible(command, "--write-data", dataFile);
        OutputFile.refuseInputs(command, "--write-data", dataFile);
        OutputFile.refuseSame(command, reportFile, dataFile);
        GameSpec declared = Failures.asUsage(command, this::declared);
        DemoGame game = DemoGame.generate(seed);
        if (dataFile != null) {
            AtomicFile.write(dataFile, game.csv().getBytes(StandardCharsets.UTF_8));
        }
        Study study = new Study(game.table(), declared, 0);
        Training training =
                study.regression(FitOptions.defaults().withSeed(seed)).training(study.table());
        Fitted fitted = new Fitted(training, training.path(training.gamma()));
        StackelbergModel model = fitted.model();
        output.print(command, () -> DemoAnswer.of(model));
        if (dataFile != null) {
            output.note(command, "The same from the file: " + fitCommand());
        }
        if (!noReport) {
            writeReport(fitted, study, command);
        }
        return ExitCode.of(model.certified());
    }

    /** Writes the page. If it cannot be written and was not requested with {@code --report}, a note says so. */
    private void writeReport(Fitted fitted, Study study, CommandLine command) {
        StackelbergModel model = fitted.model();
        ReportWords words = new ReportWords(model, "the built-in applicants", command);
        ReportData data = TrainingReport.around(fitted, study, null)
                .page(words.heading("demo", ReportWords.whichRule(model), List.of(), model.warnings()), "region")
                .build(Workers.of(1));
        try {
            ReportPage.write(reportFile, data);
            output.note(command, "Report: " + reportFile + " (open it in a browser; --no-report leaves it out)");
        } catch (DataException e) {
            if (command.getParseResult().hasMatchedOption("--report")) {
                throw e;
            }
            output.note(command, "No report: " + e.getMessage());
        }
    }

    private GameSpec declared() {
        GameSpec.Builder game = GameSpec.builder()
                .target(DemoGame.TARGET)
                .wish(DemoGame.WISH)
                .immutable(new LinkedHashSet<>(DemoGame.IMMUTABLE));
        Gamma.declare(gamma, game);
        return game.build();
    }

    private String fitCommand() {
        return String.format(
                Locale.ROOT,
                "stackelberg fit %s --target %s --wish %s --immutable %s%s",
                dataFile,
                DemoGame.TARGET,
                DemoGame.WISH,
                String.join(",", DemoGame.IMMUTABLE),
                gamma == null ? "" : " --gamma " + gamma);
    }
}
