package stackelberg.data.io;

import stackelberg.data.NumericColumn;

/** The spellings in which all texts of a column that were seen so far are numbers. */
final class Spellings {
    /** What a file, or a column, says of its decimal sign. */
    enum Decimal {
        /** Nothing: there are no decimals, or 1,234 may be either. */
        UNKNOWN,
        POINT,
        COMMA,
        /** Some columns have the one, some the other. */
        BOTH;

        Decimal and(Decimal other) {
            return this == UNKNOWN || this == other ? other : other == UNKNOWN ? this : BOTH;
        }

        static Decimal of(Character sign) {
            return sign == null ? UNKNOWN : sign == Spelling.COMMA ? COMMA : POINT;
        }
    }

    private static final char[] GROUPINGS = {Spelling.NONE, Spelling.COMMA, Spelling.POINT, ' ', '\''};
    private static final int WITH_POINT = (1 << GROUPINGS.length) - 1;
    private static final int ALL = (1 << 2 * GROUPINGS.length) - 1;

    private final Spelling.Cut cut;
    /** Bit g: decimal point and grouping g; bit groupings + g: decimal comma and grouping g. */
    private int possible = ALL;

    private String sign;
    private boolean plain = true;
    private String example = "";

    /** @param cut room to work in, which the columns of a file may share */
    Spellings(Spelling.Cut cut) {
        this.cut = cut;
    }

    /** A trimmed text that is not a mark for a missing value; false if no spelling is left. */
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
        // what reads as it looks need not be shown
        if (mask != ALL && to - from > example.length() && (!number || hasPoint(text, from, to))) {
            example = new String(text, from, to - from);
        }
        return possible != 0;
    }

    boolean add(String text) {
        return add(text.toCharArray(), 0, text.length());
    }

    /** Whether the text is a number in some spelling. */
    static boolean isNumber(String text) {
        return new Spellings(new Spelling.Cut()).add(text.strip());
    }

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

    /** Whether all are written as 1234.5, or there is none at all. */
    boolean plain() {
        return plain;
    }

    boolean any() {
        return sign != null;
    }

    /** Whether all are numbers in one spelling. */
    boolean agree() {
        return possible != 0;
    }

    /** The decimal sign that the texts have for certain. */
    Decimal decimal() {
        int point = possible & WITH_POINT;
        return possible == 0 || sign == null || point != 0 && point != possible
                ? Decimal.UNKNOWN
                : point != 0 ? Decimal.POINT : Decimal.COMMA;
    }

    /** Whether it takes the decimal sign to tell which numbers they are: all commas may separate thousands, and all may be decimal. */
    boolean ambiguous() {
        return decimal() == Decimal.UNKNOWN && (possible & 1) == 0 && (possible & 1 << GROUPINGS.length) != 0;
    }

    /** The spelling by the decimal sign that is preferred where both are possible; null if there is none. */
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

    /** What a model keeps of it, so that new data are read the same way; null if it is what nobody need say. */
    NumericColumn.Notation notation(Spelling chosen) {
        boolean usual = chosen == null || plain && chosen.decimal() == Spelling.POINT;
        return usual ? null : new NumericColumn.Notation(chosen.decimal(), chosen.sign(), example);
    }
}
