package stackelberg.cli.text;

import java.util.Optional;
import stackelberg.cli.answer.Numbers;
import stackelberg.cli.answer.ProofWords;
import stackelberg.game.GameSpec.Today;
import stackelberg.game.World;

/** gamma as people say it: by what it lets them do under today's rule. */
final class GammaWords {
    private GammaWords() {}

    /** The number, or the share that was declared with the number behind it. */
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

    /** What it means in words; empty where today's rule is not known or does not say it. */
    static Optional<String> sentence(World world) {
        if (world.gammaShare().isEmpty()) {
            return Optional.empty();
        }
        return Optional.of("(gamma "
                + Numbers.number(world.gamma()) + ": under today's rule, "
                + world.spec().today().source()
                + ", people would close " + Numbers.share(world.gammaShare().getAsDouble())
                + " of the gap to the score they want"
                + (world.spec().loss().isLogistic() ? ", in log-odds" : "")
                + (world.spec().limits().none() ? "" : ", without limits") + ".)");
    }

    /** How everybody is scored by today's rule in wishes, where that is not as it scores others. */
    static Optional<String> crossFitted(World world) {
        return world.spec().today().kind() == Today.Kind.CROSS_FITTED
                ? Optional.of(
                        "(Today's rule is cross-fitted: everybody's own score is that of a rule that did not see them.)")
                : Optional.empty();
    }

    /** The share of a line in a table. */
    static String share(World world) {
        return world.gammaShare().isPresent() ? Numbers.share(world.gammaShare().getAsDouble()) : "-";
    }
}
