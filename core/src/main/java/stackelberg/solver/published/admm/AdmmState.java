package stackelberg.solver.published.admm;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import stackelberg.linalg.Vectors;
import stackelberg.solver.ProgressListener.Progress;

/**
 * The iterates (r, s, v) of ADMM and its three steps (paper eq. ADMM_solution). By default with the ball instead of the sphere and H - mu I instead of H,
 * which makes the problem convex.
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
    /** Solves with H - mu I + sigma I; null before the first call of {@link #use}. */
    private @Nullable ShiftedSolve system;

    private int iteration;

    /**
     * Starts from given iterates, which are copied.
     *
     * @param ball whether s is projected onto the ball instead of the sphere
     */
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
     * Continues with another sigma = rho/2 and another mu. The multiplier rho v is kept, so v is rescaled.
     *
     * @param newSystem solves with H - mu I + sigma I
     */
    void use(double newSigma, double newMu, ShiftedSolve newSystem) {
        if (system != null) {
            Vectors.scale(sigma / newSigma, v);
        }
        sigma = newSigma;
        mu = newMu;
        system = newSystem;
    }

    /** Computes r = (H - mu I + rho/2 I)^{-1}(-g + rho/2 (s + v)), eq. ADMM_solution1, x = r - v, and H r + g. */
    void updateR() {
        for (int j = 0; j < r.length; j++) {
            halfGradient[j] = sigma * (s[j] + v[j]);
            r[j] = halfGradient[j] - g[j];
        }
        applyInverse(r);
        for (int j = 0; j < r.length; j++) {
            // (H - mu I + sigma I) r = -g + sigma (s + v), so H r + g = sigma (s + v) - (sigma - mu) r needs no product
            halfGradient[j] -= (sigma - mu) * r[j];
            x[j] = r[j] - v[j];
        }
    }

    /** Computes s = x/||x||, eq. ADMM_solution2; with the ball, x/max(1, ||x||). */
    void project() {
        System.arraycopy(s, 0, previousS, 0, s.length);
        double norm = ball ? Math.max(1, Vectors.norm(x)) : Vectors.norm(x);
        if (norm == 0) {
            // all points of the sphere are equally near, so s may stay
            return;
        }
        for (int j = 0; j < s.length; j++) {
            s[j] = x[j] / norm;
        }
    }

    /** Computes v + s - r = s - x, the new v, eq. ADMM_solution3. */
    void updateDual() {
        for (int j = 0; j < v.length; j++) {
            v[j] = s[j] - x[j];
        }
    }

    /** Restarts from a unit vector s and the v = -((lambda + mu)/sigma) s that belongs to this multiplier at a fixed point. */
    void restart(double[] unit, double lambda) {
        // at fixed points lambda + mu >= 0
        double[] start = unit.clone();
        Vectors.scale(Math.max(1, 1 + (lambda + mu) / sigma), start);
        restart(start);
    }

    /** Restarts from any x = s - v. */
    void restart(double[] start) {
        System.arraycopy(start, 0, x, 0, x.length);
        project();
        updateDual();
    }

    /** Counts the iteration and returns the residuals of the paper, f(r), and the estimate -rho v's/2 - mu of lambda. */
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

    /** Returns whether x is inside the ball, so that s = x and v = 0. */
    boolean isInside() {
        return ball && Vectors.norm(x) < 1;
    }

    /** Replaces q by (H - mu I + sigma I)^{-1} q. */
    void applyInverse(double[] q) {
        Objects.requireNonNull(system).solve(q);
    }

    double[] s() {
        return s;
    }

    double[] r() {
        return r;
    }

    /** Returns x = r - v, not copied. The next iterates depend on x alone, so acceleration may modify it before the projection. */
    double[] x() {
        return x;
    }

    /** Returns H r + g, not copied. */
    double[] halfGradient() {
        return halfGradient;
    }
}
