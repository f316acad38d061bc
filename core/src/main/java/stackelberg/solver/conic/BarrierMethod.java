package stackelberg.solver.conic;

import java.util.Optional;
import java.util.function.Predicate;
import stackelberg.linalg.Cholesky;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;

/**
 * maximise mu subject to M = A - mu B + lambda C >= 0 by following the maximisers of mu/nu + log det M as nu goes to 0 (dual scaling).
 *
 * <p>Newton's step (dmu, dlambda) needs M^{-1}: one factorisation of order n + 2. From it also comes the primal matrix Z = nu (M^{-1} - M^{-1} dM
 * M^{-1}), which meets tr(BZ) = 1 and tr(CZ) = 0 exactly and is positive semidefinite where the Newton decrement is at most 1; its value is mu
 * plus the gap nu (n + 2 - tr(M^{-1} dM)).
 */
final class BarrierMethod {
    private static final double REDUCTION = 0.1;
    private static final double CENTRED = 0.5;

    private final MatrixInequality lmi;
    private final Workers workers;
    private double mu;
    private double lambda;
    private double nu;
    private double gap = Double.POSITIVE_INFINITY;
    private int iterations;
    private int factorisations;

    /** Starts at a strictly feasible (mu, lambda). */
    BarrierMethod(MatrixInequality lmi, double mu, double lambda, Workers workers) {
        this.lmi = lmi;
        this.mu = mu;
        this.lambda = lambda;
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
        while (factor.isPresent()) {
            Newton step = newton(factor.get());
            if (!(step.decrement() < Double.POSITIVE_INFINITY)) {
                return End.ROUNDING;
            }
            if (step.decrement() <= 1) {
                gap = Math.min(gap, nu * (lmi.order() - step.trace()));
                if (gap <= tolerance * Math.max(Math.abs(mu), floor)) {
                    return End.REACHED;
                }
            }
            if (iterations >= maxIterations) {
                return End.ITERATION_LIMIT;
            }
            if (step.decrement() <= CENTRED) {
                nu *= REDUCTION;
                step = step.at(nu);
            }
            factor = advance(step);
            iterations++;
            if (!proceed.test(report())) {
                return End.STOPPED;
            }
        }
        return End.ROUNDING;
    }

    /** The longest of a few halved steps that stays inside; 1/(1 + decrement) does in exact arithmetic. */
    private Optional<Cholesky> advance(Newton step) {
        double safe = step.decrement() < 1 ? 1 : 1 / (1 + step.decrement());
        for (double length = 1; length >= safe / 8; length /= 2) {
            Optional<Cholesky> factor = factor(mu + length * step.dmu(), lambda + length * step.dlambda());
            if (factor.isPresent()) {
                mu += length * step.dmu();
                lambda += length * step.dlambda();
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
     * Newton's step for the maximum of mu/nu + log det M.
     *
     * @param gradient of log det M in mu and lambda
     * @param hessian of -log det M: entries (mu, mu), (mu, lambda), (lambda, lambda)
     */
    private record Newton(double nu, double[] gradient, double[] hessian) {
        Newton at(double newNu) {
            return new Newton(newNu, gradient, hessian);
        }

        private double[] solve(double first, double second) {
            double determinant = hessian[0] * hessian[2] - hessian[1] * hessian[1];
            return new double[] {
                (hessian[2] * first - hessian[1] * second) / determinant,
                (hessian[0] * second - hessian[1] * first) / determinant
            };
        }

        private double[] step() {
            return solve(1 / nu + gradient[0], gradient[1]);
        }

        double dmu() {
            return step()[0];
        }

        double dlambda() {
            return step()[1];
        }

        /** tr(M^{-1} dM). */
        double trace() {
            double[] step = step();
            return gradient[0] * step[0] + gradient[1] * step[1];
        }

        double decrement() {
            double[] step = step();
            double square = (1 / nu + gradient[0]) * step[0] + gradient[1] * step[1];
            return square >= 0 ? Math.sqrt(square) : Double.POSITIVE_INFINITY;
        }

        /** The 1/nu for which this point is as central as it can be. */
        double bestInverseNu() {
            return -solve(gradient[0], gradient[1])[0] / solve(1, 0)[0];
        }
    }

    private Newton newton(Cholesky factor) {
        DenseMatrix inverse = factor.inverse();
        double[] wb = lmi.timesB(inverse);
        double bwb = wb[wb.length - 2] + wb[wb.length - 1];
        double[] gradient = {-bwb, lmi.traceC(inverse)};
        double[] hessian = {bwb * bwb, -lmi.quadraticC(wb), lmi.traceCC(inverse)};
        if (nu == 0) {
            double inverseNu = new Newton(1, gradient, hessian).bestInverseNu();
            nu = inverseNu > 0 ? 1 / inverseNu : 1 / bwb;
        }
        return new Newton(nu, gradient, hessian);
    }

    ConicReport report() {
        // the paper's multiplier is four times ours
        return new ConicReport(mu + gap, mu, gap, lambda / 4, iterations);
    }

    int factorisations() {
        return factorisations;
    }
}
