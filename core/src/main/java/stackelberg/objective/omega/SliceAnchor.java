package stackelberg.objective.omega;

import stackelberg.certificate.Certificate;
import stackelberg.linalg.Vectors;
import stackelberg.sphere.SphereProblem;

/**
 * The best rule at one omega, and what its residuals and its multiplier say of other omegas.
 *
 * <p>With lambda >= 0 the {@link Expansion} holds as it is, the rule adding -lambda (n - omega_m) with n = (omega_m + D gamma0)(1 - D) its scaled
 * squared norm. With lambda < 0 the curvature of H + lambda I has to pay: the multiplier is scaled by r^2 = min rho^2, and what is linear in the rule costs its
 * square divided by the curvature.
 */
final class SliceAnchor implements Anchor, OmegaBranch.Slice {
    /** How much of the curvature rounding may use up. */
    private static final double SPARED = 0.01;

    private final double omega;
    private final double[] unit;
    private final Certificate certificate;
    private final Copies copies;
    private final Penalty penalty;
    private final double[] references;
    private final Expansion[] expansions;
    private final double objective;
    private final double objectiveRounding;

    SliceAnchor(
            MixedSlice slice,
            double[] unit,
            Certificate certificate,
            Copies copies,
            Penalty penalty,
            double[] references) {
        this.omega = slice.omega();
        this.unit = unit;
        this.certificate = certificate;
        this.copies = copies;
        this.penalty = penalty;
        this.references = references;
        this.expansions = new Expansion[references.length];
        this.objective = copies.squares() + penalty.at(omega);
        SphereProblem problem = slice.problem();
        this.objectiveRounding = problem.objectiveRounding(unit, certificate.objective());
    }

    @Override
    public double omega() {
        return omega;
    }

    double[] w() {
        double[] w = unit.clone();
        Vectors.scale(Math.sqrt(omega), w);
        return w;
    }

    Certificate certificate() {
        return certificate;
    }

    @Override
    public int side() {
        return 0;
    }

    /** The loss of the best rule at this omega, with the penalty. */
    @Override
    public double objective() {
        return objective;
    }

    @Override
    public double lambda() {
        return certificate.multiplier();
    }

    /** The derivative of the least loss by omega: sum 2 weight e (gap - e)/(gamma + omega) - lambda, and that of the penalty. */
    @Override
    public double derivative() {
        double[] sum = {penalty.derivative(omega) - multiplier()};
        copies.forEach((weight, gamma, y, gap, e) -> sum[0] += 2 * weight * e * (gap - e) / (gamma + omega));
        return sum[0];
    }

    /** Of w rather than of w/sqrt(omega). */
    private double multiplier() {
        return certificate.multiplier() / omega;
    }

    @Override
    public double lowerBound(double lo, double hi) {
        double best = Double.NEGATIVE_INFINITY;
        for (int k = 0; k < references.length; k++) {
            double gamma0 = references[k];
            if (expansions[k] == null) {
                expansions[k] = Expansion.at(omega, gamma0, copies);
            }
            double end = lo < omega ? lo : hi;
            double far = distance(end, gamma0);
            double slope = penalty.slope(omega, end, gamma0);
            double bound = certificate.multiplier() > 0
                    ? withPositiveMultiplier(expansions[k], gamma0, far, slope)
                    : Math.max(
                            withoutMultiplier(expansions[k], gamma0, far, slope),
                            withNegativeMultiplier(expansions[k], gamma0, far, slope));
            bound += penalty.at(omega) - 8 * 0x1p-52 * (penalty.at(omega) + Math.abs(slope * far));
            if (bound > best) {
                best = bound;
            }
        }
        return Math.max(best, byPersons(lo < omega ? lo : hi)) - objectiveRounding;
    }

