package stackelberg.cli.option;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;
import stackelberg.cli.answer.GapWords;
import stackelberg.game.GameSpec;
import stackelberg.game.World;

/**
 * A gamma as the user gives it: a number, or a percentage, which is the share of the gap that people would close under today's rule.
 *
 * @param value the number, or the share between 0 and 1
 * @param share whether it is a share
 */
public record Gamma(double value, boolean share) {
    /** The placeholder in the help. */
    public static final String LABEL = "S%|G";

    /** The default. */
    public static final String DEFAULT = "30%";

    /** The explanation of gamma in the descriptions of options. */
    public static final String MEANING =
            "How hard it is to move. 30%% means that under today's rule people would close 30%%" + GapWords.GAP
                    + "; a number G means that a move by delta costs G * delta^2";

    /** Declares this gamma in a game, if one was given. */
    public static void declare(@Nullable Gamma gamma, GameSpec.Builder choices) {
        if (gamma != null && gamma.share) {
            choices.gammaShare(gamma.value);
        } else if (gamma != null) {
            choices.gamma(gamma.value);
        }
    }

    /** Returns the world with this gamma for all people; a share is measured under today's rule of that world. */
    public World of(World world) {
        return world.withGamma(share ? world.gammaOf(world.spec().today(), value) : value);
    }

    /** The text from which it was parsed. */
    @Override
    public String toString() {
        return share
                ? BigDecimal.valueOf(value)
                                .movePointRight(2)
                                .stripTrailingZeros()
                                .toPlainString() + "%"
                : Double.toString(value);
    }

    static Gamma parse(String text) {
        String stripped = text.strip();
        if (stripped.contains(Roughly.TO)) {
            throw new IllegalArgumentException("gamma is " + stripped
                    + ", an interval, for which only fit finds a rule.\nMaybe give one gamma, as 30% or 0.5, or judge a"
                    + " rule over many by evaluate --gamma-range 0.2:2.");
        }
        boolean share = stripped.endsWith("%");
        String number = share ? stripped.substring(0, stripped.length() - 1).strip() : stripped;
        double value;
        try {
            value = Double.parseDouble(number);
        } catch (NumberFormatException e) {
            String comma = text.matches("[0-9]+,[0-9]+%?") ? "Maybe " + text.replace(',', '.') + "." : "";
            throw new IllegalArgumentException(
                    "\"" + text + "\" must be a number, or a share in percent.\n"
                            + (comma.isEmpty() ? "Maybe write 30%, or 0.5." : comma),
                    e);
        }
        if (share && !(value > 0 && value < 100)) {
            throw new IllegalArgumentException("gamma is " + stripped
                    + "; a share must lie between 0% and 100%, both excluded.\nMaybe write 30%.");
        }
        if (!(value > 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException("gamma is " + stripped + "; it must be positive and finite.");
        }
        GameSpec.requireSize("gamma", value);
        return new Gamma(share ? new BigDecimal(number).movePointLeft(2).doubleValue() : value, share);
    }

    /**
     * A gamma, or an interval that it lies in.
     *
     * @param from the lower end, or the only gamma
     * @param to the upper end, unless gamma is known
     */
    public record Roughly(Gamma from, @Nullable Gamma to) {
        /** The placeholder in the help. */
        public static final String LABEL = Gamma.LABEL + "|FROM..TO";

        private static final String TO = "..";

        /** Declares this gamma in a game, if one was given. */
        public static void declare(@Nullable Roughly gamma, GameSpec.Builder choices) {
            if (gamma == null || gamma.to == null) {
                Gamma.declare(gamma == null ? null : gamma.from, choices);
            } else if (gamma.from.share) {
                choices.gammaSharesBetween(gamma.from.value, gamma.to.value);
            } else {
                choices.gammaBetween(gamma.from.value, gamma.to.value);
            }
        }

        /** The text from which it was parsed. */
        @Override
        public String toString() {
            return to == null ? from.toString() : from + TO + to;
        }

        static Roughly parse(String text) {
            int at = text.indexOf(TO);
            if (at < 0) {
                return new Roughly(Gamma.parse(text), null);
            }
            Gamma from = Gamma.parse(text.substring(0, at));
            Gamma to = Gamma.parse(text.substring(at + TO.length()));
            if (from.share != to.share) {
                throw new IllegalArgumentException("gamma is " + text.strip()
                        + ", of which one end is in percent and one is not.\nMaybe write 10%..50%, or 0.1..2.");
            }
            if (from.value > to.value) {
                throw new IllegalArgumentException("gamma is " + text.strip()
                        + "; the smaller end must come first.\nMaybe " + to + TO + from + ".");
            }
            return new Roughly(from, to);
        }

        /** Reads the value of an option. */
        public static final class Converter implements ITypeConverter<Roughly> {
            @Override
            public Roughly convert(String text) {
                try {
                    return parse(text);
                } catch (IllegalArgumentException e) {
                    throw new TypeConversionException(e.getMessage());
                }
            }
        }
    }

    /** Reads the value of an option. */
    public static final class Converter implements ITypeConverter<Gamma> {
        @Override
        public Gamma convert(String text) {
            try {
                return parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }
}
