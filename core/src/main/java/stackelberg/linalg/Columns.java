package stackelberg.linalg;

import java.util.Arrays;

/**
 * The columns of the entries of a sparse matrix, and the inner loops of its products: one row and one, two or four vectors, of which entry (j, c)
 * is at 2 j + c if there are two, at 4 j + c if there are four.
 *
 * <p>Columns take two bytes where they fit, which saves a tenth of the time of a pass and a sixth of the memory of the matrix. One call is one row, so that the
 * compiler gets a small method many thousand calls before the first pass is over. Two vectors go through together, because what costs is to
 * find their place, not to add to it, and four where there are as many; two chains of sums hide the latency of an addition. One vector goes through by four entries:
 * left to itself, the compiler unrolls these loops only if the rows it has seen so far were long.
 */
abstract class Columns {
    /** A copy of the columns of the first count entries, for a matrix that has cols columns in all. */
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

    /** The column of this entry. */
    abstract int get(int entry);

    /** u[at] ... u[at + 3] = x'V for the row x of the entries from ... end - 1. */
    abstract void multiplyQuad(double[] values, int from, int end, double[] v, double[] u, int at);

    /** u[at], u[at + 1] = x'V for the row x of the entries from ... end - 1. */
    abstract void multiplyPair(double[] values, int from, int end, double[] v, double[] u, int at);

    /** u[at] = x'v for the row x of the entries from ... end - 1. */
    abstract void multiplyOne(double[] values, int from, int end, double[] v, double[] u, int at);

    /** sum += x [u[at], ..., u[at + 3]] for the row x of the entries from ... end - 1. */
    abstract void addQuad(double[] values, int from, int end, double[] u, int at, double[] sum);

    /** sum += x [first, second] for the row x of the entries from ... end - 1. */
    abstract void addPair(double[] values, int from, int end, double first, double second, double[] sum);

    /** sum += x factor for the row x of the entries from ... end - 1. */
    abstract void addOne(double[] values, int from, int end, double factor, double[] sum);
}