    private double byPersons(double end) {
        if (Double.isInfinite(end)) {
            return Double.NEGATIVE_INFINITY;
        }
        PersonBound persons = new PersonBound(copies, omega, multiplier(), penalty);
        double lambda = certificate.multiplier();
        double curvature = certificate.curvature();
        double residual = certificate.residual() * certificate.residual();
        double fall;
        if (lambda > 0) {
            fall = persons.fallWithPositiveMultiplier(end) + residual / lambda;
        } else if (curvature > 0) {
            fall = persons.fallWithNegativeMultiplier(end, (1 + SPARED) * (1 - lambda / curvature))
                    + (1 + 1 / SPARED) * residual / curvature;
        } else {
            return Double.NEGATIVE_INFINITY;
        }
        double bound = objective - fall - 8 * 0x1p-52 * growth() * (objective + fall);
        return Double.isNaN(bound) ? Double.NEGATIVE_INFINITY : bound;
    }

    private double distance(double other, double gamma0) {
        return Double.isInfinite(other) ? 1 : (other - omega) / (gamma0 + other);
    }

    private double withPositiveMultiplier(Expansion expansion, double gamma0, double far, double slope) {
        double lambda = multiplier();
        double residual = certificate.residual() * certificate.residual() / certificate.multiplier();
        return expansion.least(Math.min(0, far), Math.max(0, far), slope - lambda * (gamma0 - omega), lambda * gamma0)
                - Math.min(residual, stationarity(certificate.residual(), gamma0, far))
                - expansion.rounding(Math.abs(far), growth());
    }

    /** The multiplier is counted as a failure of stationarity: good where it is next to 0. */
    private double withoutMultiplier(Expansion expansion, double gamma0, double far, double slope) {
        double residual = certificate.residual() + Math.abs(certificate.multiplier());
        return expansion.least(Math.min(0, far), Math.max(0, far), slope, 0)
                - stationarity(residual, gamma0, far)
                - expansion.rounding(Math.abs(far), growth());
    }

    /** |2 residual'(w - w_m)| for scaled rules w, at most. */
    private double stationarity(double residual, double gamma0, double far) {
        // the scaled squared norm (omega_m + D gamma0)(1 - D) is concave in D
        double peak = (gamma0 - omega) / (2 * gamma0);
        boolean inside = peak > Math.min(0, far) && peak < Math.max(0, far);
        double most = inside
                ? (gamma0 + omega) * (gamma0 + omega) / (4 * gamma0)
                : Math.max(omega, (omega + far * gamma0) * (1 - far));
        double norm = Math.sqrt(most / omega);
        return 2 * residual * (1 + norm);
    }

    private double withNegativeMultiplier(Expansion expansion, double gamma0, double far, double slope) {
        double curvature = certificate.curvature();
        if (!(curvature > 0)) {
            return Double.NEGATIVE_INFINITY;
        }
        double lambda = multiplier();
        double kAtMinimum = far > 0 ? expansion.kMax() : expansion.kMin();
        double rEnd = 1 / (1 + far * kAtMinimum);
        double square = rEnd * rEnd;
        double atEnd = -lambda * ((gamma0 - omega) * far - gamma0 * far * far);
        double scaled = Math.min(Math.min(1, square) * atEnd, Math.max(1, square) * atEnd);
        double end = far * (slope + expansion.linear() + far * expansion.quadratic()) + scaled;
        double[] tilt = new double[1];
        copies.forEach((weight, gamma, y, gap, e) -> {
            double ratio = (1 + far * kAtMinimum) / (1 + far * Expansion.k(gamma, gamma0, omega));
            double most = (ratio * ratio - 1) * Math.abs(e)
                    + ratio * ratio * Math.abs(far * Expansion.j(gamma, gamma0, omega, y, gap));
            tilt[0] += weight * most * most;
        });
        double chi = 1 - certificate.multiplier() / curvature;
        double cost = (1 + SPARED) * chi * tilt[0]
                + (1 + 1 / SPARED) * certificate.residual() * certificate.residual() / curvature;
        double bound = expansion.constant()
                + Math.min(0, end)
                - Math.max(1, square) * cost
                - expansion.rounding(Math.abs(far), growth());
        return Double.isNaN(bound) ? Double.NEGATIVE_INFINITY : bound;
    }

    private double growth() {
        return 1 + Math.sqrt(Math.sqrt(copies.count() / 1000.0));
    }
}
