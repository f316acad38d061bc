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
 * What the data say of a point and a weight eta of the hedge, by one pass: both losses of its rule, and a lower bound of the loss after the move of every rule that keeps the bound.
 *
 * <p>On tau < 1 the hedge is convex as eta (1 - tau) (H - B), the perspective of the loss; so is M + eta (1 - tau)(H - B) on the ball, where M less k (||r||^2 - 1) is, for k at most the smallest
 * eigenvalue of M. A convex function with half gradient h = -(lambda + k) r + e at a unit vector r is nowhere on the ball more than 2 (||h|| - (lambda + k)) below its value at r. Where the smallest
 * eigenvalue of M + eta (1 - tau)^2 (H - B) itself is known, the bound of the sphere problem holds for all tau.
 *
 * @param r the point, of length 1
 * @param w the coefficients w on cost-scaled features
 * @param honest H
 * @param moved M, with what a ridge adds
 * @param lower no rule that keeps the bound has a smaller M
 * @param multiplier lambda
 * @param honestResidual ||X'P(X w - y) + mu w||, rounding included: 0 for the best rule if nobody moves
 */
record SquaredDual(
        double[] r, double[] w, double honest, double moved, double lower, double multiplier, double honestResidual) {
    /** The gamma at which a point of the family is (u, 2 tau - 1). */
    private static final double PLAIN = 4;

    private static final double UNITS = 4 * 0x1p-52;

    /**
     * What is known of the spectrum beside the data.
     *
     * @param pure a lower bound of the smallest eigenvalue of M on the sphere; 0 always is one
     * @param hedged the same of M + eta (1 - tau)^2 (H - B) and what it is bent by; empty where it is not known
     * @param reach of the rules that keep the bound
     */
    record Spectrum(double pure, OptionalDouble hedged, Reach reach) {}

    /**
     * What all rules that keep a bound have in common.
     *
     * @param least gamma + beta'w is at least that
     * @param most at most that
     * @param omega w'w is at most that
     */
    record Reach(double least, double most, double omega) {
        /** What is true of all rules. */
        static Reach unknown(double gamma, boolean effects) {
            double far = effects ? Double.POSITIVE_INFINITY : 0;
            return new Reach(gamma - far, gamma + far, Double.POSITIVE_INFINITY);
        }

        /** Whether all of them have a 1 - tau = (gamma + beta'w)/(gamma + omega) of that sign. */
        boolean isOneSided(double kept) {
            return kept > 0 ? least > 0 : kept < 0 && most < 0;
        }

        /** What 1 - tau is at least. */
        double leastKept(double gamma) {
            return least > 0 ? least / (gamma + omega) : Double.NEGATIVE_INFINITY;
        }

        /** What 1 - tau is at most. */
        double mostKept(double gamma) {
            return most < 0 ? most / (gamma + omega) : Double.POSITIVE_INFINITY;
        }
    }

    /**
     * What is added to M + eta (1 - tau)^2 (H - B): not positive in a part of the sphere.
     *
     * @param value at the point
     * @param halfGradient on the sphere
     * @param size of its terms
     */
    record Bend(double value, double[] halfGradient, double size) {
        static Bend none(int dimension) {
            return new Bend(0, new double[dimension], 0);
        }
    }

    /**
     * A point with what is known and asked of it.
     *
     * @param r of length 1
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
     * At points of the sphere, by one pass.
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
        // of the immutable part both losses share one, unless they are of two rules
        double part = weight.rule == null ? tau / (1 + eta) : 0;
        double moved = atMoved.objective() + explained * eta * part * eta * part + mu * (earned + gamma * tau);
        double honest =
                finite ? atHonest.objective() + explained * (part / kept) * (part / kept) : Double.POSITIVE_INFINITY;

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
        // with effects 1 - tau is a difference
        double doubt = UNITS * Math.abs(weighed) * (effects == null ? kept : 1) * (weight.bound + honest);
        // of the perspective, and of the product with (1 - tau)^2
        gradient[n] = share * (last + hedge - slack / 2);
        double[] half = gradient.clone();
        half[n] = share * (last + hedge);
        double loss = moved
                - atMoved.overstated()
                - problem.objectiveRounding(r, moved)
                + (finite ? weighed * kept * (honest - weight.bound - atHonest.overstated()) - doubt : 0);
        double lambda = -Vectors.dot(r, gradient);
        double gap = Double.POSITIVE_INFINITY;
        if (spectrum.reach.isOneSided(kept)) {
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
     * Of the hedge.
     *
     * @param eta its weight
     * @param bound B
     * @param rule of which the loss if nobody moves is asked where eta = 0, instead of that of the point; null for none
     */
    record Weight(double eta, double bound, double @Nullable [] rule) {}

    Losses losses(double bound) {
        return new Losses(bound, honest, moved, lower);
    }

    /**
     * A lower bound of the loss, without the ridge's part, of the rule with the least ||P(X w - y)||^2 + mu ||w||^2, from how far this one is from it; 0 where nothing is known of the curvature.
     *
     * @param smallest the smallest eigenvalue of X'PX that stands out of rounding
     * @param mu the ridge
     */
    double honestLower(double smallest, double mu) {
        double curvature = smallest + mu;
        double off = honestResidual / curvature;
        // the loss itself still falls along -w by mu ||w||
        double change = off * honestResidual + 2 * mu * Vectors.norm(w) * off;
        return curvature > 0 ? Math.max(0, honest - change) * (1 - UNITS) : 0;
    }

    private static boolean isFinite(double[] w) {
        return Arrays.stream(w).allMatch(Double::isFinite) && Vectors.norm(w) < 1e150;
    }

    /**
     * A rule if nobody moves.
     *
     * @param loss it loses at least that
     * @param slope a bound of ||X'P(X w - y)||
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

    /** tau = 0. */
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

    /** 2 (||h|| - lambda) for h = -lambda r + e, e orthogonal to r. */
    static double convexGap(double multiplier, double residual) {
        double norm = Math.hypot(multiplier, residual);
        return multiplier > 0 ? 2 * residual * (residual / (multiplier + norm)) : 2 * (norm - multiplier);
    }
}
