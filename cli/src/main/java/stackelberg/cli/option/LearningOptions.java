package stackelberg.cli.option;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;
import stackelberg.cli.terminal.Failures;
import stackelberg.data.Missing;
import stackelberg.game.GameSpec;
import stackelberg.game.Setting;
import stackelberg.linalg.Workers;

/** The options of every command that learns from data: the roles of columns, the game, and how the data are read. */
public final class LearningOptions {
    /** The names of the options that declare a game. */
    public static List<String> declaring() {
        return Stream.of(
                        Stream.of("--gamma", "--categorical"),
                        SettingOptions.names(Setting.Scope.COLUMNS).filter(name -> !name.equals("--missing")),
                        GameOptions.declaring().stream())
                .flatMap(names -> names)
                .toList();
    }

    @Mixin
    ColumnOptions columns;

    @Mixin
    GameOptions game;

    @Mixin
    private DataOptions input;

    /** Declares the game, first by the command, then by these options; refusals of the library are reported as wrong usage. */
    public GameSpec game(CommandLine command, Consumer<GameSpec.Builder> special) {
        return Failures.asUsage(command, () -> {
            GameSpec.Builder choices = GameSpec.builder();
            special.accept(choices);
            columns.applyTo(choices);
            game.applyTo(choices);
            GameSpec declared = choices.build();
            refuseShares(isShare(declared), command);
            return declared;
        });
    }

    private static boolean isShare(GameSpec game) {
        return game.gammaShare().isPresent()
                || game.between() != null && game.between().leastShare() != null;
    }

    /** Refuses gammas in percent with the published protocol, which declares them as numbers. */
    public void refuseShares(boolean shares, CommandLine command) {
        if (game.paper && shares) {
            throw new ParameterException(
                    command, "--paper takes gammas as numbers, as they were published.\nMaybe write --gamma 0.5.");
        }
    }

    /** The default gammas. */
    public GammaRange usualGammas() {
        return GammaRange.parse(game.paper ? GammaRange.NUMBERS : GammaRange.DEFAULT);
    }

    public DataOptions input() {
        return input;
    }

    /** The column by whose values results are reported, if there is one. */
    public @Nullable String group() {
        return columns.group();
    }

    public Missing missing() {
        return columns.missing();
    }

    /** Returns the files that will be read: data, x, y, z, then those of options; absent where one is not given. */
    public @Nullable Object[] files(@Nullable String data) {
        return Stream.concat(Stream.of(data, input.x, input.y, input.z), game.files())
                .toArray();
    }

    /** Reads the data and declares the game on them, target and wish included. */
    public Study read(@Nullable String data, GameSpec declared, Workers workers, CommandLine command) {
        return input.readTraining(data, columns, declared, workers, command);
    }

    /** Reads the data to describe and declares the game on them; target and wish need not be known. */
    public Study readUndeclared(@Nullable String data, GameSpec declared, Workers workers, CommandLine command) {
        return input.readUndeclared(data, columns, declared, workers, command);
    }
}
