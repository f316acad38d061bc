package stackelberg.objective;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.DoubleFunction;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import stackelberg.certificate.Certificate;
import stackelberg.linalg.SymmetricEigen;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.sphere.SphereFamily;
import stackelberg.sphere.SphereGeometry;
import stackelberg.sphere.SphereProblem;
import stackelberg.sphere.SphereProblem.Stationarity;

/**
 * Finds, among several optimal points of a game, the one with the smallest pull-through. Points found here still need a
 * certificate.
 *
 * <p>If Pz = PXa, that is, if the wish is linear in the features, rules exist that cancel the wish. The best of them
 * have the loss of least squares before any move, lambda is 0, and the point with the smallest pull-through has a
 * closed form ({@link LinearWish}). Otherwise it is the hard case, lambda = -lambda_min &lt; 0: the optimal points are
 * r0 + v, where r0 = -(H + lambda I)^+ g and v is any vector of a fixed length in the eigenspace. The last entry is
 * smallest if v points against the projection of e = (0, ..., 0, 1) onto the eigenspace.
 */
final class LeastPull {
    /** The largest order at which the spectrum of H is computed for the hard case. */
    private static final int EIGEN_ORDER = 400;

    /** If all unit vectors of the eigenspace have a smaller last entry, the pull-through is the same for all points. */
    private static final double ALIKE = 1e-6;

    /** The factor by which the error of a multiplier or an eigenvalue may exceed that of the point. */
    private static final double NEXT = 10;

    /** The number of directions in a plane that are compared. */
    private static final int AROUND = 720;

    /** A direction within this distance of the best counts as equally good. */
    private static final double NEAR = 1e-9;

    private final SphereFamily data;
    private final double tolerance;
    private @Nullable LinearWish wish;
    /** The part of beta in the null space of the data, which no row shows. */
    private double @Nullable [] hidden;

    /**
     * @param tolerance the relative gap that counts as zero
     */
    LeastPull(SphereFamily family, double tolerance) {
        this.data = family.plain();
        this.tolerance = tolerance;
    }

    /**
     * A point, with the reason why others are as good.
     *
     * @param r a unit vector
     */
    record Point(double[] r, Solution.Tie tie) {}

    /**
     * Returns the point to use instead of one with this bound; empty if no other point can be as good. Least squares is
     * computed only if the multiplier is 0 up to the tolerance and rounding, and at most once for the same data.
     *
     * @param objective f at the point
     */
    Optional<Point> insteadOf(SphereProblem problem, Certificate.Bound bound, double objective) {
        double tolerable = tolerance * Stationarity.scale(objective, problem.zeroRuleLoss());
        double negligible = NEXT * (tolerable + bound.residual());
        double lambda = bound.multiplier();
        if (!problem.isGram() || data.features() == 0 || !(lambda <= negligible)) {
            return Optional.empty();
        }
        return lambda >= -negligible ? cancelling(problem) : hardCase(problem, bound, negligible);
    }

    private LinearWish wish() {
        if (wish == null) {
            wish = LinearWish.of(data);
        }
        return wish;
    }

    /** Returns the point of smallest pull-through that cancels a linear wish. */
    private Optional<Point> cancelling(SphereProblem problem) {
        LinearWish wish = wish();
        double gamma = problem.gamma();
        double[] effects = problem.family().effects();
        if (effects != null) {
            SphereGeometry geometry = problem.geometry();
            Stream<double[]> points =
                    wish.shares(gamma, effects, 0).mapToObj(tau -> geometry.point(wish.cancelling(tau), tau));
            return leastMoved(problem, Stream.concat(points, alongHidden(problem, effects)));
        }
        double t = wish.leastPull(gamma);
        // at t = 0 the rule is 0, whose pull-through cannot be smaller
        if (!(t > 0 && t <= 1)) {
            return Optional.empty();
        }
        double[] u = wish.w().clone();
        Vectors.axpy(-t, wish.a(), u);
        Vectors.scale(2 / Math.sqrt(gamma), u);
        double[] r = Arrays.copyOf(u, u.length + 1);
        r[u.length] = 2 * t - 1;
        double norm = Vectors.norm(r);
        if (!(Math.abs(norm - 1) < 1e-6)) {
            return Optional.empty();
        }
        Vectors.scale(1 / norm, r);
        return Optional.of(new Point(r, Solution.Tie.of(wish.multiple(), t)));
    }

