package stackelberg.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import stackelberg.cli.report.ReportData;
import stackelberg.linalg.Workers;
import stackelberg.model.StackelbergModel;
import stackelberg.model.StackelbergRegression;
import stackelberg.solver.ProgressListener;

/** {@code stackelberg path}: the rules of many gammas from one basis or decomposition. */
@Command(
        name = "path",
        description = "Find the best rule for every gamma at once: what changes as moving gets harder.",
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  stackelberg path wine.csv --target quality --wish \"max(y,6)\"",
            "  stackelberg path wine.csv --target quality --wish \"max(y,6)\" --gammas 0.001:0.75:40 -o path.csv",
            "  stackelberg path --x X.npy --y y.npy --z z.npy --gammas log:1e-3:1e3:60 --json",
            "",
            "The JSON object has the keys seconds, passes and solver, which all gammas share, and path: a list with the",
            "other keys of fit --json for each gamma."
        })
final class PathCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "DATA", arity = "0..1", description = DataOptions.DATA)
    private String data;

    @Option(
            names = "--gammas",
            paramLabel = GammaRange.LABEL,
            converter = GammaRange.Converter.class,
            defaultValue = GammaRange.DEFAULT,
            description = "How hard it is to move: " + GammaRange.FORMS + " (default: ${DEFAULT-VALUE}).")
    private GammaRange gammas;

    @Option(names = "-o", paramLabel = "FILE", description = "Write one CSV row per gamma, with all coefficients.")
    private Path file;

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
        OutputFile.refuseInputs(command, file, input.files(data));
        report.refuse(command, file, input.files(data));
        solver.refuse(command, file, report.file, input.files(data));
        Workers workers = input.workers(command);
        TrainingData training;
        List<StackelbergModel> models;
        try (ProgressLine progress = output.progressLine(command, solver.tolerance)) {
            StackelbergRegression.Builder choices = Failures.asUsage(command, () -> choices(workers, progress));
            boolean byName = columns.chooseColumns() || game.chooseColumns();
            progress.doing("reading");
            training = input.readTraining(data, columns, byName, workers, command);
            progress.doing("fitting");
            models = training.fitPath(choices, gammas.values());
        }
        PathReport path = new PathReport(models);
        solver.saveTrace();
        if (file != null) {
            path.csv().save(file);
        }
        output.print(command, path::json, path::text);
        output.warn(command, path.warnings());
        if (report.wanted()) {
            report.write(reportOn(models, path, training, workers, command), output, command);
        }
        return ExitCode.of(path.certified());
    }

    private ReportData reportOn(
            List<StackelbergModel> models,
            PathReport path,
            TrainingData training,
            Workers workers,
            CommandLine command) {
        TrainingReport rules = TrainingReport.of(models);
        StackelbergModel shown = rules.model();
        ReportWords words = new ReportWords(shown, training.name(), command);
        String asked = "How does the best rule for " + shown.game().target()
                + " change as moving gets harder? Shown first: gamma " + GammaRange.shown(shown.gamma()) + ".";
        return rules.builder(
                        words.heading("path", asked, List.of(), path.warnings()),
                        training,
                        choices(workers, ProgressListener.NONE),
                        columns.group)
                .build(workers);
    }

    private StackelbergRegression.Builder choices(Workers workers, ProgressListener progress) {
        StackelbergRegression.Builder choices = StackelbergRegression.builder();
        columns.applyTo(choices);
        game.applyTo(choices);
        solver.applyTo(choices, workers, progress, false);
        return choices;
    }
}
