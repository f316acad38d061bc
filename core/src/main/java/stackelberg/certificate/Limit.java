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
 * Believing everybody, the point e = (0, ..., 0, 1) that rules only approach: whether it is optimal, and whether a finite point is as good.
 *
 * <p>With lambda = -e'(H e + g) any unit x = e + d has f(x) - f(e) = d'(H + lambda I)d + 2c'd, c = (H + lambda I)e + g, and ||d||^2 = 2h for x's last
 * entry 1 - h. Where f(e) is optimal, an optimal x needs a d that H + lambda I hardly sees. (H + (lambda + epsilon) I)^{-1} e points along those, if
 * there are any: mirrored at it, e becomes the x with the smallest pull-through. If there are none, its last entry 1/sigma is small, and d'(H + lambda I)d
 * >= sigma h^2 - 2 epsilon h proves it.
 *
 * @param finiteness what is known
 * @param tie a finite point that is as good as r, where r itself is next to e
 */
record Limit(Certificate.Finiteness finiteness, Optional<double[]> tie) {
    /** A point whose last entry is within this of 1 has a pull-through above 0.99, which hardly is a rule. */
    private static final double NEXT = 0.02;

    /** Up to this order H is formed: 800 MB. */
    private static final int FORMED_ORDER = 10_000;

    /** Up to this order its spectrum is computed, for the least loss of a sphere of limits. */
    private static final int SPECTRUM_ORDER = 2_000;

    private Limit(Certificate.Finiteness finiteness) {
        this(finiteness, Optional.empty());
    }

    /**
     * From a point that has been evaluated.
     *
     * @param gap a bound of f(r) - f*
     * @param tolerable the gap that counts as none
     */
    static Limit of(SphereProblem problem, double[] r, Evaluation at, double gap, double tolerable) {
        double limit = problem.limitLoss();
        if (limit - at.objective() > tolerable) {
            return new Limit(Certificate.Finiteness.FINITE);
        }
        // f* >= f(r) - gap, and no sum of squares is below 0
        double least = problem.isGram() ? Math.max(0, at.objective() - gap) : at.objective() - gap;
        if (!(limit - least <= 2 * tolerable)) {
            return new Limit(Certificate.Finiteness.UNKNOWN);
        }
        boolean rule = r[r.length - 1] <= 1 - NEXT;
        if (rule && gap <= tolerable) {
            return new Limit(Certificate.Finiteness.FINITE);
        }
        Limit besides = besidesTheLimit(problem, limit, tolerable);
        // that nothing else is as good says nothing where believing everybody is not proven to be
        boolean proven = limit - least <= tolerable;
        return proven || besides.finiteness != Certificate.Finiteness.NONE
                ? besides
                : new Limit(Certificate.Finiteness.UNKNOWN);
    }

    /**
     * The same where moves really change the target. The limits, tau = 1, are then the points with last entry 1/k, k^2 = 1 + beta'beta/gamma: a sphere, on which least f is one more
     * sphere problem. For unit x with ||x - r|| = d and H + lambda I >= kappa I, f(x) - f(r) >= kappa d^2 - 2||e||d, which mostly tells already.
     *
     * @param here what is known of r
     */
    static Limit ofSphere(SphereProblem problem, double[] r, Evaluation at, Certificate.Bound here, double tolerable) {
        SphereGeometry geometry = problem.geometry();
        double kept = Math.abs(geometry.kept(r));
        boolean rule = kept > NEXT / 2;
        if (rule && here.gap() <= tolerable) {
            return new Limit(Certificate.Finiteness.FINITE);
        }
        // |1 - tau| = k/2 |rLast - 1/k|
        double perShare = 2 / geometry.stretch();
        if (isWorse(here, kept * perShare, tolerable)) {
            return new Limit(Certificate.Finiteness.FINITE);
        }
        if (problem.dimension() > SPECTRUM_ORDER) {
            return new Limit(Certificate.Finiteness.UNKNOWN);
        }
        double bound = leastLimit(problem);
        double rounding = problem.hessianRounding() + problem.objectiveRounding(r, problem.p());
        if (bound - rounding - at.objective() > tolerable) {
            return new Limit(Certificate.Finiteness.FINITE);
        }
        // next to a limit its own f is known to more digits than the dual value
        double limit =
                Math.min(bound, problem.evaluate(nearestLimit(problem, r)).objective());
        double least = Math.max(0, at.objective() - here.gap());
        if (rule || !(limit - least <= tolerable)) {
            return new Limit(Certificate.Finiteness.UNKNOWN);
        }
        if (isWorse(here, (NEXT / 2 - kept) * perShare, tolerable)) {
            return new Limit(Certificate.Finiteness.NONE);
        }
        return mirrored(problem, r, here.multiplier())
                .filter(x -> Math.abs(geometry.kept(x)) > NEXT / 2)
                .filter(x -> problem.evaluate(x).objective() - at.objective() <= tolerable)
                .map(x -> new Limit(Certificate.Finiteness.FINITE, Optional.of(x)))
                .orElse(new Limit(Certificate.Finiteness.UNKNOWN));
    }

