package stackelberg.cli.option;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import stackelberg.data.Missing;
import stackelberg.game.GameSpec;

/** Which column is what: the options of every command that learns from data. */
final class ColumnOptions {
    @Option(names = "--target", paramLabel = "COL", description = "The column that holds the truth y.")
    String target;

    @Option(
            names = "--wish",
            paramLabel = "RULE",
            description =
                    "What people wish to be predicted: a column, or an expression in today (the score under today's"
                            + " rule), y (the target) and other columns,"
                            + " such as \"max(today,6)\", \"today+20\" or \"max(today,quantile(today,0.75))\".")
    String wish;

    @Option(names = "--weight", paramLabel = "COL", description = "How much each row counts.")
    String weight;

    @Option(
            names = "--group",
            paramLabel = "COL",
            description =
                    "Report by the values of this column; tune holds equal ones out together. It is a feature only if"
                            + " --features names it.")
    String group;

    @Option(
            names = "--id",
            paramLabel = "COL",
            description =
                    "The column that names people: read as text, never a feature, and what they are called in what"
                            + " predict and respond write and in reports.")
    String id;

    @Option(
            names = "--features",
            paramLabel = "COLS",
            split = ",",
            hideParamSyntax = true,
            description =
                    "Only these columns, separated by commas (default: all but target, wish, weight, group and id).")
    List<String> features;

    @Option(
            names = "--ignore",
            paramLabel = "COLS",
            split = ",",
            hideParamSyntax = true,
            description = "All columns but these.")
    Set<String> ignore = Set.of();

    @Option(
            names = "--categorical",
            paramLabel = "COLS",
            split = ",",
            hideParamSyntax = true,
            description = "Columns of numbers that are names of categories.")
    Set<String> categorical = Set.of();

    @Option(
            names = "--missing",
            paramLabel = "error|drop|mean",
            converter = Words.OfMissing.class,
            completionCandidates = Words.OfMissing.class,
            description = "What becomes of missing values (default: error).")
    Missing missing = Missing.ERROR;

    /** Whether the options speak of columns by name, other than target and wish. */
    boolean chooseColumns() {
        return weight != null || group != null || id != null || features != null || !ignore.isEmpty();
    }

    /** What to say of a group that is no feature, which not everybody expects. */
    Optional<String> groupNote() {
        boolean kept = features != null && features.contains(group);
        return group == null || kept || ignore.contains(group)
                ? Optional.empty()
                : Optional.of("Column '" + group
                        + "' is no feature, because --group names it; it is one if --features names it" + " too.");
    }

    void requireTargetAndWish(CommandLine command) {
        if (target == null) {
            throw new ParameterException(command, "Which column is the truth to predict?\nMaybe add --target COL.");
        }
        if (wish == null) {
            throw new ParameterException(
                    command,
                    "What do people wish to be predicted?\nMaybe add --wish COL, or --wish RULE such as \"max(today,6)\".");
        }
    }

    /** Everything but the target and the wish, which the training data know. */
    void applyTo(GameSpec.Builder choices) {
        choices.weight(weight)
                .group(group)
                .id(id)
                .ignore(new LinkedHashSet<>(ignore))
                .missing(missing);
        if (features != null) {
            choices.features(features);
        }
    }
}
