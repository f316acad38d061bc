package stackelberg.objective.program;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import stackelberg.linalg.Vectors;
import stackelberg.objective.program.Program.Losses;
import stackelberg.objective.program.SquaredFrontier.Cut;
import stackelberg.sphere.SphereFamily;
import stackelberg.sphere.SphereGeometry;
import stackelberg.sphere.SphereProblem;
import stackelberg.sphere.SphereProblem.Evaluation;
import stackelberg.sphere.SphereProblem.Stationarity;

/**
 * What one pass over the data proves of a point and a weight eta of the hedge: both losses of its rule, and a lower
 * bound of the loss after the move of every rule that keeps the bound.
 *
 * <p>If the smallest eigenvalue of M + eta (1 - tau)^2 (H - B) is known, its sphere problem gives the bound. Without
 * effects tau &lt; 1, where the hedge in the form eta (1 - tau) (H - B), the perspective of the loss, is convex, and so is its sum
 * with M on the ball. If a convex function has the half gradient h = -lambda r + e at a unit vector r, its values on the
 * ball are at least its value at r minus 2 (||h|| - lambda).
 *
 * @param r the point, of length 1
 * @param w the coefficients w on cost-scaled features
 * @param honest H
 * @param moved M, with the penalty of a ridge
 * @param lower a lower bound of M for all rules that keep the bound
 * @param honestLeast H minus a bound of its error
 * @param honestSlope ||X'P(X w - y)||, rounding included
 * @param honestResidual ||X'P(X w - y) + mu w||, rounding included: 0 for the best rule before any move
 */