    /**
     * Returns further points that cancel a linear wish: u = w - tau a + s b, where b is along the part of beta that no
     * row shows, and l is that part's length. They exist for a whole interval of tau. At its ends the two roots of s^2
     * - l s + A - gamma tau(1 - tau), with A = ||w - tau a||^2 - beta'(w - tau a), coincide. The smaller root s has the
     * smaller omega; components along other directions that no row shows would only increase it.
     */
    private Stream<double[]> alongHidden(SphereProblem problem, double[] effects) {
        if (hidden == null) {
            hidden = LinearWish.hidden(data, effects);
        }
        LinearWish wish = wish();
        double[] along = hidden.clone();
        double length = Vectors.norm(along);
        double gamma = problem.gamma();
        double[] ends = length == 0
                ? new double[0]
                : wish.shares(gamma, effects, length * length / 4).toArray();
        if (ends.length < 2) {
            return Stream.empty();
        }
        Vectors.scale(1 / length, along);
        DoubleFunction<double[]> at = angle -> {
            double tau = (ends[0] + ends[1]) / 2 + (ends[0] - ends[1]) / 2 * Math.cos(angle);
            double[] u = wish.cancelling(tau);
            double constant = Vectors.dot(u, u) - Vectors.dot(effects, u) - gamma * tau * (1 - tau);
            double root = Math.sqrt(Math.max(0, length * length - 4 * constant));
            Vectors.axpy(2 * constant / (length + root), along, u);
            return problem.geometry().point(u, tau);
        };
        DoubleUnaryOperator omega = angle -> problem.geometry().omega(at.apply(angle));
        double step = Math.PI / AROUND;
        double best = IntStream.rangeClosed(0, AROUND)
                .mapToObj(k -> k * step)
                .filter(angle -> Double.isFinite(omega.applyAsDouble(angle)))
                .min(Comparator.comparingDouble(omega::applyAsDouble))
                .orElse(0.0);
        for (double near = step / 2; near > NEAR; near /= 2) {
            for (double other : new double[] {best - near, best + near}) {
                best = omega.applyAsDouble(other) < omega.applyAsDouble(best) ? other : best;
            }
        }
        return Stream.of(at.apply(best));
    }

    /** Returns the point with the smallest omega; with effects, the last entry of r does not determine omega. */
    private static Optional<Point> leastMoved(SphereProblem problem, Stream<double[]> points) {
        SphereGeometry geometry = problem.geometry();
        return points.filter(x -> Double.isFinite(geometry.omega(x)))
                .min(Comparator.comparingDouble(geometry::omega))
                .map(x -> new Point(x, Solution.Tie.OTHER));
    }

    /**
     * Returns unit vectors of the eigenspace, all around the plane on which tau and beta'u, and hence omega, depend.
     */
    private static Stream<double[]> directions(SphereProblem problem, SymmetricEigen eigen, double rounding) {
        int d = problem.dimension();
        double[] byShare = new double[d];
        double[] byEffect = new double[d];
        double[] effects = Arrays.copyOf(problem.family().effects(), d);
        double[] h = eigen.values();
        for (int i = 0; i < d && h[i] - h[0] <= rounding; i++) {
            double[] q = eigen.vectors().column(i);
            Vectors.axpy(q[d - 1], q, byShare);
            Vectors.axpy(Vectors.dot(q, effects), q, byEffect);
        }
        if (Vectors.norm(byShare) < ALIKE) {
            byShare = byEffect;
        }
        double length = Vectors.norm(byShare);
        if (length < ALIKE) {
            return Stream.empty();
        }
        Vectors.scale(1 / length, byShare);
        Vectors.axpy(-Vectors.dot(byShare, byEffect), byShare, byEffect);
        double other = Vectors.norm(byEffect);
        int around = other < ALIKE ? 2 : AROUND;
        Vectors.scale(other < ALIKE ? 0 : 1 / other, byEffect);
        double[] first = byShare;
        return IntStream.range(0, around).mapToObj(k -> {
            double[] direction = first.clone();
            Vectors.scale(Math.cos(2 * Math.PI * k / around), direction);
            Vectors.axpy(Math.sin(2 * Math.PI * k / around), byEffect, direction);
            return direction;
        });
    }

    /** Returns the point of smallest pull-through among r0 + v with v in the eigenspace of the smallest eigenvalue. */
    private static Optional<Point> hardCase(SphereProblem problem, Certificate.Bound bound, double none) {
        int d = problem.dimension();
        if (d > EIGEN_ORDER || bound.curvature() > none) {
            return Optional.empty();
        }
        SymmetricEigen eigen = SymmetricEigen.of(problem.hessian(), Workers.of(1));
        double[] h = eigen.values();
        double rounding = 4 * problem.hessianRounding();
        if (h[0] + bound.multiplier() > rounding + none) {
            return Optional.empty();
        }
        double[] g = problem.g();
        double[] r = new double[d];
        double[] v = new double[d];
        for (int i = 0; i < d; i++) {
            double[] q = eigen.vectors().column(i);
            if (h[i] - h[0] <= rounding) {
                Vectors.axpy(q[d - 1], q, v);
            } else {
                Vectors.axpy(-Vectors.dot(q, g) / (h[i] - h[0]), q, r);
            }
        }
        double free = 1 - Vectors.dot(r, r);
        if (free > 0 && problem.geometry().hasEffects()) {
            return leastMoved(problem, directions(problem, eigen, rounding).map(direction -> {
                double[] x = r.clone();
                Vectors.axpy(Math.sqrt(free), direction, x);
                Vectors.scale(1 / Vectors.norm(x), x);
                return x;
            }));
        }
        double length = Vectors.norm(v);
        if (!(free > 0) || length < ALIKE) {
            return Optional.empty();
        }
        Vectors.axpy(-Math.sqrt(free) / length, v, r);
        Vectors.scale(1 / Vectors.norm(r), r);
        return Optional.of(new Point(r, Solution.Tie.OTHER));
    }
}
