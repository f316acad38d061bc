package stackelberg.data;

import java.util.Optional;

/** A column of finite numbers; NaN marks a missing value. */
public final class NumericColumn implements Column {
    /** From which piece on a row is looked for is kept for so many rows together. */
    private static final int SHIFT = 10;

    private final String name;
    /** The values, one piece after the other. */
    private final double[][] pieces;
    /** The row that each piece begins with; after the last, how many there are. */
    private final int[] starts;
    /** The piece in which the first of {@code 1 << SHIFT} rows lies; null where there is one piece. */
    private final int[] pieceOf;
    /** Null where the numbers were written as Java writes them, or not at all. */
    private final Notation notation;
    /** How many values are missing; -1 while nobody has asked. */
    private int missing = -1;

    /**
     * How the numbers of a column are written, where it is not as 1234.5.
     *
     * @param decimal what stands before the decimals, {@code .} or {@code ,}
     * @param sign what stands beside every number, {@code €}, {@code %} or {@code USD}; empty for nothing
     * @param example one of the texts; empty if none of them was seen to be written in another way than 1234.5
     */
    public record Notation(char decimal, String sign, String example) {
        public Notation {
            if (decimal != '.' && decimal != ',') {
                throw new IllegalArgumentException(
                        "The decimal sign is '" + decimal + "'; it must be a point or a comma.");
            }
        }
    }

    /** Keeps the array: for readers, which give it away. */
    public NumericColumn(String name, double[] values) {
        this(name, values, null);
    }

    /** The same of numbers that were written in a way of their own. */
    public NumericColumn(String name, double[] values, Notation notation) {
        this(name, new double[][] {values}, notation);
    }

    /** The same of values in pieces, one after the other, as the blocks of a file have them; no piece is empty. */
    public NumericColumn(String name, double[][] pieces, Notation notation) {
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

    /** A column of a copy of the values. */
    public static NumericColumn of(String name, double... values) {
        return finite(name, values.clone());
    }

    /** Keeps the array, in which nothing may be infinite. */
    static NumericColumn finite(String name, double[] values) {
        for (int i = 0; i < values.length; i++) {
            if (Double.isInfinite(values[i])) {
                throw new DataException("Column '" + name + "', row " + (i + 1) + ": " + values[i]
                        + " is not a finite number.\nMaybe it marks a missing value: use NaN for that.");
            }
        }
        return new NumericColumn(name, values);
    }

    /** The number written there, infinite if it says so or overflows, NaN if it is not a number; blanks around it do not count. */
    public static double parse(String text) {
        return Numbers.parse(text);
    }

    /** The same for a slice, which must be trimmed. */
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
        double value = value(row);
        boolean whole = value == Math.rint(value) && Math.abs(value) < 1e15;
        return isMissing(row)
                ? Optional.empty()
                : Optional.of(whole ? String.valueOf((long) value) : String.valueOf(value));
    }

    public double value(int row) {
        if (pieceOf == null) {
            return pieces[0][row];
        }
        int p = piece(row);
        return pieces[p][row - starts[p]];
    }

    private int piece(int row) {
        int p = pieceOf == null ? 0 : pieceOf[row >>> SHIFT];
        while (starts[p + 1] <= row) {
            p++;
        }
        return p;
    }

    /** How the numbers were written, where it was not as 1234.5. */
    public Optional<Notation> notation() {
        return Optional.ofNullable(notation);
    }

    /** The values themselves, for who only looks at them. */
    double[][] pieces() {
        return pieces;
    }

    /** The piece that has the value of a row, at {@code row - start(row)}. */
    double[] pieceAt(int row) {
        return pieces[piece(row)];
    }

    /** The row that its piece begins with. */
    int start(int row) {
        return starts[piece(row)];
    }

    /** A copy of the values. */
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
