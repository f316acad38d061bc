package stackelberg.solver.conic;

import java.util.function.Predicate;
import stackelberg.linalg.Vectors;

/**
 * The separable second-order cone program of the sphere problem in the coordinates of H's eigenvectors (paper eq. socp_reform, unscaled):
 * maximise mu subject to s_i (h_i + lambda) >= gHat_i^2, s_i >= 0, h_i + lambda >= 0, p - mu - lambda - sum s_i >= 0.
 *
 * <p>Each cone is a 2 x 2 matrix [[s_i, gHat_i], [gHat_i, h_i + lambda]] >= 0; its dual [[1, r_i], [r_i, r_i^2 + u_i]] >= 0 with sum(r_i^2 +
 * u_i) = 1 is the sphere relaxed to convexity: minimise sum h_i (r_i^2 + u_i) + 2 gHat_i r_i + p. A primal-dual interior-point method on
 *
 * <pre>t_i r_i + gHat_i = 0,   t_i u_i = nu,   sum(r_i^2 + u_i) = 1,   t_i = h_i + lambda</pre>
 *
 * eliminates everything but the step of lambda, so an iteration costs O(n). The unknown is t_1 = lambda + h_1 and not lambda, so that nothing
 * cancels when lambda comes close to -h_1; in the hard case u_1 stays positive and is the square of what the eigenvector adds.
 */
final class SeparableConeProgram {
    private static final double TO_BOUNDARY = 0.99;

    private final double[] h;
    private final double[] gHat;
    private final double p;
    /** h_i - h_1. */
    private final double[] above;

    private final double[] r;
    private final double[] u;
    private double t;
    private int iterations;

    private final double[] dr;
    private final double[] du;
    private double dt;

    /**
     * @param h eigenvalues, ascending
     * @param gHat g in the coordinates of the eigenvectors
     */
    SeparableConeProgram(double[] h, double[] gHat, double p) {
        int d = h.length;
        this.h = h;
        this.gHat = gHat;
        this.p = p;
        this.above = new double[d];
        this.r = new double[d];
        this.u = new double[d];
        this.dr = new double[d];
        this.du = new double[d];
        double norm = Vectors.norm(gHat);
        double start = 2 * norm + (h[d - 1] - h[0]);
        this.t = start > 0 ? start : 1;
        double rest = 1;
        double inverses = 0;
        for (int i = 0; i < d; i++) {
            above[i] = h[i] - h[0];
            r[i] = -gHat[i] / (above[i] + t);
            rest -= r[i] * r[i];
            inverses += 1 / (above[i] + t);
        }
        // on the central path: t_i u_i is the same for all i
        for (int i = 0; i < d; i++) {
            u[i] = rest / inverses / (above[i] + t);
        }
    }

    /**
     * Iterates until the gap is at most gapTolerance * max(|f|, 1e-9 |p|) or below rounding.
     *
     * @param proceed asked after every iteration; false stops
     * @return whether the gap was reached
     */
    boolean solve(double gapTolerance, int maxIterations, Predicate<ConicReport> proceed) {
        double size = Math.max(Math.abs(h[0]), Math.abs(h[h.length - 1])) + Vectors.norm(gHat);
        double best = Double.POSITIVE_INFINITY;
        int idle = 0;
        while (true) {
            double gap = gap();
            double allowed = gapTolerance * Math.max(Math.abs(primalObjective()), 1e-9 * Math.abs(p));
            boolean feasible = normError() < 1e-12;
            if (feasible && (gap <= allowed || gap <= 1e-18 * size)) {
                return true;
            }
            // rounding: the gap has not gone down for some iterations
            idle = gap < best ? 0 : idle + 1;
            best = Math.min(best, gap);
            if (idle > 10 || iterations >= maxIterations) {
                return false;
            }
            step();
            iterations++;
            if (!proceed.test(report())) {
                return false;
            }
        }
    }

