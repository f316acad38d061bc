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
 * Of several optimal points of a game the one with the smallest pull-through, for problems of one data; what it finds is still to be certified.
 *
 * <p>Where Pz = PXa a rule can take the wish away again, and the best of those that do lose what least squares does if nobody moves: lambda = 0, and the point with the
 * smallest pull-through has a formula ({@link LinearWish}). Otherwise the case is hard, lambda = -lambda_min < 0: the optimal points are r0 + v with r0 = -(H + lambda
 * I)^+ g and v of one length in the eigenspace, and the last entry is smallest where v points against e = (0, ..., 0, 1), projected.
 */
final class LeastPull {
    /** Up to this order the spectrum of H is computed for the hard case. */
    private static final int EIGEN_ORDER = 400;

    /** An eigenspace whose vectors all have a smaller last entry does not change the pull-through. */
    private static final double ALIKE = 1e-6;

    /** How many times the tolerance and the rounding a multiplier may be off, or an eigenvalue, where a point is off by as much. */
    private static final double NEXT = 10;

    /** So many directions of a plane are compared. */
    private static final int AROUND = 720;

    /** An angle that is as near to the best is the best. */
    private static final double NEAR = 1e-9;

    private final SphereFamily data;
    private final double tolerance;
    private @Nullable LinearWish wish;
    /** The part of beta that no person shows. */
    private double @Nullable [] hidden;

    /** @param tolerance the relative gap that counts as none */
    LeastPull(SphereFamily family, double tolerance) {
        this.data = family.plain();
        this.tolerance = tolerance;
    }

    /**
     * A point, and what it means that others are as good.
     *
     * @param r a unit vector
     */
    record Point(double[] r, Solution.Tie tie) {}

    /**
     * The point to take instead of one that is bounded so; empty where no other can be as good. Least squares is computed only where the multiplier is next to 0
     * by the tolerance and by rounding, and for one data once.
     *
     * @param objective f at the point
     */
    Optional<Point> insteadOf(SphereProblem problem, Certificate.Bound bound, double objective) {
        double tolerable = tolerance * Stationarity.scale(objective, problem.zeroRuleLoss());
        double none = NEXT * (tolerable + bound.residual());
        double lambda = bound.multiplier();
        if (!problem.isGram() || data.features() == 0 || !(lambda <= none)) {
            return Optional.empty();
        }
        return lambda >= -none ? undone(problem) : hardCase(problem, bound, none);
    }

    private LinearWish wish() {
        if (wish == null) {
            wish = LinearWish.of(data);
        }
        return wish;
    }

    /** The wish taken away again. */
    private Optional<Point> undone(SphereProblem problem) {
        LinearWish wish = wish();
        double gamma = problem.gamma();
        double[] effects = problem.family().effects();
        if (effects != null) {
            SphereGeometry geometry = problem.geometry();
            Stream<double[]> points =
                    wish.shares(gamma, effects, 0).mapToObj(tau -> geometry.point(wish.undoing(tau), tau));
            return leastMoved(problem, Stream.concat(points, hiddenly(problem, effects)));
        }
        double t = wish.leastPull(gamma);
        // at t = 0 the rule is none, and nobody could be pulled less
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
     * The same with u = w - tau a + s b, b along the part of beta that no person shows, of length l. A whole range of tau undoes the wish then, between the two at which the roots of s^2 - l s + A -
     * gamma tau(1 - tau), A = ||w - tau a||^2 - beta'(w - tau a), are one; the smaller s has the smaller omega, and other directions that nobody shows only add to it.
     */
    private Stream<double[]> hiddenly(SphereProblem problem, double[] effects) {
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
            double[] u = wish.undoing(tau);
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

    /** Where moves really change the target, omega itself is compared: the last entry of r no longer tells it. */
    private static Optional<Point> leastMoved(SphereProblem problem, Stream<double[]> points) {
        SphereGeometry geometry = problem.geometry();
        return points.filter(x -> Double.isFinite(geometry.omega(x)))
                .min(Comparator.comparingDouble(geometry::omega))
                .map(x -> new Point(x, Solution.Tie.OTHER));
    }

    /** Unit vectors of the eigenspace, all around the plane that tau and beta'u, and with them omega, depend on. */
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
