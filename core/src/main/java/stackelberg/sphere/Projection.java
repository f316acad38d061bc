package stackelberg.sphere;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The QR factorisation V = E R of the immutable columns V in the weighted inner product, E'SE = I, so that P = I - E E'S projects onto their complement.
 * This class holds R; whether E itself is known depends on the kind.
 *
 * <p>One rule decides which columns are independent, whether the rows or only their sums are known, so that all kinds of {@link Reduction} drop the same
 * ones: of several dependent columns the first is kept and the others get coefficient 0.
 */
abstract sealed class Projection permits RowProjection, SumsProjection {
    /**
     * A column whose part outside the earlier ones is at most this share of its length counts as their combination. Rounding leaves some 1e-15 of a truly
     * dependent column; digits that were rounded when the data were written leave more.
     */
    private static final double DEPENDENT = 1e-11;

    /** The share of a vector's length below which what remains of it after a projection is rounding. */
    static final double ROUNDING = 16 * 0x1p-52;

    final int columns;
    final int[] source;
    final double[][] r;
    final double[] norms;

    /**
     * Stores its arguments without copying.
     *
     * @param columns the number of columns of V
     * @param source the indices of the independent columns, ascending
     * @param r the columns of R, each down to its diagonal entry
     * @param norms the lengths of the independent columns of V
     */
    Projection(int columns, int[] source, double[][] r, double[] norms) {
        this.columns = columns;
        this.source = source;
        this.r = r;
        this.norms = norms;
    }

    /**
     * Returns whether a column counts as a combination of the earlier ones.
     *
     * @param outside the norm of its part outside the earlier columns
     * @param length its norm
     */
    static boolean isDependent(double outside, double length) {
        return outside <= DEPENDENT * length;
    }

    /** Returns the number of independent columns. */
    final int rank() {
        return source.length;
    }

    /** Returns the indices of the columns that count as combinations of earlier ones, columns of zeros among them. */
    final List<Integer> dependent() {
        return IntStream.range(0, columns)
                .filter(j -> Arrays.binarySearch(source, j) < 0)
                .boxed()
                .toList();
    }

    /** Returns the smallest share of its length that an independent column has outside the earlier ones, between 0 and 1. */
    final double smallestPart() {
        double smallest = 1;
        for (int k = 0; k < rank(); k++) {
            smallest = Math.min(smallest, r[k][k] / norms[k]);
        }
        return smallest;
    }

    /**
     * Returns ||R^{-1}||_F with the columns of V scaled to length 1, at least 1.
     *
     * <p>It bounds by how many roundings of the columns of V the space of E, and with it P, may be off: 1 for a single column, large where columns
     * nearly depend on each other. Computed column by column, by back substitution in R a = e_k.
     */
    final double conditioning() {
        double squares = 0;
        for (int k = 0; k < rank(); k++) {
            double[] rest = new double[k + 1];
            rest[k] = 1;
            for (int j = k; j >= 0; j--) {
                double value = rest[j] / r[j][j];
                squares += value * value * norms[j] * norms[j];
                for (int i = 0; i < j; i++) {
                    rest[i] -= r[j][i] * value;
                }
            }
        }
        return Math.max(1, Math.sqrt(squares));
    }

    /** Returns the coefficients q with V q = E c: R^{-1} c on the independent columns, 0 on the others. */
    final double[] coefficients(double[] c) {
        double[] q = new double[columns];
        double[] rest = c.clone();
        for (int k = rank() - 1; k >= 0; k--) {
            double value = rest[k] / r[k][k];
            q[source[k]] = value;
            for (int l = 0; l < k; l++) {
                rest[l] -= r[k][l] * value;
            }
        }
        return q;
    }
}
