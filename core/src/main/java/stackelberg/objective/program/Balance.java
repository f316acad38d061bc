package stackelberg.objective.program;

import java.util.Optional;
import java.util.function.UnaryOperator;
import stackelberg.objective.program.HedgeSearch.Ends;
import stackelberg.objective.program.Program.Excess;

/**
 * The rule with the least rho that is at most rho worse than the best rule if nobody moves and at most rho worse than the best rule after the move.
 *
 * <p>F(rho) = (rho of the best M under the bound that rho puts on H) - rho strictly decreases, with a slope that is known from the weight of the hedge: Newton within a bracket, where every F is
 * one {@link HedgeSearch}, begun at the last weight.
 *
 * @param <P> how a rule is kept
 */
final class Balance<P extends Frontier.Place> {
    private static final int MOST_STEPS = 60;

    /** The range of logarithms of odds that bounds are looked for in, and how near a weight has to be, relative. */
    private static final double LOGITS = 60;

    private static final double SAME_WEIGHT = 1e-9;

    /** A difference of both excesses that is none; and where each costs a search across a jump. */
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
     * Between the best rules of both cases.
     *
     * @param pure the best rule after the move
     * @param honest the best rule if nobody moves
     * @param least what H is counted from
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

    /**
     * What was found.
     *
     * @param bound that the rule keeps
     */
    record Found<P>(P place, Ends<P> ends, double bound) {}

    /** The rule of one bound on H. */
    Found<P> within(double bound, double guess) {
        double room = bound - least;
        Ends<P> ends = search.search(pure, bound, room, guess);
        return new Found<>(search.chosen(ends, bound, room, honest), ends, bound);
    }

    /** The balanced rule. */
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
            // d moved/d rho = -weight (bound of H)'/(bound of M)'
            double slope = -found.place.weight() * excess.slope(bestHonest, rho) / excess.slope(bestMoved, moved) - 1;
            double next = rho - f / slope;
            rho = next > low && next < high ? next : (low + high) / 2;
            double eta = found.place.eta();
            found = within(excess.bound(bestHonest, rho), eta > 0 ? eta : SquaredProgram.GUESS);
        }
        return found;
    }

    /**
     * The balanced rule where the best rules jump over its bound. A search across the jump may find a rule so much better after the move that a tighter bound will do.
     *
     * @param found the balanced rule without such a search
     * @param across the best rule that keeps the bound of another
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

    /** The best rules of both cases and the one that was found between them. */
    record Shown<P>(P pure, P found, P honest) {}

    /**
     * The rule that is best for the loss after the move and so many times the loss if nobody moves; empty where no bound leads to it, because the frontier jumps.
     *
     * <p>log weight falls nearly linearly in log((H - H of the best honest rule)/(H of the pure rule - H)): secant within a bracket.
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
