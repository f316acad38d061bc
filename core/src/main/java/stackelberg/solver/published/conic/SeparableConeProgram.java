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
 *
 * <p>A predictor-corrector step is taken only if it halves the gap, stays near the central path and keeps ||r||^2 + sum u_i close to 1. Otherwise the next point is the one of the central path with a tenth of the gap. There
 * u_i = nu/t_i, and the only remaining equation is F(t) = sum gHat_i^2/t_i^2 + nu sum 1/t_i = 1. Because 1/t_i is the integral of 1/(t_i + b)^2 over b &gt;= 0, F^{-1/2} is concave like the secular function of a
 * trust region, and Newton's method for F^{-1/2} = 1 converges from every t &gt; 0. So each step at least halves the gap.
 */
final class SeparableConeProgram {
    /** The share of the way to the boundary of the cone that a step goes at most. */
    private static final double TO_BOUNDARY = 0.99;
    /** The largest factor of the gap with which a predictor-corrector step is accepted. */
    private static final double LARGEST_FACTOR = 0.5;
    /** The factor of the gap after a step along the central path. */
    private static final double REDUCTION = 0.1;
    /** A point is near the central path if no t_i u_i is less than this share of their mean. */
    private static final double CENTRAL = 1e-3;
    /** The largest |sum(r_i^2 + u_i) - 1| that counts as rounding. */
    private static final double ROUNDING = 1e-12;
    /** A gap of at most this share of ||H|| + ||g|| counts as 0. */
    private static final double NO_GAP = 1e-24;
    /** Newton's method ends after a relative step of this size: by quadratic convergence the next one would be rounding. */
    private static final double CONVERGED = 1e-8;
    /** The largest number of Newton steps to a point of the central path; a few are usual. */
    private static final int NEWTON_STEPS = 100;

    private final double[] h;
    private final double[] gHat;
    private final double p;
    /** h_i - h_1. */
    private final double[] above;

    private final double[] u;
    /** t_1 = lambda + h_1. */
    private double t;

    private int iterations;

    private final double[] du;
    private double dt;

    /**
     * Starts on the central path.
     *
     * @param h the eigenvalues of H, ascending
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
     * Iterates until the gap is at most gapTolerance * max(|f|, floor), or negligible compared with H and g.
     *
     * @param proceed asked after every iteration; false stops
     * @return whether the gap was reached
     */
    boolean solve(double gapTolerance, double floor, int maxIterations, Predicate<ConicReport> proceed) {
        double size = Math.max(Math.abs(h[0]), Math.abs(h[h.length - 1])) + Vectors.norm(gHat);
        double negligible = NO_GAP * (size > 0 ? size : 1);
        double first = gap();
        while (true) {
            double gap = gap();
            double allowed = gapTolerance * Math.max(Math.abs(primalObjective()), floor);
            if (normError() < ROUNDING && (gap <= allowed || gap <= negligible)) {
                return true;
            }
            if (iterations >= maxIterations) {
                return false;
            }
            double before = t;
            double[] uBefore = u.clone();
            step();
            iterations++;
            if (!isGood(gap, first)) {
                t = before;
                System.arraycopy(uBefore, 0, u, 0, u.length);
                followPath(REDUCTION * gap / u.length);
            }
            if (!proceed.test(report())) {
                return false;
            }
        }
    }

    /**
     * Returns whether a predictor-corrector step is accepted: it halved the gap, is near the central path, and sum(r_i^2 + u_i) - 1 has shrunk at least as
     * the gap has.
     *
     * @param before the gap before the step
     * @param first the gap at the start
     */
    private boolean isGood(double before, double first) {
        double gap = gap();
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < u.length; i++) {
            least = Math.min(least, (above[i] + t) * u[i]);
        }
        return gap <= LARGEST_FACTOR * before
                && least >= CENTRAL * gap / u.length
                && normError() <= Math.max(ROUNDING / 10, gap / first);
    }

    /**
     * Goes to the point of the central path at nu, by Newton's method for F(t)^{-1/2} = 1. F(t) is at least its first terms, so the root of nu/t + gHat_1^2/t^2 = 1
     * is left of that of F(t) = 1, and so is Newton's step from a point right of it. From the left, Newton's steps for a concave function stay on the left and
     * converge.
     */
    private void followPath(double nu) {
        double own = Math.abs(gHat[0]);
        double left = (nu + Math.hypot(nu, 2 * own)) / 2;
        t = Math.max(left, t + pathStep(nu));
        for (int k = 0; k < NEWTON_STEPS; k++) {
            double step = pathStep(nu);
            if (!(step > 0)) {
                break;
            }
            t += step;
            if (step <= CONVERGED * t) {
                break;
            }
        }
        for (int i = 0; i < u.length; i++) {
            u[i] = nu / (above[i] + t);
        }
    }

    /** Returns Newton's step for F(t)^{-1/2} = 1. */
    private double pathStep(double nu) {
        double norm = 0;
        double slope = 0;
        for (int i = 0; i < gHat.length; i++) {
            double ti = above[i] + t;
            double ri = gHat[i] / ti;
            norm += ri * ri + nu / ti;
            slope += (2 * ri * ri + nu / ti) / ti;
        }
        return 2 * norm * (Math.sqrt(norm) - 1) / slope;
    }

    /** Takes a predictor-corrector step (Mehrotra): a trial step to nu = 0 determines the nu of the actual step, which includes its second-order terms. */
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

    /** Computes Newton's direction (dt, du) for the central path at nu, corrected by the second-order terms of the given predictor. */
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

    /** Returns the step length, at most 1: t and u stay positive, and ||r||^2, which grows like 1/t^2, stays below 2 or does not grow. */
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

    /** Returns the gap, sum t_i u_i. */
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

    /** Returns the current values. */
    ConicReport report() {
        double dual = p - (t - h[0]);
        for (int i = 0; i < h.length; i++) {
            dual -= gHat[i] == 0 ? 0 : gHat[i] * gHat[i] / (above[i] + t);
        }
        return new ConicReport(primalObjective(), dual, gap(), t - h[0], iterations);
    }

    /**
     * Returns a point x of the sphere in the coordinates of the eigenvectors. r = -gHat/(h + lambda) has a norm below or near 1; it is completed along the first
     * eigenvector or rescaled, whichever raises f less: f(x) = p - lambda + gHat'r + (x - r)'(H + lambda I)(x - r) for any x of the sphere.
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
        double norm = Math.sqrt(square);
        double lack = 1 - square;
        double first = x[0] * x[0] + lack;
        double added = lack / (Math.abs(x[0]) + Math.sqrt(Math.max(0, first)));
        double stretch = lack / (norm * (1 + norm));
        if (square == 0 || first >= 0 && t * added * added < energy * stretch * stretch) {
            x[0] = Math.copySign(Math.sqrt(first), x[0] == 0 ? 1 : x[0]);
        } else {
            Vectors.scale(1 / norm, x);
        }
        return x;
    }
}
