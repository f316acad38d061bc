package stackelberg.cli.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
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
import stackelberg.cli.answer.GammaResult;
import stackelberg.cli.answer.Numbers;
import stackelberg.cli.answer.PopulationGammas;
import stackelberg.cli.option.DataOptions;
import stackelberg.cli.option.DrawOptions;
import stackelberg.cli.option.GameOptions;
import stackelberg.cli.option.HeaderOptions;
import stackelberg.cli.option.OutputOptions;
import stackelberg.cli.option.PeopleOptions;
import stackelberg.cli.option.RuleOptions;
import stackelberg.cli.terminal.ExitCode;
import stackelberg.data.DataException;
import stackelberg.data.Table;
import stackelberg.data.wish.Wish;
import stackelberg.estimate.Resampling.Bootstrap;
import stackelberg.game.PublishedRule;
import stackelberg.game.World;
import stackelberg.linalg.Workers;
import stackelberg.model.ModelFile;
import stackelberg.model.StackelbergModel;
import stackelberg.model.response.GammaEstimate;

/** {@code stackelberg gamma}: estimates gamma and relative costs from features observed before and after a rule was published. */
@Command(
        name = "gamma",
        description = "Estimate gamma and relative costs from features before and after a rule was published.",
        sortOptions = false,
        footer = {
            "  stackelberg gamma wine.json --before 2024.csv --after 2025.csv --id bottle",
            "  stackelberg gamma loans.json --before 2024.csv --after 2025.csv --population adviser",
            "  stackelberg gamma --rule scorecard.csv --before a.csv --after b.csv --wish \"p+10\" --immutable age"
        })
public final class GammaCommand implements Callable<Integer> {
    /** Options that this command refuses by name and does not list in its help, because it fits no rule and gives all moves the same weight. */
    public static final List<String> REFUSED = List.of("--weight", "--ridge", "--wish-noise", "--effect", "--effects");

    @Spec
    private CommandSpec spec;

    @Parameters(
            index = "0",
            paramLabel = "MODEL",
            arity = "0..1",
            description = "The published rule, as fit -o writes it; or --rule.")
    private @Nullable Path modelFile;

    @Option(
            names = "--before",
            paramLabel = "DATA",
            required = true,
            description =
                    "People before the rule was published, with the columns that their wishes depend on; - for standard input.")
    private String before;

    @Option(names = "--after", paramLabel = "DATA", required = true, description = "The same people afterwards.")
    private String after;

    @Option(
            names = "--id",
            paramLabel = "COL",
            description = "The column that identifies people (default: the rows are in the same order).")
    private @Nullable String id;

    @Option(
            names = "--population",
            paramLabel = "COL",
            description =
                    "A column of the data before that divides people into populations with different gammas, each estimated on its own "
                            + "(default: the model's column of gammas, if it has one).")
    private @Nullable String population;

    @Mixin
    private DrawOptions draws;

    @Mixin
    private RuleOptions rules;

    @Mixin
    private PeopleOptions people;

    @Mixin
    private GameOptions game;

    @Mixin
    private HeaderOptions header;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        CommandLine command = spec.commandLine();
        Workers workers = Workers.available();
        StackelbergModel model = modelFile == null ? null : ModelFile.load(modelFile);
        rules.requireSense(model, game, command);
        game.refuseLossesOfNumbers(command);
        if (command.getParseResult().hasMatchedOption("--weight")) {
            throw new ParameterException(
                    command,
                    "--weight: gamma is estimated from observed moves, and all of them count the same.\nMaybe leave it"
                            + " out, or select the rows in the data.");
        }
        for (String option : List.of("--wish-noise", "--effect", "--effects")) {
            if (command.getParseResult().hasMatchedOption(option)) {
                throw new ParameterException(
                        command,
                        option
                                + ": gamma is estimated from observed moves alone, so outcomes and the noise of wishes are not used."
                                + "\nMaybe leave it out.");
            }
        }
        if (model != null && rules.ruleGiven()) {
            throw new ParameterException(
                    command,
                    "Both a model and --rule are given, but only one rule was published.\nMaybe leave out one of them.");
        }
        Bootstrap bootstrap = draws.bootstrap(command);
        PublishedRule rule = rules.published(model);
        DataOptions input = DataOptions.of(header);
        Set<String> categorical = RuleOptions.categorical(model, rule);
        Table first = input.readMore(before, categorical, model, workers, command);
        Table second = input.readMore(after, categorical, model, workers, command);
        World world = rules.world(model, model == null ? rule : null, first, game, people, command);
        if (model == null) {
            rule.unknownLevels(first).ifPresent(warning -> output.note(command, "Warning: " + warning));
        }
        Optional<String> by = populationColumn(model, first);
        Wish wish = people.requireWish(world, first);

        List<String> required = new ArrayList<>(wish.columns());
        by.ifPresent(required::add);
        String who = id == null ? SamePeople.namesInBoth(model, first, second) : id;
        SamePeople same = (who == null ? SamePeople.inOrder(first, second) : SamePeople.byId(first, second, who))
                .complete(world, required);
        same.notes().forEach(note -> output.note(command, note));
        double[] p = people.predictions(world, rule, same.before());
        double[] z = world.wishes(wish, same.before(), p);
        if (by.isPresent()) {
            PopulationGammas report = PopulationGammas.of(
                    model,
                    world,
                    by.get(),
                    same.before(),
                    members -> estimate(world, rule, same.of(members), pick(z, members), bootstrap));
            output.print(command, () -> report);
            return ExitCode.of(report.identified());
        }
        GammaEstimate estimate = estimate(world, rule, same, z, bootstrap);
        output.print(command, () -> new GammaResult(estimate, world, model != null || rules.gammaGiven()));
        return ExitCode.of(estimate.identified());
    }

    private GammaEstimate estimate(
            World world, PublishedRule rule, SamePeople same, double[] wishes, Bootstrap bootstrap) {
        return GammaEstimate.of(
                world,
                rule,
                world.encoding().apply(same.before(), people.unknown()),
                world.encoding().apply(same.after(), people.unknown()),
                wishes,
                bootstrap);
    }

    private static double[] pick(double[] values, int[] members) {
        return Arrays.stream(members).mapToDouble(i -> values[i]).toArray();
    }

    /** The column that separates the populations; refuses a mixed population for which the data determine only an average. */
    private Optional<String> populationColumn(@Nullable StackelbergModel model, Table table) {
        double share = model == null ? 0 : model.game().truthfulShare();
        // a column of gammas does not say who is truthful
        boolean mixesTheTruthful = model != null
                && share > 0
                && Objects.equals(population, model.game().rowGamma());
        if (population != null && !mixesTheTruthful) {
            table.column(population);
            return Optional.of(population);
        }
        if (model == null || !model.game().mixed()) {
            return Optional.empty();
        }
        if (share > 0) {
            throw DataException.of(
                    "truthful-not-named",
                    "The model says that {} of the people are truthful, but not who they are. Then the data do not determine gamma: with fewer "
                            + "truthful people and a larger gamma, people would move as far on average.\n"
                            + "Maybe name a column that separates the populations with --population.",
                    Numbers.percent(share));
        }
        // where people differ and none is truthful, each has a gamma
        String column = Objects.requireNonNull(model.game().rowGamma());
        if (!table.has(column)) {
            throw DataException.of(
                    "population-column-missing",
                    "The model has a gamma for each person, but the data before lack its column '{}': one gamma for all would be an average that may "
                            + "fit no one.\n"
                            + "Maybe add the column, or name another one that separates the populations with --population.",
                    column);
        }
        return Optional.of(column);
    }
}
