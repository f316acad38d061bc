package stackelberg.objective.program;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;
import stackelberg.objective.program.HedgeSearch.Ends;
import stackelberg.objective.program.SquaredFrontier.Cut;
import stackelberg.objective.program.SquaredFrontier.Place;
import stackelberg.solver.ProgressListener;

/**
 * Branch and bound over intervals of tau, for the few games whose best rules jump across the bound of the hedge as its
 * weight grows: at a fixed tau they hardly ever do.
 *
 * <p>For points with r_last = (2 tau - 1)/stretch between a and b, kappa (r_last - a)(r_last - b) is at most 0. Hence M
 * is bounded from below by the maximum over eta and kappa of the minimum over the sphere of M + eta (1 - tau)^2 (H - B)
 * + kappa (r_last - a)(r_last - b). The minimum is one more sphere problem, with kappa added to the last entry of the
 * arrow matrix. The interval with the smallest bound is divided first, between the two sides of its jump, until none
 * can contain a better rule.
 *
 * <p>All of this is computed in coordinates, whose accuracy is limited. The proof is obtained by evaluating the {@link
 * Leaf leaves} on the data.
 */
final class TauSplit {
    private static final int MOST_PARTS = 50;

    /** A narrower interval is not divided, because its rules are practically equal. */
    private static final double NARROWEST = 1e-6;

    /** The number of weights of the cut tried for an interval, and the factor between two. */
    private static final int MOST_WEIGHTS = 8;

    private static final double FACTOR = 6;

    /** The relative gap at which the search ends. */
    private static final double ENOUGH = 3e-10;

    private final SquaredFrontier frontier;
    private final double bound;
    private final double room;
    private final List<Part> closed = new ArrayList<>();
    private final double guess;
    private Place best;

    /**
     * Makes a search among the rules that keep a bound.
     *
     * @param room the bound minus the least-squares loss
     * @param found a rule that keeps the bound, and the jump next to it
     */
    TauSplit(SquaredFrontier frontier, double bound, double room, Balance.Found<Place> found) {
        this.frontier = frontier;
        this.bound = bound;
        this.room = room;
        this.best = found.place();
        Place worse = found.ends().worse();
        this.guess = worse == null || worse.eta() == 0 ? SquaredProgram.GUESS : worse.eta();
    }

    /**
     * A sphere problem that bounds M from below in an interval.
     *
     * @param at the minimiser of M + eta (1 - tau)^2 (H - B) plus the cut
     * @param cut a function that is at most 0 there
     */
    record Leaf(Place at, Cut cut) {}

    /**
     * An interval.
     *
     * @param cut its ends, with the best weight found
     * @param leaf the problem that bounds M there; null if there is none
     * @param lower the bound
     * @param middle where to divide it
     */
    private record Part(Cut cut, @Nullable Leaf leaf, double lower, double middle) {}

    /** Searches an interval and returns the best rule found. */
    Place search(Cut all) {
        PriorityQueue<Part> open = new PriorityQueue<>(Comparator.comparingDouble(Part::lower));
        open.add(part(all, Double.NEGATIVE_INFINITY, null));
        for (int k = 0; k < MOST_PARTS && !open.isEmpty(); k++) {
            Part part = open.element();
            Cut cut = part.cut;
            if (part.lower >= target() || cut.high() - cut.low() < NARROWEST) {
                break;
            }
            open.remove();
            for (Cut half : List.of(
                    new Cut(cut.weight(), cut.low(), part.middle), new Cut(cut.weight(), part.middle, cut.high()))) {
                Part child = part(half, part.lower, part.leaf);
                (child.lower < target() ? open : closed).add(child);
            }
        }
        closed.addAll(open);
        return best;
    }

    /** Returns the problems that bound M from below on everything that was searched; empty if a part has no bound. */
    Collection<Leaf> leaves() {
        List<Leaf> leaves = new ArrayList<>();
        for (Part part : closed) {
            if (part.leaf == null) {
                return List.of();
            }
            leaves.add(part.leaf);
        }
        return new LinkedHashSet<>(leaves);
    }

    /** Returns the loss that an interval's lower bound must exceed for the interval to be discarded. */
    private double target() {
        return best.moved() * (1 - ENOUGH);
    }

    /**
     * Computes an interval's bound by maximising over the weight of the cut, in which the bound is concave.
     *
     * @param cut its ends, with an initial weight
     * @param known the bound of an interval that contains it, and the problem that gives it
     */
    private Part part(Cut cut, double known, @Nullable Leaf knownBy) {
        Part part = new Part(cut, knownBy, known, (cut.low() + cut.high()) / 2);
        double width = cut.high() - cut.low();
        double weight = cut.weight();
        double up = Double.NaN;
        double down = Double.NaN;
        for (int k = 0; k < MOST_WEIGHTS; k++) {
            Cut tried = new Cut(weight, cut.low(), cut.high());
            HedgeSearch<Place> search = new HedgeSearch<>(frontier.with(tried), ProgressListener.NONE);
            Ends<Place> ends = search.search(search.at(0, bound), bound, room, guess);
            Place offered = search.chosen(ends, bound, room, best);
            if (offered.above() <= room && offered.moved() < best.moved()) {
                best = offered;
            }
            Place worse = ends.worse();
            Place better = ends.better();
            Place at = value(worse, tried) > value(better, tried) ? worse : better;
            double value = value(at, tried);
            if (value > part.lower && at != null) {
                part = new Part(tried, new Leaf(at, tried), value, middle(worse, better, cut));
            } else if (k == 0) {
                part = new Part(tried, knownBy, known, middle(worse, better, cut));
            }
            if (part.lower >= target()) {
                break;
            }
            if (slope(worse, better, tried) > 0) {
                up = weight;
            } else if (weight == 0) {
                break;
            } else {
                down = weight;
            }
            double missing = best.moved() - Math.max(0, value);
            weight = Double.isNaN(down)
                    ? Math.max(FACTOR * weight, 8 * missing / (width * width))
                    : Double.isNaN(up) ? weight / FACTOR : up == 0 ? down / FACTOR : Math.sqrt(up * down);
        }
        return part;
    }

    /** Returns the minimum of what is minimised. */
    private double value(@Nullable Place at, Cut cut) {
        if (at == null || (at.eta() > 0 && at.above() >= Double.MAX_VALUE)) {
            return Double.NEGATIVE_INFINITY;
        }
        double hedge = at.eta() == 0 ? 0 : at.weight() * (at.above() - room);
        return at.moved() + hedge + cut.at(at.border());
    }

    private static double middle(@Nullable Place worse, @Nullable Place better, Cut cut) {
        double ends = cut.low() + cut.high();
        double middle = worse == null || better == null ? ends / 2 : (worse.border() + better.border()) / 2;
        double margin = (cut.high() - cut.low()) / 8;
        return Math.max(cut.low() + margin, Math.min(cut.high() - margin, middle));
    }

    /**
     * Returns the sign of the derivative of the bound by the weight of the cut; between two sides of a jump, of that of
     * their mixture with H = B.
     */
    private double slope(@Nullable Place worse, @Nullable Place better, Cut cut) {
        Cut unit = new Cut(1, cut.low(), cut.high());
        if (worse == null || better == null) {
            Place only = worse == null ? better : worse;
            return only == null ? 0 : unit.at(only.border());
        }
        double over = worse.kept() * worse.kept() * (worse.above() - room);
        double under = better.kept() * better.kept() * (room - better.above());
        double part = over + under > 0 && Double.isFinite(over) ? under / (over + under) : 0;
        return part * unit.at(worse.border()) + (1 - part) * unit.at(better.border());
    }
}
