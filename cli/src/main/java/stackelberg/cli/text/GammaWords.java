package stackelberg.cli.text;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import stackelberg.game.Today;
import stackelberg.game.World;

/** gamma as people say it: by what it lets them do under today's rule. */
final class GammaWords {
    private GammaWords() {}

    /** The number, or the share that was declared with the number behind it. */
    static String of(World world) {
        String number = Numbers.plain(world.gamma());
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
                + ", would close " + percent(world.gammaShare().getAsDouble()) + " of the gap to its wish.)");
    }

    /** The share of a line in a table. */
    static String share(World world) {
        return world.gammaShare().isPresent() ? percent(world.gammaShare().getAsDouble()) : "-";
    }

    /** A share with as many digits as it takes: 30%, 12.5%. */
    static String percent(double share) {
        double percent = Math.rint(share * 1e4) / 1e2;
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
