package stackelberg.solver.published.ltrsr;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import stackelberg.linalg.SymmetricEigen;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.solver.secular.ArrowSphere;
import stackelberg.sphere.SphereProblem;
import stackelberg.sphere.SphereProblem.Stationarity;

/** One run of the nested Lanczos method: first the Krylov space of g; if that does not suffice, restarts around the current point. */
final class NestedLanczos {
    /** The number of steps with the second start vector before the smallest Ritz value is relied on; earlier it may have converged to a larger eigenvalue. */
    private static final int STEPS_OF_SECOND_START = 40;

    private final SphereProblem problem;
    private final double[] g;
    private final SolverOptions options;
    private final ProgressListener listener;
    private final GapTarget target;
    private final Subspace space;
    private final int dimension;
    private int iterations;
    private int restarts;
    private boolean secondStart;
    private int iterationsAtSecondStart;

    /** The minimiser of the last small problem, in the coordinates of the basis; null before the first. */
    private double @Nullable [] h;

    private double lambda;
    private double objective = Double.NaN;
    private double residual = Double.NaN;
    private double ritzResidual = Double.NaN;

    NestedLanczos(
            SphereProblem problem,
            HessianProducts hessian,
            int basis,
            SolverOptions options,
            ProgressListener listener) {
        this.problem = problem;
        this.g = problem.g();
        this.options = options;
        this.listener = listener;
        this.target = new GapTarget(problem, options);
        this.dimension = problem.dimension();
        this.space = new Subspace(hessian, Math.min(basis, dimension));
    }

    /** Returns the current point, a unit vector; before the first step an arbitrary one. */
    double[] point() {
        double[] r = h == null ? secondStartVector() : space.combine(h);
        Vectors.scale(1 / Vectors.norm(r), r);
        return r;
    }

    /** Returns the note of the result. */
    String note() {
        String result = restarts == 0 ? "" : "restarted " + restarts + " times";
        if (secondStart) {
            result += (result.isEmpty() ? "" : ", ") + "smallest eigenvalue followed from a second start";
        }
        return result;
    }

    /** Runs Lanczos from g; returns null if the run must go on with {@link #nested}, because the smallest eigenvalue or a restart is needed. */
    SphereResult.@Nullable Status fromGradient() {
        double gNorm = Vectors.norm(g);
        if (target.isRounding(gNorm)) {
            return null;
        }
        TridiagonalSphere small = new TridiagonalSphere(gNorm, Math.min(options.maxIterations(), dimension));
        double[] next = g.clone();
        Vectors.scale(1 / gNorm, next);
        double beta = 0;
        while (true) {
            space.append(next);
            int k = space.size();
            small.grow(beta, space.projection(k - 1, k - 1));
            next = space.lastProduct().clone();
            beta = space.orthonormalise(next);
            h = small.h();
            lambda = small.lambda();
            objective = small.value() + problem.p();
            residual = beta * Math.abs(h[k - 1]);
            SphereResult.Status stopped = tick();
            if (stopped != null) {
                return stopped;
            }
            // settled: the space is invariant, or more steps cannot lower the residual
            boolean settled = beta == 0 || target.isRounding(residual);
            if (problem.isGram() && lambda > 0 && (settled || target.reached(objective, residual, lambda))) {
                return settled && !target.reached(objective, residual, lambda) ? null : SphereResult.Status.CONVERGED;
            }
            if (settled || target.reached(objective, residual, 0) || space.isFull()) {
                return null;
            }
            if (iterations >= options.maxIterations()) {
                return SphereResult.Status.ITERATION_LIMIT;
            }
        }
    }

