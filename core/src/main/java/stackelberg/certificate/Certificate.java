package stackelberg.certificate;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import stackelberg.linalg.Vectors;
import stackelberg.sphere.SphereFamily;
import stackelberg.sphere.SphereProblem;
import stackelberg.sphere.SphereProblem.Evaluation;
import stackelberg.sphere.SphereProblem.Stationarity;

/**
 * A bound on f(r) - f*, how far a unit vector r is from the global minimum of f on the sphere, computed from the problem and r alone.
 *
 * <p>With lambda = -r'(H r + g) and e = (H + lambda I) r + g, any unit x has f(x) - f(r) = (x - r)'(H + lambda I)(x - r) + 2e'(x - r). Hence (docs/theory.md,
 * "Certificate")
 *
 * <ul>
 *   <li>f(r) - f* &lt;= ||e||^2/kappa if H + lambda I >= kappa I with kappa > 0;
 *   <li>f(r) - f* &lt;= 4||e|| + 4 delta if H + lambda I >= -delta I with delta >= 0;
 *   <li>f(r) - f* &lt;= f(r) if f is a sum of squares;
 *   <li>f(r) - f* &lt;= ||e||^2/(mu - r'Hr) if g = 0 and the second smallest eigenvalue of H is at least mu > r'Hr (Temple).
 * </ul>
 *
 * <p>The smallest of these is the bound. ||e|| is first raised by a bound on its rounding error, so that the result is rigorous in double precision.
 *
 * @param objective f(r)
 * @param bound the bound on f(r) - f* and the numbers it follows from
 * @param proof whether r is proven near-optimal, only estimated to be, or refuted
 * @param unique whether the minimiser is unique: H + lambda I >= kappa I leaves no minimiser farther than 2||e||/kappa from r, and that is less than 1/2
 * @param finiteness whether a finite rule attains the infimum of the game, or the loss only approaches it as the coefficients grow
 * @param scale p0, the loss of the rule w = 0; relative gaps divide by at least 1e-9 p0
 * @param better a unit vector to use instead of r, if one was found: one with a lower f, which refutes r, or, if r is next to the limit point, one with the
 *     same f that belongs to a finite rule
 */
