package stackelberg.sphere;

import java.util.Arrays;
import stackelberg.linalg.Vectors;

/** The {@link Projection} of rows in memory: holds E itself, orthonormal in the weighted inner product, E'SE = I. */
final class RowProjection extends Projection {
    /** If a larger share of v remains, it is not all rounding and the exact comparison with {@link #ROUNDING} is not needed. */
    private static final double CERTAINLY_REMAINS = 1e-6;

    private final double[] weights;
    private final double[][] basis;

    private RowProjection(int columns, int[] source, double[][] r, double[] norms, double[] weights, double[][] basis) {
        super(columns, source, r, norms);
        this.weights = weights;
        this.basis = basis;
    }

    /**
     * Factorises V = E R by Gram-Schmidt with reorthogonalisation, in the given order: of several dependent columns the first is kept.
     *
     * @param rows the number of rows m
     * @param columns the columns of V, overwritten; a column may be an array of one number if it is constant and the weights are equal
     * @param weights the sample weights; an array of one number if all rows have that weight
     */
    static RowProjection of(int rows, double[][] columns, double[] weights) {
        double[][] basis = new double[columns.length][];
        double[][] r = new double[columns.length][];
        double[] norms = new double[columns.length];
        int[] source = new int[columns.length];
        int rank = 0;
        for (int j = 0; j < columns.length; j++) {
            double[] e = columns[j];
            // scaled by its largest entry, because the squares of a column in tiny or huge units would underflow or
            // overflow
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

    /** Returns e'Se; for a constant column as a product, which has no rounding error of a sum. */
    private static double square(int rows, double[] e, double[] weights) {
        return e.length == 1 ? rows * (weights[0] * e[0] * e[0]) : Vectors.dot(e, e, weights);
    }

    /** Returns column k of E, not copied; an array of one number if it is constant. */
    double[] basis(int k) {
        return basis[k];
    }

    /** Returns E'S v. */
    double[] coordinates(double[] v) {
        double[] c = new double[rank()];
        for (int k = 0; k < c.length; k++) {
            c[k] = Vectors.dot(basis[k], v, weights);
        }
        return c;
    }

    /**
     * Returns v - E c, which is P v for c = E'S v. A second round removes what rounding left along E, and a result that is all rounding becomes 0.
     *
     * @param v one value per row; not modified
     * @param c E'S v
     */
    double[] remove(double[] v, double[] c) {
        double[] result = v.clone();
        subtract(result, c);
        subtract(result, coordinates(result));
        double after = Math.sqrt(Vectors.dot(result, result, weights));
        // ||v||^2 = ||E'Sv||^2 + ||Pv||^2, so this comparison costs no pass over v; only a nearly vanished result needs
        // the norm of v
        if (after > CERTAINLY_REMAINS * (after + Vectors.norm(c))) {
            return result;
        }
        double before = Math.sqrt(Vectors.dot(v, v, weights));
        boolean measured = before > 0 && before < Double.POSITIVE_INFINITY;
        return measured && after <= ROUNDING * before ? new double[v.length] : result;
    }

    /** Subtracts E c from v, in place. */
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
