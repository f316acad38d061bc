package stackelberg.data;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A column of finite numbers; NaN marks a missing value.
 *
 * <p>The values may lie in several arrays ("pieces"), because the reader of a file makes one array per block of the
 * file, and joining them would copy the whole column.
 */
public final class NumericColumn implements Column {
    /**
     * Rows are found by an index of every 2^10th row: small beside the values, and close enough that the rest of the
     * search is a step or two.
     */
    private static final int SHIFT = 10;

    private final String name;
    /** The values: row 0 is the first value of the first piece. */
    private final double[][] pieces;
    /** starts[p] is the first row of piece p; the last entry is the number of rows. */
    private final int[] starts;
    /** pieceOf[k] is the piece that holds row {@code k << SHIFT}; absent if there is only one piece. */
    private final int @Nullable [] pieceOf;
    /** How the numbers were written; absent if plainly, such as 1234.5, or if they were not read from text. */
    private final @Nullable Notation notation;
    /** The number of missing values, -1 until it is first asked for. Threads that race compute the same number. */
    private int missing = -1;

    /**
     * The notation of a column whose numbers are not written plainly, such as 1234.5.
     *
     * @param decimal the decimal sign, {@code .} or {@code ,}
     * @param sign the currency or unit beside every number, {@code €}, {@code %} or {@code USD}; empty for none
     * @param example one of the texts; empty if none of them differs from the plain notation
     */
    public record Notation(char decimal, String sign, String example) {
        public Notation {
            if (decimal != '.' && decimal != ',') {
                throw new IllegalArgumentException(
                        "The decimal sign is '" + decimal + "'; it must be a point or a comma.");
            }
        }
    }

    /**
     * A column of the given values. The array is kept, not copied: readers, which call this, do not use it afterwards.
     */
    public NumericColumn(String name, double[] values) {
        this(name, values, null);
    }

    /**
     * Makes a column of numbers.
     *
     * @param notation how the file writes the numbers; null for plain numbers
     */
    public NumericColumn(String name, double[] values, @Nullable Notation notation) {
        this(name, new double[][] {values}, notation);
    }

    /**
     * Makes a column from several arrays, read in order as if they were concatenated (not copied). No array may be
     * empty, unless it is the only one.
     */
    public NumericColumn(String name, double[][] pieces, @Nullable Notation notation) {
        this.name = name;
        this.pieces = pieces;
        this.notation = notation;
        this.starts = new int[pieces.length + 1];
        for (int p = 0; p < pieces.length; p++) {
            starts[p + 1] = Math.addExact(starts[p], pieces[p].length);
        }
        this.pieceOf = pieces.length == 1 ? null : new int[(rows() >>> SHIFT) + 1];
        for (int k = 0, p = 0; pieceOf != null && k << SHIFT < rows(); k++) {
            while (starts[p + 1] <= k << SHIFT) {
                p++;
            }
            pieceOf[k] = p;
        }
    }

    /** A column with a copy of the values; NaN marks a missing value, and infinite values are refused. */
    public static NumericColumn of(String name, double... values) {
        return finite(name, values.clone());
    }

    /** A column of the given values, which are kept, not copied; infinite values are refused. */
    static NumericColumn finite(String name, double[] values) {
        for (int i = 0; i < values.length; i++) {
            if (Double.isInfinite(values[i])) {
                throw DataException.of(
                        "not-finite",
                        "Column '{}', row {}: {} is not a finite number.\n"
                                + "Maybe it marks a missing value: use NaN for that.",
                        name,
                        i + 1,
                        values[i]);
            }
        }
        return new NumericColumn(name, values);
    }

    /**
     * The number that the text holds: infinite if it says so or overflows, NaN if it is not a number. Blanks around the
     * number are ignored.
     */
    public static double parse(String text) {
        return Numbers.parse(text);
    }

    /** Parses {@code text[from..to - 1]}, which must not begin or end with blanks. */
    public static double parse(char[] text, int from, int to) {
        return Numbers.parse(text, from, to);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int rows() {
        return starts[pieces.length];
    }

    @Override
    public boolean isMissing(int row) {
        return Double.isNaN(value(row));
    }

    @Override
    public int missing() {
        if (missing < 0) {
            int count = 0;
            for (double[] piece : pieces) {
                count += missing(piece);
            }
            missing = count;
        }
        return missing;
    }

    private static int missing(double[] piece) {
        int count = 0;
        for (double value : piece) {
            if (Double.isNaN(value)) {
                count++;
            }
        }
        return count;
    }

    @Override
    public Optional<String> text(int row) {
        return isMissing(row) ? Optional.empty() : Optional.of(text(value(row)));
    }

    /**
     * A number as people write it: whole numbers below 10^15, which a double holds exactly, without ".0" or an
     * exponent.
     */
    static String text(double value) {
        boolean whole = value == Math.rint(value) && Math.abs(value) < 1e15;
        return whole ? String.valueOf((long) value) : String.valueOf(value);
    }

    /** The value of a row, NaN if it is missing. */
    public double value(int row) {
        if (pieceOf == null) {
            return pieces[0][row];
        }
        int p = piece(row);
        return pieces[p][row - starts[p]];
    }

    /** The index of the piece that holds a row: from the indexed row before it, forward. */
    private int piece(int row) {
        int p = pieceOf == null ? 0 : pieceOf[row >>> SHIFT];
        while (starts[p + 1] <= row) {
            p++;
        }
        return p;
    }

    /** How the numbers were written in the file; empty for the plain notation, such as 1234.5. */
    public Optional<Notation> notation() {
        return Optional.ofNullable(notation);
    }

    /** The arrays with the values themselves, not copies: callers only read them. */
    double[][] pieces() {
        return pieces;
    }

    /** The array that holds the value of a row, at index {@code row - start(row)}. */
    double[] pieceAt(int row) {
        return pieces[piece(row)];
    }

    /** The first row of the array that holds the given row. */
    int start(int row) {
        return starts[piece(row)];
    }

    /** A copy of all values, NaN where one is missing. */
    public double[] values() {
        double[] values = new double[rows()];
        for (int p = 0; p < pieces.length; p++) {
            System.arraycopy(pieces[p], 0, values, starts[p], pieces[p].length);
        }
        return values;
    }

    @Override
    public NumericColumn select(int[] rows) {
        double[] selected = new double[rows.length];
        for (int i = 0; i < rows.length; i++) {
            selected[i] = value(rows[i]);
        }
        return new NumericColumn(name, selected, notation);
    }
}
