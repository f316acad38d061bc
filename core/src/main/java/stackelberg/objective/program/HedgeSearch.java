package stackelberg.objective.program;

import org.jspecify.annotations.Nullable;
import stackelberg.solver.ProgressListener;

/**
 * Finds the weight eta of the hedge at which the best rule just keeps the bound.
 *
 * <p>Maximising over eta the minimum of M + eta (H - B) is a concave problem in one variable with derivative H - B. The
 * function 1/sqrt(H - least) is nearly linear in eta, and exactly so if M and H are quadratics with proportional
 * Hessians. So the secant method through the two ends of a bracket converges in a few steps; it uses Illinois halving,
 * and bisection if it stalls.
 *
 * @param <P> the representation of a rule
 */
final class HedgeSearch<P extends Frontier.Place> {
    /**
     * The rule may stay below the bound by at most these fractions: of the bound, and of its distance from the smallest
     * loss.
     */
    private static final double SPARED = 1e-12;

    private static final double SPARED_ROOM = 1e-7;

    private static final double LEAST_SPARED = 1e-15;

    /** The largest weight; beyond it the rules equal the best rule before any move. */
    static final double MOST = 1e12;

    private static final int MOST_STEPS = 100;

    /** The relative width of a bracket that is not divided further, because H jumps there. */
    private static final double NARROW = 1e-13;

    private static final int BISECTIONS = 60;

    /** The fraction of the room between bound and smallest loss that may remain next to a jump. */
    private static final double JUMP = 1e-5;

    private final Frontier<P> frontier;
    private ProgressListener listener;
    private int problems;
    private boolean stopped;

    /**
     * @param listener receives every problem solved, with eta as the multiplier, and may stop the search
     */
    HedgeSearch(Frontier<P> frontier, ProgressListener listener) {
        this.frontier = frontier;
        this.listener = listener;
    }

    /** Marks the answer as found: problems solved later only illustrate it and are not reported as progress. */
    void found() {
        listener = ProgressListener.NONE;
    }

    /**
     * Returns whether the listener has stopped the search; the rule found until then keeps the bound but may be far
     * from the best.
     */
    boolean isStopped() {
        return stopped;
    }

    /**
     * The bracket at which the search ended.
     *
     * @param worse the rule on the other side of the bound, next to it; null if the first rule keeps the bound
     * @param better the rule that keeps the bound; null if none was found
     */
    record Ends<P>(@Nullable P worse, @Nullable P better) {}

    /** Returns the number of problems solved so far. */
    int problems() {
        return problems;
    }

    P at(double eta, double bound) {
        problems++;
        P at = frontier.at(eta, bound);
        ProgressListener.Progress progress =
                new ProgressListener.Progress(problems, at.moved(), Double.NaN, Double.NaN, eta);
        stopped |= listener.onIteration(progress) == ProgressListener.Decision.STOP;
        return at;
    }

    /**
     * Returns the rules on the two sides of the bound.
     *
     * @param pure the rule at eta = 0
     * @param bound B
     * @param room B minus the smallest H of any rule
     * @param guess the first weight to try
     */
    Ends<P> search(P pure, double bound, double room, double guess) {
        if (pure.above() <= room) {
            return new Ends<>(null, pure);
        }
        double spared = spared(bound, room);
        double aim = Math.max(room - spared / 2, room / 2);
        P worse = pure;
        @Nullable P better = null;
        double fWorse = excess(worse, aim);
        double fBetter = Double.NaN;
        double eta = guess;
        boolean wasWorse = true;
        for (int k = 0; k < MOST_STEPS && room > 0 && !stopped; k++) {
            P at = at(eta, bound);
            double f = excess(at, aim);
            boolean isWorse = at.above() > room;
            if (isWorse) {
                double slope = (f - fWorse) / (eta - worse.eta());
                worse = at;
                fWorse = f;
                if (better == null) {
                    if (eta >= MOST) {
                        break;
                    }
                    double next = slope > 0 ? eta - 1.01 * f / slope : Double.POSITIVE_INFINITY;
                    eta = Math.min(MOST, Math.min(Math.max(next, 1.1 * eta), 30 * eta));
                    continue;
                }
                fBetter /= wasWorse ? 2 : 1;
            } else {
                fWorse /= wasWorse || better == null ? 1 : 2;
                better = at;
                fBetter = f;
                if (room - at.above() <= spared) {
                    break;
                }
            }
            wasWorse = isWorse;
            double low = worse.eta();
            double high = better.eta();
            if (high - low <= NARROW * high) {
                break;
            }
            double secant = low - fWorse * (high - low) / (fBetter - fWorse);
            boolean inside = secant > low && secant < high && k % 8 != 7;
            // a bracket over many powers of ten is divided at its geometric mean
            double middle = low > 0 && high > 100 * low ? Math.sqrt(low * high) : (low + high) / 2;
            eta = inside ? secant : middle;
            if (!(eta > low && eta < high)) {
                break;
            }
        }
        return new Ends<>(worse, better);
    }

    /** Returns how far the rule may stay below the bound. */
    private static double spared(double bound, double room) {
        return Math.max(LEAST_SPARED * bound, Math.min(SPARED * bound, SPARED_ROOM * room));
    }

    /** Returns whether the best rules jump across the bound, so that none of them just keeps it. */
    boolean isJump(Ends<P> ends, double room) {
        P better = ends.better();
        return ends.worse() != null && room > 0 && (better == null || room - better.above() > JUMP * room);
    }

    /** Returns an increasing, nearly linear function of eta that is 0 at the bound. */
    private static double excess(Frontier.Place at, double aim) {
        double above = Math.max(at.above(), 1e-300);
        return (above >= Double.MAX_VALUE ? 0 : Math.sqrt(aim / above)) - 1;
    }

    /**
     * Returns the best available rule that keeps the bound. If H jumps across it, a rule between the two sides may be
     * better than the one on the safe side.
     *
     * @param fallback a rule that keeps the bound in any case
     */
    P chosen(Ends<P> ends, double bound, double room, P fallback) {
        P better = ends.better() == null ? fallback : ends.better();
        P worse = ends.worse();
        boolean reached = room - better.above() <= spared(bound, room);
        if (worse == null || reached || worse.above() >= Double.MAX_VALUE) {
            return better;
        }
        double low = 0;
        double high = 1;
        P kept = better;
        for (int k = 0; k < BISECTIONS; k++) {
            double middle = (low + high) / 2;
            P at = frontier.between(better, worse, middle);
            if (at.above() <= room) {
                low = middle;
                kept = at.moved() < kept.moved() ? at : kept;
            } else {
                high = middle;
            }
        }
        return kept.moved() < fallback.moved() ? kept : fallback;
    }
}
