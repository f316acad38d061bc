package stackelberg.cli;

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
import stackelberg.data.Table;
import stackelberg.data.UnknownLevel;
import stackelberg.linalg.Workers;
import stackelberg.model.Bootstrap;
import stackelberg.model.Comparison;
import stackelberg.model.StackelbergModel;
import stackelberg.model.StackelbergRegression;
import stackelberg.solver.ProgressListener;

/** {@code stackelberg compare}: what it costs to ignore that people move. */
@Command(
        name = "compare",
        description =
                "Least squares, ridge and the Stackelberg rule on people they have not seen, honest and attacked.",
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  stackelberg compare wine.csv --target quality --wish \"max(y,6)\" --gamma 0.5",
            "  stackelberg compare loans.csv --target repaid --wish hoped_for --test loans2025.csv --json",
            "  stackelberg compare loans.csv --target repaid --wish \"y+10\" --wish-noise 5 --group region --seed 7"
        })
final class CompareCommand implements Callable<Integer> {
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
            names = "--test-fraction",
            paramLabel = "F",
            description = "The share of the people to hold out and judge by (default: 0.25).")
    private Double testFraction;

    @Option(names = "--test", paramLabel = "FILE", description = "Other people to judge by, instead of holding out.")
    private String test;

    @Option(
            names = "--bootstrap",
            paramLabel = "N",
            description = "How often the judged people are drawn again for the intervals (default: ${DEFAULT-VALUE}).")
    private int replicates = 1000;

    @Option(
            names = "--unknown",
            paramLabel = "error|zero",
            converter = Words.OfUnknownLevel.class,
            completionCandidates = Words.OfUnknownLevel.class,
            description = "What becomes of categories that the training rows do not have (default: error).")
    private UnknownLevel unknown = UnknownLevel.ERROR;

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
        report.refuse(command, null, input.files(data));
        report.refuse(command, null, test);
        solver.refuse(command, null, report.file, input.files(data));
        solver.refuse(command, null, report.file, test);
        Workers workers = input.workers(command);
        if (test != null && testFraction != null) {
            throw new ParameterException(
                    command, "Both --test and --test-fraction are given.\nMaybe leave out one of them.");
        }
        Bootstrap bootstrap = Failures.asUsage(command, () -> new Bootstrap(replicates, 0.95, solver.seed));
        Comparison comparison;
        TrainingData.OfTable training;
        try (ProgressLine progress = output.progressLine(command, solver.tolerance)) {
            StackelbergRegression.Builder choices =
                    Failures.asUsage(command, () -> choices(workers, progress, report.wanted()));
            progress.doing("reading");
            // by name, because the people are split and the rules are read by name
            TrainingData.OfTable all = (TrainingData.OfTable) input.readTraining(data, columns, true, workers, command);
            Comparison.Split split = split(all.table(), workers);
            training = new TrainingData.OfTable(split.training(), all.target(), all.wish(), all.readSeconds());
            StackelbergRegression regression =
                    choices.target(all.target()).wish(all.wish()).build();
            progress.doing("comparing");
            comparison = Comparison.of(regression, split.training(), split.heldOut(), unknown, bootstrap, workers);
        }
        solver.saveTrace();
        ComparisonReport compared = new ComparisonReport(comparison, bootstrap, columns.group, test);
        output.print(command, compared::object, compared::text);
        output.warn(command, compared.warnings());
        if (report.wanted()) {
            report.write(reportOn(comparison, compared, training, workers, command), output, command);
        }
        return ExitCode.of(comparison.model().certified());
    }

    private ReportData reportOn(
            Comparison comparison,
            ComparisonReport compared,
            TrainingData training,
            Workers workers,
            CommandLine command) {
        StackelbergModel model = comparison.model().withReadSeconds(training.readSeconds());
        try (ProgressLine progress = output.progressLine(command, solver.tolerance)) {
            StackelbergRegression.Builder choices = choices(workers, progress, false);
            progress.doing("fitting other gammas for the report");
            TrainingReport rules = TrainingReport.around(model, training, choices, null);
            ReportWords words = new ReportWords(model, training.name(), command);
            String asked = "What does it cost to ignore that people move? Three rules for "
                    + model.game().target() + ", learned from some people and judged by others.";
            return rules.builder(
                            words.heading("compare", asked, compared.sentences(), compared.warnings()),
                            training,
                            choices,
                            columns.group)
                    .comparison(compared.rules())
                    .trace(solver.steps(model.optimality().objective()))
                    .build(workers);
        }
    }

    private Comparison.Split split(Table table, Workers workers) {
        if (test != null) {
            return new Comparison.Split(table, input.readMore(test, columns.categorical, workers));
        }
        double fraction = testFraction == null ? 0.25 : testFraction;
        return Failures.asUsage(spec.commandLine(), () -> Comparison.Split.of(table, fraction, solver.seed));
    }

    private StackelbergRegression.Builder choices(Workers workers, ProgressListener progress, boolean traced) {
        StackelbergRegression.Builder choices = StackelbergRegression.builder().gamma(gamma);
        columns.applyTo(choices);
        game.applyTo(choices);
        solver.applyTo(choices, workers, progress, traced);
        return choices;
    }
}
