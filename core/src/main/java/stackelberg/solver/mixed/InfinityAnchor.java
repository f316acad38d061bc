package stackelberg.solver.mixed;

import stackelberg.sphere.LimitPart;
import stackelberg.sphere.MixedRows;
import stackelberg.sphere.MixedSphereReduction;
import stackelberg.sphere.TruthfulPart;

/** omega -> infinity: those who move get what they wish, those who never move cost at least their own least squares. */
final class InfinityAnchor implements Anchor {
    private final TruthfulPart truthful;
    private final Copies copies;
    private final double slope;
    private final double gamma0;
    private final boolean everybodyMoves;

    InfinityAnchor(MixedSphereReduction reduction, double gamma0) {
        MixedRows rows = reduction.rows();
        LimitPart limit = reduction.limit(gamma0);
        this.truthful = reduction.truthful();
        this.copies = Copies.inTheLimit(rows, limit.residuals());
        this.slope = limit.slope();
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
        // w/omega in units of gamma0: its squared norm gamma0^2 omega/(gamma0 + omega)^2 is at most gamma0^2/lo, and
        // gamma0/4
        double norm = Math.min(Math.sqrt(gamma0) / 2, gamma0 / Math.sqrt(lo));
        double moved = expansion.least(-far, 0, 0, 0) - 2 * slope * norm - expansion.rounding(far, 10);
        return truthful.atLeast(lo) + Math.max(0, moved);
    }

    /** The loss in the limit, where everybody moves; otherwise there is no simple one, and infinity stands for it. */
    double limitLoss() {
        return everybodyMoves ? copies.squares() : Double.POSITIVE_INFINITY;
    }
}
