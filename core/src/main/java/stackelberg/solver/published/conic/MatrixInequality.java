package stackelberg.solver.published.conic;

import stackelberg.linalg.DenseMatrix;
import stackelberg.sphere.SphereFamily;
import stackelberg.sphere.SphereProblem;

/**
 * The linear matrix inequality A - mu B + lambda C >= 0 of order n + 2 (paper eq. sdp_form), whose largest mu is f*.
 *
 * <p>A is the matrix of ||alpha z + X w - (1 + alpha) y||^2 in (w, alpha, 1), B = bb' with b = (0, ..., 0, 1, 1), and C = blkdiag(I_n/gamma,
 * [[0, -1/2], [-1/2, 0]]) is the matrix of w'w/gamma - alpha. (The paper prints C with -1/2 in its whole last row and column, which is not that
 * constraint.) The multiplier here is four times the one of the sphere.
 *
 * @param a A
 * @param gamma as in the game
 */
record MatrixInequality(DenseMatrix a, double gamma) {
    /** Returns the inequality of a problem, by (r, 1)(1 + alpha) = (2 w/sqrt(gamma), alpha - 1, alpha + 1), with border entries that do not cancel. */
    static MatrixInequality of(SphereProblem given, DenseMatrix h) {
        // with effects the sphere has another centre, and the problem is solved as one without a game
        SphereProblem problem = given.geometry().hasEffects() ? SphereProblem.ofGram(h, given.g(), given.p()) : given;
        int n = problem.dimension() - 1;
        double gamma = problem.gamma();
        double root = 2 / Math.sqrt(gamma);
        DenseMatrix a = DenseMatrix.zeros(n + 2, n + 2);
        for (int i = 0; i < n; i++) {
            double[] row = h.row(i);
            double[] scaled = new double[n + 2];
            for (int j = 0; j < n; j++) {
                scaled[j] = root * root * row[j];
            }
            a.setRow(i, scaled);
        }
        fillBorder(a, n, problem.family(), problem.tilt());
        return new MatrixInequality(a, gamma);
    }

    /** Fills in X'(z - y), -X'y, ||z - y||^2, -(z - y)'y and y'y, as in the paper; a ridge adds mu gamma alpha (1 + alpha) to the quadratic. */
    private static void fillBorder(DenseMatrix a, int n, SphereFamily family, double tilt) {
        double[] xy = family.xy();
        double[] xz = family.xz();
        for (int i = 0; i < n; i++) {
            setBoth(a, i, n, xz[i] - xy[i]);
            setBoth(a, i, n + 1, -xy[i]);
        }
        a.set(n, n, family.limitPointLoss() + tilt);
        setBoth(a, n, n + 1, family.yy() - family.yz() + tilt / 2);
        a.set(n + 1, n + 1, family.yy());
    }

    private static void setBoth(DenseMatrix a, int i, int j, double value) {
        a.set(i, j, value);
        a.set(j, i, value);
    }

    int order() {
        return a.rows();
    }

    /** Returns A - mu B + lambda C, newly formed. */
    DenseMatrix at(double mu, double lambda) {
        int n = order() - 2;
        DenseMatrix m = DenseMatrix.zeros(n + 2, n + 2);
        m.setAll(a);
        for (int i = 0; i < n; i++) {
            m.set(i, i, m.get(i, i) + lambda / gamma);
        }
        for (int i = n; i < n + 2; i++) {
            for (int j = n; j < n + 2; j++) {
                m.set(i, j, m.get(i, j) - mu - (i == j ? 0 : lambda / 2));
            }
        }
        return m;
    }

    /** Returns b = (0, ..., 0, 1, 1). */
    double[] b() {
        double[] b = new double[order()];
        b[order() - 2] = 1;
        b[order() - 1] = 1;
        return b;
    }

    /** Returns C v. */
    double[] timesC(double[] v) {
        int n = order() - 2;
        double[] result = v.clone();
        for (int i = 0; i < n; i++) {
            result[i] /= gamma;
        }
        result[n] = -v[n + 1] / 2;
        result[n + 1] = -v[n] / 2;
        return result;
    }

    /** Returns v'C v. */
    double quadraticC(double[] v) {
        int n = order() - 2;
        double sum = 0;
        for (int i = 0; i < n; i++) {
            sum += v[i] * v[i];
        }
        return sum / gamma - v[n] * v[n + 1];
    }

    /** Returns tr(W C). */
    double traceC(DenseMatrix w) {
        int n = order() - 2;
        double sum = 0;
        for (int i = 0; i < n; i++) {
            sum += w.get(i, i);
        }
        return sum / gamma - w.get(n, n + 1);
    }

    /** Returns tr(W C W C) for a symmetric W. */
    double traceCC(DenseMatrix w) {
        int n = order() - 2;
        double block = 0;
        for (int i = 0; i < n; i++) {
            double[] row = w.row(i);
            for (int j = 0; j < n; j++) {
                block += row[j] * row[j];
            }
        }
        double border = 0;
        for (int i = 0; i < n; i++) {
            border += w.get(i, n) * w.get(i, n + 1);
        }
        double corner = w.get(n, n + 1) * w.get(n, n + 1) + w.get(n, n) * w.get(n + 1, n + 1);
        return block / (gamma * gamma) - 2 * border / gamma + corner / 2;
    }
}