    /**
     * Runs restarted Lanczos around the current point. Small problems are solved in the coordinates of their eigenvectors, where the hard case is an explicit
     * branch.
     */
    SphereResult.Status nested() {
        Check now = space.size() == 0 ? null : check();
        while (now == null || !(now.done() || space.size() == dimension)) {
            if (now != null && space.isFull()) {
                restart(now.ritz(), space.size() / 3);
            }
            double[] seed = now == null ? secondStartVector() : now.seed();
            if (needsSmallestEigenvalue() && !secondStart) {
                secondStart = true;
                iterationsAtSecondStart = iterations;
                seed = secondStartVector();
                if (now != null) {
                    // without the Ritz vectors of the space of g, which have converged within it and would hide smaller
                    // eigenvalues
                    // outside
                    restart(now.ritz(), 0);
                }
            }
            int before = space.size();
            SphereResult.Status stopped = grow(seed, Math.max(4, before / 8));
            if (stopped != null) {
                return stopped;
            }
            if (space.size() == before && now != null) {
                stopped = grow(now.otherSeed(), 4);
                if (stopped != null || space.size() == before) {
                    return stopped != null
                            ? stopped
                            : now.good() ? SphereResult.Status.CONVERGED : SphereResult.Status.STALLED;
                }
            }
            now = check();
        }
        return SphereResult.Status.CONVERGED;
    }

    /** Adds a better point, which the certificate found, to the basis and continues. */
    SphereResult.Status escapeTo(double[] better) {
        restarts++;
        double[] seed = better.clone();
        if (space.isFull()) {
            restart(SymmetricEigen.of(space.projection(), Workers.of(1)), space.size() / 3);
        }
        secondStart = true;
        iterationsAtSecondStart = iterations;
        SphereResult.Status stopped = grow(seed, 1);
        return stopped != null ? stopped : nested();
    }

    /** Returns whether H >= 0 and lambda > 0 prove the point, so that no eigenvalue is needed. */
    boolean isMultiplierEnough() {
        return problem.isGram() && lambda > 0 && target.reached(objective, residual, lambda);
    }

    /** Extends the basis by the Krylov space of a vector, by at most the given number of steps; returns null unless the run was stopped. */
    private SphereResult.@Nullable Status grow(double[] seed, int steps) {
        double[] next = seed.clone();
        for (int i = 0; i < steps && !space.isFull(); i++) {
            if (iterations >= options.maxIterations()) {
                return SphereResult.Status.ITERATION_LIMIT;
            }
            if (space.orthonormalise(next) == 0) {
                return null;
            }
            space.append(next);
            h = h == null ? new double[] {1} : Arrays.copyOf(h, space.size());
            SphereResult.Status stopped = tick();
            if (stopped != null) {
                return stopped;
            }
            next = space.lastProduct().clone();
        }
        return null;
    }

    /**
     * The verdict on a solved small problem, and its two residuals: that of the point and that of the smallest Ritz pair.
     *
     * @param good whether the point meets the stopping rule if the estimate of the smallest eigenvalue is right
     * @param done whether it is good and enough steps were made to rely on that estimate
     * @param seed the residual that contributes more to the gap, from which the basis grows next
     * @param otherSeed the other residual
     * @param ritz the eigendecomposition of the projected H, smallest Ritz value first
     */
    private record Check(boolean good, boolean done, double[] seed, double[] otherSeed, SymmetricEigen ritz) {}