record SquaredDual(
        double[] r,
        double[] w,
        double honest,
        double moved,
        double lower,
        double honestLeast,
        double honestSlope,
        double honestResidual) {
    /** The gamma at which a point of the family is (u, 2 tau - 1). */
    private static final double PLAIN = 4;

    private static final double UNITS = 4 * 0x1p-52;

    /**
     * A point, the weight of the hedge, and what is known of the curvature.
     *
     * @param r a vector of length 1
     * @param bound B
     * @param rule the rule whose loss before any move is computed if eta = 0, instead of the point's own; null for the
     *     point's own
     * @param curvature a lower bound of the smallest eigenvalue of M + eta (1 - tau)^2 (H - B) plus the cut on the
     *     sphere; empty if unknown
     * @param cut a function added to it that is at most 0 in a part of the sphere, to which the lower bound then refers
     */
    record Query(double[] r, double eta, double bound, double @Nullable [] rule, OptionalDouble curvature, Cut cut) {
        /** Returns the point, of length 1 to its last digits. */
        double[] unit() {
            double[] unit = r.clone();
            Vectors.scale(1 / Vectors.norm(unit), unit);
            return unit;
        }

        double[] rule(SphereGeometry geometry) {
            return rule == null ? geometry.coefficients(unit()) : rule;
        }
    }

    /**
     * Evaluates points of the sphere in one pass.
     *
     * @param explained ||(I - P)(z - y)||^2
     */
    static List<SquaredDual> of(SphereFamily family, double gamma, double explained, List<Query> queries) {
        SphereGeometry geometry = family.at(gamma).geometry();
        double[][] points = new double[2 * queries.size()][];
        double[] gammas = new double[points.length];
        Arrays.fill(gammas, PLAIN);
        for (int k = 0; k < queries.size(); k++) {
            Query query = queries.get(k);
            double[] r = query.unit();
            double[] w = query.rule(geometry);
            // X u + tau z - y, and X w - y for the rule itself, both projected
            double[] moved = Arrays.copyOf(geometry.scaledCoefficients(r), w.length + 1);
            moved[w.length] = 2 * geometry.tau(r) - 1;
            points[2 * k] = moved;
            points[2 * k + 1] = honestPoint(isFinite(w) ? w : new double[w.length]);
        }
        Evaluation[] at = family.plain().evaluate(gammas, points);
        return IntStream.range(0, queries.size())
                .mapToObj(k -> of(family, gamma, explained, queries.get(k), at[2 * k], at[2 * k + 1]))
                .toList();
    }

    /** Evaluates one query from the products of the pass. */
    private static SquaredDual of(
            SphereFamily family, double gamma, double explained, Query query, Evaluation atMoved, Evaluation atHonest) {
        double eta = query.eta;
        double bound = query.bound;
        int n = family.features();
        SphereProblem problem = family.at(gamma);
        SphereProblem plain = family.plain().at(PLAIN);
        SphereGeometry geometry = problem.geometry();
        double[] r = query.unit();
        double tau = geometry.tau(r);
        double kept = geometry.oneMinusTau(r);
        double[] w = query.rule(geometry);
        boolean finite = isFinite(w);
        double mu = family.ridge();
        double @Nullable [] effects = family.effects();
        double earned = effects == null ? 0 : Vectors.dot(effects, geometry.scaledCoefficients(r));
        // the point has one immutable part for both losses, unless the second loss is asked for another rule
        double part = query.rule == null ? tau / (1 + eta) : 0;
        double moved = atMoved.objective() + explained * eta * part * eta * part + mu * (earned + gamma * tau);
        // the point itself may be a limit of rules, with kept = 0
        double off = part == 0 ? 0 : part / kept;
        double honest = finite ? atHonest.objective() + explained * off * off : Double.POSITIVE_INFINITY;

        double radius = geometry.stretch() * Math.sqrt(gamma) / 2;
        double share = geometry.stretch() / 2;
        double[] gradient = atMoved.halfGradient().clone();
        double last = 2 * gradient[n] + mu * gamma / 2 + eta * part * explained;
        double weighed = finite ? eta * kept : 0;
        double[] own = Arrays.copyOf(atHonest.halfGradient(), n);
        for (int j = 0; j < n; j++) {
            gradient[j] = radius * (gradient[j] + weighed * own[j] + (effects == null ? 0 : mu * effects[j] / 2));
        }
        double slack = finite ? weighed * (bound - honest) : 0;
        double hedge = finite ? weighed * (Vectors.dot(w, own) - atHonest.objective() + bound) : 0;
        double ofHonest = plain.gradientRounding(honestPoint(w)) + atHonest.neglected();
        double rounding = problem.gradientRounding(r)
                + Math.max(radius, 2 * share) * atMoved.neglected()
                + UNITS * share * (explained + Math.abs(weighed) * (bound + honest));
        if (finite && eta > 0) {
            rounding += Math.abs(weighed) * (radius + share * Vectors.norm(w)) * ofHonest;
        }
        // with effects 1 - tau is a difference, which may cancel
        double doubt = UNITS * Math.abs(weighed) * (effects == null ? kept : 1) * (bound + honest);
        double loss = moved
                - atMoved.overstated()
                - problem.objectiveRounding(r, moved)
                + (finite ? weighed * kept * (honest - bound - atHonest.overstated()) - doubt : 0);
        double gap = Double.POSITIVE_INFINITY;
        if (eta == 0 || effects == null) {
            // the slack of the perspective and of the product with (1 - tau)^2
            gradient[n] = share * (last + hedge - slack / 2);
            double lambda = -Vectors.dot(r, gradient);
            gap = convexGap(lambda, residual(r, gradient, lambda) + rounding);
        }
        if (query.curvature.isPresent()) {
            double size = UNITS * query.cut.weight();
            gradient[n] = share * (last + hedge) + query.cut.slope(r[n]);
            double lambda = -Vectors.dot(r, gradient);
            double e = residual(r, gradient, lambda) + rounding + size;
            double bent = query.cut.at(r[n]) - size;
            gap = Math.min(gap, Stationarity.gap(e, lambda + query.curvature.getAsDouble()) - bent);
        }
        double honestLeast = finite
                ? Math.max(0, honest - atHonest.overstated() - plain.objectiveRounding(honestPoint(w), honest))
                : 0;
        double honestSlope = Vectors.norm(own) + ofHonest;
        Vectors.axpy(mu, w, own);
        double lower = finite || eta == 0 ? Math.max(0, loss - gap) : 0;
        return new SquaredDual(r, w, honest, moved, lower, honestLeast, honestSlope, Vectors.norm(own) + ofHonest);
    }

    Losses losses(double bound) {
        return new Losses(bound, honest, moved, lower);
    }

    /**
     * Returns a lower bound of the loss before any move, without the penalty, of the rule that minimises ||P(X w -
     * y)||^2 + mu ||w||^2, from this rule's distance to it.
     *
     * @param smallest a lower bound of the eigenvalues of X'PX that are above rounding
     * @param mu the ridge
     */
    double honestLower(double smallest, double mu) {
        double curvature = smallest + mu;
        double off = honestResidual / curvature;
        // the loss without the penalty still decreases along -w, at the rate mu ||w||
        double change = off * honestResidual + 2 * mu * Vectors.norm(w) * off;
        return curvature > 0 ? Math.max(0, honest - change) * (1 - UNITS) : 0;
    }

    private static boolean isFinite(double[] w) {
        return Arrays.stream(w).allMatch(Double::isFinite) && Vectors.norm(w) < 1e150;
    }

    /** Returns the point with tau = 0. */
    private static double[] honestPoint(double[] w) {
        double[] point = Arrays.copyOf(w, w.length + 1);
        point[w.length] = -1;
        return point;
    }

    private static double residual(double[] r, double[] gradient, double multiplier) {
        double[] e = gradient.clone();
        Vectors.axpy(multiplier, r, e);
        return Vectors.norm(e);
    }

    /** Returns 2 (||h|| - lambda) for h = -lambda r + e with e orthogonal to r. */
    static double convexGap(double multiplier, double residual) {
        double norm = Math.hypot(multiplier, residual);
        return multiplier > 0 ? 2 * residual * (residual / (multiplier + norm)) : 2 * (norm - multiplier);
    }
}
