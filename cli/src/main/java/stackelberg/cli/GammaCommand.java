package stackelberg.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import stackelberg.data.Table;
import stackelberg.data.Wish;
import stackelberg.linalg.Workers;
import stackelberg.model.Bootstrap;
import stackelberg.model.GammaEstimate;
import stackelberg.model.ModelFile;
import stackelberg.model.PublishedRule;
import stackelberg.model.StackelbergModel;
import stackelberg.model.World;

/** {@code stackelberg gamma}: how hard moving is, from what people did. */
@Command(
        name = "gamma",
        description = "Estimate gamma and relative costs from features before and after a rule was published.",
        sortOptions = false,
        footer = {
            "  stackelberg gamma wine.json --before 2024.csv --after 2025.csv --id bottle",
            "  stackelberg gamma --rule scorecard.csv --before a.csv --after b.csv --wish \"p+10\" --immutable age"
        })
final class GammaCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(
            index = "0",
            paramLabel = "MODEL",
            arity = "0..1",
            description = "The published rule, as fit -o writes it; or --rule.")
    private Path modelFile;

    @Option(
            names = "--before",
            paramLabel = "DATA",
            required = true,
            description = "People before the rule was published, with what their wishes need; - for standard input.")
    private String before;

    @Option(names = "--after", paramLabel = "DATA", required = true, description = "The same people afterwards.")
    private String after;

    @Option(
            names = "--id",
            paramLabel = "COL",
            description = "The column that tells who is who (default: the rows are in the same order).")
    private String id;

    @Option(
            names = "--bootstrap",
            paramLabel = "N",
            description = "How often people are drawn again for the intervals (default: ${DEFAULT-VALUE}).")
    private int replicates = 1000;

    @Option(names = "--seed", paramLabel = "N", description = "Of the draws (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Mixin
    private RuleOptions rules;

    @Mixin
    private PeopleOptions people;

    @Mixin
    private GameOptions game;

    @Option(names = "--no-header", description = "The first line is data; columns are named 1, 2, 3, ...")
    private boolean noHeader;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        CommandLine command = spec.commandLine();
        Workers workers = Workers.available();
        StackelbergModel model = modelFile == null ? null : ModelFile.load(modelFile);
        rules.requireSense(model, command);
        if (model != null && rules.rule != null) {
            throw new ParameterException(
                    command, "Both a model and --rule are given.\nMaybe leave out one: one rule was published.");
        }
        Bootstrap bootstrap = Failures.asUsage(command, () -> new Bootstrap(replicates, 0.95, seed));
        PublishedRule rule = model == null ? rules.read() : PublishedRule.of(model);
        DataOptions input = new DataOptions();
        input.noHeader = noHeader;
        Set<String> categorical = RuleOptions.categorical(model, rule);
        Table first = input.readMore(before, categorical, workers);
        Table second = input.readMore(after, categorical, workers);
        World world = rules.world(model, model == null ? rule : null, first, game, people, command);
        Wish wish = people.requireWish(world, first);

        SamePeople same = id == null ? SamePeople.inOrder(first, second) : SamePeople.byId(first, second, id);
        same = same.complete(world, new ArrayList<>(wish.columns()));
        same.notes().forEach(note -> output.note(command, note));
        double[] p = people.predictions(world, rule, same.before());
        GammaEstimate estimate = GammaEstimate.of(
                world,
                rule,
                world.encoding().apply(same.before(), people.unknown),
                world.encoding().apply(same.after(), people.unknown),
                world.wishes(wish, same.before(), p),
                bootstrap);
        output.print(command, () -> object(estimate, world), () -> text(estimate, world));
        output.warn(command, estimate.warnings());
        return ExitCode.of(estimate.identified());
    }

    private static String text(GammaEstimate estimate, World world) {
        StringBuilder text = new StringBuilder();
        text.append(String.format(
                Locale.ROOT,
                "%,d people, seen before and after. The gap to the wish explains %s of the change in predictions.%n%n",
                estimate.people(),
                Summary.percent(estimate.explained())));
        text.append(new TextTable()
                .add("", "estimate", "95% interval")
                .add("gamma", number(estimate.gamma()), interval(estimate.gammaInterval()))
                .add("pull-through", number(estimate.pullThrough()), interval(estimate.pullThroughInterval())));
        text.append(String.format(
                Locale.ROOT, "%nThe rule was judged with gamma %s until now.%n", Summary.plain(world.gamma())));
        if (!estimate.costs().isEmpty()) {
            TextTable table = new TextTable().add("cost", "estimate", "95% interval", "declared");
            Map<String, Double> declared = declaredCosts(world, estimate);
            estimate.costs()
                    .forEach((name, cost) -> table.add(
                            name, number(cost.estimate()), interval(cost.interval()), number(declared.get(name))));
            text.append('\n').append(table);
        }
        return text.toString();
    }

    /** The declared costs of the same features. */
    private static Map<String, Double> declaredCosts(World world, GammaEstimate estimate) {
        Map<String, Double> costs = new LinkedHashMap<>();
        List<String> names = world.encoding().names();
        for (String name : estimate.costs().keySet()) {
            costs.put(name, world.costs()[names.indexOf(name)]);
        }
        return costs;
    }

    private static String number(double value) {
        return Double.isNaN(value) ? "-" : Double.isInfinite(value) ? "infinite" : Summary.number(value);
    }

    private static String interval(Bootstrap.Interval interval) {
        return number(interval.low()) + " to " + number(interval.high());
    }

    private static Map<String, Object> object(GammaEstimate estimate, World world) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("people", estimate.people());
        object.put("identified", estimate.identified());
        object.put("gamma", Json.finite(estimate.gamma()));
        object.put("gammaInterval", ComparisonReport.intervalObject(estimate.gammaInterval()));
        object.put("pullThrough", Json.finite(estimate.pullThrough()));
        object.put("pullThroughInterval", ComparisonReport.intervalObject(estimate.pullThroughInterval()));
        object.put("explained", Json.finite(estimate.explained()));
        List<Map<String, Object>> costs = new ArrayList<>();
        Map<String, Double> declared = declaredCosts(world, estimate);
        estimate.costs().forEach((name, cost) -> {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("feature", name);
            row.put("cost", Json.finite(cost.estimate()));
            row.put("interval", ComparisonReport.intervalObject(cost.interval()));
            row.put("declared", Json.finite(declared.get(name)));
            costs.add(row);
        });
        object.put("costs", costs);
        object.put("immutableButChanged", estimate.immovable());
        object.put("warnings", estimate.warnings());
        return object;
    }
}
