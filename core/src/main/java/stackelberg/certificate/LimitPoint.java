package stackelberg.certificate;

import java.util.Arrays;
import java.util.Optional;
import stackelberg.linalg.Cholesky;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.SymmetricEigen;
import stackelberg.linalg.Vectors;
import stackelberg.sphere.SphereGeometry;
import stackelberg.sphere.SphereProblem;
import stackelberg.sphere.SphereProblem.Evaluation;

/**
 * Decides whether the limit point e = (0, ..., 0, 1), which rules approach but do not attain, is optimal, and whether a finite rule is as good.
 *
 * <p>With lambda = -e'(H e + g) any unit x = e + d has f(x) - f(e) = d'(H + lambda I)d + 2c'd, where c = (H + lambda I)e + g and ||d||^2 = 2h for an x with last
 * entry 1 - h. If f(e) is optimal, another optimal x must have a d with d'(H + lambda I)d nearly 0. The vector u = (H + (lambda + epsilon) I)^{-1} e points along
 * such directions if they exist, and reflecting e at the hyperplane orthogonal to u gives the optimal x with the smallest pull-through. If they do not exist, the
 * last entry of u, 1/sigma, is small, and d'(H + lambda I)d >= sigma h^2 - 2 epsilon h proves that no x away from e is as good.
 *
 * <p>With effects the limit points form a sphere, see {@link #ofSphere}.
 *
 * @param finiteness whether a finite rule attains the optimum
 * @param tie a point of a finite rule that is as good as r, if r itself is next to e
 */
record LimitPoint(Certificate.Finiteness finiteness, Optional<double[]> tie) {
    /** A point is next to e if its last entry is above 1 - NEXT, which is a pull-through above 0.99: of little use as a rule. */
    private static final double NEXT = 0.02;

    /** The largest order at which H is formed, 800 MB. */
    private static final int FORMED_ORDER = 10_000;

    /** The largest order at which the spectrum of H is computed, for the least loss over a sphere of limit points. */
    private static final int SPECTRUM_ORDER = 2_000;

    private LimitPoint(Certificate.Finiteness finiteness) {
        this(finiteness, Optional.empty());
    }

    /**
     * Returns the verdict for a game without effects.
     *
     * @param at the evaluation at r
     * @param gap a bound on f(r) - f*
     * @param tolerable the absolute difference of f that counts as zero
     */
    static LimitPoint of(SphereProblem problem, double[] r, Evaluation at, double gap, double tolerable) {
        double limit = problem.limitPointLoss();
        if (limit - at.objective() > tolerable) {
            return new LimitPoint(Certificate.Finiteness.FINITE);
        }
        // f* >= f(r) - gap, and f* >= 0 for a sum of squares
        double least = problem.isGram() ? Math.max(0, at.objective() - gap) : at.objective() - gap;
        if (!(limit - least <= 2 * tolerable)) {
            return new LimitPoint(Certificate.Finiteness.UNKNOWN);
        }
        boolean rule = r[r.length - 1] <= 1 - NEXT;
        if (rule && gap <= tolerable) {
            return new LimitPoint(Certificate.Finiteness.FINITE);
        }
        LimitPoint besides = awayFromLimitPoint(problem, limit, tolerable);
        // NONE needs both: the limit point is proven optimal, and nothing away from it is as good
        boolean proven = limit - least <= tolerable;
        return proven || besides.finiteness != Certificate.Finiteness.NONE
                ? besides
                : new LimitPoint(Certificate.Finiteness.UNKNOWN);
    }

