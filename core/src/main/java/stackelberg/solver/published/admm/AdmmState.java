package stackelberg.solver.published.admm;

import stackelberg.linalg.Vectors;
import stackelberg.solver.ProgressListener.Progress;

/**
 * The iterates (r, s, v) of ADMM and its three steps, paper eq. ADMM_solution; by default with the ball in the place of the sphere and H - mu I in that of H, which
 * makes the problem convex.
 */
final class AdmmState {
    private final double[] g;
    private final double p;
    private final double[] r;
    private final double[] s;
    private final double[] v;
    private final double[] x;
    private final double[] previousS;
    private final double[] halfGradient;
    private final boolean ball;
    private double sigma;
    private double mu;
    private ShiftedSolve system;
    private int iteration;

    /** @param ball whether s may lie inside */
    AdmmState(double[] g, double p, double[] s0, double[] v0, boolean ball) {
        int d = g.length;
        this.ball = ball;
        this.g = g;
        this.p = p;
        this.r = s0.clone();
        this.s = s0.clone();
        this.v = v0.clone();
        this.x = new double[d];
        this.previousS = s0.clone();
        this.halfGradient = new double[d];
    }

    /**
     * Goes on with another sigma = rho/2 and another mu. The multiplier rho v is kept, so v changes.
     *
     * @param newSystem H - mu I + sigma I
     */
    void use(double newSigma, double newMu, ShiftedSolve newSystem) {
        if (system != null) {
            Vectors.scale(sigma / newSigma, v);
        }
        sigma = newSigma;
        mu = newMu;
        system = newSystem;
    }

    /** r <- (H - mu I + rho/2 I)^{-1}(-g + rho/2 (s + v)), eq. ADMM_solution1, and x = r - v. */
    void updateR() {
        for (int j = 0; j < r.length; j++) {
            halfGradient[j] = sigma * (s[j] + v[j]);
            r[j] = halfGradient[j] - g[j];
        }
        system.solve(r);
        for (int j = 0; j < r.length; j++) {
            // (H - mu I + sigma I) r = -g + sigma (s + v), so H r + g costs nothing
            halfGradient[j] -= (sigma - mu) * r[j];
            x[j] = r[j] - v[j];
        }
    }

    /** s <- x/||x||, eq. ADMM_solution2; x/max(1, ||x||) on the ball. */
    void project() {
        System.arraycopy(s, 0, previousS, 0, s.length);
        double norm = ball ? Math.max(1, Vectors.norm(x)) : Vectors.norm(x);
        if (norm == 0) {
            // every point of the sphere is nearest, the present one too
            return;
        }
        for (int j = 0; j < s.length; j++) {
            s[j] = x[j] / norm;
        }
    }

    /** v <- v + s - r = s - x, eq. ADMM_solution3. */
    void updateDual() {
        for (int j = 0; j < v.length; j++) {
            v[j] = s[j] - x[j];
        }
    }

    /** Starts again from a unit vector with this multiplier: v = -((lambda + mu)/sigma) s, as at a fixed point. */
    void restart(double[] unit, double lambda) {
        // a fixed point has lambda + mu >= 0
        double[] start = unit.clone();
        Vectors.scale(Math.max(1, 1 + (lambda + mu) / sigma), start);
        restart(start);
    }

    /** Starts again from any x = s - v. */
    void restart(double[] start) {
        System.arraycopy(start, 0, x, 0, x.length);
        project();
        updateDual();
    }

    /** Residuals of the paper, f(r), and -rho v's/2 - mu as the estimate of lambda. */
    Progress measure() {
        iteration++;
        double primal = 0;
        double dual = 0;
        double vs = 0;
        double quadratic = 0;
        double linear = 0;
        for (int j = 0; j < r.length; j++) {
            double gap = s[j] - r[j];
            double step = s[j] - previousS[j];
            primal += gap * gap;
            dual += step * step;
            vs += v[j] * s[j];
            quadratic += r[j] * halfGradient[j];
            linear += g[j] * r[j];
        }
        double objective = quadratic + linear + p;
        return new Progress(iteration, objective, Math.sqrt(primal), 2 * sigma * Math.sqrt(dual), -sigma * vs - mu);
    }

    double sigma() {
        return sigma;
    }

    /** Whether s is inside the ball, so that v = 0. */
    boolean isInside() {
        return ball && Vectors.norm(x) < 1;
    }

    /** M q with M = (H - mu I + sigma I)^{-1}, in place. */
    void applyInverse(double[] q) {
        system.solve(q);
    }

    double[] s() {
        return s;
    }

    double[] r() {
        return r;
    }

    /** x = r - v, of which the whole iteration is a function; acceleration may change it before the projection. */
    double[] x() {
        return x;
    }

    /** H r + g. */
    double[] halfGradient() {
        return halfGradient;
    }
}
