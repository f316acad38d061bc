package stackelberg.cli.option;

import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import stackelberg.game.GameSpec;

/** Who moves, and at which gamma. */
public final class PopulationOptions {
    /** Of people who differ. */
    public static final String TRUTHFUL = "The share of people who stay as they are whatever they wish (default: 0).";

    public static final String OWN_GAMMA =
            "A column with everybody's own gamma, instead of --gamma (1e30 or more: never moves).";

    @Option(
            names = "--gamma",
            paramLabel = Gamma.LABEL,
            converter = Gamma.Converter.class,
            description = Gamma.MEANING + " (default: " + Gamma.DEFAULT + "%, with --paper 1).")
    private Gamma gamma;

    @Option(names = "--row-gamma", paramLabel = "COL", description = OWN_GAMMA)
    private String rowGamma;

    @Option(names = "--truthful-share", paramLabel = "S", description = TRUTHFUL)
    private double truthfulShare;

    public void requireSense(CommandLine command) {
        refuseBoth(gamma, rowGamma, command);
    }

    public void declare(GameSpec.Builder game) {
        Gamma.declare(gamma, game);
        game.rowGamma(rowGamma).truthfulShare(truthfulShare);
    }

    /** A gamma for all, and one for each. */
    public static void refuseBoth(Object gamma, String rowGamma, CommandLine command) {
        if (rowGamma != null && gamma != null) {
            throw new ParameterException(
                    command, "Both --gamma and --row-gamma are given.\nMaybe leave out one of them.");
        }
    }
}
