package stackelberg.game;

import java.math.BigDecimal;
import java.util.Locale;
import org.jspecify.annotations.NullMarked;
import stackelberg.data.Message;

/**
 * The bound on a rule's loss before any move.
 *
 * <pre>{@code
 * Hedge.parse("5%").equals(Hedge.atMost(0.05)); // true
 * Hedge.parse("balanced").isBalanced(); // true
 * }</pre>
 *
 * @param kind the kind of bound
 * @param worse the fraction by which the error before any move may exceed the smallest possible one; NaN unless the
 *     kind is {@link Kind#AT_MOST}
 */
@NullMarked
public record Hedge(Kind kind, double worse) {
    /** The kinds of bounds. */
    public enum Kind {
        /** No bound: the rule is the best one after the move. */
        NONE,
        /**
         * The rule for which the larger of its two excesses over the best rules, before and after the move, is
         * smallest.
         */
        BALANCED,
        /**
         * The best rule after the move among those whose error before any move exceeds the smallest possible one by at
         * most a given fraction.
         */
        AT_MOST
    }

    /** No hedge: the equilibrium of the game itself. */
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

    /** Returns the hedge for rules whose error before any move is at most 1 + worse times the smallest possible one. */
    public static Hedge atMost(double worse) {
        return new Hedge(Kind.AT_MOST, worse);
    }

    /**
     * Parses {@code balanced}, {@code none}, {@code 5%} or {@code 0.05}. A number of 1 or more without a percent sign
     * is refused, because the sign was probably forgotten.
     */
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
                    // shifting the decimal point gives 0.011 for 1.1, without the rounding error of a division
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

    /** Returns the value in a model file: a word, or a number for a fraction. */
    public Object inFile() {
        return kind == Kind.AT_MOST ? (Object) worse : toString();
    }

    /** Returns the hedge with this value in a model file. */
    public static Hedge fromFile(Object value) {
        return value instanceof Number share ? atMost(share.doubleValue()) : parse(String.valueOf(value));
    }

    /** Returns the text that {@link #parse} reads. */
    @Override
    public String toString() {
        return kind == Kind.AT_MOST ? String.valueOf(worse) : kind.name().toLowerCase(Locale.ROOT);
    }
}
