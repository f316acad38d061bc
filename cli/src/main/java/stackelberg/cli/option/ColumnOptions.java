package stackelberg.cli.option;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import stackelberg.data.Missing;
import stackelberg.game.GameSpec;
import stackelberg.game.Setting;
import stackelberg.game.Settings;

/** The options that give columns their roles, in every command that learns from data. */
final class ColumnOptions {
    @Mixin
    SettingOptions settings = new SettingOptions(Setting.Scope.COLUMNS);

    @Option(
            names = "--categorical",
            paramLabel = "COLS",
            split = ",",
            hideParamSyntax = true,
            description = "Columns whose numbers are names of categories.")
    Set<String> categorical = Set.of();

    @Nullable
    String target() {
        return settings.of(Settings.TARGET);
    }

    @Nullable
    String wish() {
        return settings.of(Settings.WISH);
    }

    @Nullable
    String id() {
        return settings.of(Settings.ID);
    }

    @Nullable
    String group() {
        return settings.of(Settings.GROUP);
    }

    Missing missing() {
        return settings.orDefault(Settings.MISSING);
    }

    /** Whether an option other than target and wish names a column. */
    boolean chooseColumns() {
        return Stream.of(Settings.WEIGHT, Settings.GROUP, Settings.ID, Settings.FEATURES, Settings.IGNORE)
                .anyMatch(setting -> settings.of(setting) != null);
    }

    /** A note that the group column is not used as a feature; empty without one. */
    Optional<String> groupNote() {
        List<String> features = settings.of(Settings.FEATURES);
        List<String> ignore = settings.of(Settings.IGNORE);
        boolean expected = features != null && features.contains(group()) || ignore != null && ignore.contains(group());
        return group() == null || expected
                ? Optional.empty()
                : Optional.of(
                        "Column '" + group()
                                + "' is not used as a feature, because --group names it. To use it, name it with --features too.");
    }

    void requireTargetAndWish(CommandLine command) {
        if (target() == null) {
            throw new ParameterException(command, "Which column should be predicted?\nMaybe add --target COL.");
        }
        if (wish() == null) {
            throw new ParameterException(
                    command,
                    "Which score do people want?\nMaybe add --wish COL, or --wish RULE such as \"max(today,6)\".");
        }
    }

    /** Declares the columns; for arrays, the target and the wish are given by the options that name the files. */
    void applyTo(GameSpec.Builder choices) {
        settings.applyTo(choices);
    }
}
