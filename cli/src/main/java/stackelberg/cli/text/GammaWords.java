package stackelberg.cli.text;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import stackelberg.game.GameSpec.Today;
import stackelberg.game.World;

/** gamma as people say it: by what it lets them do under today's rule. */
final class GammaWords {
    private GammaWords() {}

    /** The number, or the share that was declared with the number behind it. */
    static String of(World world) {
        String number = Numbers.plain(world.gamma());
        if (world.spec().between() != null) {
            return "gamma anywhere from " + RangeWords.interval(world.spec().between()) + ", at the worst of them ("
                    + Numbers.number(world.gamma()) + ")";
        }
        return world.spec().gammaShare().isPresent()
                ? "gamma " + percent(world.spec().gammaShare().getAsDouble()) + " (" + Numbers.number(world.gamma())
                        + ")"
                : "gamma " + number;
    }

    /** What it means in words; empty where today's rule is not known or does not say it. */
    static Optional<String> sentence(World world) {
        if (world.gammaShare().isEmpty()) {
            return Optional.empty();
        }
        return Optional.of("(gamma "
                + Numbers.number(world.gamma()) + ": who faces today's rule, "
                + world.spec().today().source()
                + ", would close " + percent(world.gammaShare().getAsDouble()) + " of the gap to its wish"
                + (world.spec().loss().isLogistic() ? " in log-odds" : "")
                + (world.spec().limits().none() ? "" : " if nothing stopped it") + ".)");
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
        return world.gammaShare().isPresent() ? percent(world.gammaShare().getAsDouble()) : "-";
    }

    /** A share with as many digits as it takes, and never 0% or 100% of what is neither: 30%, 12.5%, 99.9987%. */
    static String percent(double share) {
        double percent = Math.rint(share * 1e4) / 1e2;
        if (percent == 0 && share > 0) {
            return new BigDecimal(100 * share)
                            .round(new MathContext(2))
                            .stripTrailingZeros()
                            .toPlainString()
                    + "%";
        }
        if (percent == 100 && share < 1) {
            return Numbers.butFor(1 - share);
        }
        return (percent == Math.rint(percent) ? String.valueOf((long) percent) : String.valueOf(percent)) + "%";
    }

    /** Today's rule for programs, null where it is not known. */
    static Map<String, Object> object(Today today) {
        if (!today.known()) {
            return null;
        }
        Map<String, Object> object = new LinkedHashMap<>();
        Map<String, Object> coefficients = new LinkedHashMap<>();
        today.rule().coefficients().forEach((name, value) -> coefficients.put(name, Json.finite(value)));
        object.put("coefficients", coefficients);
        object.put("intercept", Json.finite(today.rule().intercept()));
        object.put("source", today.source());
        return object;
    }
}
