package stackelberg.cli.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import stackelberg.cli.answer.CurveReport;
import stackelberg.cli.answer.RegretReport;
import stackelberg.cli.answer.TuneAnswer;
import stackelberg.cli.answer.TuningReport;
import stackelberg.cli.answer.TuningResult;
import stackelberg.cli.option.DataOptions;
import stackelberg.cli.option.Gamma;
import stackelberg.cli.option.GammaRange;
import stackelberg.cli.option.LearningOptions;
import stackelberg.cli.option.LearningRun;
import stackelberg.cli.option.OutputOptions;
import stackelberg.cli.option.ReportOptions;
import stackelberg.cli.option.SettingOptions;
import stackelberg.cli.option.Study;
import stackelberg.cli.terminal.ExitCode;
import stackelberg.cli.terminal.Failures;
import stackelberg.cli.terminal.StatusLine;
import stackelberg.data.Message;
import stackelberg.game.GameSpec;
import stackelberg.game.Settings;
import stackelberg.linalg.Workers;
import stackelberg.model.ModelFile;
import stackelberg.model.StackelbergModel;
import stackelberg.model.StackelbergRegression;
import stackelberg.model.StackelbergRegression.FitOptions;
import stackelberg.model.Training;
import stackelberg.model.tuning.Tuning;
import stackelberg.solver.SolverOptions;

/** {@code stackelberg tune}: chooses the gamma of the rule by cross-validation on people who respond with the world's gamma. */
@Command(
        name = "tune",
        description = "Choose by cross-validation the gamma to fit a rule for, which decides how cautious the rule is.",
        sortOptions = false,
        footer = {
            "  stackelberg tune wine.csv --target quality --wish \"max(today,6)\" --world-gamma 30%% --model wine.json",
            "  stackelberg tune wine.csv --target quality --wish \"max(today,6)\" --folds 5 --seed 3 -o table.csv",
            "  stackelberg tune loans.csv --target repaid --wish hoped_for --group customer --json",
            "  stackelberg tune wine.csv --target quality --wish \"max(today,6)\" --world-gamma 30%% --hedge 5%% --gammas 10%%:60%%:6",
            "  stackelberg tune wine.csv --target quality --loss logistic --yes \">=6\" --wish 0.9 --gammas 10%%:60%%:6",
            "",
            "The JSON object has the keys gamma, gammaShare and ridge (the choice), choice (one-standard-error or least-worst-regret);",
            "with a world gamma: worldGamma, curve (gamma, ridge, loss, standardError, pullThrough), minimum and",
            "oneStandardError; without: worldGammas and table (gamma, ridge, worstRegret, worstWorldGamma, and loss and regret",
            "by world), the others null; then truthfulShare, hedge, loss, rows, folds, seed, group, method, settled, seconds (read, tune), warnings and model (as fit --json",
            "with --model, else null). Losses are means over all people held out: of the squared error, or by --loss."
        })
