package stackelberg.objective.program;

import java.util.Optional;
import java.util.function.UnaryOperator;
import stackelberg.objective.program.HedgeSearch.Ends;
import stackelberg.objective.program.Program.Excess;

/**
 * Finds the balanced rule: the rule with the smallest rho whose losses before and after the move both exceed the best
 * possible ones by at most rho.
 *
 * <p>Let F(rho) be the excess of the best loss M after the move, under the bound that rho puts on the loss H before any
 * move, minus rho. F is strictly decreasing, and its slope follows from the weight of the hedge. Newton's method within
 * a bracket finds its zero; each value of F takes one {@link HedgeSearch}, started at the previous weight.
 *
 * @param <P> the representation of a rule
 */
final class Balance<P extends Frontier.Place> {
    private static final int MOST_STEPS = 60;

    /** The range in which bounds are searched for, in logarithms of odds, and the relative accuracy of a weight. */
    private static final double LOGITS = 60;

    private static final double SAME_WEIGHT = 1e-9;

    /** A difference of the two excesses that counts as zero, without and with searches across a jump. */
    private static final double SAME = 1e-12;

    private static final double SAME_ACROSS = 1e-9;

    private static final int MOST_ACROSS = 8;

    private final HedgeSearch<P> search;
    private final P pure;
    private final P honest;
    private final Excess excess;
    private final double least;
    private final double bestHonest;
    private final double bestMoved;

    /**
     * Makes a search between the best rules before and after the move.
     *
     * @param pure the best rule after the move
     * @param honest the best rule before any move
     * @param least the least-squares loss, to which the losses of places are relative
     */
    Balance(HedgeSearch<P> search, P pure, P honest, Excess excess, double least) {
        this.search = search;
        this.pure = pure;
        this.honest = honest;
        this.excess = excess;
        this.least = least;
        this.bestHonest = least + honest.above();
        this.bestMoved = pure.moved();
    }

    /** A rule with the bound that it keeps. */
    record Found<P>(P place, Ends<P> ends, double bound) {}

    /** Returns the best rule after the move under one bound on H. */
    Found<P> within(double bound, double guess) {
        double room = bound - least;
        Ends<P> ends = search.search(pure, bound, room, guess);
        return new Found<>(search.chosen(ends, bound, room, honest), ends, bound);
    }

    /** Returns the balanced rule. */
    Found<P> balanced() {
        double low = 0;
        double high = Math.min(rho(least + pure.above(), bestHonest), rho(honest.moved(), bestMoved));
        Found<P> found = within(excess.bound(bestHonest, high), SquaredProgram.GUESS);
        double rho = high;
        for (int k = 0; k < MOST_STEPS && !search.isStopped(); k++) {
            double moved = rho(found.place.moved(), bestMoved);
            double f = moved - rho;
            if (Math.abs(f) <= SAME * (1 + rho) || high - low <= SAME * high) {
                break;
            }
            if (f > 0) {
                low = rho;
            } else {
                high = rho;
            }
            // d moved/d rho = -weight (derivative of the bound of H)/(derivative of the bound of M)
            double slope = -found.place.weight() * excess.slope(bestHonest, rho) / excess.slope(bestMoved, moved) - 1;
            double next = rho - f / slope;
            rho = next > low && next < high ? next : (low + high) / 2;
            double eta = found.place.eta();
            found = within(excess.bound(bestHonest, rho), eta > 0 ? eta : SquaredProgram.GUESS);
        }
        return found;
    }

    /**
     * Returns the balanced rule if the best rules jump across its bound: a search across the jump may find a rule so
     * much better after the move that a tighter bound suffices.
     *
     * @param found the balanced rule without such a search
     * @param across finds the best rule under the bound of another rule
     */
    Found<P> balanced(Found<P> found, UnaryOperator<Found<P>> across) {
        Found<P> better = across.apply(found);
        double high = rho(found.bound, bestHonest);
        double fHigh = rho(better.place.moved(), bestMoved) - high;
        double low = high + fHigh;
        double fLow = Double.NaN;
        double rho = low;
        for (int k = 0; k < MOST_ACROSS && high - low > SAME_ACROSS * (1 + high) && !search.isStopped(); k++) {
            Found<P> at = across.apply(within(excess.bound(bestHonest, rho), SquaredProgram.GUESS));
            double f = rho(at.place.moved(), bestMoved) - rho;
            if (f > SAME_ACROSS) {
                low = rho;
                fLow = f;
            } else {
                high = rho;
                fHigh = f;
                better = at;
            }
            double secant = low + fLow / (fLow - fHigh) * (high - low);
            rho = secant > low && secant < high ? secant : (low + high) / 2;
        }
        return better;
    }

    /** The two best rules with the one found between them. */
    record Shown<P>(P pure, P found, P honest) {}

    /**
     * Returns the rule that minimises the loss after the move plus a weight times the loss before any move; empty if no
     * bound leads to it because the frontier jumps.
     *
     * <p>log weight is nearly linear in log((H - H of the best honest rule)/(H of the pure rule - H)), so the secant
     * method within a bracket converges fast.
     */
    Optional<P> ofWeight(double weight) {
        boolean finite = pure.above() < Double.MAX_VALUE;
        double low = -LOGITS;
        double high = LOGITS;
        double x = 0;
        double last = Double.NaN;
        double lastOff = Double.NaN;
        for (int k = 0; k < MOST_STEPS; k++) {
            double odds = Math.exp(x);
            double above = finite
                    ? honest.above() + (pure.above() - honest.above()) * odds / (1 + odds)
                    : honest.above() + odds * bestHonest;
            P at = within(least + above, weight).place;
            double off = Math.log(at.weight() / weight);
            if (Math.abs(off) <= SAME_WEIGHT) {
                return Optional.of(at);
            }
            low = off > 0 ? x : low;
            high = off > 0 ? high : x;
            if (!(high - low > SAME_WEIGHT)) {
                break;
            }
            double secant = x - off * (x - last) / (off - lastOff);
            double first = x + off;
            double next = k == 0 ? first : secant;
            last = x;
            lastOff = off;
            x = next > low && next < high ? next : (low + high) / 2;
        }
        return Optional.empty();
    }

    private double rho(double loss, double best) {
        return Math.max(0, excess.of(loss, best));
    }
}
