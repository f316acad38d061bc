package stackelberg.objective.omega;

import stackelberg.certificate.Certificate;
import stackelberg.linalg.Vectors;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereSolver;
import stackelberg.sphere.SphereProblem;

/**
 * The best rule at one omega, with the lower bounds at other omegas that follow from its residuals and its multiplier.
 *
 * <p>If lambda >= 0, the {@link Expansion} holds unchanged, and the rule adds -lambda (n - omega_m), where n = (omega_m
 * + D gamma0)(1 - D) is its scaled squared norm. If lambda &lt; 0, the curvature of H + lambda I has to compensate: the
 * multiplier is scaled by r^2 = min rho^2, and the terms linear in the rule cost their square divided by the curvature.
 */
final class SliceAnchor implements OmegaBranch.Slice {
    /** The largest share of the curvature that rounding may use up. */
    private static final double SPARED = 0.01;

    private final double omega;
    private final double[] w;
    private final Certificate certificate;
    private final Copies copies;
    private final Penalty penalty;
    private final Expansion[] expansions;
    private final double objective;
    private final double objectiveRounding;
    private final double growth;

    /**
     * Solves the sphere problem of one omega.
     *
     * @param references the values of gamma0 of which the best is taken for each bound
     */
    SliceAnchor(
            MixedReduction reduction, double omega, double[] references, SphereSolver solver, SolverOptions options) {
        MixedSlice slice = reduction.at(omega);
        SphereProblem problem = slice.problem();
        double[] unit = solver.solve(problem, options, ProgressListener.NONE).r();
        this.omega = omega;
        this.w = unit.clone();
        Vectors.scale(Math.sqrt(omega), w);
        this.certificate = Certificate.of(problem, unit);
        this.copies = slice.copies(w);
        this.penalty = reduction.penalty();
        this.expansions = new Expansion[references.length];
        for (int k = 0; k < references.length; k++) {
            expansions[k] = Expansion.at(omega, references[k], copies);
        }
        this.objective = copies.squares() + penalty.at(omega);
        this.objectiveRounding = problem.objectiveRounding(unit, certificate.objective());
        this.growth = 1 + Math.sqrt(Math.sqrt(reduction.rows().count() / 1000.0));
    }

    @Override
    public double omega() {
        return omega;
    }

    double[] w() {
        return w.clone();
    }

    Certificate certificate() {
        return certificate;
    }

    @Override
    public int side() {
        return 0;
    }

    /** Returns the loss of the best rule at this omega, with the penalty. */
    @Override
    public double objective() {
        return objective;
    }

    @Override
    public double lambda() {
        return certificate.multiplier();
    }

    /**
     * Returns the derivative by omega of the least loss, sum 2 weight e (gap - e)/(gamma + omega) - lambda, plus that
     * of the penalty.
     */
    @Override
    public double derivative() {
        double[] sum = {penalty.derivative(omega) - multiplier()};
        copies.forEach((weight, gamma, y, gap, e) -> sum[0] += 2 * weight * e * (gap - e) / (gamma + omega));
        return sum[0];
    }

    /** Returns the multiplier of w rather than of w/sqrt(omega). */
    private double multiplier() {
        return certificate.multiplier() / omega;
    }

    /**
     * Returns a rigorous lower bound of the loss over all rules with lo &lt;= omega &lt;= hi; one of the two ends is
     * this anchor's omega.
     */
    double lowerBound(double lo, double hi) {
        double end = lo < omega ? lo : hi;
        double best = Double.NEGATIVE_INFINITY;
        for (Expansion expansion : expansions) {
            double far = expansion.distance(end);
            double slope = penalty.slope(omega, end, expansion.gamma0());
            double bound = certificate.multiplier() > 0
                    ? withPositiveMultiplier(expansion, far, slope)
                    : Math.max(withoutMultiplier(expansion, far, slope), withNegativeMultiplier(expansion, far, slope));
            bound += penalty.at(omega) - 8 * 0x1p-52 * (penalty.at(omega) + Math.abs(slope * far));
            best = bound > best ? bound : best;
        }
        return best - objectiveRounding;
    }

    private double withPositiveMultiplier(Expansion expansion, double far, double slope) {
        double lambda = multiplier();
        double gamma0 = expansion.gamma0();
        double residual = certificate.residual() * certificate.residual() / certificate.multiplier();
        return expansion.least(far, slope - lambda * (gamma0 - omega), lambda * gamma0)
                - Math.min(residual, stationarity(certificate.residual(), gamma0, far))
                - expansion.rounding(far, growth);
    }

    /** Returns a bound that treats the multiplier as a residual; it is good if the multiplier is near 0. */
    private double withoutMultiplier(Expansion expansion, double far, double slope) {
        double residual = certificate.residual() + Math.abs(certificate.multiplier());
        return expansion.least(far, slope, 0)
                - stationarity(residual, expansion.gamma0(), far)
                - expansion.rounding(far, growth);
    }

    /** Returns an upper bound of |2 residual'(w - w_m)| for scaled rules w. */
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

    private double withNegativeMultiplier(Expansion expansion, double far, double slope) {
        double curvature = certificate.curvature();
        if (!(curvature > 0)) {
            return Double.NEGATIVE_INFINITY;
        }
        double gamma0 = expansion.gamma0();
        double kAtMinimum = far > 0 ? expansion.kMax() : expansion.kMin();
        double rEnd = 1 / (1 + far * kAtMinimum);
        double square = rEnd * rEnd;
        double atEnd = -multiplier() * ((gamma0 - omega) * far - gamma0 * far * far);
        double scaled = Math.min(Math.min(1, square) * atEnd, Math.max(1, square) * atEnd);
        double end = far * (slope + expansion.linear() + far * expansion.quadratic()) + scaled;
        double[] tilt = new double[1];
        copies.forEach((weight, gamma, y, gap, e) -> {
            double ratio = (1 + far * kAtMinimum) / (1 + far * expansion.k(gamma));
            double most =
                    (ratio * ratio - 1) * Math.abs(e) + ratio * ratio * Math.abs(far * expansion.j(gamma, y, gap));
            tilt[0] += weight * most * most;
        });
        double chi = 1 - certificate.multiplier() / curvature;
        double cost = (1 + SPARED) * chi * tilt[0]
                + (1 + 1 / SPARED) * certificate.residual() * certificate.residual() / curvature;
        double bound =
                expansion.constant() + Math.min(0, end) - Math.max(1, square) * cost - expansion.rounding(far, growth);
        return Double.isNaN(bound) ? Double.NEGATIVE_INFINITY : bound;
    }
}
