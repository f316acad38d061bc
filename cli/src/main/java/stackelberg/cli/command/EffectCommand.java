package stackelberg.cli.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
import stackelberg.cli.answer.EffectResult;
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
import stackelberg.model.response.EffectEstimate;

/** {@code stackelberg effect}: estimates how much moves really change the target, from outcomes before and after. */
@Command(
        name = "effect",
        description =
                "Estimate how much moves really change the target, from outcomes before and after rules were published.",
        sortOptions = false,
        footer = {
            "  stackelberg effect loans.json --before 2024.csv --after 2025.csv --id customer",
            "  stackelberg effect a.json --other-rule b.csv --before all.csv --after under-a.csv --after under-b.csv --id who",
            "  stackelberg effect --rule a.csv --target paid --wish \"p+hope\" --before 1.csv --after 2.csv --population city"
        })
public final class EffectCommand implements Callable<Integer> {
    /** Options that this command refuses by name and does not list in its help, because it uses neither gamma nor limits and gives all people the same weight. */
    public static final List<String> REFUSED = List.of(
            "--gamma",
            "--limit",
            "--one-sided",
            "--wish-noise",
            "--weight",
            "--ridge",
            "--loss",
            "--yes",
            "--wish-units");

    @Spec
    private CommandSpec spec;

    @Parameters(
            index = "0",
            paramLabel = "MODEL",
            arity = "0..1",
            description = "The published rule, as fit -o writes it; or --rule.")
    private @Nullable Path modelFile;

    @Option(
            names = "--other-rule",
            paramLabel = "RULE.csv|MODEL.json",
            description =
                    "Another published rule; may be repeated. The first --after holds people under the first rule, the second --after people under "
                            + "the second rule, and so on; with one rule, every --after belongs to it.")
    private List<Path> others = List.of();

    @Option(
            names = "--before",
            paramLabel = "DATA",
            required = true,
            description =
                    "People before the rule was published, with their outcomes and the columns that their wishes depend on; one file for all, or one "
                            + "per --after.")
    private List<String> before;

    @Option(
            names = "--after",
            paramLabel = "DATA",
            required = true,
            description = "People afterwards, with their outcomes; may be repeated.")
    private List<String> after;

    @Option(
            names = "--id",
            paramLabel = "COL",
            description = "The column that identifies people (default: the rows are in the same order).")
    private @Nullable String id;

    @Option(
            names = "--population",
            paramLabel = "COL",
            description =
                    "A column of the data before that divides people into populations with different costs. They move differently under one "
                            + "rule, so that several effects can be estimated.")
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
        StackelbergModel model = modelFile == null ? null : ModelFile.load(modelFile);
        rules.requireSense(model, game, command);
        requireSense(model, command);
        Bootstrap bootstrap = draws.bootstrap(command);
        Map<String, PublishedRule> published = published(model);
        requireOneRulePerTable(published.size(), command);
        PublishedRule all = union(published.values());
        if (model != null) {
            var encoding = model.world().withAllLevels().encoding();
            published.values().forEach(rule -> rule.requireTermsOf(encoding));
        }

