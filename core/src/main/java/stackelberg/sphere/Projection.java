package stackelberg.sphere;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The columns V nobody can change as E R with E'SE = I, so that P = I - E E'S removes them: what is known of R.
 *
 * <p>One rule decides which columns are independent, whatever is at hand of the rows, so that all kinds of {@link Reduction} drop the same ones: the
 * first of several dependent columns is kept, the others get coefficient 0.
 */
abstract sealed class Projection permits RowProjection, SumsProjection {
    /** A column whose part outside the earlier ones is this small against itself is taken as their combination. */
    private static final double DEPENDENT = 1e-11;

    /** What is left of a vector below this part of itself is rounding. */
    static final double ROUNDING = 16 * 0x1p-52;

    final int columns;
    final int[] source;
    final double[][] r;
    final double[] norms;

    /**
     * Keeps what it is given.
     *
     * @param columns how many V has
     * @param source which of them are independent
     * @param r the columns of R, down to the diagonal
     * @param norms the lengths of the independent columns
     */
    Projection(int columns, int[] source, double[][] r, double[] norms) {
        this.columns = columns;
        this.source = source;
        this.r = r;
        this.norms = norms;
    }

    /** The rule. */
    static boolean isDependent(double outside, double length) {
        return outside <= DEPENDENT * length;
    }

    final int rank() {
        return source.length;
    }

    /** The columns that are taken as combinations of earlier ones, columns of zeros among them. */
    final List<Integer> dependent() {
        return IntStream.range(0, columns)
                .filter(j -> Arrays.binarySearch(source, j) < 0)
                .boxed()
                .toList();
    }

    /** The smallest part of an independent column outside the earlier ones, against itself. */
    final double smallestPart() {
        double smallest = 1;
        for (int k = 0; k < rank(); k++) {
            smallest = Math.min(smallest, r[k][k] / norms[k]);
        }
        return smallest;
    }

    /**
     * ||R^{-1}||_F with the columns of V taken at length 1, column by column: R a = e_k from the last entry up. How many times its rounding a column
     * may turn the space of E, and with it P: 1 if there is one column, large where they nearly depend.
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

    /** Coefficients on V of E c: R^{-1} c on the independent columns, 0 on the others. */
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
