package stackelberg.cli.answer;

import java.util.Optional;
import stackelberg.game.GameSpec.Today;
import stackelberg.game.World;

/** The wording of gamma: by the share of the gap that people would close under today's rule. */
final class GammaWords {
    private GammaWords() {}

    /** Gamma as a number, or as the declared share followed by the number. */
    static String of(World world) {
        String number = Numbers.plain(world.gamma());
        if (world.spec().between() != null) {
            return "gamma anywhere from " + ProofWords.interval(world.spec().between()) + ", at the worst of them ("
                    + Numbers.number(world.gamma()) + ")";
        }
        return world.spec().gammaShare().isPresent()
                ? "gamma " + Numbers.share(world.spec().gammaShare().getAsDouble()) + " ("
                        + Numbers.number(world.gamma()) + ")"
                : "gamma " + number;
    }

    /** Gamma as a share of the gap that people would close under today's rule; empty if that share is not known. */
    static Optional<String> sentence(World world) {
        if (world.gammaShare().isEmpty()) {
            return Optional.empty();
        }
        return Optional.of("(gamma "
                + Numbers.number(world.gamma()) + ": under today's rule, "
                + world.spec().today().source()
                + ", people " + GapWords.wouldClose(world.gammaShare().getAsDouble())
                + (world.spec().loss().isLogistic() ? ", in log-odds" : "")
                + (world.spec().limits().none() ? "" : ", without limits") + ".)");
    }

    /** A note that wishes of the sample use cross-fitted scores of today's rule; empty otherwise. */
    static Optional<String> crossFitted(World world) {
        return world.spec().today().kind() == Today.Kind.CROSS_FITTED
                ? Optional.of(
                        "(Today's rule is cross-fitted: each score comes from a rule that was fitted without that person's fold.)")
                : Optional.empty();
    }

    /** Returns the declared share of the gap as a table cell; a dash if gamma was given as a number. */
    static String share(World world) {
        return world.gammaShare().isPresent() ? Numbers.share(world.gammaShare().getAsDouble()) : "-";
    }
}
