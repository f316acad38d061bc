package stackelberg.game;

import java.math.BigDecimal;
import java.util.Locale;
import org.jspecify.annotations.NullMarked;
import stackelberg.data.Message;

/**
 * How good a rule has to be if nobody moves.
 *
 * <pre>{@code
 * Hedge.parse("5%").equals(Hedge.atMost(0.05)); // true
 * Hedge.parse("balanced").isBalanced(); // true
 * }</pre>
 *
 * @param kind what is asked for
 * @param worse by which share the error if nobody moves may exceed that of the best rule then; not a number unless the kind is {@link Kind#AT_MOST}
 */
@NullMarked
public record Hedge(Kind kind, double worse) {
    /** What is asked for. */
    public enum Kind {
        /** Nothing: the rule is the best one after the move, whatever it loses if nobody moves. */
        NONE,
        /** The rule that is as little worse as possible than the best rule, whether people stay or move. */
        BALANCED,
        /** The best rule after the move of those that are at most so much worse than the best rule if nobody moves. */
        AT_MOST
    }

    /** No hedge: the pure equilibrium. */
    public static final Hedge NONE = new Hedge(Kind.NONE, Double.NaN);

    /** The balanced rule. */
    public static final Hedge BALANCED = new Hedge(Kind.BALANCED, Double.NaN);

    public Hedge {
        if (kind == Kind.AT_MOST) {
            if (!(worse > 0) || Double.isInfinite(worse)) {
                throw Message.Refused.of(
                        "hedge-range",
                        "The hedge is {}; it must be positive and finite, 0.05 for rules at most 5% worse than the best one if nobody"
                                + " moves.",
                        worse);
            }
            GameSpec.requireSize("The hedge", worse);
        }
    }

    /** Rules whose error, if nobody moves, is at most 1 + worse times that of the best rule then. */
    public static Hedge atMost(double worse) {
        return new Hedge(Kind.AT_MOST, worse);
    }

    /** Reads {@code balanced}, {@code none}, {@code 5%} or {@code 0.05}. A number of 1 or more without a percent sign is refused, because the sign was probably forgotten. */
    public static Hedge parse(String text) {
        String word = text.strip().toLowerCase(Locale.ROOT);
        for (Hedge hedge : new Hedge[] {NONE, BALANCED}) {
            if (word.equals(hedge.toString())) {
                return hedge;
            }
        }
        boolean percent = word.endsWith("%");
        double value;
        try {
            value = percent
                    // without the rounding of a division: 0.011 for 1.1
                    ? new BigDecimal(word.substring(0, word.length() - 1).strip())
                            .movePointLeft(2)
                            .doubleValue()
                    : Double.parseDouble(word);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is neither balanced nor none, nor a percentage, as 5%, nor a fraction, as 0.05",
                    e);
        }
        if (!percent && value >= 1 && Double.isFinite(value)) {
            throw new IllegalArgumentException("\"" + text
                    + "\" has no percent sign, and without one it must be less than 1. Maybe " + word + "%?");
        }
        return atMost(value);
    }

    public boolean isNone() {
        return kind == Kind.NONE;
    }

    public boolean isBalanced() {
        return kind == Kind.BALANCED;
    }

    /** As it stands in a file: a word, or the number of a share. */
    public Object inFile() {
        return kind == Kind.AT_MOST ? (Object) worse : toString();
    }

    /** What {@link #inFile} returns, read again. */
    public static Hedge fromFile(Object value) {
        return value instanceof Number share ? atMost(share.doubleValue()) : parse(String.valueOf(value));
    }

    /** As {@link #parse} reads it. */
    @Override
    public String toString() {
        return kind == Kind.AT_MOST ? String.valueOf(worse) : kind.name().toLowerCase(Locale.ROOT);
    }
}
