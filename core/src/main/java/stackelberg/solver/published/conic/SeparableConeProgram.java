package stackelberg.solver.published.conic;

import java.util.function.Predicate;
import stackelberg.linalg.Vectors;

/**
 * The separable second-order cone program of the sphere problem in the coordinates of H's eigenvectors (paper eq. socp_reform, unscaled):
 * maximise mu subject to s_i (h_i + lambda) >= gHat_i^2, s_i >= 0, h_i + lambda >= 0, p - mu - lambda - sum s_i >= 0.
 *
 * <p>Each cone is a 2 x 2 matrix [[s_i, gHat_i], [gHat_i, h_i + lambda]] >= 0; its dual [[1, r_i], [r_i, r_i^2 + u_i]] >= 0 with sum(r_i^2 +
 * u_i) = 1 is the sphere relaxed to convexity: minimise sum h_i (r_i^2 + u_i) + 2 gHat_i r_i + p. A primal-dual interior-point method on
 *
 * <pre>t_i u_i = nu,   sum(r_i^2 + u_i) = 1,   t_i = h_i + lambda,   r_i = -gHat_i/t_i</pre>
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

    private final double[] u;
    private double t;
    private int iterations;

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
        this.u = new double[d];
        this.du = new double[d];
        double norm = Vectors.norm(gHat);
        double start = 2 * norm + (h[d - 1] - h[0]);
        this.t = start > 0 ? start : 1;
        double rest = 1;
        double inverses = 0;
        for (int i = 0; i < d; i++) {
            above[i] = h[i] - h[0];
            double ri = gHat[i] / (above[i] + t);
            rest -= ri * ri;
            inverses += 1 / (above[i] + t);
        }
        // on the central path: t_i u_i is the same for all i
        for (int i = 0; i < d; i++) {
            u[i] = rest / inverses / (above[i] + t);
        }
    }

    /**
     * Iterates until the gap is at most gapTolerance * max(|f|, floor) or below rounding.
     *
     * @param proceed asked after every iteration; false stops
     * @return whether the gap was reached
     */
    boolean solve(double gapTolerance, double floor, int maxIterations, Predicate<ConicReport> proceed) {
        double size = Math.max(Math.abs(h[0]), Math.abs(h[h.length - 1])) + Vectors.norm(gHat);
        double best = Double.POSITIVE_INFINITY;
        int idle = 0;
        while (true) {
            double gap = gap();
            double allowed = gapTolerance * Math.max(Math.abs(primalObjective()), floor);
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
            double before = t;
            double[] uBefore = u.clone();
            step();
            iterations++;
            if (!Double.isFinite(gap())) {
                // it runs away to numbers that are none: the last point is all there is
                t = before;
                System.arraycopy(uBefore, 0, u, 0, u.length);
                return false;
            }
            if (!proceed.test(report())) {
                return false;
            }
        }
    }

    /** Predictor to nu = 0, then a step to the nu that the predictor promises, with its second-order error taken in. */
    private void step() {
        int d = h.length;
        newton(0, 0, new double[d]);
        double length = length();
        double nu = gap() / d;
        double predicted = 0;
        for (int i = 0; i < d; i++) {
            predicted += (above[i] + t + length * dt) * (u[i] + length * du[i]);
        }
        double sigma = Math.pow(Math.max(0, predicted / d / nu), 3);
        newton(Math.min(1, sigma) * nu, dt, du.clone());
        length = length();
        t += length * dt;
        for (int i = 0; i < d; i++) {
            u[i] += length * du[i];
        }
    }

    /** Newton's direction for the central path at nu, with the second-order terms of the predictor (dt, du) subtracted. */
    private void newton(double nu, double dtBefore, double[] duBefore) {
        int d = h.length;
        double right = 0;
        double slope = 0;
        double norm = 1;
        for (int i = 0; i < d; i++) {
            double ti = above[i] + t;
            double ri = gHat[i] / ti;
            double bend = dtBefore / ti;
            norm -= ri * ri * (1 + 3 * bend * bend) + u[i];
            right += (nu - dtBefore * duBefore[i]) / ti - u[i];
            slope += (2 * ri * ri + u[i]) / ti;
        }
        dt = (right - norm) / slope;
        for (int i = 0; i < d; i++) {
            du[i] = (nu - dtBefore * duBefore[i] - u[i] * dt) / (above[i] + t) - u[i];
        }
    }

    /** How far the direction may be followed: t and u stay positive, and r, which grows like 1/t, does not leave the sphere far behind. */
    private double length() {
        double length = dt < 0 ? -t / dt : Double.POSITIVE_INFINITY;
        for (int i = 0; i < u.length; i++) {
            if (du[i] < 0) {
                length = Math.min(length, -u[i] / du[i]);
            }
        }
        length = Math.min(1, TO_BOUNDARY * length);
        double now = squareOfR(t);
        while (dt < 0 && squareOfR(t + length * dt) > Math.max(2, now)) {
            length /= 2;
        }
        return length;
    }

    private double squareOfR(double at) {
        double sum = 0;
        for (int i = 0; i < gHat.length; i++) {
            double ri = gHat[i] / (above[i] + at);
            sum += ri * ri;
        }
        return sum;
    }

    private double normError() {
        double sum = squareOfR(t) - 1;
        for (double value : u) {
            sum += value;
        }
        return Math.abs(sum);
    }

    /** sum t_i u_i. */
    private double gap() {
        double sum = 0;
        for (int i = 0; i < u.length; i++) {
            sum += (above[i] + t) * u[i];
        }
        return sum;
    }

    private double primalObjective() {
        double sum = p;
        for (int i = 0; i < h.length; i++) {
            double ri = -gHat[i] / (above[i] + t);
            sum += h[i] * (ri * ri + u[i]) + 2 * gHat[i] * ri;
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
