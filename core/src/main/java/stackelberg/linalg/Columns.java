package stackelberg.linalg;

import java.util.Arrays;

/**
 * The column indices of the entries of a sparse matrix, and the inner loops of its products: one row times one, two or four vectors. Several vectors are
 * stored side by side: entry j of vector c is at 2 j + c if there are two, and at 4 j + c if there are four.
 *
 * <p>Why the loops look as they do:
 *
 * <ul>
 *   <li>Indices take two bytes if the matrix has at most 65,536 columns, which saves a tenth of the time of a pass and a sixth of the memory.
 *   <li>One call handles one row: a small method that is called many thousand times is compiled early in the first pass.
 *   <li>Two or four vectors are multiplied together, because most of the time goes into finding their entries in memory, not into adding.
 *   <li>Each sum is computed in two independent chains, which hides the latency of an addition.
 *   <li>The loops for one vector are unrolled by hand; the compiler does it only if the rows it has seen so far were long.
 * </ul>
 */
abstract class Columns {
    /** A copy of the first {@code count} indices, for a matrix with {@code cols} columns: of two bytes each if they fit, otherwise of four. */
    static Columns copyOf(int[] columns, int count, int cols) {
        if (cols > Character.MAX_VALUE + 1) {
            return new WideColumns(Arrays.copyOf(columns, count));
        }
        char[] narrow = new char[count];
        for (int p = 0; p < count; p++) {
            narrow[p] = (char) columns[p];
        }
        return new NarrowColumns(narrow);
    }

    /** The column of an entry. */
    abstract int get(int entry);

    /** u[at] ... u[at + 3] = x'V for four vectors V, where x is the row with the entries from ... end - 1. */
    abstract void multiplyQuad(double[] values, int from, int end, double[] v, double[] u, int at);

    /** u[at], u[at + 1] = x'V for two vectors V, where x is the row with the entries from ... end - 1. */
    abstract void multiplyPair(double[] values, int from, int end, double[] v, double[] u, int at);

    /** u[at] = x'v for one vector v, where x is the row with the entries from ... end - 1. */
    abstract void multiplyOne(double[] values, int from, int end, double[] v, double[] u, int at);

    /** sum += x [u[at], ..., u[at + 3]], four vectors side by side, where x is the row with the entries from ... end - 1. */
    abstract void addQuad(double[] values, int from, int end, double[] u, int at, double[] sum);

    /** sum += x [first, second], two vectors side by side, where x is the row with the entries from ... end - 1. */
    abstract void addPair(double[] values, int from, int end, double first, double second, double[] sum);

    /** sum += x factor, where x is the row with the entries from ... end - 1. */
    abstract void addOne(double[] values, int from, int end, double factor, double[] sum);
}
