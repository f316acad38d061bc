package stackelberg.sphere;

import stackelberg.game.Moments;
import stackelberg.linalg.DenseMatrix;

/**
 * The rows M = [V, X, y, z - y] of a game that are kept elsewhere, each with a weight: all that is ever asked of them is sums over all rows.
 *
 * <p>V are the columns nobody can change, a column of ones first if there is an intercept. Nothing of the size of the rows comes back.
 */
public interface RemoteRows {
    /** How many columns V has. */
    int fixed();

    /** How many columns X has. */
    int features();

    /** What is known of the rows before the first product; one read, the first time. */
    Totals totals();

    /** M'S(M C) for a C with fixed() + features() + 2 rows, and how large the columns of M C are: one read. */
    Product times(DenseMatrix c);

    /** M'SM itself, for few columns; one read. */
    Moments sums();

    /**
     * Sums that need no vector.
     *
     * @param rows how many there are
     * @param weight sum_i s_i
     * @param squares sum_i s_i x_ij^2 for every column of X
     */
    record Totals(long rows, double weight, double[] squares) {}

    /**
     * The answer to one C.
     *
     * @param image M'S(M C)
     * @param squares ||S^{1/2} M c||^2 for every column c of C, summed from the rows of M c
     */
    record Product(DenseMatrix image, double[] squares) {}
}
