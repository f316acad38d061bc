package stackelberg.objective.omega;

import static stackelberg.game.Response.remainder;

/**
 * A lower bound of the loss near an anchor that takes every person's truthful and moving copy together: good where the rule hardly matters to
 * those who move, because omega is far above their gamma.
 *
 * <p>With the rule fixed, the moving copy's residual is e + dt (gap - e'), with dt = t(omega) - t(omega_m), e and e' the residuals moving and truthful at
 * the anchor: the loss of the anchor's own rule is at least linear in dt. What other rules gain is paid by the curvature: that of the truthful
 * copies where lambda >= 0, that of H + lambda I where lambda < 0.
 */
final class PersonBound {
    private final Copies copies;
    private final double omega;
    private final double multiplier;
    private final Penalty penalty;

    /**
     * A bound around one anchor.
     *
     * @param multiplier of w rather than of w/sqrt(omega)
     * @param penalty concave in omega, as the rest is
     */
    PersonBound(Copies copies, double omega, double multiplier, Penalty penalty) {
        this.copies = copies;
        this.omega = omega;
        this.multiplier = multiplier;
        this.penalty = penalty;
    }

    /** What the loss can fall below the anchor's on the way to omega = end, at most, where lambda >= 0; infinite where nobody is truthful. */
    double fallWithPositiveMultiplier(double end) {
        double share = copies.share();
        double[] sums = {penalty.change(omega, end), 0};
        copies.forEachPerson((weight, gamma, gap, truthful, moved, sigma) -> {
            double dt = difference(gamma, end);
            sums[0] += linear(weight, gamma, gap, truthful, moved, sigma, dt, end);
            double tilt = (1 - share) * dt * moved;
            sums[1] += tilt == 0 ? 0 : weight * tilt * tilt / share;
        });
        return Math.max(0, multiplier * (end - omega) - sums[0]) + sums[1];
    }

    /**
     * The same where lambda < 0.
     *
     * @param chi by how much the curvature of H is larger than that of H + lambda I, at most
     */
    double fallWithNegativeMultiplier(double end, double chi) {
        double share = copies.share();
        double[] least = {1};
        copies.forEachPerson((weight, gamma, gap, truthful, moved, sigma) ->
                least[0] = Math.min(least[0], factor(gamma, end) / factor(gamma, omega)));
        double r2 = least[0];
        double[] sums = {penalty.change(omega, end), 0};
        copies.forEachPerson((weight, gamma, gap, truthful, moved, sigma) -> {
            double dt = difference(gamma, end);
            double a = remainder(omega, gamma);
            double aMost = Math.max(a, remainder(end, gamma));
            sums[0] += linear(weight, gamma, gap, truthful, moved, sigma, dt, end);
            double tilt = (1 - r2) * Math.abs(share * truthful + (1 - share) * a * moved)
                    + (1 - share) * Math.abs(dt) * (Math.abs(moved) + aMost * Math.abs(gap - truthful));
            sums[1] += tilt == 0 ? 0 : weight * tilt * tilt / factor(gamma, omega);
        });
        return Math.max(0, multiplier * r2 * (end - omega) - sums[0]) + chi * sums[1] / r2;
    }

    /** A person's part of the change of the loss under the anchor's own rule, at least: concave in omega, so that the ends of an interval decide. */
    private double linear(
            double weight,
            double gamma,
            double gap,
            double truthful,
            double moved,
            double sigma,
            double dt,
            double end) {
        double t = 1 - remainder(omega, gamma);
        double slope = 2 * weight * (1 - copies.share()) * (moved * (gap - truthful) + t * sigma * sigma);
        // dt lies below its tangent
        double tangent = Double.isInfinite(gamma) ? 0 : (end - omega) * gamma / (gamma + omega) / (gamma + omega);
        return slope * (slope > 0 ? dt : tangent);
    }

    private double difference(double gamma, double end) {
        return Double.isInfinite(gamma) ? 0 : gamma / (gamma + end) * (end - omega) / (gamma + omega);
    }

    /** W = S + (1 - S) a^2. */
    private double factor(double gamma, double at) {
        double a = remainder(at, gamma);
        return copies.share() + (1 - copies.share()) * a * a;
    }
}