        Workers workers = Workers.available();
        DataOptions input = DataOptions.of(header);
        Set<String> categorical = RuleOptions.categorical(model, all);
        List<Table> first = new ArrayList<>();
        for (String file : before) {
            first.add(input.readMore(file, categorical, model, workers, command));
        }
        World world = rules.world(
                model, model == null || !others.isEmpty() ? all : null, first.get(0), game, people, command);
        if (world.target() == null) {
            throw new ParameterException(command, "Which outcomes?\nMaybe name their column with --target.");
        }
        List<EffectEstimate.Trial> trials = new ArrayList<>();
        Map<String, Integer> numbers = new HashMap<>();
        boolean knowTruth = false;
        for (int k = 0; k < after.size(); k++) {
            Table earlier = first.get(first.size() == 1 ? 0 : k);
            Table later = input.readMore(after.get(k), categorical, model, workers, command);
            Wish wish = people.requireWish(world, earlier);
            knowTruth |= wish.usesTarget();
            Map.Entry<String, PublishedRule> rule =
                    List.copyOf(published.entrySet()).get(published.size() == 1 ? 0 : k);
            String name = rule.getKey() + (published.size() == 1 && after.size() > 1 ? ", " + after.get(k) : "");
            SamePeople same = matched(model, world, wish, earlier, later);
            // rows of two tables can only be matched by identifiers
            String where = same.named() || first.size() == 1 ? "" : k + ":";
            trials.addAll(trials(name, rule.getValue(), world, wish, same, where, numbers));
        }
        EffectEstimate estimate = EffectEstimate.of(world, trials, knowTruth, bootstrap);
        output.print(command, () -> new EffectResult(estimate, world));
        return ExitCode.of(estimate.identified());
    }

    private void requireSense(@Nullable StackelbergModel model, CommandLine command) {
        if (model != null && model.game().loss().isLogistic()) {
            throw DataException.of(
                    "effect-on-yes-or-no",
                    "The model's target is yes or no, but effects can only be estimated for outcomes that are numbers.\n"
                            + "Maybe give a rule for such a target with --rule.");
        }
        if (model != null && rules.ruleGiven()) {
            throw new ParameterException(
                    command, "Both a model and --rule are given.\nMaybe give the second rule with --other-rule.");
        }
        List<String> given = new ArrayList<>(REFUSED);
        given.removeIf(option -> !command.getParseResult().hasMatchedOption(option));
        if (!given.isEmpty()) {
            throw new ParameterException(
                    command,
                    String.join(", ", given)
                            + ": effects are estimated from moves and outcomes alone, so this is not used.\nMaybe leave it out.");
        }
    }

    private void requireOneRulePerTable(int published, CommandLine command) {
        if (published != 1 && published != after.size()) {
            throw new ParameterException(
                    command,
                    "There are " + published + " rules but " + after.size()
                            + " --after tables.\nMaybe give one"
                            + " --after per rule, in the same order.");
        }
        if (before.size() != 1 && before.size() != after.size()) {
            throw new ParameterException(
                    command,
                    "There are " + before.size() + " --before tables but " + after.size()
                            + " --after tables.\nMaybe give one --before for all, or one per --after.");
        }
    }

    /** The published rules by the names of their files, in the order given. */
    private Map<String, PublishedRule> published(@Nullable StackelbergModel model) {
        Map<String, PublishedRule> published = new LinkedHashMap<>();
        PublishedRule given = rules.published(model);
        published.put(modelFile == null ? given.name() : modelFile.getFileName().toString(), given);
        for (Path other : others) {
            PublishedRule rule =
                    other.toString().endsWith(".json") ? ModelFile.load(other).rule() : PublishedRule.read(other);
            String name = other.getFileName().toString();
            while (published.putIfAbsent(name, rule) != null) {
                name += " again";
            }
        }
        return published;
    }

    /** A rule with the terms of all rules: it uses every column that any of them uses. */
    private static PublishedRule union(Iterable<PublishedRule> rules) {
        Map<String, Double> terms = new LinkedHashMap<>();
        rules.forEach(rule -> terms.putAll(rule.coefficients()));
        return new PublishedRule(rules.iterator().next().name(), 0, terms);
    }

    private SamePeople matched(@Nullable StackelbergModel model, World world, Wish wish, Table earlier, Table later) {
        String target = world.spec().chosenTarget();
        earlier.column(target);
        later.column(target);
        List<String> required = new ArrayList<>(wish.columns());
        required.add(target);
        if (population != null) {
            earlier.column(population);
            required.add(population);
        }
        String who = who(model, earlier, later);
        SamePeople same = (who == null ? SamePeople.inOrder(earlier, later) : SamePeople.byId(earlier, later, who))
                .complete(world, required, List.of(target));
        same.notes().forEach(note -> output.note(spec.commandLine(), note));
        if (same.before().rows() == 0) {
            throw DataException.of(
                    "outcomes-missing",
                    "No person has known outcomes both before and after.\n" + "Maybe values are missing.");
        }
        return same;
    }

    private @Nullable String who(@Nullable StackelbergModel model, Table earlier, Table later) {
        return id == null ? SamePeople.namesInBoth(model, earlier, later) : id;
    }

    /** The trials under one rule: one, or one for each population. */
    private List<EffectEstimate.Trial> trials(
            String name,
            PublishedRule rule,
            World world,
            Wish wish,
            SamePeople same,
            String where,
            Map<String, Integer> numbers) {
        String target = world.spec().chosenTarget();
        double[] p = people.predictions(world, rule, same.before());
        double[] z = world.wishes(wish, same.before(), p);
        Map<String, int[]> parts = new LinkedHashMap<>();
        if (population == null) {
            int[] all = new int[p.length];
            Arrays.setAll(all, i -> i);
            parts.put(name, all);
        } else {
            same.before().groups(population).forEach((group, members) -> parts.put(name + ", " + group, members));
        }
        List<EffectEstimate.Trial> trials = new ArrayList<>();
        parts.forEach((part, members) -> {
            SamePeople some = same.of(members);
            double[] y = some.before().numeric(target).values();
            double[] gained = some.after().numeric(target).values();
            int[] who = new int[members.length];
            double[] wishes = new double[members.length];
            for (int i = 0; i < members.length; i++) {
                gained[i] -= y[i];
                wishes[i] = z[members[i]];
                who[i] = numbers.computeIfAbsent(where + same.name(members[i]), key -> numbers.size());
            }
            trials.add(new EffectEstimate.Trial(
                    part,
                    rule,
                    world.encoding().apply(some.before(), people.unknown()),
                    world.encoding().apply(some.after(), people.unknown()),
                    wishes,
                    gained,
                    who));
        });
        return trials;
    }
}
