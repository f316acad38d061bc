package stackelberg.solver.published.conic;

import java.util.Optional;
import java.util.function.Predicate;
import stackelberg.linalg.Cholesky;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;

/**
 * Maximises mu subject to M = A - mu B + lambda C >= 0 by following the maximisers of mu/nu + log det M as nu goes to 0 (dual scaling).
 *
 * <p>One factorisation of order n + 2 per step, at a mu well inside the feasible set. Because B = bb' has rank one, the best mu for given lambda and nu, where
 * b'M^{-1}b = 1/nu, and all that Newton's method needs there follow from M^{-1} in closed form, so that M is never factorised close to the boundary in mu.
 * Newton's step in lambda is for the equation G(lambda)^{-1/2} = 1, with G = ||r(lambda)||^2 + nu tr (H + lambda I)^{-1} the squared norm on the central path:
 * G^{-1/2} is nearly linear where G itself has poles.
 *
 * <p>The primal matrix Z = nu (M^{-1} - M^{-1} dM M^{-1}) satisfies tr(BZ) = 1 and tr(CZ) = 0 exactly and is positive semidefinite if the Newton
 * decrement is at most 1. Its value is mu plus the gap nu (n + 2 - tr(M^{-1} dM)).
 */
final class BarrierMethod {
    /** The factor by which nu is reduced when a point is close enough to the central path. */
    private static final double REDUCTION = 0.02;
    /** The number of times that a step is halved to keep M positive definite. */
    private static final int HALVINGS = 60;
    /** The number of steps at one nu after which only rounding keeps Newton's method from converging. */
    private static final int STEPS_PER_NU = 60;

    private final MatrixInequality lmi;
    private final Workers workers;
    /** The distance below the best mu at which M is factorised. */
    private final double size;

    private double mu;
    private double lambda;
    private double nu;
    private double gap = Double.POSITIVE_INFINITY;
    private int iterations;
    private int factorisations;

    /**
     * Starts at a strictly feasible (mu, lambda).
     *
     * @param size the distance below the best mu at which to factorise M: about the size of f and lambda
     */
    BarrierMethod(MatrixInequality lmi, double mu, double lambda, double size, Workers workers) {
        this.lmi = lmi;
        this.mu = mu;
        this.lambda = lambda;
        this.size = size;
        this.nu = size;
        this.workers = workers;
    }

    /** Why the method ended. */
    enum End {
        /** The gap was reached. */
        REACHED,
        /** Rounding prevents further progress. */
        ROUNDING,
        /** The iteration limit was reached. */
        ITERATION_LIMIT,
        /** The caller asked to stop. */
        STOPPED
    }

    /**
     * Iterates until the gap is at most tolerance * max(|mu|, floor), or something else ends it.
     *
     * @param proceed asked after every iteration; false stops
     */
    End solve(double tolerance, double floor, int maxIterations, Predicate<ConicReport> proceed) {
        Optional<Cholesky> factor = factor(mu, lambda);
        int sinceReduction = 0;
        while (factor.isPresent()) {
            Curve curve = Curve.of(lmi, factor.get());
            double step = curve.newton(nu);
            // the Newton decrement is at most 1: the gap is valid, and nu may be reduced
            while (step * step * curve.curvature(nu) <= 1) {
                gap = curve.gap(nu, lmi.order());
                if (gap <= tolerance * Math.max(Math.abs(mu + curve.slack() - nu), floor)) {
                    mu += curve.slack() - nu;
                    return End.REACHED;
                }
                nu *= REDUCTION;
                sinceReduction = 0;
                step = curve.newton(nu);
            }
            mu += curve.slack() - nu;
            if (!(nu > 0) || Double.isNaN(step) || sinceReduction++ > STEPS_PER_NU) {
                return End.ROUNDING;
            }
            if (iterations >= maxIterations) {
                return End.ITERATION_LIMIT;
            }
            factor = advance(Math.max(step * curve.stretch(nu), -0.9 * curve.reach()));
            iterations++;
            if (!proceed.test(report())) {
                return End.STOPPED;
            }
        }
        return End.ROUNDING;
    }

    /** Takes the longest of the halved steps at which M is positive definite for a mu well below the best; empty if there is none. */
    private Optional<Cholesky> advance(double step) {
        for (int i = 0; i < HALVINGS; i++, step /= 2) {
            double lower = mu - size - Math.abs(step);
            Optional<Cholesky> factor = factor(lower, lambda + step);
            if (factor.isPresent()) {
                mu = lower;
                lambda += step;
                return factor;
            }
        }
        return Optional.empty();
    }

    private Optional<Cholesky> factor(double atMu, double atLambda) {
        factorisations++;
        return Cholesky.overwriting(lmi.at(atMu, atLambda), 0, workers);
    }

    /**
     * Quantities of W = M^{-1}, at any feasible mu, from which those at the best mu for the same lambda follow: with s = 1/(b'Wb), the distance of mu to the
     * boundary, M at the best mu is M - (s - nu) bb'.
     *
     * @param slack s
     * @param trace tr(WC)
     * @param traceTwice tr(WCWC)
     * @param quadratic v'Cv for v = Wb
     * @param quadraticTwice v'CWCv
     */
    private record Curve(double slack, double trace, double traceTwice, double quadratic, double quadraticTwice) {
        static Curve of(MatrixInequality lmi, Cholesky factor) {
            // by solving, not from the inverse: s is a Schur complement, which so stays accurate if H + lambda I is
            // nearly
            // singular
            double[] v = lmi.b();
            factor.solve(v);
            double slack = 1 / (v[v.length - 2] + v[v.length - 1]);
            double[] cv = lmi.timesC(v);
            double[] wcv = cv.clone();
            factor.solve(wcv);
            DenseMatrix w = factor.inverse();
            return new Curve(slack, lmi.traceC(w), lmi.traceCC(w), lmi.quadraticC(v), Vectors.dot(cv, wcv));
        }

        /** Returns d/dlambda of max over mu of mu/nu + log det M. */
        private double gradient(double nu) {
            return trace + slack * (slack - nu) / nu * quadratic;
        }

        /** Returns minus the second derivative: tr(WCWC) at the best mu, less the part that the change of the best mu compensates. */
        double curvature(double nu) {
            double c = slack * (slack - nu) / nu;
            return traceTwice + 2 * c * quadraticTwice + quadratic * quadratic * slack * slack * (1 - 2 * slack / nu);
        }

        /** Returns Newton's step in lambda. */
        double newton(double nu) {
            return gradient(nu) / curvature(nu);
        }

        /** Returns the ratio of Newton's step for G^{-1/2} = 1 to the one for G = 1. The paper's lambda is four times that of G. */
        double stretch(double nu) {
            double norm = Math.max(0, 1 + 4 * nu * gradient(nu));
            return 2 * norm / (1 + Math.sqrt(norm));
        }

        /** Returns a mean of the eigenvalues of H + lambda I that gives most weight to the smallest: about how far lambda can be lowered. */
        double reach() {
            return trace > 0 ? trace / traceTwice : Double.POSITIVE_INFINITY;
        }

        /** Returns the gap between primal and dual value. */
        double gap(double nu, int order) {
            return nu * (order - (trace - quadratic * slack) * newton(nu));
        }
    }

    ConicReport report() {
        return new ConicReport(mu + gap, mu, gap, lambda / 4, iterations);
    }

    int factorisations() {
        return factorisations;
    }
}
