package stackelberg.objective.program;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import stackelberg.linalg.Vectors;
import stackelberg.objective.program.Program.Losses;
import stackelberg.sphere.SphereFamily;
import stackelberg.sphere.SphereGeometry;
import stackelberg.sphere.SphereProblem;
import stackelberg.sphere.SphereProblem.Evaluation;
import stackelberg.sphere.SphereProblem.Stationarity;

/**
 * What one pass over the data proves of a point and a weight eta of the hedge: both losses of its rule, and a lower
 * bound of the loss after the move of every rule that keeps the bound.
 *
 * <p>For tau &lt; 1 the hedge in the form eta (1 - tau) (H - B), the perspective of the loss, is convex. M - k (||r||^2
 * - 1) is convex on the ball for k up to the smallest eigenvalue of M, and so is its sum with the hedge. If a convex
 * function has the half gradient h = -(lambda + k) r + e at a unit vector r, its values on the ball are at least its
 * value at r minus 2 (||h|| - (lambda + k)). If the smallest eigenvalue of M + eta (1 - tau)^2 (H - B) is itself known,
 * the bound of the sphere problem holds for all tau.
 *
 * @param r the point, of length 1
 * @param w the coefficients w on cost-scaled features
 * @param honest H
 * @param moved M, with the penalty of a ridge
 * @param lower a lower bound of M for all rules that keep the bound
 * @param multiplier lambda
 * @param honestResidual ||X'P(X w - y) + mu w||, rounding included: 0 for the best rule before any move
 */
