package stackelberg.cli.option;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import stackelberg.data.DataException;
import stackelberg.data.Message;
import stackelberg.estimate.Loss;
import stackelberg.game.GameSpec;
import stackelberg.game.GameSpec.Today;
import stackelberg.game.PublishedRule;
import stackelberg.game.Setting;
import stackelberg.game.Settings;
import stackelberg.model.ModelFile;
import stackelberg.model.StackelbergModel;

/** The options that declare the game, such as the moves that people can make and their costs. */
public final class GameOptions {
    @Mixin
    SettingOptions settings = new SettingOptions(Setting.Scope.GAME);

    @Option(
            names = "--paper",
            description =
                    "Prepare data as the paper does: range scaling, manipulable intercept, full one-hot encoding, nothing immutable. Further "
                            + "options override this.")
    boolean paper;

    /** The options that declare the game itself. */
    static List<String> declaring() {
        return Stream.concat(SettingOptions.names(Setting.Scope.GAME), Stream.of("--paper"))
                .toList();
    }

    Loss loss() {
        return settings.orDefault(Settings.LOSS);
    }

    private @Nullable String today() {
        return settings.of(Settings.TODAY);
    }

    boolean hasEffects() {
        return settings.isGiven(Settings.EFFECT);
    }

    boolean hasLimits() {
        return settings.isGiven(Settings.LIMIT) || settings.isGiven(Settings.ONE_SIDED);
    }

    /** Whether an option says how today's rule is learned. */
    boolean learnsToday() {
        return today() != null && Settings.TODAY.words().containsKey(today());
    }

    /** The files that options of the game name. */
    Stream<Path> files() {
        return Stream.concat(settings.files(), Stream.ofNullable(todayFile()));
    }

    /** The file of today's rule, if it is in a file. */
    @Nullable
    Path todayFile() {
        String named = today();
        return named == null || learnsToday() ? null : Path.of(named);
    }

    void applyTo(GameSpec.Builder choices) {
        String named = today();
        Today learned = named == null ? null : Settings.TODAY.words().get(named);
        if (learned != null) {
            choices.today(learned);
        } else if (named != null) {
            choices.today(Today.given(inForce(named), named));
        }
        if (paper) {
            choices.paper();
        }
        settings.applyTo(choices);
        settings.requireMeaning(loss());
    }

    /** Refuses Huber and squared loss for commands that compute no loss; logistic loss is accepted, because it says that scores are log-odds. */
    public void refuseLossesOfNumbers(CommandLine command) {
        if (!loss().isLogistic() && command.getParseResult().hasMatchedOption("--loss")) {
            throw new ParameterException(
                    command,
                    "--loss " + loss().inWords()
                            + ": gamma is estimated from moves, and no loss is computed.\nMaybe leave it out; --loss logistic"
                            + " says that the rule's scores are log-odds.");
        }
    }

    private PublishedRule inForce(String named) {
        Path file = Path.of(named);
        if (!named.endsWith(".json")) {
            return PublishedRule.read(file);
        }
        StackelbergModel model = ModelFile.load(file);
        Loss loss = loss();
        if (model.game().loss().isLogistic() != loss.isLogistic()) {
            throw new DataException(Message.of(
                    "today-of-another-loss",
                    "'{}': the model's loss is {}, so its rule predicts {}; the game's loss is {}, so today's rule must predict {}.\n"
                            + "Maybe give both the same {}.",
                    file,
                    model.game().loss(),
                    loss.isLogistic() ? "numbers" : "log-odds",
                    loss,
                    loss.isLogistic() ? "log-odds" : "numbers",
                    Settings.LOSS.any()));
        }
        return model.rule();
    }
}
