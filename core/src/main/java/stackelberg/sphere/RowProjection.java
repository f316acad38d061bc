package stackelberg.sphere;

import java.util.Arrays;
import stackelberg.linalg.Vectors;

/** The {@link Projection} of rows that are at hand: E itself, orthonormalised in the weighted inner product. */
final class RowProjection extends Projection {
    /** Far above {@link #ROUNDING}. */
    private static final double SURELY_LEFT = 1e-6;

    private final double[] weights;
    private final double[][] basis;

    private RowProjection(int columns, int[] source, double[][] r, double[] norms, double[] weights, double[][] basis) {
        super(columns, source, r, norms);
        this.weights = weights;
        this.basis = basis;
    }

    /**
     * Gram-Schmidt, twice, in the order given: the first of several dependent columns is kept. The columns are overwritten.
     *
     * @param columns the first may be one number in all rows, where the weights are
     * @param weights one number where it is everybody's
     */
    static RowProjection of(int rows, double[][] columns, double[] weights) {
        double[][] basis = new double[columns.length][];
        double[][] r = new double[columns.length][];
        double[] norms = new double[columns.length];
        int[] source = new int[columns.length];
        int rank = 0;
        for (int j = 0; j < columns.length; j++) {
            double[] e = columns[j];
            // squares of a column in tiny or huge units would leave the range of doubles
            double unit = Vectors.maxAbs(e);
            if (unit == 0) {
                continue;
            }
            for (int i = 0; i < e.length; i++) {
                e[i] /= unit;
            }
            double before = Math.sqrt(square(rows, e, weights));
            double[] coefficients = new double[rank + 1];
            for (int round = 0; round < 2; round++) {
                for (int k = 0; k < rank; k++) {
                    double c = Vectors.dot(basis[k], e, weights);
                    coefficients[k] += c;
                    for (int i = 0; i < e.length; i++) {
                        e[i] -= c * Vectors.at(basis[k], i);
                    }
                }
            }
            double after = Math.sqrt(square(rows, e, weights));
            if (isDependent(after, before)) {
                continue;
            }
            for (int i = 0; i < e.length; i++) {
                e[i] /= after;
            }
            coefficients[rank] = after;
            for (int k = 0; k <= rank; k++) {
                coefficients[k] *= unit;
            }
            basis[rank] = e;
            r[rank] = coefficients;
            norms[rank] = before * unit;
            source[rank] = j;
            rank++;
        }
        return new RowProjection(
                columns.length,
                Arrays.copyOf(source, rank),
                Arrays.copyOf(r, rank),
                norms,
                weights,
                Arrays.copyOf(basis, rank));
    }

    /** e'Se; a sum of so many ones has no rounding. */
    private static double square(int rows, double[] e, double[] weights) {
        return e.length == 1 ? rows * (weights[0] * e[0] * e[0]) : Vectors.dot(e, e, weights);
    }

    /** A column of E; one number where it is that in all rows. */
    double[] basis(int k) {
        return basis[k];
    }

    /** E'S v. */
    double[] coordinates(double[] v) {
        double[] c = new double[rank()];
        for (int k = 0; k < c.length; k++) {
            c[k] = Vectors.dot(basis[k], v, weights);
        }
        return c;
    }

    /** v - E c, so P v when c = E'S v; a second round removes what rounding left, and a result that is all rounding is 0. */
    double[] remove(double[] v, double[] c) {
        double[] result = v.clone();
        subtract(result, c);
        subtract(result, coordinates(result));
        double after = Math.sqrt(Vectors.dot(result, result, weights));
        // ||v||^2 = ||E'Sv||^2 + ||Pv||^2: who is left with a digit need not be asked
        if (after > SURELY_LEFT * (after + Vectors.norm(c))) {
            return result;
        }
        double before = Math.sqrt(Vectors.dot(v, v, weights));
        boolean measured = before > 0 && before < Double.POSITIVE_INFINITY;
        return measured && after <= ROUNDING * before ? new double[v.length] : result;
    }

    private void subtract(double[] v, double[] c) {
        for (int k = 0; k < c.length; k++) {
            double[] e = basis[k];
            if (e.length == 1) {
                Vectors.shift(-(c[k] * e[0]), v);
                continue;
            }
            for (int i = 0; i < v.length; i++) {
                v[i] -= c[k] * e[i];
            }
        }
    }
}