    /** The point with rLast = 1/k that is next to r. */
    private static double[] nearestLimit(SphereProblem problem, double[] r) {
        double last = 1 / problem.geometry().stretch();
        double[] x = r.clone();
        x[x.length - 1] = 0;
        Vectors.scale(Math.sqrt(1 - last * last) / Vectors.norm(x), x);
        x[x.length - 1] = last;
        return x;
    }

    /** Whether all points at least so far away lose more. */
    private static boolean isWorse(Certificate.Bound here, double distance, double tolerable) {
        double curvature = here.curvature();
        double residual = here.residual();
        return curvature * distance > residual && curvature * distance * distance - 2 * residual * distance > tolerable;
    }

    /** The least f on rLast = 1/k: by strong duality the largest p - lambda - g'(H + lambda I)^{-1}g of the problem on that sphere. */
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
        // in s = lambda + the smallest eigenvalue; the dual rises where ||(H + lambda I)^{-1}g|| > 1
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

    /** sum_i c_i^2/(h_i - h_0 + s)^power. */
    private static double square(double[] h, double[] c, double s, int power) {
        double sum = 0;
        for (int i = 0; i < h.length; i++) {
            double shifted = h[i] - h[0] + s;
            sum += c[i] == 0 ? 0 : c[i] * c[i] / (power == 1 ? shifted : shifted * shifted);
        }
        return sum;
    }

    /** r mirrored at the direction that H + lambda I hardly sees, where there is one. */
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

    /** Whether any other point is as good. */
    private static Limit besidesTheLimit(SphereProblem problem, double limit, double tolerable) {
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
        double linear = 2 * residual * Math.sqrt(2 * NEXT);
        if (problem.isGram() && lambda * 2 * NEXT - linear > tolerable) {
            return new Limit(Certificate.Finiteness.NONE);
        }
        if (d > FORMED_ORDER) {
            return new Limit(Certificate.Finiteness.UNKNOWN);
        }
        double epsilon = Math.max(4 * problem.hessianRounding(), tolerable / 8);
        Optional<Cholesky> factor = Cholesky.of(problem.hessian(), lambda + epsilon, problem.workers());
        if (factor.isEmpty()) {
            return new Limit(Certificate.Finiteness.UNKNOWN);
        }
        double[] u = e.clone();
        factor.get().solve(u);
        double sigma = 1 / u[d - 1];
        Vectors.scale(1 / Vectors.norm(u), u);
        double[] mirrored = e;
        Vectors.axpy(-2 * u[d - 1], u, mirrored);
        Vectors.scale(1 / Vectors.norm(mirrored), mirrored);
        if (mirrored[d - 1] <= 1 - NEXT && problem.evaluate(mirrored).objective() - limit <= tolerable) {
            return new Limit(Certificate.Finiteness.FINITE, Optional.of(mirrored));
        }
        boolean alone = sigma * NEXT * NEXT - 2 * epsilon * NEXT - linear > tolerable;
        return new Limit(alone ? Certificate.Finiteness.NONE : Certificate.Finiteness.UNKNOWN);
    }
}
