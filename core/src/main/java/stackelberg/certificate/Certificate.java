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
 * How far a unit vector r can be from the global minimum of f on the sphere, computed from the problem and r alone.
 *
 * <p>With lambda = -r'(H r + g) and e = (H + lambda I) r + g, any unit x has f(x) - f(r) = (x - r)'(H + lambda I)(x - r) + 2e'(x - r). So f(r) -
 * f* is at most ||e||^2/kappa where H + lambda I >= kappa I > 0, at most 4||e|| + 4 delta where H + lambda I >= -delta I, and at most f(r)
 * where f is a sum of squares; the smallest of these is the bound. Where g = 0, f is x'Hx, r an approximate eigenvector and the case always hard: then
 * f(r) - f* is at most ||e||^2/(mu - r'Hr) for a second eigenvalue mu > r'Hr (Temple). ||e|| is raised by what rounding can hide.
 *
 * @param objective f(r)
 * @param bound how far f(r) can be above f*, and from what that follows
 * @param proof what is known
 * @param unique whether H + lambda I is proven positive definite by more than rounding: H + lambda I >= kappa I leaves no minimiser farther
 *     than 2||e||/kappa from r, and that is less than 1/2
 * @param finiteness whether the game has an optimal rule at all, or its infimum is approached only by ever larger ones
 * @param scale p0, the loss of the best rule that nobody can game (w = 0), which relative gaps fall back on when f(r) is nearly 0
 * @param better a unit vector to be preferred, if one was found: with a lower f, which refutes r, or, where r is next to believing everybody, with
 *     the same f and a rule
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
     * The bound of f(r) - f*.
     *
     * @param multiplier lambda
     * @param residual ||e||, rounding included
     * @param curvature a proven lower bound of the smallest eigenvalue of H + lambda I
     * @param gap a rigorous upper bound of f(r) - f*
     */
    public record Bound(double multiplier, double residual, double curvature, double gap) {}

    /** lambda. */
    public double multiplier() {
        return bound.multiplier();
    }

    /** ||e||, rounding included. */
    public double residual() {
        return bound.residual();
    }

    /** A proven lower bound of the smallest eigenvalue of H + lambda I. */
    public double curvature() {
        return bound.curvature();
    }

    /** A rigorous upper bound of f(r) - f*. */
    public double gapBound() {
        return bound.gap();
    }

    /** The relative improvement from which on a better point refutes. */
    private static final double REFUTING = 1e-9;

    /** From (problem, r) alone: one product with the data, and a factorisation only where the multiplier is not positive. */
    public static Certificate of(SphereProblem problem, double[] r) {
        double[] unit = unit(r);
        double known = problem.smallestEigenvalue().orElse(problem.isGram() ? 0 : Double.NEGATIVE_INFINITY);
        return of(problem, unit, problem.evaluate(unit), known);
    }

    /**
     * One certificate per problem, all of the same data at different gammas and ridges, from one pass over it.
     *
     * <p>With S = diag(s, ..., s, 1), s^2 = gamma'/gamma >= 1, the H at gamma' is S times that at gamma times S, so x'H'x >= mu ||S x||^2 >= mu ||x||^2
     * where H >= mu I: the smallest eigenvalue does not fall with gamma, and what one factorisation has proven is known at every larger gamma. Where moves are real, H
     * is that times 1 + beta'beta/gamma.
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

    /** One certificate per gamma. */
    public static Certificate[] ofPath(SphereFamily family, double[] gammas, double[][] r) {
        return ofAll(family.at(gammas), r);
    }

    /** A lower bound of the smallest eigenvalue of H, as the curvature is one of that of H + lambda I, proven sufficient or not. */
    private double eigenvalueBound() {
        double least = curvature() - multiplier();
        // the difference may have been rounded up, and a point that is not a number bounds nothing
        double safe = least - 4 * Math.ulp(Math.max(Math.abs(least), Math.abs(multiplier())));
        return Double.isNaN(safe) ? Double.NEGATIVE_INFINITY : safe;
    }

    /** @param known a lower bound of the smallest eigenvalue of H */
    private static Certificate of(SphereProblem problem, double[] r, Evaluation at, double known) {
        Stationarity here = Stationarity.of(r, at);
        double lambda = here.multiplier();
        double residual = here.residual() + problem.gradientRounding(r) + at.neglected();
        double tolerable = tolerable(problem, at);
        // 4||e|| + 4 delta is within the tolerance
        double tolerated = 4 * residual <= tolerable ? residual - tolerable / 4 : Double.POSITIVE_INFINITY;
        Curvature curvature = Curvature.of(problem, lambda, known, residual * residual / tolerable, tolerated);
        double gap = gapBound(problem, r, at, residual, curvature);
        Optional<double[]> better = Optional.empty();
        if (curvature.negativeDirection().isPresent() && gap > tolerable) {
            better = Improvement.along(
                            problem, r, at, curvature.negativeDirection().get())
                    .filter(x -> at.objective() - problem.evaluate(x).objective() > tolerable);
        }
        double least = Math.min(at.objective(), problem.limitLoss());
        double negligible = REFUTING * Stationarity.scale(least, problem.ungameableLoss());
        Limit limit = problem.geometry().hasEffects()
                ? Limit.ofSphere(problem, r, at, new Bound(lambda, residual, curvature.lowerBound(), gap), negligible)
                : Limit.of(problem, r, at, gap, negligible);
        Proof proof = better.isPresent() ? Proof.REFUTED : curvature.proven() ? Proof.PROVEN : Proof.ESTIMATED;
        return new Certificate(
                at.objective(),
                new Bound(lambda, residual, curvature.lowerBound(), gap),
                proof,
                curvature.lowerBound() > 4 * residual,
                limit.finiteness(),
                problem.ungameableLoss(),
                better.or(limit::tie));
    }

    /**
     * r to the last bit of its length, which f feels where the multiplier is large; r itself where its length is 1 to the rounding of the sum that finds it,
     * so that what a solver asked the data about its point holds for the certificate too.
     */
    public static double[] unit(double[] r) {
        double norm = Vectors.norm(r);
        if (!(Math.abs(norm - 1) <= 1e-12)) {
            throw new IllegalArgumentException(
                    "A certificate is about unit vectors, but ||r|| - 1 is " + (norm - 1) + ".");
        }
        double[] unit = r.clone();
        // four running sums, each addition off by half a unit in the last place, as often up as down
        if (Math.abs(norm - 1) > 0x1p-52 * (1 + Math.sqrt(r.length) / 16)) {
            Vectors.scale(1 / norm, unit);
        }
        return unit;
    }

    private static double gapBound(
            SphereProblem problem, double[] r, Evaluation at, double residual, Curvature curvature) {
        double gap = Stationarity.gap(residual, curvature.lowerBound());
        // r'Hr itself is known to ||e|| only
        double apart = curvature.second() - residual;
        // only where z = 2y to the last bit: a g that rounding has made 0 is none
        if (apart > 0 && problem.p() == 0 && Vectors.norm(problem.g()) == 0) {
            double second = residual * residual / apart + problem.objectiveRounding(r, at.objective());
            gap = Math.min(gap, second);
        }
        gap += at.overstated();
        return problem.isGram() ? Math.min(gap, at.objective() + problem.objectiveRounding(r, at.objective())) : gap;
    }

    private static double tolerable(SphereProblem problem, Evaluation at) {
        return REFUTING * Stationarity.scale(at.objective(), problem.ungameableLoss());
    }

    /** gapBound / max(f(r), 1e-9 p0). */
    public double relativeGap() {
        return gapBound() == 0 ? 0 : gapBound() / Stationarity.scale(objective, scale);
    }

    /** Whether there may be a finite equilibrium: it is not proven that there is none. */
    public boolean finite() {
        return finiteness != Finiteness.NONE;
    }

    /** The same, where a finite rule is known to be at r. */
    public Certificate attained() {
        return new Certificate(objective, bound, proof, unique, Finiteness.FINITE, scale, better);
    }

    /** The same of something that loses so much more than r, or less: f(r) - f* grows with it. */
    public Certificate worseBy(double difference) {
        Bound own = new Bound(multiplier(), residual(), curvature(), gapBound() + Math.max(0, difference));
        return new Certificate(objective + difference, own, proof, unique, finiteness, scale, better);
    }

    /** PROVEN, within the tolerance and 1e-6, and finite. */
    public boolean certified(double tolerance) {
        return proof == Proof.PROVEN && finite() && isOptimal(relativeGap(), tolerance);
    }

    /** The largest relative gap of which one says that a rule is globally optimal, whatever tolerance was asked for. */
    public static final double LARGEST_GAP = 1e-6;

    /** Whether so small a relative gap is none. */
    public static boolean isOptimal(double relativeGap, double tolerance) {
        return relativeGap <= Math.min(tolerance, LARGEST_GAP);
    }

    /** What is known about believing everybody, where every wish comes true and no rule is left. */
    public enum Finiteness {
        /** Some rule is optimal. */
        FINITE,
        /** Believing everybody is proven optimal to 1e-9, and nothing but ever larger rules is as good. */
        NONE,
        /** Believing everybody is no worse than the point at hand, but neither the one nor the other is proven. */
        UNKNOWN
    }

    /** What is known about a point of the sphere. */
    public enum Proof {
        /** The gap bound is rigorous and the multiplier's side of the spectrum is known. */
        PROVEN,
        /** Nothing speaks against the point, but that H + lambda I has no negative eigenvalue is only an estimate. */
        ESTIMATED,
        /** A better point is in hand: this one is not the global minimiser. */
        REFUTED
    }
}