    /** Predictor to nu = 0, then a step to the nu that the predictor promises, with its second-order error taken in. */
    private void step() {
        int d = h.length;
        double[] zero = new double[d];
        newton(0, 0, zero, zero);
        double length = length();
        double nu = gap() / d;
        double predicted = 0;
        for (int i = 0; i < d; i++) {
            predicted += (above[i] + t + length * dt) * (u[i] + length * du[i]);
        }
        double sigma = Math.pow(Math.max(0, predicted / d / nu), 3);
        newton(Math.min(1, sigma) * nu, dt, dr.clone(), du.clone());
        length = Math.min(1, length());
        t += length * dt;
        for (int i = 0; i < d; i++) {
            r[i] += length * dr[i];
            u[i] += length * du[i];
        }
    }

    /** Newton's direction for the central path at nu, with the second-order terms of the predictor (dt, dr, du) subtracted. */
    private void newton(double nu, double dtBefore, double[] drBefore, double[] duBefore) {
        int d = h.length;
        double right = 0;
        double slope = 0;
        double norm = 1;
        double[] rightR = new double[d];
        double[] rightU = new double[d];
        for (int i = 0; i < d; i++) {
            double ti = above[i] + t;
            rightR[i] = -(ti * r[i] + gHat[i]) - dtBefore * drBefore[i];
            rightU[i] = nu - ti * u[i] - dtBefore * duBefore[i];
            norm -= r[i] * r[i] + u[i] + drBefore[i] * drBefore[i];
            right += (2 * r[i] * rightR[i] + rightU[i]) / ti;
            slope += (2 * r[i] * r[i] + u[i]) / ti;
        }
        dt = (right - norm) / slope;
        for (int i = 0; i < d; i++) {
            double ti = above[i] + t;
            dr[i] = (rightR[i] - r[i] * dt) / ti;
            du[i] = (rightU[i] - u[i] * dt) / ti;
        }
    }

    /** How far the direction may be followed before t or some u_i reaches zero, and a little less. */
    private double length() {
        double length = dt < 0 ? -t / dt : Double.POSITIVE_INFINITY;
        for (int i = 0; i < u.length; i++) {
            if (du[i] < 0) {
                length = Math.min(length, -u[i] / du[i]);
            }
        }
        return Math.min(1, TO_BOUNDARY * length);
    }

    private double normError() {
        double sum = -1;
        for (int i = 0; i < r.length; i++) {
            sum += r[i] * r[i] + u[i];
        }
        return Math.abs(sum);
    }

    /** sum t_i u_i plus what t_i r_i + gHat_i = 0 still lacks. */
    private double gap() {
        double sum = 0;
        for (int i = 0; i < u.length; i++) {
            double ti = above[i] + t;
            double lack = ti * r[i] + gHat[i];
            sum += ti * u[i] + lack * lack / ti;
        }
        return sum;
    }

    private double primalObjective() {
        double sum = p;
        for (int i = 0; i < h.length; i++) {
            sum += h[i] * (r[i] * r[i] + u[i]) + 2 * gHat[i] * r[i];
        }
        return sum;
    }

    /** Where it stands. */
    ConicReport report() {
        double dual = p - (t - h[0]);
        for (int i = 0; i < h.length; i++) {
            dual -= gHat[i] == 0 ? 0 : gHat[i] * gHat[i] / (above[i] + t);
        }
        return new ConicReport(primalObjective(), dual, gap(), t - h[0], iterations);
    }

    /**
     * A point of the sphere, in the coordinates of the eigenvectors: r = -gHat/(h + lambda), and what its norm lacks goes to the first
     * eigenvector, or into the length of r where that costs less of f.
     */
    double[] recover() {
        double[] x = new double[h.length];
        double square = 0;
        double energy = 0;
        for (int i = 0; i < x.length; i++) {
            x[i] = gHat[i] == 0 ? 0 : -gHat[i] / (above[i] + t);
            square += x[i] * x[i];
            energy += (above[i] + t) * x[i] * x[i];
        }
        double lack = 1 - square;
        if (lack > 0 && t * lack < energy * lack * lack / 4 || square == 0) {
            x[0] = Math.copySign(Math.sqrt(x[0] * x[0] + lack), x[0] == 0 ? 1 : x[0]);
        } else {
            Vectors.scale(1 / Math.sqrt(square), x);
        }
        return x;
    }
}
