package stackelberg.data.io;

import org.jspecify.annotations.Nullable;
import stackelberg.data.NumericColumn;

/**
 * Finds the notation of a column: of all combinations of decimal sign and thousands separator it keeps those in which
 * every text seen so far is a number.
 *
 * <p>The text 1.234,5 leaves only the decimal comma with points between thousands; 1,234 alone leaves two, a decimal
 * comma or a comma between thousands.
 */
final class Spellings {
    /** The decimal sign of a file or a column, as far as its texts show it. */
    enum Decimal {
        /** Not determined: no text has decimals, or a text such as 1,234 could be read either way. */
        UNKNOWN,
        /** A point. */
        POINT,
        /** A comma. */
        COMMA,
        /** Some columns have a point, others a comma. */
        BOTH;

        /** Returns the decimal sign that this column and another one show together. */
        Decimal and(Decimal other) {
            return this == UNKNOWN || this == other ? other : other == UNKNOWN ? this : BOTH;
        }

        /**
         * Returns the decimal sign that the user or a model states.
         *
         * @param sign null if none is stated
         */
        static Decimal of(@Nullable Character sign) {
            return sign == null ? UNKNOWN : sign == Spelling.COMMA ? COMMA : POINT;
        }
    }

    /**
     * The characters between thousands; {@link Spelling#NONE} comes first, because it is chosen if several are
     * possible.
     */
    private static final char[] GROUPINGS = {Spelling.NONE, Spelling.COMMA, Spelling.POINT, ' ', '\''};

    /** The bits of all notations with a decimal point. */
    private static final int WITH_POINT = (1 << GROUPINGS.length) - 1;

    /** The bits of all notations. */
    private static final int ALL = (1 << 2 * GROUPINGS.length) - 1;

    private final Spelling.Cut cut;
    /**
     * The set of notations that remain: bit g is decimal point with grouping g, bit (number of groupings) + g is
     * decimal comma with grouping g.
     */
    private int possible = ALL;

    /** The currency or percent sign of all texts so far, empty for none; null before the first text. */
    private @Nullable String sign;

    private boolean plain = true;
    /** The longest text that is not written plainly, for messages and the model file. */
    private String example = "";

    /** All notations; {@code cut} is a work buffer, which the columns of a file may share. */
    Spellings(Spelling.Cut cut) {
        this.cut = cut;
    }

    /**
     * Removes the notations in which a text is not a number; returns whether any remain. The text is trimmed and not a
     * missing-value mark.
     */
    boolean add(char[] text, int from, int to) {
        boolean number = !Double.isNaN(NumericColumn.parse(text, from, to));
        plain &= number;
        int mask = number && isWhole(text, from, to) ? ALL : mask(text, from, to);
        possible &= mask;
        String own = mask == ALL ? "" : cut.sign();
        if (sign != null && !sign.equals(own)) {
            possible = 0;
        }
        sign = own;
        // A text that is read the same way in the plain notation needs no example.
        if (mask != ALL && to - from > example.length() && (!number || hasPoint(text, from, to))) {
            example = new String(text, from, to - from);
        }
        return possible != 0;
    }

    boolean add(String text) {
        return add(text.toCharArray(), 0, text.length());
    }

    /** Whether the text is a number in some notation. */
    static boolean isNumber(String text) {
        return new Spellings(new Spelling.Cut()).add(text.strip());
    }

    /** Whether the text consists of digits alone, which every notation reads the same way. */
    private static boolean isWhole(char[] text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (text[i] < '0' || text[i] > '9') {
                return false;
            }
        }
        return true;
    }

    private static boolean hasPoint(char[] text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (text[i] == '.') {
                return true;
            }
        }
        return false;
    }

    /** The set of notations in which the text is a number. */
    private int mask(char[] text, int from, int to) {
        int mask = 0;
        if (!cut.cut(text, from, to)) {
            return 0;
        }
        for (int g = 0; g < GROUPINGS.length; g++) {
            mask |= GROUPINGS[g] != Spelling.POINT && cut.isNumber(Spelling.POINT, GROUPINGS[g]) ? 1 << g : 0;
            mask |= GROUPINGS[g] != Spelling.COMMA && cut.isNumber(Spelling.COMMA, GROUPINGS[g])
                    ? 1 << GROUPINGS.length + g
                    : 0;
        }
        return mask;
    }

    /** Whether all texts are written plainly, as 1234.5; true if there were no texts. */
    boolean plain() {
        return plain;
    }

    /** Whether there were any texts. */
    boolean any() {
        return sign != null;
    }

    /** Whether all texts are numbers in one notation. */
    boolean agree() {
        return possible != 0;
    }

    /** The decimal sign if all remaining notations have the same; otherwise unknown. */
    Decimal decimal() {
        int point = possible & WITH_POINT;
        return possible == 0 || sign == null || point != 0 && point != possible
                ? Decimal.UNKNOWN
                : point != 0 ? Decimal.POINT : Decimal.COMMA;
    }

    /**
     * Whether the texts mean different numbers with a decimal point and with a decimal comma, such as 1,234. (1234 is
     * the same number in both: it needs no grouping.)
     */
    boolean ambiguous() {
        return decimal() == Decimal.UNKNOWN && (possible & 1) == 0 && (possible & 1 << GROUPINGS.length) != 0;
    }

    /**
     * The notation to read the column in: with the preferred decimal sign if both remain, and without grouping if
     * possible; absent if none remains.
     */
    @Nullable
    Spelling choose(Decimal preferred) {
        int comma = possible & ~WITH_POINT;
        boolean commas = comma != 0 && (preferred == Decimal.COMMA || comma == possible);
        int some = commas ? comma >> GROUPINGS.length : possible & WITH_POINT;
        if (some == 0) {
            return null;
        }
        char grouping = GROUPINGS[Integer.numberOfTrailingZeros(some)];
        return new Spelling(commas ? Spelling.COMMA : Spelling.POINT, grouping, sign == null ? "" : sign);
    }

    /** The notation as a model stores it, so that new data are read the same way; null for the plain one. */
    NumericColumn.@Nullable Notation notation(@Nullable Spelling chosen) {
        if (chosen == null || plain && chosen.decimal() == Spelling.POINT) {
            return null;
        }
        return new NumericColumn.Notation(chosen.decimal(), chosen.sign(), example);
    }
}