    /**
     * Returns the verdict for a game with effects.
     *
     * <p>The limit points, tau = 1, are then the points with last entry 1/k, k^2 = 1 + beta'beta/gamma: a sphere of lower dimension, on which the least f is one
     * more sphere problem. Often that is not needed: a unit x with ||x - r|| = d has f(x) - f(r) >= kappa d^2 - 2||e||d if H + lambda I >= kappa I, which excludes
     * all points far from r.
     *
     * @param here the bound at r
     */
    static LimitPoint ofSphere(
            SphereProblem problem, double[] r, Evaluation at, Certificate.Bound here, double tolerable) {
        SphereGeometry geometry = problem.geometry();
        double kept = Math.abs(geometry.oneMinusTau(r));
        boolean rule = kept > NEXT / 2;
        if (rule && here.gap() <= tolerable) {
            return new LimitPoint(Certificate.Finiteness.FINITE);
        }
        // |1 - tau| = k/2 |rLast - 1/k|
        double perShare = 2 / geometry.stretch();
        if (isWorse(here, kept * perShare, tolerable)) {
            return new LimitPoint(Certificate.Finiteness.FINITE);
        }
        if (problem.dimension() > SPECTRUM_ORDER) {
            return new LimitPoint(Certificate.Finiteness.UNKNOWN);
        }
        double bound = leastLimit(problem);
        double rounding = problem.hessianRounding() + problem.objectiveRounding(r, problem.p());
        if (bound - rounding - at.objective() > tolerable) {
            return new LimitPoint(Certificate.Finiteness.FINITE);
        }
        // if r is next to a limit point, f evaluated at that point has more correct digits than the dual value
        double limit =
                Math.min(bound, problem.evaluate(nearestLimit(problem, r)).objective());
        double least = Math.max(0, at.objective() - here.gap());
        if (rule || !(limit - least <= tolerable)) {
            return new LimitPoint(Certificate.Finiteness.UNKNOWN);
        }
        if (isWorse(here, (NEXT / 2 - kept) * perShare, tolerable)) {
            return new LimitPoint(Certificate.Finiteness.NONE);
        }
        return mirrored(problem, r, here.multiplier())
                .filter(x -> Math.abs(geometry.oneMinusTau(x)) > NEXT / 2)
                .filter(x -> problem.evaluate(x).objective() - at.objective() <= tolerable)
                .map(x -> new LimitPoint(Certificate.Finiteness.FINITE, Optional.of(x)))
                .orElse(new LimitPoint(Certificate.Finiteness.UNKNOWN));
    }

    /** Returns the limit point nearest to r: last entry 1/k, the others scaled. */
    private static double[] nearestLimit(SphereProblem problem, double[] r) {
        double last = 1 / problem.geometry().stretch();
        double[] x = r.clone();
        x[x.length - 1] = 0;
        Vectors.scale(Math.sqrt(1 - last * last) / Vectors.norm(x), x);
        x[x.length - 1] = last;
        return x;
    }

    /** Returns whether all points at least this far from r have a larger f, by more than the tolerable difference. */
    private static boolean isWorse(Certificate.Bound here, double distance, double tolerable) {
        double curvature = here.curvature();
        double residual = here.residual();
        return curvature * distance > residual && curvature * distance * distance - 2 * residual * distance > tolerable;
    }

