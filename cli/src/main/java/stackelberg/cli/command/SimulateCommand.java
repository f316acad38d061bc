package stackelberg.cli.command;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import stackelberg.cli.answer.RetrainingReport;
import stackelberg.cli.option.FittingOptions;
import stackelberg.cli.option.Percentage;
import stackelberg.cli.option.PopulationOptions;
import stackelberg.cli.option.RawTextOption;
import stackelberg.cli.option.Study;
import stackelberg.cli.option.Words;
import stackelberg.cli.report.RoundsPage;
import stackelberg.cli.terminal.ExitCode;
import stackelberg.cli.terminal.Failures;
import stackelberg.data.Message;
import stackelberg.game.Hedge;
import stackelberg.model.StackelbergModel;
import stackelberg.model.Training;
import stackelberg.model.response.Retraining;

/** {@code stackelberg simulate}: retrains round after round and compares the outcome with the rule that anticipates. */
@Command(
        name = "simulate",
        description =
                "Simulate retraining round after round on people who have responded to the last rule, and compare it with the rule that anticipates "
                        + "them: does it settle, cycle or run away, and what does it cost?",
        sortOptions = false,
        footer = {
            "  stackelberg simulate wine.csv --target quality --wish \"max(y,6)\" --wish-noise 1 --gamma 0.1",
            "  stackelberg simulate wine.csv --target quality --wish \"max(today,6)\" --memory present --inertia 20%%",
            "  stackelberg simulate loans.csv --target repaid --wish hoped_for --rounds 50 --out rounds.csv --report rounds.html",
            "",
            "Round 1 is today's rule. In every round people respond to the rule in force, and the next rule is fitted to people as",
            "they then are: by least squares, with the --ridge if one is given, or by --loss. The page of --report shows the rounds",
            "and plays them.",
            "The JSON object has the keys outcome (SETTLES, CIRCLES, RUNS_AWAY, OPEN), period, endsInRounding, memory, inertia, rounds (a list of",
            "round, promised, loss, rmse, meanLoss, pullThrough, change and anticipated), longRun and anticipated (least, mean,",
            "most), excess, fixedPoint (loss, rmse, meanLoss, residual, reached, excess, intercept, coefficients), rowByRow,",
            "totalWeight, warnings and model (as fit --json). The exit code is that of the rule that anticipates."
        })
public final class SimulateCommand implements Callable<Integer> {
    @Mixin
    private PopulationOptions population;

    @Option(
            names = "--hedge",
            paramLabel = "none",
            converter = Words.OfHedge.class,
            description = "Only none: retraining does not bound what a rule loses if nobody moves.")
    private @Nullable Hedge hedge;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "How many rules are published; today's rule is the first (default: ${DEFAULT-VALUE}).")
    private int rounds = 100;

    @Option(
            names = "--memory",
            paramLabel = "original|present",
            converter = Words.OfMemory.class,
            completionCandidates = Words.OfMemory.class,
            description =
                    "The features from which people start each round: their original ones (original, the default), or those they have moved to "
                            + "(present).")
    private Retraining.Memory memory = Retraining.Memory.ORIGINAL;

    @Option(
            names = "--inertia",
            paramLabel = "I",
            converter = Percentage.class,
            description = "The share of every move that is not made: 20%% or 0.2 (default: 0).")
    private @Nullable Double inertia;

    @Option(
            names = {"-o", "--out"},
            paramLabel = "FILE",
            description = "Write one CSV row per round, with all coefficients.")
    private @Nullable Path file;

    @Mixin
    private RawTextOption rawText;

    @Mixin
    private FittingOptions fitting;

    @Override
    public Integer call() {
        fitting.begin(file);
        boolean raw = rawText.ofFileAlone(file, fitting.command());
        population.requireSense(fitting.command());
        if (hedge != null && !hedge.isNone()) {
            throw new ParameterException(
                    fitting.command(),
                    "--hedge bounds a rule's loss if nobody moves, which retraining does not.\nMaybe"
                            + " leave it out here; fit has it.");
        }
        if (fitting.group() != null) {
            throw new ParameterException(
                    fitting.command(),
                    "--group: retraining is reported for all people together.\nMaybe leave it out, or leave the column out of the"
                            + " features with --ignore " + fitting.group() + ".");
        }
        Retraining.Plan plan = Failures.asUsage(
                fitting.command(), () -> new Retraining.Plan(rounds, memory, inertia == null ? 0 : inertia));
        Study study = fitting.read(those -> {
            population.declare(those);
            // the rule that anticipates is the best one after the move, as the simulated moves are
            those.hedge(Hedge.NONE);
        });
        Fitted fitted = fitting.solve("fitting", options -> {
            Training training = study.regression(options).training(study.table());
            Retraining.requirePlayable(training, plan);
            return new Fitted(training, List.of(study.timed(training.fit())));
        });
        StackelbergModel model = fitted.model();
        Retraining played =
                fitting.during("retraining", () -> Retraining.of(fitted.training(), model, plan, round -> {}));
        List<Message> warnings = Stream.concat(model.warnings().stream(), played.warnings().stream())
                .toList();
        RetrainingReport report = new RetrainingReport(played, model, warnings);
        if (file != null) {
            report.csv(raw).save(file);
        }
        fitting.print(() -> report);
        fitting.page(there -> RoundsPage.write(there, report, study.name(), fitting.command()));
        return ExitCode.of(model.certified());
    }
}
