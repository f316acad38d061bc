package stackelberg.sphere;

import java.util.Arrays;

/**
 * The columns nobody can change, orthonormalised in the weighted inner product: E'SE = I, so that P = I - E E'S removes them.
 *
 * <p>The original columns are E0 = E R on the independent ones; the others depend on those before them and get coefficient 0.
 */
final class ProjectedColumns {
    /** A column whose part outside the earlier ones is this small against itself is taken as their combination. */
    private static final double DEPENDENT = 1e-11;

    /** What is left of a vector below this part of itself is rounding. */
    private static final double ROUNDING = 16 * 0x1p-52;

    private final double[] weights;
    private final double[][] basis;
    private final double[][] r;
    private final int[] source;
    private final int columns;
    private final double conditioning;

    private ProjectedColumns(
            double[] weights, double[][] basis, double[][] r, int[] source, int columns, double conditioning) {
        this.weights = weights;
        this.basis = basis;
        this.r = r;
        this.source = source;
        this.columns = columns;
        this.conditioning = conditioning;
    }

    /** Gram-Schmidt, twice, in the order given: the first of several dependent columns is kept. */
    static ProjectedColumns of(double[][] columns, double[] weights) {
        double[][] basis = new double[columns.length][];
        double[][] r = new double[columns.length][];
        double[] norms = new double[columns.length];
        int[] source = new int[columns.length];
        int rank = 0;
        for (int j = 0; j < columns.length; j++) {
            double[] e = columns[j].clone();
            // squares of a column in tiny or huge units would leave the range of doubles
            double unit = Arrays.stream(e).map(Math::abs).max().orElse(0);
            if (unit == 0) {
                continue;
            }
            for (int i = 0; i < e.length; i++) {
                e[i] /= unit;
            }
            double before = Math.sqrt(weightedDot(e, e, weights));
            double[] coefficients = new double[rank + 1];
            for (int round = 0; round < 2; round++) {
                for (int k = 0; k < rank; k++) {
                    double c = weightedDot(basis[k], e, weights);
                    coefficients[k] += c;
                    for (int i = 0; i < e.length; i++) {
                        e[i] -= c * basis[k][i];
                    }
                }
            }
            double after = Math.sqrt(weightedDot(e, e, weights));
            if (after <= DEPENDENT * before) {
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
        return new ProjectedColumns(
                weights,
                Arrays.copyOf(basis, rank),
                Arrays.copyOf(r, rank),
                Arrays.copyOf(source, rank),
                columns.length,
                conditioning(Arrays.copyOf(r, rank), norms));
    }

    /**
     * ||R^{-1}||_F with the columns of E0 taken at length 1, column by column: R a = e_k from the last entry up.
     *
     * @param r the columns of R, down to the diagonal
     * @param norms the lengths of the columns of E0
     */
    static double conditioning(double[][] r, double[] norms) {
        double squares = 0;
        for (int k = 0; k < r.length; k++) {
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

    int rank() {
        return basis.length;
    }

    /** How many times its rounding a column may turn the space of E, and with it P: 1 if there is one column, large where they nearly depend. */
    double conditioning() {
        return conditioning;
    }

    double[] basis(int k) {
        return basis[k];
    }

    /** E'S v. */
    double[] coordinates(double[] v) {
        double[] c = new double[rank()];
        for (int k = 0; k < c.length; k++) {
            c[k] = weightedDot(basis[k], v, weights);
        }
        return c;
    }

    /** v - E c, so P v when c = E'S v; a second round removes what rounding left, and a result that is all rounding is 0. */
    double[] remove(double[] v, double[] c) {
        double[] result = v.clone();
        subtract(result, c);
        subtract(result, coordinates(result));
        double before = Math.sqrt(weightedDot(v, v, weights));
        double after = Math.sqrt(weightedDot(result, result, weights));
        boolean measured = before > 0 && before < Double.POSITIVE_INFINITY;
        return measured && after <= ROUNDING * before ? new double[v.length] : result;
    }

    private void subtract(double[] v, double[] c) {
        for (int k = 0; k < c.length; k++) {
            for (int i = 0; i < v.length; i++) {
                v[i] -= c[k] * basis[k][i];
            }
        }
    }

    /** Coefficients on the original columns of E c: R^{-1} c on the independent ones, 0 on the others. */
    double[] originalCoefficients(double[] c) {
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

    static double weightedDot(double[] a, double[] b, double[] weights) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += weights[i] * a[i] * b[i];
        }
        return sum;
    }
}