    /**
     * Returns the least f over the limit points, rLast = 1/k: by strong duality the largest p - lambda - g'(H + lambda I)^{-1}g of the sphere problem in the other
     * coordinates, with H, g and p scaled to radius 1.
     */
    private static double leastLimit(SphereProblem problem) {
        int n = problem.dimension() - 1;
        double last = 1 / problem.geometry().stretch();
        double radius = Math.sqrt(1 - last * last);
        DenseMatrix h = problem.hessian();
        double[] border = Arrays.copyOf(h.column(n), n);
        double[] g = Arrays.copyOf(problem.g(), n);
        Vectors.axpy(last, border, g);
        double p = problem.p() + last * (h.get(n, n) * last + 2 * problem.g()[n]);
        DenseMatrix top = DenseMatrix.zeros(n, n);
        top.setAll(h.firstRows(n).columns(0, n));
        SymmetricEigen eigen = SymmetricEigen.of(top, problem.workers());
        double[] values = eigen.values();
        double[] c = new double[n];
        for (int i = 0; i < n; i++) {
            values[i] *= radius * radius;
            c[i] = radius * Vectors.dot(eigen.vectors().column(i), g);
        }
        // bisection for s = lambda + the smallest eigenvalue: the dual function increases while ||(H + lambda
        // I)^{-1}g|| > 1;
        // 200 halvings reach the last bit at any scale that matters
        double low = 0;
        double high = Vectors.norm(c);
        for (int step = 0; step < 200; step++) {
            double middle = (low + high) / 2;
            if (square(values, c, middle, 2) > 1) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return p + values[0] - high - square(values, c, high, 1);
    }

    /** Returns sum_i c_i^2/(h_i - h_0 + s)^power, with 0/0 = 0; power is 1 or 2. */
    private static double square(double[] h, double[] c, double s, int power) {
        double sum = 0;
        for (int i = 0; i < h.length; i++) {
            double shifted = h[i] - h[0] + s;
            sum += c[i] == 0 ? 0 : c[i] * c[i] / (power == 1 ? shifted : shifted * shifted);
        }
        return sum;
    }

    /** Returns r reflected along the direction u in which H + lambda I is nearly singular, the candidate for a tie; empty if H + lambda I has no Cholesky factor. */
    private static Optional<double[]> mirrored(SphereProblem problem, double[] r, double lambda) {
        int d = problem.dimension();
        Optional<Cholesky> factor =
                Cholesky.of(problem.hessian(), lambda + 4 * problem.hessianRounding(), problem.workers());
        return factor.map(solver -> {
            double[] u = new double[d];
            u[d - 1] = 1;
            solver.solve(u);
            Vectors.scale(1 / Vectors.norm(u), u);
            double[] x = r.clone();
            Vectors.axpy(-2 * Vectors.dot(u, r), u, x);
            Vectors.scale(1 / Vectors.norm(x), x);
            return x;
        });
    }

    /** Returns whether a point away from e is as good as e, by the argument of the class comment. */
    private static LimitPoint awayFromLimitPoint(SphereProblem problem, double limit, double tolerable) {
        int d = problem.dimension();
        double[] e = new double[d];
        e[d - 1] = 1;
        DenseMatrix product = DenseMatrix.zeros(d, 1);
        problem.hessianTimes(DenseMatrix.column(e), product);
        double[] c = product.column(0);
        Vectors.axpy(1, problem.g(), c);
        double lambda = -c[d - 1];
        c[d - 1] = 0;
        double residual = Vectors.norm(c) + problem.gradientRounding(e);
        // a bound on |2c'd| at h = NEXT
        double linear = 2 * residual * Math.sqrt(2 * NEXT);
        // H >= 0: d'(H + lambda I)d >= lambda ||d||^2 = 2 lambda h, without a factorisation
        if (problem.isGram() && lambda * 2 * NEXT - linear > tolerable) {
            return new LimitPoint(Certificate.Finiteness.NONE);
        }
        if (d > FORMED_ORDER) {
            return new LimitPoint(Certificate.Finiteness.UNKNOWN);
        }
        double epsilon = Math.max(4 * problem.hessianRounding(), tolerable / 8);
        Optional<Cholesky> factor = Cholesky.of(problem.hessian(), lambda + epsilon, problem.workers());
        if (factor.isEmpty()) {
            return new LimitPoint(Certificate.Finiteness.UNKNOWN);
        }
        double[] u = e.clone();
        factor.get().solve(u);
        double sigma = 1 / u[d - 1];
        Vectors.scale(1 / Vectors.norm(u), u);
        double[] mirrored = e;
        Vectors.axpy(-2 * u[d - 1], u, mirrored);
        Vectors.scale(1 / Vectors.norm(mirrored), mirrored);
        if (mirrored[d - 1] <= 1 - NEXT && problem.evaluate(mirrored).objective() - limit <= tolerable) {
            return new LimitPoint(Certificate.Finiteness.FINITE, Optional.of(mirrored));
        }
        boolean alone = sigma * NEXT * NEXT - 2 * epsilon * NEXT - linear > tolerable;
        return new LimitPoint(alone ? Certificate.Finiteness.NONE : Certificate.Finiteness.UNKNOWN);
    }
}
