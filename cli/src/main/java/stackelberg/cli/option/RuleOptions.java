package stackelberg.cli.option;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import stackelberg.cli.terminal.Failures;
import stackelberg.data.Table;
import stackelberg.game.GameSpec;
import stackelberg.game.PublishedRule;
import stackelberg.game.World;
import stackelberg.model.StackelbergModel;

/** An existing rule, from a model or a rule file, and the game to evaluate it in: the model's, or one declared by options. */
public final class RuleOptions {
    @Option(
            names = "--rule",
            paramLabel = "FILE.csv",
            description =
                    "A CSV file with an existing linear rule: the columns term and coefficient, where a term is intercept, a column, or "
                            + "column=level for a category. Instead of MODEL, or beside it in the model's game.")
    private @Nullable Path rule;

    @Option(names = "--target", paramLabel = "COL", description = "The column with the target y, if there is no MODEL.")
    private @Nullable String target;

    @Option(
            names = "--weight",
            paramLabel = "COL",
            description = "The column with the weight of each row, if there is no MODEL.")
    private @Nullable String weight;

    @Option(
            names = "--gamma",
            paramLabel = Gamma.LABEL,
            converter = Gamma.Converter.class,
            description =
                    "How hard it really is to move, the same for everyone: a number, or a percentage as for fit (default: what the model was fitted "
                            + "for; 1 without MODEL).")
    private @Nullable Gamma gamma;

    public boolean ruleGiven() {
        return rule != null;
    }

    public boolean targetGiven() {
        return target != null;
    }

    public boolean gammaGiven() {
        return gamma != null;
    }

    /** The rule in the given file, if one is given. */
    public @Nullable PublishedRule read() {
        return rule == null ? null : PublishedRule.read(rule);
    }

    /** The published rule: the model's, or without a model the one in the given file, which {@link #requireSense} has required. */
    public PublishedRule published(@Nullable StackelbergModel model) {
        return model == null ? PublishedRule.read(Objects.requireNonNull(rule)) : model.rule();
    }

    /** Columns to be read as categories, because the rule has coefficients for their levels. */
    public static Set<String> categorical(@Nullable StackelbergModel model, @Nullable PublishedRule rule) {
        Set<String> columns = new HashSet<>();
        if (model != null) {
            columns.addAll(model.encoding().categoricalColumns());
        } else if (rule != null) {
            for (String term : rule.coefficients().keySet()) {
                int at = term.indexOf('=');
                if (at > 0) {
                    columns.add(term.substring(0, at));
                }
            }
        }
        return columns;
    }

    /** The game: the model's, or, without one, what the options declare about the columns of the rule. */
    public World world(
            @Nullable StackelbergModel model,
            @Nullable PublishedRule rule,
            Table table,
            GameOptions game,
            PeopleOptions people,
            CommandLine command) {
        if (model == null) {
            // without a model there is a rule, which requireSense() has required
            PublishedRule given = Objects.requireNonNull(rule);
            return Failures.asUsage(command, () -> declared(given, table, game, people));
        }
        World world = people.applyTo(model.world());
        if (rule != null) {
            world = world.withAllLevels();
            rule.requireTermsOf(world.encoding());
        }
        World known = world;
        Gamma asked = gamma;
        return asked == null ? known : Failures.asUsage(command, () -> asked.of(known));
    }

    private World declared(PublishedRule rule, Table table, GameOptions game, PeopleOptions people) {
        GameSpec.Builder choices = GameSpec.builder()
                .target(target)
                .wish(people.wish)
                .weight(weight)
                .gamma(gamma == null || gamma.share() ? 1 : gamma.value());
        if (people.missing != null) {
            choices.missing(people.missing);
        }
        game.applyTo(choices);
        World world = World.declared(table, rule, choices.build());
        return gamma == null ? world : gamma.of(world);
    }

    /** Refuses options that contradict the model, and, without a model, a game that is not fully declared. */
    public void requireSense(@Nullable StackelbergModel model, GameOptions game, CommandLine command) {
        if (model == null && rule == null) {
            throw new ParameterException(
                    command, "Which rule?\nMaybe add a model file, or --rule FILE.csv with its coefficients.");
        }
        if (model == null && game.learnsToday()) {
            throw new ParameterException(
                    command,
                    "--today cross-fitted: nothing is fitted here.\nMaybe name a file with the rule in force.");
        }
        if (command.getParseResult().hasMatchedOption("--ridge")) {
            throw new ParameterException(
                    command, "--ridge: nothing is fitted here, so there is no penalty.\nMaybe leave it out.");
        }
        // a model contains its game
        List<String> given = new ArrayList<>(List.of("--target", "--weight"));
        given.addAll(GameOptions.declaring());
        given.removeIf(option -> !command.getParseResult().hasMatchedOption(option));
        if (model != null && !given.isEmpty()) {
            throw new ParameterException(
                    command,
                    String.join(", ", given)
                            + ": the game is declared in the model.\nMaybe leave it out, or leave out the"
                            + " model and give the rule with --rule.");
        }
    }
}