    /** Solves the small problem in Ritz coordinates and judges its point. */
    private Check check() {
        SymmetricEigen ritz = SymmetricEigen.of(space.projection(), Workers.of(1));
        int k = space.size();
        double[] c = new double[k];
        double[] gCoordinates = space.coordinates(g);
        for (int i = 0; i < k; i++) {
            Vectors.axpy(gCoordinates[i], ritz.vectors().row(i), c);
        }
        double[] theta = ritz.values();
        ArrowSphere.Solution small = ArrowSphere.solveDiagonal(theta, c);
        h = new double[k];
        for (int i = 0; i < k; i++) {
            h[i] = Vectors.dot(ritz.vectors().row(i), small.r());
        }
        lambda = small.lambda();
        objective = problem.p();
        for (int i = 0; i < k; i++) {
            objective += (theta[i] * small.r()[i] + 2 * c[i]) * small.r()[i];
        }
        double[] halfGradient = space.combineProducts(h);
        Vectors.axpy(1, g, halfGradient);
        Stationarity here = Stationarity.of(space.combine(h), objective, lambda, halfGradient);
        double[] e = here.e();
        residual = here.residual();
        if (!needsSmallestEigenvalue()) {
            boolean done = target.reached(objective, residual, lambda) || target.isRounding(residual);
            return new Check(done, done, e, e, ritz);
        }
        double[] y = ritz.vectors().column(0);
        double[] rho = space.combineProducts(y);
        Vectors.axpy(-theta[0], space.combine(y), rho);
        ritzResidual = Vectors.norm(rho);
        // an eigenvalue is within ||rho|| of the Ritz value, and within ||rho||^2/gap if the pair is well separated
        // from the
        // next one
        boolean standsOut = k > 1 && 10 * ritzResidual < theta[1] - theta[0];
        double error = standsOut ? ritzResidual * ritzResidual / (theta[1] - theta[0]) : ritzResidual;
        double kappa = lambda + theta[0] - error;
        if (problem.isGram()) {
            kappa = Math.max(kappa, lambda);
        }
        boolean settled = target.isRounding(residual) && (kappa > 0 || target.isRounding(error));
        boolean seen = iterations - iterationsAtSecondStart >= Math.min(dimension, STEPS_OF_SECOND_START);
        boolean good = settled || target.reached(objective, residual, kappa);
        boolean done = secondStart && seen && good;
        double lossByPoint = target.gap(objective, residual, Math.max(kappa, 0));
        return lossByPoint > 4 * error ? new Check(good, done, e, rho, ritz) : new Check(good, done, rho, e, ritz);
    }

    /** Replaces the basis by the point, the first vector of the old basis (the point of the restart before) and the given number of smallest Ritz vectors. */
    private void restart(SymmetricEigen ritz, int ritzVectors) {
        restarts++;
        List<double[]> kept = new ArrayList<>();
        keep(kept, Objects.requireNonNull(h).clone());
        double[] first = new double[space.size()];
        first[0] = 1;
        keep(kept, first);
        for (int j = 0; j < ritzVectors; j++) {
            keep(kept, ritz.vectors().column(j));
        }
        space.restart(kept.toArray(double[][]::new));
        h = new double[space.size()];
        h[0] = 1;
    }

    /** Adds a vector to an orthonormal list, orthogonalised, unless it lies in the span. */
    private static void keep(List<double[]> kept, double[] candidate) {
        for (int round = 0; round < 2; round++) {
            for (double[] other : kept) {
                Vectors.axpy(-Vectors.dot(other, candidate), other, candidate);
            }
        }
        double norm = Vectors.norm(candidate);
        if (norm > 1e-8) {
            Vectors.scale(1 / norm, candidate);
            for (double[] other : kept) {
                Vectors.axpy(-Vectors.dot(other, candidate), other, candidate);
            }
            Vectors.scale(1 / Vectors.norm(candidate), candidate);
            kept.add(candidate);
        }
    }

    /** Returns whether the smallest eigenvalue matters: not if H is a Gram matrix and the multiplier clearly positive. */
    private boolean needsSmallestEigenvalue() {
        return h == null || !problem.isGram() || lambda <= 1e-10 * problem.hessianNorm();
    }

    /** Counts an iteration and reports it; returns null unless the listener stops the run. */
    private SphereResult.@Nullable Status tick() {
        iterations++;
        var progress = new ProgressListener.Progress(iterations, objective, residual, ritzResidual, lambda);
        return listener.onIteration(progress) == ProgressListener.Decision.STOP
                ? SphereResult.Status.STOPPED_BY_LISTENER
                : null;
    }

    /** Returns the fractional parts of multiples of sqrt(2), centred at 0: unrelated to any structure of the data, and reproducible without a seed. */
    private double[] secondStartVector() {
        double[] v = new double[dimension];
        for (int i = 0; i < dimension; i++) {
            double multiple = (i + 1) * Math.sqrt(2);
            v[i] = multiple - Math.floor(multiple) - 0.5;
        }
        Vectors.scale(1 / Vectors.norm(v), v);
        return v;
    }
}
