package stackelberg.cli.option;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import stackelberg.game.GameSpec;
import stackelberg.game.Settings;

/** The options for how people differ: gammas per row and a truthful share. */
public final class PopulationOptions {
    @Option(
            names = "--gamma",
            paramLabel = Gamma.LABEL,
            converter = Gamma.Converter.class,
            description = Gamma.MEANING + " (default: " + Gamma.DEFAULT + "%, with --paper 1).")
    private @Nullable Gamma gamma;

    @Mixin
    private SettingOptions differing = new SettingOptions(Settings.ROW_GAMMA, Settings.TRUTHFUL_SHARE);

    public void requireSense(CommandLine command) {
        refuseBoth(gamma, differing.of(Settings.ROW_GAMMA), command);
    }

    public void declare(GameSpec.Builder game) {
        Gamma.declare(gamma, game);
        differing.applyTo(game);
    }

    /** Refuses a common gamma together with a gamma per row. */
    public static void refuseBoth(@Nullable Object gamma, @Nullable String rowGamma, CommandLine command) {
        if (rowGamma != null && gamma != null) {
            throw new ParameterException(
                    command, "Both --gamma and --row-gamma are given.\nMaybe leave out one of them.");
        }
    }
}
