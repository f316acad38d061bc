package stackelberg.certificate;

import java.util.Optional;
import stackelberg.linalg.Cholesky;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;
import stackelberg.sphere.Evaluation;
import stackelberg.sphere.SphereProblem;

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
