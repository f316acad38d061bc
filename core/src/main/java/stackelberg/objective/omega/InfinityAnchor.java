package stackelberg.objective.omega;

import stackelberg.game.Response;

/**
 * The limit omega -> infinity: rows that move get their wish, and rows that never move have at least the loss of their
 * own least-squares rule.
 */
final class InfinityAnchor implements Anchor {
    private final MixedRows rows;
    private final TruthfulPart truthful;
    private final Copies copies;
    private final double slope;
    private final Penalty penalty;
    private final double gamma0;
    private final boolean everybodyMoves;

    InfinityAnchor(MixedReduction reduction, double gamma0) {
        this.rows = reduction.rows();
        LimitPart limit = reduction.limit(gamma0);
        this.truthful = reduction.truthful();
        this.copies = Copies.inTheLimit(rows, limit.residuals());
        this.slope = limit.slope();
        this.penalty = reduction.penalty();
        this.gamma0 = gamma0;
        boolean moving = rows.share() == 0;
        for (int i = 0; i < rows.count() && moving; i++) {
            moving = rows.weight()[i] == 0 || !Double.isInfinite(rows.gamma()[i]);
        }
        this.everybodyMoves = moving;
    }

    @Override
    public double omega() {
        return Double.POSITIVE_INFINITY;
    }

    @Override
    public double lowerBound(double lo, double hi) {
        Expansion expansion = Expansion.at(Double.POSITIVE_INFINITY, gamma0, copies);
        double far = gamma0 / (gamma0 + lo);
        // w/omega in units of gamma0: its squared norm gamma0^2 omega/(gamma0 + omega)^2 is at most gamma0^2/lo, and at
        // most gamma0/4
        double norm = Math.min(Math.sqrt(gamma0) / 2, gamma0 / Math.sqrt(lo));
        double moved = expansion.least(-far, 0, 0, 0) - 2 * slope * norm - expansion.rounding(far, 10);
        // the penalty increases with omega
        return Math.max(truthful.atLeast(lo) + Math.max(0, moved), byPersons(lo)) + penalty.at(lo) * (1 - 0x1p-50);
    }

    /**
     * Returns a bound from both copies of every row together, as in {@link PersonBound}: the truthful copies, if there
     * are any, limit the immutable part.
     */
    private double byPersons(double lo) {
        double share = rows.share();
        if (share == 0) {
            return 0;
        }
        double constant = 0;
        double linear = 0;
        double tilts = 0;
        for (int i = 0; i < rows.count(); i++) {
            double weight = rows.weight()[i];
            double moving = Double.isInfinite(rows.gamma()[i]) ? 0 : 1 - share;
            double e = truthful.residuals()[i];
            double gap = rows.gap()[i];
            double square = gap * gap + rows.noise()[i] * rows.noise()[i];
            double a = moving == 0 ? 0 : Response.remainder(lo, rows.gamma()[i]);
            constant += weight * ((1 - moving) * e * e + moving * square);
            // 1 - t decreases from a to 0 towards infinity
            linear += Math.max(0, 2 * weight * moving * a * (square - gap * e));
            tilts += weight * moving * moving / share * a * a * gap * gap;
        }
        return constant - linear - tilts - 64 * 0x1p-52 * (constant + linear);
    }

    /** Returns the loss in the limit; infinite if truthful rows prevent the limit, or if it is unknown. */
    double limitPointLoss() {
        if (everybodyMoves) {
            return copies.squares() + penalty.at(Double.POSITIVE_INFINITY);
        }
        // only coefficients that change no truthful row's score can grow without bound
        return rows.share() > 0 && truthful.curvature() == 0
                ? byPersons(Double.MAX_VALUE) + penalty.at(Double.POSITIVE_INFINITY)
                : Double.POSITIVE_INFINITY;
    }
}
