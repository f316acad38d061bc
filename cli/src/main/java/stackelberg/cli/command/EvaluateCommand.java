package stackelberg.cli.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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
import stackelberg.cli.answer.EvaluationReport;
import stackelberg.cli.answer.GroupWords;
import stackelberg.cli.answer.Sensitivity;
import stackelberg.cli.option.CutoffOption;
import stackelberg.cli.option.DataOptions;
import stackelberg.cli.option.GameOptions;
import stackelberg.cli.option.ModelArgument;
import stackelberg.cli.option.OutputOptions;
import stackelberg.cli.option.PeopleOptions;
import stackelberg.cli.option.RuleOptions;
import stackelberg.cli.terminal.ExitCode;
import stackelberg.cli.terminal.Failures;
import stackelberg.data.DataException;
import stackelberg.data.Table;
import stackelberg.data.wish.Wish;
import stackelberg.game.GameSpec.Today;
import stackelberg.game.Population;
import stackelberg.game.PublishedRule;
import stackelberg.game.World;
import stackelberg.linalg.Workers;
import stackelberg.model.StackelbergModel;
import stackelberg.model.response.ByGroup;
import stackelberg.model.response.Followers;
import stackelberg.model.response.RuleEvaluation;

/** {@code stackelberg evaluate}: the losses of a rule if nobody moves, after people have moved, and if the assumptions are wrong. */
@Command(
        name = "evaluate",
        description =
                "Measure the error of a rule: if nobody moves, once people have moved, and if the assumptions are wrong.",
        sortOptions = false,
        footer = {
            "  stackelberg evaluate wine.json wine.csv --gamma-range 0.2:2",
            "  stackelberg evaluate wine.json wine.csv --rule scorecard.csv --group region",
            "  stackelberg evaluate --rule scorecard.csv loans.csv --target repaid --wish hoped_for --gamma 2 --json"
        })