public final class TuneCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "DATA", arity = "0..1", description = DataOptions.DATA)
    private @Nullable String data;

    @Option(
            names = "--world-gamma",
            paramLabel = Gamma.LABEL,
            converter = Gamma.Converter.class,
            description =
                    "How hard it really is to move, if that is known or estimated, in percent or as a number like --gammas. Without it many possible "
                            + "gammas are compared.")
    private @Nullable Gamma worldGamma;

    @Option(
            names = "--gammas",
            paramLabel = GammaRange.LABEL,
            converter = GammaRange.Converter.class,
            description = "The model's gammas to choose from: " + GammaRange.FORMS
                    + " (default: 5%%:80%%:40; with --paper, or a" + " --world-gamma that is a number, "
                    + GammaRange.NUMBERS + ").")
    private @Nullable GammaRange gammas;

    @Option(
            names = "--ridges",
            paramLabel = GammaRange.LABEL,
            converter = GammaRange.OrZero.class,
            description =
                    "Ridges to choose from together with the gammas, in the same forms; 0 is allowed (default: only --ridge).")
    private @Nullable GammaRange ridges;

    @Option(
            names = "--world-gammas",
            paramLabel = GammaRange.LABEL,
            converter = GammaRange.Converter.class,
            description =
                    "The gammas with which people may really respond, if --world-gamma is not given (default: as --gammas).")
    private @Nullable GammaRange worldGammas;

    @Mixin
    private SettingOptions special = new SettingOptions(Settings.TRUTHFUL_SHARE, Settings.HEDGE);

    @Option(
            names = "--folds",
            paramLabel = "K",
            description = "How many parts to hold out (default: 10, or as many as there are rows or groups).")
    private @Nullable Integer folds;

    @Option(names = "--seed", paramLabel = "N", description = "The seed of the folds (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(
            names = "--tolerance",
            paramLabel = "GAP",
            description =
                    "The relative gap to the optimum to reach; 1e-6 and less counts as certified (default: ${DEFAULT-VALUE}).")
    private double tolerance = SolverOptions.DEFAULT.tolerance();

    @Option(names = "-o", paramLabel = "FILE", description = "Write the curve, or the table of all worlds, as CSV.")
    private @Nullable Path file;

    @Option(
            names = "--model",
            paramLabel = "FILE",
            description = "Fit a rule for the chosen gamma to all data and write this model file.")
    private @Nullable Path modelFile;

    @Mixin
    private LearningOptions learning;

    @Mixin
    private ReportOptions report;

    @Mixin
    private OutputOptions output;

    private int folds(CommandLine command) {
        if (folds != null && folds < 2) {
            throw new ParameterException(command, "--folds is " + folds + "; it must be at least 2.");
        }
        return folds == null ? Tuning.Plan.USUAL_FOLDS : folds;
    }

    @Override
    public Integer call() {
        CommandLine command = spec.commandLine();
        LearningRun run = new LearningRun(command, data, learning, report, output);
        Map<String, @Nullable Path> files = new LinkedHashMap<>();
        files.put("-o", file);
        files.put("--model", modelFile);
        Workers workers = run.begin(files);
        String group = learning.group();
        boolean numbers = worldGamma != null && !worldGamma.share() || worldGammas != null && !worldGammas.shares();
        GammaRange tried =
                gammas != null ? gammas : numbers ? GammaRange.parse(GammaRange.NUMBERS) : learning.usualGammas();
        learning.refuseShares(tried.shares(), command);
        Tuning.Plan plan = Failures.asUsage(
                command,
                () -> new Tuning.Plan(
                        tried.values(),
                        tried.shares(),
                        folds(command),
                        seed,
                        group,
                        ridges == null ? new double[0] : ridges.values()));
        requireWorld(tried, command);
        GameSpec game = learning.game(command, special::applyTo);
        if (ridges != null && game.ridge() > 0) {
            throw new ParameterException(
                    command,
                    "Both --ridge and --ridges are given.\nMaybe leave out --ridge, and add its value to --ridges.");
        }
        if (!game.limits().none()) {
            throw new ParameterException(
                    command,
                    "tune judges rules of a game without limits, but --limit or --one-sided is given.\nMaybe leave them out here, and"
                            + " fit with them at the gamma that is chosen.");
        }
        Failures.asUsage(command, () -> Tuning.requireTunable(game));
        for (double ridge : plan.ridges()) {
            Failures.asUsage(command, () -> game.toBuilder().ridge(ridge).build());
        }
        FitOptions options = Failures.asUsage(command, () -> FitOptions.defaults()
                .withLimits(SolverOptions.DEFAULT.withTolerance(tolerance))
                .withThreads(workers.threads())
                .withSeed(seed));
        Study study = run.read(game, workers);
        StackelbergRegression regression = study.regression(options);

        long start = System.nanoTime();
        Tuning tuning;
        try (StatusLine progress = output.statusLine(command)) {
            tuning = regression.tune(study.table(), plan, (phase, fraction) -> {
                progress.doing(phase, fraction);
                return true;
            });
        }
        double seconds = (System.nanoTime() - start) * 1e-9;
        TuningReport tuned = report(tuning, tried);
        Fitted fitted = modelFile == null && !report.wanted() ? null : fit(study, tuned, tuning, options);
        StackelbergModel chosen = fitted == null ? null : fitted.model();
        StackelbergModel model = modelFile == null ? null : chosen;
        if (file != null) {
            tuned.csv().save(file);
        }
        if (model != null && modelFile != null) {
            ModelFile.save(model, modelFile);
        }
        List<Message> warnings = new ArrayList<>(tuned.warnings());
        if (chosen != null) {
            chosen.warnings().stream().filter(w -> !warnings.contains(w)).forEach(warnings::add);
        }
        run.print(() -> new TuningResult(
                tuned,
                model,
                warnings,
                () -> TuneAnswer.of(
                        tuned.chosen(),
                        tuning,
                        seed,
                        group,
                        new TuneAnswer.Seconds(study.readSeconds(), seconds),
                        tuned.warnings(),
                        model)));
        run.report(() -> {
            // a report is wanted, so there is a fit
            Fitted rules = Objects.requireNonNull(fitted);
            return output.during("fitting all gammas for the report", command, () -> TrainingReport.around(
                            rules, study, tried.values(rules.training()))
                    .page(command, tuned.asked(), List.of(tuned.sentence()), warnings, group)
                    .tuning(tuned)
                    .build(workers));
        });
        return ExitCode.of(tuning.settled() && (model == null || model.certified()));
    }

    /** Fits the choice to all data, with the hedge that was tuned; a gamma in percent stays the same percentage. */
    private static Fitted fit(Study study, TuningReport tuned, Tuning tuning, FitOptions options) {
        GameSpec.Builder chosen = study.game().toBuilder()
                .ridge(tuned.ridge())
                .gamma(tuned.gamma())
                .hedge(tuning.hedge());
        tuning.shareOf(tuned.gamma()).ifPresent(chosen::gammaShare);
        Training training = new StackelbergRegression(chosen.build(), options).training(study.table());
        return new Fitted(training, study.timed(List.of(training.fit())));
    }

    private void requireWorld(GammaRange tried, CommandLine command) {
        if (worldGamma != null && worldGammas != null) {
            throw new ParameterException(
                    command,
                    "Both --world-gamma and --world-gammas are given.\nMaybe leave out --world-gammas: one known world needs"
                            + " no others.");
        }
        if (worldGamma != null && worldGamma.share() != tried.shares()
                || worldGammas != null && worldGammas.shares() != tried.shares()) {
            throw new ParameterException(
                    command,
                    "The world's gamma and the model's --gammas are not in the same form: one in percent, the other numbers."
                            + "\nMaybe write both in percent.");
        }
    }

    private TuningReport report(Tuning tuning, GammaRange tried) {
        if (worldGamma != null) {
            return new CurveReport(tuning, tuning.curve(number(tuning, worldGamma.share(), worldGamma.value())));
        }
        GammaRange worlds = worldGammas == null ? tried : worldGammas;
        return new RegretReport(
                tuning,
                tuning.regret(Arrays.stream(worlds.values())
                        .map(world -> number(tuning, worlds.shares(), world))
                        .toArray()));
    }

    private static double number(Tuning tuning, boolean share, double value) {
        return share ? tuning.gammaOf(value) : value;
    }
}
