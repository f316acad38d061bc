package stackelberg.objective.omega;

import static stackelberg.game.Response.remainder;

/**
 * A lower bound of the loss near an anchor from the truthful and the moving copy of each row together. It is good if
 * omega is far above the gammas of the moving rows, so that the rule hardly affects them.
 *
 * <p>With the rule fixed, the moving copy's residual is e + dt (gap - e'), where dt = t(omega) - t(omega_m), and e and
 * e' are the moving and the truthful residual at the anchor. So the loss of the anchor's own rule is at least linear in
 * dt. How much better another rule can be is bounded by the curvature: that of the truthful copies if lambda >= 0, that
 * of H + lambda I if lambda &lt; 0.
 */
final class PersonBound {
    private final Copies copies;
    private final double omega;
    private final double multiplier;
    private final Penalty penalty;

    /**
     * Makes a bound around one anchor.
     *
     * @param multiplier the multiplier of w rather than of w/sqrt(omega)
     * @param penalty a concave function of omega, like the rest of the bound
     */
    PersonBound(Copies copies, double omega, double multiplier, Penalty penalty) {
        this.copies = copies;
        this.omega = omega;
        this.multiplier = multiplier;
        this.penalty = penalty;
    }

    /**
     * Returns a bound of how far the loss can fall below the anchor's for omega up to the end, if lambda >= 0; infinite
     * if no row is truthful.
     */
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
     * Returns the same bound if lambda &lt; 0.
     *
     * @param chi an upper bound of how much larger the curvature of H is than that of H + lambda I
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

    /**
     * Returns a lower bound of a row's part of the change of the loss under the anchor's own rule. It is concave in
     * omega, so that its minimum is at an end.
     */
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

    /** Returns W = S + (1 - S) a^2. */
    private double factor(double gamma, double at) {
        double a = remainder(at, gamma);
        return copies.share() + (1 - copies.share()) * a * a;
    }
}
