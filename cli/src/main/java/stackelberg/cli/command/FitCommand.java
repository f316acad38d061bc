package stackelberg.cli.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;
import stackelberg.cli.answer.FitAnswer;
import stackelberg.cli.answer.GroupWords;
import stackelberg.cli.answer.ModelAnswer;
import stackelberg.cli.answer.WhatIfWords;
import stackelberg.cli.answer.WithoutHedge;
import stackelberg.cli.answer.YesOrNoAnswer;
import stackelberg.cli.option.CutoffOption;
import stackelberg.cli.option.FittingOptions;
import stackelberg.cli.option.Gamma;
import stackelberg.cli.option.PopulationOptions;
import stackelberg.cli.option.SettingOptions;
import stackelberg.cli.option.Study;
import stackelberg.cli.report.ReportWords;
import stackelberg.cli.terminal.ExitCode;
import stackelberg.cli.terminal.StartUp;
import stackelberg.game.Settings;
import stackelberg.model.ModelFile;
import stackelberg.model.StackelbergModel;
import stackelberg.model.StandardErrors;
import stackelberg.model.Training;
import stackelberg.model.response.ByGroup;
import stackelberg.model.response.WhatIf;

/** {@code stackelberg fit}: fits a rule to data and certifies it. */
@Command(
        name = "fit",
        description = "Find the rule that is best once people have moved, and prove that it is.",
        sortOptions = false,
        footer = {
            "  stackelberg fit wine.csv --target quality --wish \"max(today,6)\" -o wine.json",
            "  stackelberg fit wine.csv --target quality --wish \"max(today,6)\" --gamma 50%% --report wine.html",
            "  stackelberg fit loans.csv --target repaid --wish hoped_for --immutable age,region --cost income=4",
            "  stackelberg fit loans.csv --target repaid --wish hoped_for --truthful-share 0.3",
            "  stackelberg fit loans.csv --target repaid --wish hoped_for --hedge 5%%",
            "  stackelberg fit loans.csv --target repaid --wish hoped_for --gamma 10%%..50%%",
            "  stackelberg fit loans.csv --target repaid --wish hoped_for --se bootstrap:200",
            "  zcat big.csv.gz | stackelberg fit - --no-header --target 281 --wish \"y+5\" --json",
            "  stackelberg fit news.svm --wish \"max(y,quantile(0.75))\"",
            "  stackelberg fit --x X.npy --y y.npy --z z.npy --gamma 0.1"
        })
public final class FitCommand implements Callable<Integer> {

    @Option(
            names = "--gamma",
            paramLabel = Gamma.Roughly.LABEL,
            converter = Gamma.Roughly.Converter.class,
            description = Gamma.MEANING
                    + ". 10%%..50%% or 0.1..2 means that gamma lies between the two; the rule is then the one whose worst loss over this interval is smallest (default: "
                    + Gamma.DEFAULT + "%, with --paper 1).")
    private Gamma.@Nullable Roughly gamma;

    @Mixin
    private SettingOptions special =
            new SettingOptions(Settings.REGRET, Settings.ROW_GAMMA, Settings.TRUTHFUL_SHARE, Settings.HEDGE);

    @Option(
            names = "--se",
            paramLabel = "HOW",
            converter = Errors.class,
            description =
                    "How to compute standard errors: hc1, hc0, bootstrap:N (N samples drawn by --seed) or none (default: hc1 where it takes only a moment).")
    private StandardErrors.@Nullable Method standardErrors;

    @Option(names = "-o", paramLabel = "FILE", description = "Write the model, as JSON.")
    private @Nullable Path modelFile;

    @Mixin
    private CutoffOption cutoff;

    @Mixin
    private FittingOptions fitting;

    @Override
    public Integer call() {
        fitting.begin(modelFile);
        PopulationOptions.refuseBoth(gamma, special.of(Settings.ROW_GAMMA), fitting.command());
        double start = StartUp.seconds();
        Study study = fitting.read(those -> {
            Gamma.Roughly.declare(gamma, those);
            special.applyTo(those);
        });
        double least = cutoff.of(study.game().loss(), fitting.command());
        Fitted fitted = fitting.solve("fitting", options -> {
            Training training =
                    study.regression(options.withStandardErrors(standardErrors)).training(study.table());
            return new Fitted(training, List.of(study.timed(training.fit())));
        });
        StackelbergModel model = fitted.model();
        long before = System.nanoTime();
        if (modelFile != null) {
            ModelFile.save(model, modelFile);
        }
        long saved = System.nanoTime();
        Supplier<WhatIfWords> doubts = once(
                () -> new WhatIfWords(model, WhatIf.of(fitted.training(), model).orElse(null)));
        YesOrNoAnswer yesOrNo = YesOrNoAnswer.of(fitted.training(), model, least);
        Supplier<@Nullable GroupWords> groups = once(() -> ByGroup.of(fitted.training(), model)
                .map(figures -> new GroupWords(figures, model.game().truthfulShare()))
                .orElse(null));
        fitting.print(() -> {
            ModelAnswer of = ModelAnswer.of(model);
            int first = model.optimality().finite() ? 0 : -1;
            return new FitAnswer(
                    of,
                    WithoutHedge.of(model),
                    yesOrNo,
                    doubts.get().answer(),
                    groups.get() == null ? null : groups.get().answer(first, first + 1),
                    FitAnswer.Seconds.of(start, of, (System.nanoTime() - saved) * 1e-9, (saved - before) * 1e-9),
                    new FitAnswer.Wording(doubts.get(), groups.get()));
        });
        fitting.report("fitting other gammas for the report", options -> {
            TrainingReport rules = TrainingReport.around(fitted.by(options), study, null);
            String asked = ReportWords.whichRule(model);
            return rules.page(fitting.command(), asked, List.of(), model.warnings(), fitting.group())
                    .cutoff(least)
                    .whatIf(doubts.get())
                    .byGroup(groups.get())
                    .trace(fitting.iterations());
        });
        return ExitCode.of(model.certified());
    }

    /** Reads the method for standard errors. */
    static final class Errors implements ITypeConverter<StandardErrors.Method> {
        @Override
        public StandardErrors.Method convert(String text) {
            try {
                return StandardErrors.Method.of(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }

    /** A supplier that computes its value on the first call and returns it on later calls. */
    private static <T extends @Nullable Object> Supplier<T> once(Supplier<T> value) {
        List<T> known = new ArrayList<>();
        return () -> {
            if (known.isEmpty()) {
                known.add(value.get());
            }
            return known.get(0);
        };
    }
}
