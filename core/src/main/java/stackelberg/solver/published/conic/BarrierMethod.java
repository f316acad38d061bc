package stackelberg.solver.published.conic;

import java.util.Optional;
import java.util.function.Predicate;
import stackelberg.linalg.Cholesky;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;

/**
 * maximise mu subject to M = A - mu B + lambda C >= 0 by following the maximisers of mu/nu + log det M as nu goes to 0 (dual scaling).
 *
 * <p>One factorisation of order n + 2 per step, at a mu well inside. B = bb' has rank one, so the best mu for this lambda and nu, where b'M^{-1}b =
 * 1/nu, and everything that Newton's method needs there follow from M^{-1} in closed form; M is never factored where it is nearly singular for
 * mu's sake. Newton's step in lambda is for G(lambda)^{-1/2} = 1, with G = ||r(lambda)||^2 + nu tr (H + lambda I)^{-1} the norm on the central path,
 * because that is nearly linear where G itself has poles.
 *
 * <p>The primal matrix Z = nu (M^{-1} - M^{-1} dM M^{-1}) meets tr(BZ) = 1 and tr(CZ) = 0 exactly and is positive semidefinite where the Newton
 * decrement is at most 1; its value is mu plus the gap nu (n + 2 - tr(M^{-1} dM)).
 */
final class BarrierMethod {
    private static final double REDUCTION = 0.02;
    private static final int HALVINGS = 60;

    /** Steps at one nu after which only rounding is left to chase. */
    private static final int STEPS_PER_NU = 60;

    private final MatrixInequality lmi;
    private final Workers workers;
    /** The size of the numbers in M in the direction of b. */
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
     * @param size how far below the best mu to factor: about the size of f and lambda
     */
    BarrierMethod(MatrixInequality lmi, double mu, double lambda, double size, Workers workers) {
        this.lmi = lmi;
        this.mu = mu;
        this.lambda = lambda;
        this.size = size;
        this.nu = size;
        this.workers = workers;
    }

    /** How it ended. */
    enum End {
        REACHED,
        ROUNDING,
        ITERATION_LIMIT,
        STOPPED
    }

    /** Until the gap is at most tolerance * max(|mu|, floor), or rounding ends it. */
    End solve(double tolerance, double floor, int maxIterations, Predicate<ConicReport> proceed) {
        Optional<Cholesky> factor = factor(mu, lambda);
        int sinceReduction = 0;
        while (factor.isPresent()) {
            Curve curve = Curve.of(lmi, factor.get());
            double step = curve.newton(nu);
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

    /** The longest of the halved steps at which M is positive definite for a mu well below the best. */
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
     * What W = M^{-1}, taken at any feasible mu, says about the best mu at the same lambda: with s = 1/(b'Wb) the distance of mu to the boundary, M at
     * the best mu is M - (s - nu) bb'.
     *
     * @param slack s
     * @param trace tr(WC)
     * @param traceTwice tr(WCWC)
     * @param quadratic v'Cv for v = Wb
     * @param quadraticTwice v'CWCv
     */
    private record Curve(double slack, double trace, double traceTwice, double quadratic, double quadraticTwice) {
        static Curve of(MatrixInequality lmi, Cholesky factor) {
            // by solving, not from the inverse: s is a Schur complement, and that way it stays accurate where H +
            // lambda I is nearly singular
            double[] v = lmi.b();
            factor.solve(v);
            double slack = 1 / (v[v.length - 2] + v[v.length - 1]);
            double[] cv = lmi.timesC(v);
            double[] wcv = cv.clone();
            factor.solve(wcv);
            DenseMatrix w = factor.inverse();
            return new Curve(slack, lmi.traceC(w), lmi.traceCC(w), lmi.quadraticC(v), Vectors.dot(cv, wcv));
        }

        /** d/dlambda of max over mu of mu/nu + log det M. */
        private double gradient(double nu) {
            return trace + slack * (slack - nu) / nu * quadratic;
        }

        /** Minus the second derivative: tr(WCWC) at the best mu less what mu takes back. */
        double curvature(double nu) {
            double c = slack * (slack - nu) / nu;
            return traceTwice + 2 * c * quadraticTwice + quadratic * quadratic * slack * slack * (1 - 2 * slack / nu);
        }

        double newton(double nu) {
            return gradient(nu) / curvature(nu);
        }

        /** From Newton's step for G = 1 to the one for G^{-1/2} = 1; the paper's lambda is four times that of G. */
        double stretch(double nu) {
            double norm = Math.max(0, 1 + 4 * nu * gradient(nu));
            return 2 * norm / (1 + Math.sqrt(norm));
        }

        /** A mean of the eigenvalues of H + lambda I in which the smallest count most: about how far lambda can go down. */
        double reach() {
            return trace > 0 ? trace / traceTwice : Double.POSITIVE_INFINITY;
        }

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
