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
 * @param omega omega_m
 * @param constant sum weight e^2
 * @param linear the coefficient of D
 * @param quadratic the coefficient of D^2, negative
 * @param absolute sum weight |e J|, for rounding
 * @param kMin smallest K
 * @param kMax largest K
 */
record Expansion(
        double omega,
        double gamma0,
        double constant,
        double linear,
        double quadratic,
        double absolute,
        double kMin,
        double kMax) {
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
        return new Expansion(omega, gamma0, sums[0], sums[1], sums[2], sums[3], sums[4], sums[5]);
    }

    private static double k(double gamma, double gamma0, double omega) {
        return Double.isInfinite(gamma) ? -1 : (gamma0 - gamma) / (gamma + omega);
    }

    private static double j(double gamma, double gamma0, double omega, double y, double gap) {
        return Double.isInfinite(gamma) ? y : (gamma * y + gamma0 * gap) / (gamma + omega);
    }

    /** Returns K of a copy. */
    double k(double gamma) {
        return k(gamma, gamma0, omega);
    }

    /** Returns J of a copy. */
    double j(double gamma, double y, double gap) {
        return j(gamma, gamma0, omega, y, gap);
    }

    /** Returns D at another omega. */
    double distance(double other) {
        return Double.isInfinite(other) ? 1 : (other - omega) / (gamma0 + other);
    }

    /** Returns the minimum of the bound plus extra1 D + extra2 D^2 for D between 0 and far. */
    double least(double far, double extra1, double extra2) {
        double b = linear + extra1;
        double c = quadratic + extra2;
        double least = Math.min(0, far * (b + c * far));
        double vertex = c > 0 ? -b / (2 * c) : Double.NaN;
        if (vertex > Math.min(0, far) && vertex < Math.max(0, far)) {
            least = Math.min(least, vertex * b / 2);
        }
        return constant + least;
    }

    /** Returns a bound of the rounding error of the sums, for |D| up to that of far. */
    double rounding(double far, double growth) {
        double d = Math.abs(far);
        double k = 1 + Math.sqrt(Math.abs(quadratic) / Math.max(constant, Double.MIN_NORMAL)) * d;
        return 8 * 0x1p-52 * growth * (constant * k * k + 2 * d * absolute);
    }
}
