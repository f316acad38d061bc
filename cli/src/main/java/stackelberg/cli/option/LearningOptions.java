package stackelberg.cli.option;

import java.util.List;
import java.util.function.Consumer;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;
import stackelberg.cli.terminal.Failures;
import stackelberg.data.Missing;
import stackelberg.game.GameSpec;
import stackelberg.linalg.Workers;

/** What every command that learns from data is told: which column is what, what people can do, and how the data are read. */
public final class LearningOptions {
    /** Options that declare a game. */
    public static final List<String> DECLARING = List.of(
            "--gamma",
            "--target",
            "--wish",
            "--weight",
            "--group",
            "--id",
            "--features",
            "--ignore",
            "--categorical",
            "--immutable",
            "--cost",
            "--costs",
            "--cost-units",
            "--today",
            "--wish-noise",
            "--ridge",
            "--loss",
            "--yes",
            "--wish-units",
            "--limit",
            "--one-sided",
            "--effect",
            "--effects",
            "--intercept",
            "--scale",
            "--paper");

    @Mixin
    ColumnOptions columns;

    @Mixin
    GameOptions game;

    @Mixin
    private DataOptions input;

    /** What the command declares and what these options do, in this order; what the library refuses in it is wrong usage. */
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

    /** The published protocol takes gammas as they were published. */
    public void refuseShares(boolean shares, CommandLine command) {
        if (game.paper && shares) {
            throw new ParameterException(
                    command, "--paper takes gammas as numbers, as they were published.\nMaybe write --gamma 0.5.");
        }
    }

    /** The gammas that are followed where nobody says which. */
    public GammaRange usualGammas() {
        return GammaRange.parse(game.paper ? GammaRange.NUMBERS : GammaRange.DEFAULT);
    }

    public DataOptions input() {
        return input;
    }

    /** The column to report by, may be null. */
    public String group() {
        return columns.group;
    }

    public Missing missing() {
        return columns.missing;
    }

    /** The files that will be read, null for those that are not. */
    public Object[] files(String data) {
        return new Object[] {data, input.x, input.y, input.z, game.costsFile, game.effectsFile, game.todayFile()};
    }

    /** The data, and the game on them, whose target and wish they know. */
    public Study read(String data, GameSpec declared, Workers workers, CommandLine command) {
        return input.readTraining(data, columns, declared, workers, command);
    }

    /** The same of data that are to be looked at: neither need be known. */
    public Study readUndeclared(String data, GameSpec declared, Workers workers, CommandLine command) {
        return input.readUndeclared(data, columns, declared, workers, command);
    }
}