public final class EvaluateCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(
            index = "0",
            paramLabel = "MODEL",
            arity = "0..1",
            description = "A model file, as fit -o writes it; may be left out with --rule.")
    private @Nullable String modelFile;

    @Parameters(index = "1", paramLabel = "DATA", arity = "0..1", description = DataOptions.DATA)
    private @Nullable String data;

    @Mixin
    private RuleOptions rules;

    @Mixin
    private PeopleOptions people;

    @Option(
            names = "--group",
            paramLabel = "COL",
            description = "Print errors and moves by the values of this column too, with 95%% intervals.")
    private @Nullable String group;

    @Option(
            names = "--gamma-range",
            paramLabel = "A:B",
            description =
                    "The interval in which gamma may really lie (default: from half of gamma to twice gamma; none with a gamma for each person).")
    private @Nullable String gammaRange;

    @Option(
            names = "--wish-error",
            paramLabel = "SD",
            description =
                    "The standard deviation by which wishes may be wrong, in log-odds with --loss logistic (default: a tenth of the standard "
                            + "deviation of the target, or of a logistic variable).")
    private @Nullable Double wishError;

    @Option(
            names = "--cost-error",
            paramLabel = "FACTOR",
            description =
                    "The factor by which costs may be wrong, each independently of the others (default: ${DEFAULT-VALUE}).")
    private double costError = 2;

    @Mixin
    private CutoffOption cutoff;

    @Mixin
    private GameOptions game;

    @Mixin
    private DataOptions input;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        CommandLine command = spec.commandLine();
        Workers workers = input.workers(command);
        if (rules.ruleGiven() && data == null && !input.arrays()) {
            data = modelFile;
            modelFile = null;
        }
        StackelbergModel model = modelFile == null ? null : ModelArgument.load(Path.of(modelFile), data, command);
        rules.requireSense(model, game, command);
        if (model == null && (!rules.targetGiven() || !people.wishGiven())) {
            throw new ParameterException(
                    command,
                    "A rule file does not say what is predicted and what people want.\nMaybe add --target COL and --wish RULE.");
        }
        PublishedRule read = rules.read();
        Table table = model == null
                ? input.readTable(data, RuleOptions.categorical(null, read), workers, command)
                : read == null
                        ? input.readTable(data, model, workers, command)
                        : input.readTable(data, model, read, workers, command);
        // a model leaves out features that were constant in training, but a rule file may use them
        PublishedRule given =
                model == null || read == null ? read : read.withConstantsInIntercept(table, model.encoding());
        World world = rules.world(model, given, table, game, people, command);
        double least = cutoff.of(world.spec().loss(), command);
        requireTruth(world, table);
        Wish wish = people.requireWish(world, table);
        world.truths(table);
        Optional<String> by = PeopleOptions.group(group, model, table);
        Set<String> looked = new HashSet<>(wish.columns());
        if (read != null && given != null) {
            read.coefficients().keySet().stream()
                    .filter(term -> !given.coefficients().containsKey(term))
                    .forEach(term -> looked.add(PublishedRule.columnOf(term, table)));
        }
        by.ifPresent(looked::add);
        Optional<String> gammas = Optional.ofNullable(world.spec().rowGamma());
        world.requireGammas(table);
        gammas.ifPresent(looked::add);
        PeopleOptions.noteIgnored("rule", world, table, looked, output, command);
        Set<String> required = new HashSet<>(world.required(table));
        required.addAll(wish.columns());
        gammas.ifPresent(required::add);
        Table rows = people.rowsInUse(world, table, new ArrayList<>(required), output, command);

        Population population = world.population(rows);
        List<RuleEvaluation> evaluations = new ArrayList<>();
        boolean finite = model == null || model.optimality().finite();
        if (model != null && finite) {
            evaluations.add(evaluate(world, population, model.rule(), wish, rows, workers));
        }
        if (given != null) {
            evaluations.add(evaluate(world, population, given, wish, rows, workers));
        }
        Today today = world.spec().today();
        if (!world.spec().loss().isSquared() && today.known() && world.hasColumnsOf(today, rows)) {
            evaluations.add(
                    evaluate(world, population, today.knownRule(), world.scores(today, rows), wish, rows, workers));
        }
        if (world.spec().hasEffects() && command.getParseResult().hasMatchedOption("--cost-error")) {
            throw new CommandLine.ParameterException(
                    command,
                    "--cost-error cannot be combined with --effect: the bound on the loss under wrong costs holds only if moves do not change the "
                            + "target.\nMaybe leave it out, or use --gamma-range.");
        }
        Sensitivity doubts =
                Failures.asUsage(command, () -> Sensitivity.of(world, rows, gammaRange, wishError, costError));
        List<RuleEvaluation> withTodays = new ArrayList<>(evaluations);
        if (by.isPresent() && world.spec().loss().isSquared() && today.known() && world.hasColumnsOf(today, rows)) {
            withTodays.add(
                    evaluate(world, population, today.knownRule(), world.scores(today, rows), wish, rows, workers));
        }
        Optional<GroupWords> groups = by.filter(column -> !withTodays.isEmpty())
                .map(column -> new GroupWords(
                        ByGroup.of(rows, column, withTodays), world.spec().truthfulShare()));
        EvaluationReport report = Failures.asUsage(
                command, () -> new EvaluationReport(world, rows, wish.text(), evaluations, groups, doubts, least));
        output.print(command, () -> report);
        if (given != null) {
            given.unknownLevels(table).ifPresent(warning -> output.note(command, "Warning: " + warning));
        }
        if (!finite) {
            output.note(
                    command,
                    "Warning: The model has no finite equilibrium, so it has no rule to evaluate. Maybe fit it again with --wish-noise.");
        }
        return ExitCode.of(finite);
    }

    /**
     * Refuses data without the target. This check comes first, because wishes that depend on the target are missing too, and the message about them would help
     * less.
     */
    private void requireTruth(World world, Table table) {
        String target = world.spec().chosenTarget();
        if (!table.has(target)) {
            throw DataException.of(
                    "target-missing",
                    "The data lack the target '{}': the losses of a rule cannot be computed without it.\n"
                            + "Maybe {}use predict or respond, which do not need it.",
                    target,
                    input.arrays() ? "add --y Y.npy, or " : "add the column, or ");
        }
    }

    private RuleEvaluation evaluate(
            World world, Population population, PublishedRule rule, Wish wish, Table rows, Workers workers) {
        return evaluate(world, population, rule, people.predictions(world, rule, rows), wish, rows, workers);
    }

    private static RuleEvaluation evaluate(
            World world,
            Population population,
            PublishedRule rule,
            double[] p,
            Wish wish,
            Table rows,
            Workers workers) {
        double[] y = world.truths(rows);
        Followers people =
                Followers.of(population, p, world.wishes(wish, rows, p)).with(world.features(rows), workers);
        return RuleEvaluation.of(world, rule, people.withTruth(y, world.weights(rows)));
    }
}