record SquaredDual(
        double[] r, double[] w, double honest, double moved, double lower, double multiplier, double honestResidual) {
    /** The gamma at which a point of the family is (u, 2 tau - 1). */
    private static final double PLAIN = 4;

    private static final double UNITS = 4 * 0x1p-52;

    /**
     * What is known of the spectrum apart from the data.
     *
     * @param pure a lower bound of the smallest eigenvalue of M on the sphere; 0 is always valid
     * @param hedged a lower bound of that of M + eta (1 - tau)^2 (H - B) plus the bend; empty if unknown
     * @param reach the reach of the rules that keep the bound
     */
    record Spectrum(double pure, OptionalDouble hedged, Reach reach) {}

    /**
     * Bounds that hold for all rules that keep the bound on H.
     *
     * @param least a lower bound of gamma + beta'w
     * @param most an upper bound of gamma + beta'w
     * @param omega an upper bound of w'w
     */
    record Reach(double least, double most, double omega) {
        /** Returns the bounds that hold for all rules. */
        static Reach unknown(double gamma, boolean effects) {
            double far = effects ? Double.POSITIVE_INFINITY : 0;
            return new Reach(gamma - far, gamma + far, Double.POSITIVE_INFINITY);
        }

        /** Returns whether 1 - tau = (gamma + beta'w)/(gamma + omega) has the given sign for all of them. */
        boolean isOneSided(double kept) {
            return kept > 0 ? least > 0 : kept < 0 && most < 0;
        }

        /** Returns a lower bound of 1 - tau. */
        double leastKept(double gamma) {
            return least > 0 ? least / (gamma + omega) : Double.NEGATIVE_INFINITY;
        }

        /** Returns an upper bound of 1 - tau. */
        double mostKept(double gamma) {
            return most < 0 ? most / (gamma + omega) : Double.POSITIVE_INFINITY;
        }
    }

    /**
     * A function added to M + eta (1 - tau)^2 (H - B) that is at most 0 in a part of the sphere.
     *
     * @param value its value at the point
     * @param halfGradient its half gradient on the sphere
     * @param size the size of its terms, for rounding
     */
    record Bend(double value, double[] halfGradient, double size) {
        static Bend none(int dimension) {
            return new Bend(0, new double[dimension], 0);
        }
    }

    /**
     * A point, the weight of the hedge, and what is known of the spectrum.
     *
     * @param r a vector of length 1
     */
    record Query(double[] r, Weight weight, Spectrum spectrum, Bend bend) {
        Query {
            r = r.clone();
            Vectors.scale(1 / Vectors.norm(r), r);
        }

        double[] rule(SphereGeometry geometry) {
            return weight.rule == null ? geometry.coefficients(r) : weight.rule;
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
            double[] w = query.rule(geometry);
            // X u + tau z - y, and X w - y for the rule itself, both projected
            double[] moved = Arrays.copyOf(geometry.scaledCoefficients(query.r), w.length + 1);
            moved[w.length] = 2 * geometry.tau(query.r) - 1;
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
        Weight weight = query.weight;
        Spectrum spectrum = query.spectrum;
        double eta = weight.eta;
        int n = family.features();
        SphereProblem problem = family.at(gamma);
        SphereGeometry geometry = problem.geometry();
        double[] r = query.r;
        double[] u = geometry.scaledCoefficients(r);
        double tau = geometry.tau(r);
        double kept = geometry.oneMinusTau(r);
        double[] w = query.rule(geometry);
        boolean finite = isFinite(w);
        double mu = family.ridge();
        double @Nullable [] effects = family.effects();
        double earned = effects == null ? 0 : Vectors.dot(effects, u);
        // the point has one immutable part for both losses, unless the second loss is asked for another rule
        double part = weight.rule == null ? tau / (1 + eta) : 0;
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
        double slack = finite ? weighed * (weight.bound - honest) : 0;
        double hedge = finite ? weighed * (Vectors.dot(w, own) - atHonest.objective() + weight.bound) : 0;
        double size = Vectors.norm(w);
        double rounding = problem.gradientRounding(r)
                + Math.max(radius, 2 * share) * atMoved.neglected()
                + UNITS * share * (explained + Math.abs(weighed) * (weight.bound + honest));
        if (finite && eta > 0) {
            double ofHonest = family.plain().at(PLAIN).gradientRounding(honestPoint(w)) + atHonest.neglected();
            rounding += Math.abs(weighed) * (radius + share * size) * ofHonest;
        }
        // with effects 1 - tau is a difference, which may cancel
        double doubt = UNITS * Math.abs(weighed) * (effects == null ? kept : 1) * (weight.bound + honest);
        // the slack of the perspective and of the product with (1 - tau)^2
        gradient[n] = share * (last + hedge - slack / 2);
        double[] half = gradient.clone();
        half[n] = share * (last + hedge);
        double loss = moved
                - atMoved.overstated()
                - problem.objectiveRounding(r, moved)
                + (finite ? weighed * kept * (honest - weight.bound - atHonest.overstated()) - doubt : 0);
        double lambda = -Vectors.dot(r, gradient);
        double gap = Double.POSITIVE_INFINITY;
        if (eta == 0 || spectrum.reach.isOneSided(kept)) {
            gap = convexGap(lambda + spectrum.pure, residual(r, gradient, lambda) + rounding);
        }
        if (spectrum.hedged.isPresent()) {
            Vectors.axpy(1, query.bend.halfGradient, half);
            double multiplier = -Vectors.dot(r, half);
            double e = residual(r, half, multiplier) + rounding + UNITS * query.bend.size;
            double bent = query.bend.value - UNITS * query.bend.size;
            gap = Math.min(gap, Stationarity.gap(e, multiplier + spectrum.hedged.getAsDouble()) - bent);
        }
        Vectors.axpy(mu, w, own);
        double alone = Vectors.norm(own) + family.plain().at(PLAIN).gradientRounding(honestPoint(w));
        boolean usable = finite || eta == 0;
        return new SquaredDual(r, w, honest, moved, usable ? Math.max(0, loss - gap) : 0, lambda, alone);
    }

    /**
     * The hedge.
     *
     * @param eta its weight
     * @param bound B
     * @param rule the rule whose loss before any move is computed if eta = 0, instead of the point's own; null for the
     *     point's own
     */
    record Weight(double eta, double bound, double @Nullable [] rule) {}

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

    /**
     * What is proven of a rule before any move.
     *
     * @param loss a lower bound of its loss
     * @param slope an upper bound of ||X'P(X w - y)||
     */
    record Honest(double loss, double slope) {
        static Honest of(SphereFamily family, double[] w) {
            SphereProblem problem = family.plain().at(PLAIN);
            double[] point = honestPoint(w);
            Evaluation at = problem.evaluate(point);
            double rounding = problem.objectiveRounding(point, at.objective());
            double slope = Vectors.norm(Arrays.copyOf(at.halfGradient(), w.length));
            return new Honest(
                    Math.max(0, at.objective() - at.overstated() - rounding),
                    slope + problem.gradientRounding(point) + at.neglected());
        }
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
