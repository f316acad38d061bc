package stackelberg.sphere;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import stackelberg.linalg.AffineMatrix;
import stackelberg.linalg.CsrMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Vectors;

/**
 * Writes X'PX as C'C - W T^{-1} W' ({@link SphereFamily.Sparse}) for an X that is a sparse matrix with scaled and shifted columns; C = S^{1/2} X without the
 * shifts.
 *
 * <p>The projection off E contributes -FF' with F = C'S^{1/2}E (W = F, T = I). Shifts a of the columns of X contribute -ha' - ah' + mu aa' with h
 * = C'S^{1/2}P1 and mu = 1'SP1 (W = [h, a], T = [[mu, 1], [1, 0]]). So neither fills C'C with nonzeros. With an intercept, P1 = 0 and shifts have no effect.
 */
final class SparseGram {
    /** The share of 1'S1 up to which mu = ||P1||^2 counts as 0: the square of a relative error of 1e-12. */
    private static final double NEGLIGIBLE = 1e-24;

    private SparseGram() {}

    /** Returns X'PX in that form, if x is a sparse matrix with scaled and shifted columns. */
    static SphereFamily.@Nullable Sparse of(Matrix x, double[] weights, RowProjection fixed) {
        Matrix inner = x;
        double[] scale = null;
        double[] shift = null;
        // composes all affine maps of columns into one
        while (inner instanceof AffineMatrix affine) {
            double[] innerScale = affine.scale();
            double[] innerShift = affine.shift();
            for (int j = 0; j < innerScale.length; j++) {
                // ((x - b) a - c) d = (x - (b + c/a)) a d
                double outerScale = scale == null ? 1 : scale[j];
                double outerShift = shift == null ? 0 : shift[j];
                innerShift[j] += outerShift == 0 ? 0 : outerShift / innerScale[j];
                innerScale[j] *= outerScale;
            }
            scale = innerScale;
            shift = innerShift;
            inner = affine.inner();
        }
        if (!(inner instanceof CsrMatrix sparse)) {
            return null;
        }
        double[] roots = new double[x.rows()];
        double[] ones = new double[x.rows()];
        Arrays.fill(ones, 1);
        double[] projectedOnes = fixed.remove(ones, fixed.coordinates(ones));
        double mu = 0;
        double total = 0;
        for (int i = 0; i < roots.length; i++) {
            double weight = Vectors.at(weights, i);
            roots[i] = Math.sqrt(weight);
            mu += weight * projectedOnes[i] * projectedOnes[i];
            total += weight;
        }
        CsrMatrix core = sparse.scaled(roots, scale);
        boolean shifted = false;
        for (int j = 0; shift != null && scale != null && j < shift.length; j++) {
            shift[j] *= scale[j];
            shifted |= shift[j] != 0;
        }
        shifted &= mu > NEGLIGIBLE * total;
        int k = fixed.rank() + (shifted ? 2 : 0);
        double[][] low = new double[k][];
        double[][] t = new double[k][k];
        for (int c = 0; c < fixed.rank(); c++) {
            low[c] = core.transposeTimes(product(roots, fixed.basis(c)));
            t[c][c] = 1;
        }
        if (shifted) {
            low[k - 2] = core.transposeTimes(product(roots, projectedOnes));
            low[k - 1] = shift;
            t[k - 2][k - 2] = mu;
            t[k - 2][k - 1] = 1;
            t[k - 1][k - 2] = 1;
        }
        return new SphereFamily.Sparse(core, low, t);
    }

    /** Returns the columns of W T^{-1}. T is the identity except for the block [[mu, 1], [1, 0]] of a shift, whose inverse is [[0, 1], [1, -mu]]. */
    static double[][] lowTimesInverse(SphereFamily.Sparse gram) {
        double[][] low = gram.low();
        double[][] t = gram.t();
        double[][] result = low.clone();
        int last = low.length - 1;
        if (last > 0 && t[last][last] == 0) {
            result[last - 1] = low[last];
            result[last] = low[last - 1].clone();
            Vectors.axpy(-t[last - 1][last - 1], low[last], result[last]);
        }
        return result;
    }

    /** Returns the entrywise product; b may be one number for all entries. */
    private static double[] product(double[] a, double[] b) {
        double[] result = a.clone();
        for (int i = 0; i < a.length; i++) {
            result[i] *= Vectors.at(b, i);
        }
        return result;
    }
}
