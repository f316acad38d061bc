package stackelberg.solver.published.admm;

import stackelberg.linalg.Vectors;
import stackelberg.solver.ProgressListener.Progress;

/** The iterates (r, s, v) of ADMM and its three steps, paper eq. ADMM_solution. */
final class AdmmState {
    private final double[] g;
    private final double p;
    private final double[] r;
    private final double[] s;
    private final double[] v;
    private final double[] x;
    private final double[] previousS;
    private final double[] halfGradient;
    private double sigma;
    private ShiftedSolve system;
    private int iteration;

    AdmmState(double[] g, double p, double[] s0, double[] v0) {
        int d = g.length;
        this.g = g;
        this.p = p;
        this.r = s0.clone();
        this.s = s0.clone();
        this.v = v0.clone();
        this.x = new double[d];
        this.previousS = s0.clone();
        this.halfGradient = new double[d];
    }

    /** Goes on with another sigma = rho/2. The multiplier rho v is kept, so v changes. */
    void use(double newSigma, ShiftedSolve newSystem) {
        if (system != null) {
            Vectors.scale(sigma / newSigma, v);
        }
        sigma = newSigma;
        system = newSystem;
    }

    /** r <- (H + rho/2 I)^{-1}(-g + rho/2 (s + v)), eq. ADMM_solution1, and x = r - v. */
    void updateR() {
        for (int j = 0; j < r.length; j++) {
            halfGradient[j] = sigma * (s[j] + v[j]);
            r[j] = halfGradient[j] - g[j];
        }
        system.solve(r);
        for (int j = 0; j < r.length; j++) {
            // (H + sigma I) r = -g + sigma (s + v), so H r + g costs nothing
            halfGradient[j] -= sigma * r[j];
            x[j] = r[j] - v[j];
        }
    }

    /** s <- x/||x||, eq. ADMM_solution2. */
    void projectOntoSphere() {
        System.arraycopy(s, 0, previousS, 0, s.length);
        double norm = Vectors.norm(x);
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

    /** Starts again from a unit vector with this multiplier: v = -(lambda/sigma) s, as at a fixed point. */
    void restart(double[] unit, double lambda) {
        // a fixed point needs 1 + lambda/sigma > 0
        double scale = Math.max(0.5, 1 + lambda / sigma);
        for (int j = 0; j < s.length; j++) {
            x[j] = scale * unit[j];
        }
        projectOntoSphere();
        updateDual();
    }

    /** Residuals of the paper, f(r), and -rho v's/2 as the estimate of lambda. */
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
        return new Progress(iteration, objective, Math.sqrt(primal), 2 * sigma * Math.sqrt(dual), -sigma * vs);
    }

    double sigma() {
        return sigma;
    }

    /** M q with M = (H + sigma I)^{-1}, in place. */
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
