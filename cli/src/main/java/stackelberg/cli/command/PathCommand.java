package stackelberg.cli.command;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import stackelberg.cli.answer.Numbers;
import stackelberg.cli.answer.PathReport;
import stackelberg.cli.option.FittingOptions;
import stackelberg.cli.option.GammaRange;
import stackelberg.cli.option.SettingOptions;
import stackelberg.cli.option.Study;
import stackelberg.cli.terminal.ExitCode;
import stackelberg.game.Settings;
import stackelberg.model.StackelbergModel;
import stackelberg.model.Training;

/** {@code stackelberg path}: fits the rules for many gammas, which share one basis or decomposition. */
@Command(
        name = "path",
        description = "Find the best rule for each of many gammas: how it changes as moving gets harder.",
        sortOptions = false,
        footer = {
            "  stackelberg path wine.csv --target quality --wish \"max(today,6)\"",
            "  stackelberg path wine.csv --target quality --wish \"max(today,6)\" --gammas 5%%:80%%:40 -o path.csv",
            "  stackelberg path wine.csv --target quality --wish \"max(today,6)\" --truthful-share 0.3 --gammas 10%%,30%%,60%%",
            "  stackelberg path --x X.npy --y y.npy --z z.npy --gammas log:1e-3:1e3:60 --json",
            "",
            "The JSON object has the keys seconds, passes and solver, which all gammas share, and path: a list with the",
            "other keys of fit --json for each gamma."
        })
public final class PathCommand implements Callable<Integer> {
    @Option(
            names = "--gammas",
            paramLabel = GammaRange.LABEL,
            converter = GammaRange.Converter.class,
            description = "How hard it is to move: " + GammaRange.FORMS + " (default: 5%%:80%%:40, with --paper "
                    + GammaRange.NUMBERS + ").")
    private @Nullable GammaRange gammas;

    @Mixin
    private SettingOptions special = new SettingOptions(Settings.TRUTHFUL_SHARE, Settings.HEDGE);

    @Option(names = "-o", paramLabel = "FILE", description = "Write one CSV row per gamma, with all coefficients.")
    private @Nullable Path file;

    @Mixin
    private FittingOptions fitting;

    @Override
    public Integer call() {
        fitting.begin(file);
        GammaRange followed = fitting.gammas(gammas);
        Study study = fitting.read(those -> {
            special.applyTo(those);
            if (!followed.shares()) {
                // with gammas as numbers, no share is needed
                those.gamma(followed.values()[0]);
            }
        });
        Fitted fitted = fitting.solve("fitting", options -> {
            Training training = study.regression(options).training(study.table());
            return new Fitted(training, study.timed(training.path(followed.values(training))));
        });
        PathReport path = new PathReport(fitted.models());
        if (file != null) {
            path.csv().save(file);
        }
        fitting.print(() -> path);
        fitting.report("making the report", options -> {
            TrainingReport rules = TrainingReport.of(fitted.by(options), study);
            StackelbergModel shown = rules.model();
            String asked = "How does the best rule for " + shown.game().target()
                    + " change as moving gets harder? Shown first: gamma " + Numbers.gamma(shown.gamma()) + ".";
            return rules.page(fitting.command(), asked, List.of(), path.warnings(), fitting.group());
        });
        return ExitCode.of(path.certified());
    }
}
