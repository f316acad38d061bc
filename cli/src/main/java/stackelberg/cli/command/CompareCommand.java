package stackelberg.cli.command;

import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import stackelberg.cli.answer.ComparisonReport;
import stackelberg.cli.option.CutoffOption;
import stackelberg.cli.option.FittingOptions;
import stackelberg.cli.option.PopulationOptions;
import stackelberg.cli.option.SettingOptions;
import stackelberg.cli.option.Study;
import stackelberg.cli.option.Words;
import stackelberg.cli.terminal.ExitCode;
import stackelberg.cli.terminal.Failures;
import stackelberg.data.Encoding;
import stackelberg.data.Table;
import stackelberg.estimate.Resampling.Bootstrap;
import stackelberg.game.Settings;
import stackelberg.linalg.Workers;
import stackelberg.model.StackelbergModel;
import stackelberg.model.response.Comparison;

/** {@code stackelberg compare}: compares the rule that anticipates moves with rules that do not. */
@Command(
        name = "compare",
        description =
                "Compare least squares, ridge regression, the best rule after the move and a balanced or hedged rule on held-out people, if nobody moves and once people "
                        + "have moved; with --loss logistic the first two are logistic regression without and with a ridge.",
        sortOptions = false,
        footer = {
            "  stackelberg compare wine.csv --target quality --wish \"max(today,6)\"",
            "  stackelberg compare loans.csv --target repaid --wish hoped_for --test loans2025.csv --json",
            "  stackelberg compare loans.csv --target repaid --wish \"y+10\" --wish-noise 5 --group region --seed 7",
            "  stackelberg compare wine.csv --target quality --wish \"max(today,6)\" --truthful-share 0.3"
        })
public final class CompareCommand implements Callable<Integer> {
    @Mixin
    private PopulationOptions population;

    @Mixin
    private SettingOptions special = new SettingOptions(Settings.HEDGE);

    @Option(
            names = "--test-fraction",
            paramLabel = "F",
            description = "The share of people to hold out for testing the rules (default: 0.25).")
    private @Nullable Double testFraction;

    @Option(
            names = "--test",
            paramLabel = "FILE",
            description = "A file with other people to test the rules on; no one is held out then.")
    private @Nullable String test;

    @Option(
            names = "--bootstrap",
            paramLabel = "N",
            description = "The number of bootstrap samples for the intervals (default: ${DEFAULT-VALUE}).")
    private int replicates = 1000;

    @Option(
            names = "--unknown",
            paramLabel = "error|zero",
            converter = Words.OfUnknownLevel.class,
            completionCandidates = Words.OfUnknownLevel.class,
            description = "What to do with categories that the training rows do not have (default: error).")
    private Encoding.UnknownLevel unknown = Encoding.UnknownLevel.ERROR;

    @Mixin
    private CutoffOption cutoff;

    @Mixin
    private FittingOptions fitting;

    @Override
    public Integer call() {
        Workers workers = fitting.begin(null, test);
        population.requireSense(fitting.command());
        if (test != null && testFraction != null) {
            throw new ParameterException(
                    fitting.command(), "Both --test and --test-fraction are given.\nMaybe leave out one of them.");
        }
        double fraction = Failures.asUsage(
                fitting.command(), () -> Comparison.Split.requireFraction(testFraction == null ? 0.25 : testFraction));
        Bootstrap bootstrap =
                Failures.asUsage(fitting.command(), () -> new Bootstrap(replicates, 0.95, fitting.seed()));
        Study study = fitting.read(those -> {
            population.declare(those);
            special.applyTo(those);
        });
        double least = cutoff.of(study.game().loss(), fitting.command());
        Comparison.Split split = split(study, fraction);
        Comparison comparison = fitting.solve(
                "comparing",
                options -> Comparison.of(
                        study.regression(options),
                        split.training(),
                        split.heldOut(),
                        unknown,
                        bootstrap,
                        least,
                        workers));
        String group = fitting.group();
        ComparisonReport compared = new ComparisonReport(comparison, bootstrap, group, test);
        fitting.print(() -> compared);
        fitting.report("fitting other gammas for the report", options -> {
            StackelbergModel model = study.timed(comparison.model());
            Fitted fitted = new Fitted(comparison.training(), List.of(model)).by(options);
            TrainingReport rules = TrainingReport.around(fitted, study.on(split.training()), null);
            String asked = "What does it cost to ignore that people move? Rules that predict "
                    + model.game().target() + ", fitted to some people and tested on others.";
            return rules.page(fitting.command(), asked, compared.sentences(), compared.warnings(), group)
                    .cutoff(least)
                    .comparison(compared)
                    .trace(fitting.iterations());
        });
        return ExitCode.of(comparison.model().certified());
    }

    private Comparison.Split split(Study study, double fraction) {
        Table table = study.table();
        if (test != null) {
            return new Comparison.Split(table, fitting.readMore(test, study));
        }
        return Failures.asUsage(
                fitting.command(), () -> Comparison.Split.of(table, study.game().weight(), fraction, fitting.seed()));
    }
}
