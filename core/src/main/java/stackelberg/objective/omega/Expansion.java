package stackelberg.objective.omega;

/**
 * A lower bound of the loss near an anchor omega_m that needs nothing but the residuals e there: sum weight [e^2 + 2 D
 * e (J - K e) - D^2 K^2 e^2], and what the rule adds.
 *
 * <p>Scale the rule by s = (gamma0 + omega_m)/(gamma0 + omega). In the scaled rule a residual at omega is c = rho (e +
 * D J), with D = (omega - omega_m)/(gamma0 + omega), 1/rho = 1 + D K, K = (gamma0 - gamma)/(gamma + omega_m), J =
 * (gamma y + gamma0 gap)/(gamma + omega_m), e the residual of the scaled rule at omega_m. Then c^2 >= 2 c h - h^2 with
 * h = e0/rho, e0 the anchor's own residual, and c h = e0 (e + D J) is linear in the rule. Any gamma0 > 0 is valid; if
 * all rows have the same gamma, gamma0 = gamma gives the tightest bound.
 *
 * @param constant sum weight e^2
 * @param linear the coefficient of D
 * @param quadratic the coefficient of D^2, negative
 * @param absolute sum weight |e J|, for rounding
 * @param kMin smallest K
 * @param kMax largest K
 */
record Expansion(double constant, double linear, double quadratic, double absolute, double kMin, double kMax) {
    static Expansion at(double omega, double gamma0, Copies copies) {
        double[] sums = {0, 0, 0, 0, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
        copies.forEach((weight, gamma, y, gap, e) -> {
            double k = k(gamma, gamma0, omega);
            double j = j(gamma, gamma0, omega, y, gap);
            sums[0] += weight * e * e;
            sums[1] += 2 * weight * e * (j - k * e);
            sums[2] -= weight * k * k * e * e;
            sums[3] += weight * Math.abs(e * j);
            sums[4] = Math.min(sums[4], k);
            sums[5] = Math.max(sums[5], k);
        });
        return new Expansion(sums[0], sums[1], sums[2], sums[3], sums[4], sums[5]);
    }

    /** Returns K of a copy; in the limit omega = infinity, in units in which D = -gamma0/(gamma0 + omega). */
    static double k(double gamma, double gamma0, double omega) {
        if (Double.isInfinite(omega)) {
            return (gamma0 - gamma) / gamma0;
        }
        return Double.isInfinite(gamma) ? -1 : (gamma0 - gamma) / (gamma + omega);
    }

    /** Returns J of a copy, in the same units. */
    static double j(double gamma, double gamma0, double omega, double y, double gap) {
        if (Double.isInfinite(omega)) {
            return gamma / gamma0 * y + gap;
        }
        return Double.isInfinite(gamma) ? y : (gamma * y + gamma0 * gap) / (gamma + omega);
    }

    /** Returns the minimum of the bound plus extra1 D + extra2 D^2 for D in [from, to]. */
    double least(double from, double to, double extra1, double extra2) {
        double b = linear + extra1;
        double c = quadratic + extra2;
        double least = Math.min(from * (b + c * from), to * (b + c * to));
        double vertex = c > 0 ? -b / (2 * c) : Double.NaN;
        if (vertex > from && vertex < to) {
            least = Math.min(least, vertex * b / 2);
        }
        return constant + least;
    }

    /** Returns a bound of the rounding error of the sums, for |D| up to d. */
    double rounding(double d, double growth) {
        double k = 1 + Math.sqrt(Math.abs(quadratic) / Math.max(constant, Double.MIN_NORMAL)) * d;
        return 8 * 0x1p-52 * growth * (constant * k * k + 2 * d * absolute);
    }
}
