package stackelberg.sphere;

import java.util.Arrays;
import stackelberg.linalg.AffineMatrix;
import stackelberg.linalg.CsrMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Vectors;

/**
 * {@link SphereFamily.Sparse} of an X that is sparse underneath: C is S^{1/2} X without shifts.
 *
 * <p>The columns E nobody can change give -FF' with F = C'S^{1/2}E (W = F, T = I), and a shift a of the columns of X gives -ha' - ah' + mu aa' with h
 * = C'S^{1/2}P1, mu = 1'SP1 (W = [h, a], T = [[mu, 1], [1, 0]]), so that neither ever fills C'C. With an intercept among E, P1 = 0 and the shift
 * does not matter.
 */
final class SparseGram {
    /** What is left of the ones below this is rounding. */
    private static final double NOTHING = 1e-24;

    private SparseGram() {}

    /** Null if x is not sparse underneath. */
    static SphereFamily.Sparse of(Matrix x, double[] weights, RowProjection fixed) {
        Matrix inner = x;
        double[] scale = null;
        double[] shift = null;
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
        for (int j = 0; shift != null && j < shift.length; j++) {
            shift[j] *= scale[j];
            shifted |= shift[j] != 0;
        }
        shifted &= mu > NOTHING * total;
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

    /** W T^{-1}: T is the identity but for the two columns of a shift, [[mu, 1], [1, 0]] with the inverse [[0, 1], [1, -mu]]. */
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

    private static double[] product(double[] a, double[] b) {
        double[] result = a.clone();
        for (int i = 0; i < a.length; i++) {
            result[i] *= Vectors.at(b, i);
        }
        return result;
    }
}
