package stackelberg.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import stackelberg.cli.report.ReportData;
import stackelberg.linalg.Workers;
import stackelberg.model.ModelFile;
import stackelberg.model.StackelbergModel;
import stackelberg.model.StackelbergRegression;
import stackelberg.solver.ProgressListener;

/** {@code stackelberg fit}: from data to a certified rule. */
@Command(
        name = "fit",
        description = "Find the rule that is best after everybody has moved, and prove it.",
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  stackelberg fit wine.csv --target quality --wish \"max(y,6)\" --gamma 0.1 -o wine.json",
            "  stackelberg fit wine.csv --target quality --wish \"max(y,6)\" --gamma 0.1 --report wine.html",
            "  stackelberg fit loans.csv --target repaid --wish hoped_for --immutable age,region --cost income=4",
            "  stackelberg fit loans.csv --target repaid --wish hoped_for --truthful-share 0.3",
            "  zcat big.csv.gz | stackelberg fit - --no-header --target 281 --wish \"y+5\" --json",
            "  stackelberg fit news.svm --wish \"max(y,quantile(0.75))\"",
            "  stackelberg fit --x X.npy --y y.npy --z z.npy --gamma 0.1"
        })
final class FitCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "DATA", arity = "0..1", description = DataOptions.DATA)
    private String data;

    @Option(
            names = "--gamma",
            paramLabel = "G",
            description = "How hard it is to move: a move by delta costs G * delta^2 (default: ${DEFAULT-VALUE}).")
    private double gamma = 1;

    @Option(
            names = "--row-gamma",
            paramLabel = "COL",
            description = "A column with everybody's own gamma, instead of --gamma (1e30 or more: never moves).")
    private String rowGamma;

    @Option(
            names = "--truthful-share",
            paramLabel = "S",
            description = "The share of people who stay as they are whatever they wish (default: 0).")
    private double truthfulShare;

    @Option(names = "-o", paramLabel = "FILE", description = "Write the model, as JSON.")
    private Path modelFile;

    @Mixin
    private ColumnOptions columns;

    @Mixin
    private GameOptions game;

    @Mixin
    private DataOptions input;

    @Mixin
    private SolverChoice solver;

    @Mixin
    private ReportOptions report;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        CommandLine command = spec.commandLine();
        OutputFile.refuseInputs(command, modelFile, input.files(data));
        report.refuse(command, modelFile, input.files(data));
        solver.refuse(command, modelFile, report.file, input.files(data));
        Workers workers = input.workers(command);
        if (rowGamma != null && command.getParseResult().hasMatchedOption("--gamma")) {
            throw new ParameterException(
                    command, "Both --gamma and --row-gamma are given.\nMaybe leave out one of them.");
        }
        TrainingData training;
        StackelbergModel model;
        try (ProgressLine progress = output.progressLine(command, solver.tolerance)) {
            StackelbergRegression.Builder choices =
                    Failures.asUsage(command, () -> choices(workers, progress, report.wanted()));
            boolean byName = columns.chooseColumns() || game.chooseColumns() || rowGamma != null;
            progress.doing("reading");
            training = input.readTraining(data, columns, byName, workers, command);
            progress.doing("fitting");
            model = training.fitAndWarn(choices, gamma, workers);
        }
        solver.saveTrace();
        if (modelFile != null) {
            ModelFile.save(model, modelFile);
        }
        output.print(command, () -> Json.of(model), () -> Summary.of(model));
        output.warn(command, model.warnings());
        if (report.wanted()) {
            report.write(reportOn(model, training, workers, command), output, command);
        }
        return ExitCode.of(model.certified());
    }

    private ReportData reportOn(StackelbergModel model, TrainingData training, Workers workers, CommandLine command) {
        try (ProgressLine progress = output.progressLine(command, solver.tolerance)) {
            StackelbergRegression.Builder choices = choices(workers, progress, false);
            progress.doing("fitting other gammas for the report");
            TrainingReport rules = TrainingReport.around(model, training, choices, null);
            ReportWords words = new ReportWords(model, training.name(), command);
            return rules.builder(
                            words.heading("fit", words.whichRule(), List.of(), model.warnings()),
                            training,
                            choices,
                            columns.group)
                    .trace(solver.steps(model.optimality().objective()))
                    .build(workers);
        }
    }

    private StackelbergRegression.Builder choices(Workers workers, ProgressListener progress, boolean traced) {
        StackelbergRegression.Builder choices =
                StackelbergRegression.builder().gamma(gamma).rowGamma(rowGamma).truthfulShare(truthfulShare);
        columns.applyTo(choices);
        game.applyTo(choices);
        solver.applyTo(choices, workers, progress, traced);
        return choices;
    }
}
