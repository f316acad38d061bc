package stackelberg.solver.published.ltrsr;

import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.SymmetricEigen;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.solver.secular.ArrowSphere;

/**
 * Minimises h'T h + 2 ||g|| h_1 on ||h|| = 1 for a tridiagonal T that grows by one row at a time.
 *
 * <p>T + lambda I = LDL' costs O(k). The multiplier of the last size is at most the new one, because multipliers of growing Krylov spaces never decrease, so
 * Newton's method starts from it on the side where it converges monotonically; two or three steps suffice. If T + lambda I is not positive definite there, or
 * rounding keeps Newton's method from converging (nearly hard cases), the problem is solved in the coordinates of T's eigenvectors.
 */
final class TridiagonalSphere {
    /** The number of Newton steps after which the eigenvectors are used. */
    private static final int NEWTON_STEPS = 50;

    private final double gNorm;
    private final double[] alpha;
    private final double[] beta;
    private final double[] pivot;
    private int k;
    private double lambda = Double.NaN;
    private double[] h = new double[0];

    TridiagonalSphere(double gNorm, int capacity) {
        this.gNorm = gNorm;
        this.alpha = new double[capacity];
        this.beta = new double[capacity];
        this.pivot = new double[capacity];
    }

    double lambda() {
        return lambda;
    }

    /** Returns the minimiser at the present size. */
    double[] h() {
        return h;
    }

    /** Returns h'T h + 2 ||g|| h_1 at the minimiser. */
    double value() {
        double sum = 2 * gNorm * h[0];
        for (int i = 0; i < k; i++) {
            sum += alpha[i] * h[i] * h[i];
            if (i > 0) {
                sum += 2 * beta[i - 1] * h[i - 1] * h[i];
            }
        }
        return sum;
    }

    /**
     * Appends a row to T and solves again.
     *
     * @param coupling the new off-diagonal entry; not used for the first row
     * @param diagonal the new diagonal entry
     */
    void grow(double coupling, double diagonal) {
        if (k > 0) {
            beta[k - 1] = coupling;
        }
        alpha[k++] = diagonal;
        if (k == 1) {
            lambda = gNorm - diagonal;
            h = new double[] {-1};
            return;
        }
        if (!newton()) {
            spectral();
        }
    }

    /** Solves by Newton's method for 1/||h(lambda)|| = 1; returns false if it fails. */
    private boolean newton() {
        double at = lambda;
        double before = Double.POSITIVE_INFINITY;
        for (int step = 0; step < NEWTON_STEPS; step++) {
            if (!factor(at)) {
                return false;
            }
            double[] x = new double[k];
            x[0] = -gNorm;
            substitute(x);
            double phi = Vectors.norm(x);
            double error = Math.abs(phi - 1);
            if (error <= 4 * 0x1p-52 || (error < 1e-11 && error >= before)) {
                Vectors.scale(1 / phi, x);
                lambda = at;
                h = x;
                return true;
            }
            before = error;
            double[] y = x.clone();
            substitute(y);
            at += (phi - 1) * phi * phi / Vectors.dot(x, y);
        }
        return false;
    }

    /** Solves in the coordinates of T's eigenvectors, the hard case included. */
    private void spectral() {
        DenseMatrix t = DenseMatrix.zeros(k, k);
        for (int i = 0; i < k; i++) {
            t.set(i, i, alpha[i]);
            if (i > 0) {
                t.set(i, i - 1, beta[i - 1]);
                t.set(i - 1, i, beta[i - 1]);
            }
        }
        SymmetricEigen eigen = SymmetricEigen.of(t, Workers.of(1));
        double[] c = eigen.vectors().row(0);
        Vectors.scale(gNorm, c);
        ArrowSphere.Solution small = ArrowSphere.solveDiagonal(eigen.values(), c);
        lambda = small.lambda();
        h = new double[k];
        for (int i = 0; i < k; i++) {
            h[i] = Vectors.dot(eigen.vectors().row(i), small.r());
        }
        Vectors.scale(1 / Vectors.norm(h), h);
    }

    /** Computes the pivots of T + shift I; returns false if it is not positive definite. */
    private boolean factor(double shift) {
        for (int i = 0; i < k; i++) {
            pivot[i] = alpha[i] + shift - (i == 0 ? 0 : beta[i - 1] * beta[i - 1] / pivot[i - 1]);
            if (!(pivot[i] > 0)) {
                return false;
            }
        }
        return true;
    }

    /** Replaces x by (T + shift I)^{-1} x. */
    private void substitute(double[] x) {
        for (int i = 1; i < k; i++) {
            x[i] -= beta[i - 1] / pivot[i - 1] * x[i - 1];
        }
        for (int i = k - 1; i >= 0; i--) {
            x[i] /= pivot[i];
            if (i < k - 1) {
                x[i] -= beta[i] / pivot[i] * x[i + 1];
            }
        }
    }
}