public record Certificate(
        double objective,
        Bound bound,
        Proof proof,
        boolean unique,
        Finiteness finiteness,
        double scale,
        Optional<double[]> better) {
    /**
     * The bound on f(r) - f*.
     *
     * @param multiplier lambda
     * @param residual ||e||, rounding included
     * @param curvature a proven lower bound on the smallest eigenvalue of H + lambda I
     * @param gap a rigorous upper bound on f(r) - f*
     */
    public record Bound(double multiplier, double residual, double curvature, double gap) {}

    /** Returns lambda = -r'(H r + g). */
    public double multiplier() {
        return bound.multiplier();
    }

    /** Returns ||e||, a bound on its rounding error included. */
    public double residual() {
        return bound.residual();
    }

    /** Returns a proven lower bound on the smallest eigenvalue of H + lambda I. */
    public double curvature() {
        return bound.curvature();
    }

    /** Returns a rigorous upper bound on f(r) - f*, rounding included. */
    public double gapBound() {
        return bound.gap();
    }

    /**
     * The smallest relative improvement by which another point refutes r. It equals the default tolerance: a point within the tolerance is never refuted.
     */
    private static final double REFUTING = 1e-9;

    /**
     * Returns the certificate of a point. Costs one product with the data, and a decomposition of H only if lambda is not positive or H is not a Gram matrix.
     *
     * @param r a unit vector to 1e-12
     * @throws IllegalArgumentException if r is not a unit vector
     */
    public static Certificate of(SphereProblem problem, double[] r) {
        double[] unit = unit(r);
        double known = problem.smallestEigenvalue().orElse(problem.isGram() ? 0 : Double.NEGATIVE_INFINITY);
        return of(problem, unit, problem.evaluate(unit), known);
    }

    /**
     * Returns one certificate per problem, all of the same data at different gammas and ridges, from one pass over the data.
     *
     * <p>The bound that one factorisation proves for the smallest eigenvalue of H is used at every larger gamma: with S = diag(s, ..., s, 1), s^2 =
     * gamma'/gamma >= 1, the matrix at gamma' is S H S, and H >= mu I implies x'S H S x >= mu ||S x||^2 >= mu ||x||^2 (docs/theory.md, "Paths"). With effects
     * both matrices carry the factor 1 + beta'beta/gamma of their own gamma.
     *
     * @param r one unit vector per problem
     */
    public static Certificate[] ofAll(List<SphereProblem> problems, double[][] r) {
        if (problems.isEmpty()) {
            return new Certificate[0];
        }
        double[][] unit = Arrays.stream(r).map(Certificate::unit).toArray(double[][]::new);
        Evaluation[] evaluations = problems.get(0).family().evaluate(problems, unit);
        Certificate[] certificates = new Certificate[unit.length];
        int[] ascending = IntStream.range(0, unit.length)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> problems.get(i).gamma()))
                .mapToInt(i -> i)
                .toArray();
        // a lower bound on the smallest eigenvalue without the factor of effects, at the largest gamma so far; H is a
        // Gram matrix
        double known = 0;
        for (int i : ascending) {
            double stretch = problems.get(i).geometry().stretch();
            double square = stretch * stretch;
            // a little less than proven, because of the rounding of the squares
            double here = stretch == 1 ? known : known * square * (1 - 0x1p-50);
            certificates[i] = of(problems.get(i), unit[i], evaluations[i], here);
            known = Math.max(known, certificates[i].eigenvalueBound() / square);
        }
        return certificates;
    }

    /** Returns one certificate per gamma, from one pass over the data. */
    public static Certificate[] ofPath(SphereFamily family, double[] gammas, double[][] r) {
        return ofAll(family.at(gammas), r);
    }

    /** Returns the lower bound on the smallest eigenvalue of H that follows from the curvature: curvature - lambda, rounded down. */
    private double eigenvalueBound() {
        double least = curvature() - multiplier();
        // a point with NaN coordinates bounds nothing
        double safe = least - 4 * Math.ulp(Math.max(Math.abs(least), Math.abs(multiplier())));
        return Double.isNaN(safe) ? Double.NEGATIVE_INFINITY : safe;
    }

    /**
     * Returns the certificate of a point that has been evaluated.
     *
     * @param r a unit vector to the last bit
     * @param at f and its half gradient at r
     * @param known a proven lower bound on the smallest eigenvalue of H; minus infinity if there is none
     */
    private static Certificate of(SphereProblem problem, double[] r, Evaluation at, double known) {
        Stationarity here = Stationarity.of(r, at);
        double lambda = here.multiplier();
        double residual = here.residual() + problem.gradientRounding(r) + at.neglected();
        double tolerable = tolerable(problem, at);
        // the curvature -delta at which 4||e|| + 4 delta is just tolerable
        double tolerated = 4 * residual <= tolerable ? residual - tolerable / 4 : Double.POSITIVE_INFINITY;
        Curvature curvature = Curvature.of(problem, lambda, known, residual * residual / tolerable, tolerated);
        double gap = gapBound(problem, r, at, residual, curvature);
        Optional<double[]> better = Optional.empty();
        if (curvature.negativeDirection().isPresent() && gap > tolerable) {
            better = Improvement.along(
                            problem, r, at, curvature.negativeDirection().get())
                    .filter(x -> at.objective() - problem.evaluate(x).objective() > tolerable);
        }
        // whether a finite rule is optimal: what counts as "as good" is relative to the smaller of the two losses
        double least = Math.min(at.objective(), problem.limitPointLoss());
        double negligible = REFUTING * Stationarity.scale(least, problem.zeroRuleLoss());
        LimitPoint limit = problem.geometry().hasEffects()
                ? LimitPoint.ofSphere(
                        problem, r, at, new Bound(lambda, residual, curvature.lowerBound(), gap), negligible)
                : LimitPoint.of(problem, r, at, gap, negligible);
        Proof proof = better.isPresent() ? Proof.REFUTED : curvature.proven() ? Proof.PROVEN : Proof.ESTIMATED;
        return new Certificate(
                at.objective(),
                new Bound(lambda, residual, curvature.lowerBound(), gap),
                proof,
                curvature.lowerBound() > 4 * residual,
                limit.finiteness(),
                problem.zeroRuleLoss(),
                better.or(limit::tie));
    }

    /**
     * Returns a copy of r normalised to length 1. An error of the length changes f by lambda times itself, which matters where lambda is large.
     *
     * <p>If the computed length is 1 up to the rounding of that computation, the copy is bitwise r, so that evaluations which a solver has already made at r can
     * be reused from the cache of the data.
     *
     * @throws IllegalArgumentException if the length differs from 1 by more than 1e-12
     */
    public static double[] unit(double[] r) {
        double norm = Vectors.norm(r);
        if (!(Math.abs(norm - 1) <= 1e-12)) {
            throw new IllegalArgumentException(
                    "A certificate is about unit vectors, but ||r|| - 1 is " + (norm - 1) + ".");
        }
        double[] unit = r.clone();
        // the norm is computed by four running sums; their errors of half a unit in the last place per addition have
        // random
        // signs, so the sum of d/4 of them grows with sqrt(d)
        if (Math.abs(norm - 1) > 0x1p-52 * (1 + Math.sqrt(r.length) / 16)) {
            Vectors.scale(1 / norm, unit);
        }
        return unit;
    }

    /** Returns the smallest of the four bounds in the class comment. */
    private static double gapBound(
            SphereProblem problem, double[] r, Evaluation at, double residual, Curvature curvature) {
        double gap = Stationarity.gap(residual, curvature.lowerBound());
        // with g = 0, lambda = -r'Hr, so the second eigenvalue of H + lambda I is mu - r'Hr; r'Hr is known up to ||e||
        double apart = curvature.second() - residual;
        // p = 0 and g = 0 exactly, which means b = 0 (z = 2y): a g that is 0 only after rounding does not qualify
        if (apart > 0 && problem.p() == 0 && Vectors.norm(problem.g()) == 0) {
            double second = residual * residual / apart + problem.objectiveRounding(r, at.objective());
            gap = Math.min(gap, second);
        }
        gap += at.overstated();
        return problem.isGram() ? Math.min(gap, at.objective() + problem.objectiveRounding(r, at.objective())) : gap;
    }

    /** Returns the absolute gap that counts as zero when points are compared. */
    private static double tolerable(SphereProblem problem, Evaluation at) {
        return REFUTING * Stationarity.scale(at.objective(), problem.zeroRuleLoss());
    }

    /** Returns the relative gap, gapBound / max(f(r), 1e-9 p0) (docs/theory.md, "Relative gap"). */
    public double relativeGap() {
        return gapBound() == 0 ? 0 : gapBound() / Stationarity.scale(objective, scale);
    }

    /** Returns false if it is proven that no finite rule is optimal. */
    public boolean finite() {
        return finiteness != Finiteness.NONE;
    }

    /** Returns a copy whose finiteness is FINITE, for callers that have found a finite rule for r. */
    public Certificate withFiniteRule() {
        return new Certificate(objective, bound, proof, unique, Finiteness.FINITE, scale, better);
    }

    /**
     * Returns the certificate of a rule that loses f(r) + difference instead of f(r), because it was recovered from r with rounding errors. A positive difference
     * is added to the gap bound; a negative one leaves it.
     */
    public Certificate worseBy(double difference) {
        Bound own = new Bound(multiplier(), residual(), curvature(), gapBound() + Math.max(0, difference));
        return new Certificate(objective + difference, own, proof, unique, finiteness, scale, better);
    }

    /**
     * Returns whether the point is certified: PROVEN, with a relative gap of at most the tolerance and 1e-6, and not proven to have no finite rule.
     *
     * @param tolerance the largest relative gap to accept
     */
    public boolean certified(double tolerance) {
        return proof == Proof.PROVEN && finite() && isOptimal(relativeGap(), tolerance);
    }

    /** The largest relative gap at which a rule is called globally optimal, however large the requested tolerance. */
    public static final double LARGEST_GAP = 1e-6;

    /** Returns whether a relative gap is treated as zero: at most the tolerance and {@link #LARGEST_GAP}. */
    public static boolean isOptimal(double relativeGap, double tolerance) {
        return relativeGap <= Math.min(tolerance, LARGEST_GAP);
    }

    /** Whether the optimum is attained by a finite rule, or only approached towards the limit point (pull-through 1), where every wish comes true. */
    public enum Finiteness {
        /** A finite rule attains the optimum. */
        FINITE,
        /** The limit point is proven optimal to 1e-9, and no rule with a pull-through below 0.99 is as good. */
        NONE,
        /** The limit point is not proven worse than r, and not proven optimal either. */
        UNKNOWN
    }

    /** What is proven about a point of the sphere. */
    public enum Proof {
        /** The gap bound is rigorous, and the smallest eigenvalue of H + lambda I is known as well as the bound needs. */
        PROVEN,
        /** The gap bound is rigorous but may be far too large: that H + lambda I has no negative eigenvalue is only an estimate. */
        ESTIMATED,
        /** A point with a lower f was found, so r is not the global minimiser. */
        REFUTED
    }
}
