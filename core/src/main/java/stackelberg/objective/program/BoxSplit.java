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
 * Branch and bound over boxes of the sphere, for the few games whose best rules jump across the bound of the hedge as
 * its weight grows.
 *
 * <p>For points with r_i between a and b, kappa (r_i - a)(r_i - b) is at most 0. Hence M is bounded from below by the
 * maximum over eta and kappa of the minimum over the sphere of M + eta (1 - tau)^2 (H - B) + kappa (r_i - a)(r_i - b).
 * The minimum is one more sphere problem, with kappa added to one diagonal entry of the arrow matrix. The box with the
 * smallest bound is divided first, along the coordinate in which the two sides of its jump differ most, until no box
 * can contain a better rule.
 *
 * <p>All of this is computed in coordinates, whose accuracy is limited. The proof is obtained by evaluating the {@link
 * Leaf leaves} on the data.
 */
final class BoxSplit {
    private static final int MOST_NODES = 600;

    /** The largest number of coordinates times nodes. */
    private static final int MOST_WORK = 400_000;

    /** A narrower box is not divided, because its rules are practically equal. */
    private static final double NARROWEST = 1e-6;

    /** The number of weights of the cut tried for a box, and the factor between two. */
    private static final int MOST_WEIGHTS = 8;

    private static final double FACTOR = 6;

    /** The relative gap at which the search ends. */
    private static final double ENOUGH = 3e-10;

    private final SquaredFrontier frontier;
    private final double bound;
    private final double room;
    private final List<Node> closed = new ArrayList<>();
    private Place best;
    private double guess;

    /**
     * Makes a search among the rules that keep a bound.
     *
     * @param room the bound minus the least-squares loss
     * @param found a rule that keeps the bound
     */
    BoxSplit(SquaredFrontier frontier, double bound, double room, Place found) {
        this.frontier = frontier;
        this.bound = bound;
        this.room = room;
        this.best = found;
    }

    /**
     * A part of the sphere, with the sphere problem that bounds M from below there.
     *
     * @param at the minimiser of M + eta (1 - tau)^2 (H - B) plus the cut
     * @param cut a function that is at most 0 in that part
     */
    record Leaf(Place at, Cut cut) {}

    /**
     * A box.
     *
     * @param cut its sides, with the best weights found
     * @param leaf the problem that bounds M there; null if there is none
     * @param lower the bound
     * @param along the coordinate along which to divide it
     * @param middle where to divide it
     */
    private record Node(Cut cut, @Nullable Leaf leaf, double lower, int along, double middle) {
        double width() {
            return cut.high()[along] - cut.low()[along];
        }
    }

    /** Searches a box and returns the best rule found. */
    Place search(Ends<Place> ends, Cut box) {
        Place worse = ends.worse();
        guess = worse == null || worse.eta() == 0 ? SquaredProgram.GUESS : worse.eta();
        int order = frontier.order();
        PriorityQueue<Node> open = new PriorityQueue<>(Comparator.comparingDouble(Node::lower));
        open.add(node(box, order, Double.NEGATIVE_INFINITY, null));
        int most = Math.min(MOST_NODES, MOST_WORK / Math.max(1, order));
        for (int k = 0; k < most && !open.isEmpty(); k++) {
            Node node = open.element();
            if (node.lower >= target() || node.width() < NARROWEST) {
                break;
            }
            open.remove();
            double low = node.cut.low()[node.along];
            double high = node.cut.high()[node.along];
            for (boolean first : new boolean[] {true, false}) {
                Cut half = node.cut.within(node.along, first ? low : node.middle, first ? node.middle : high);
                Node child = node(half, node.along, node.lower, node.leaf);
                (child.lower < target() ? open : closed).add(child);
            }
        }
        closed.addAll(open);
        return best;
    }

    /** Returns the problems that bound M from below on everything that was searched; empty if a box has no bound. */
    Collection<Leaf> leaves() {
        List<Leaf> leaves = new ArrayList<>();
        for (Node node : closed) {
            if (node.leaf == null) {
                return List.of();
            }
            leaves.add(node.leaf);
        }
        return new LinkedHashSet<>(leaves);
    }

    /** Returns the loss that a box's lower bound must exceed for the box to be discarded. */
    private double target() {
        return best.moved() * (1 - ENOUGH);
    }

    /**
     * Computes a box's bound by maximising over the weight of one coordinate's cut, in which the bound is concave.
     *
     * @param box its sides, with initial weights of all coordinates
     * @param known the bound of a box that contains it, and the problem that gives it
     */
    private Node node(Cut box, int along, double known, @Nullable Leaf knownBy) {
        Cut cut = box;
        Cut chosen = box;
        double lower = known;
        Leaf leaf = knownBy;
        int next = along;
        double middle = (cut.low()[along] + cut.high()[along]) / 2;
        double up = Double.NaN;
        double down = Double.NaN;
        for (int k = 0; k < MOST_WEIGHTS; k++) {
            HedgeSearch<Place> search = new HedgeSearch<>(frontier.within(cut), ProgressListener.NONE);
            Ends<Place> ends = search.search(search.at(0, bound), bound, room, guess);
            offer(search.chosen(ends, bound, room, best));
            Place worse = ends.worse();
            Place better = ends.better();
            double ofWorse = value(worse, cut);
            double ofBetter = value(better, cut);
            double value = Math.max(ofWorse, ofBetter);
            if (k == 0 || value > lower) {
                chosen = cut;
                next = apart(worse, better, along);
                middle = middle(worse, better, cut, next);
            }
            Place at = ofWorse > ofBetter ? worse : better;
            if (value > lower && at != null) {
                lower = value;
                leaf = new Leaf(at, cut);
            }
            if (lower >= target()) {
                break;
            }
            double slope = slope(worse, better, cut, along);
            double weight = cut.weight()[along];
            if (slope > 0) {
                up = weight;
            } else {
                down = weight;
            }
            if (weight == 0 && !(slope > 0)) {
                break;
            }
            double width = cut.high()[along] - cut.low()[along];
            double missing = best.moved() - Math.max(0, value);
            double other = Double.isNaN(down)
                    ? Math.max(FACTOR * weight, 8 * missing / (width * width))
                    : Double.isNaN(up) ? weight / FACTOR : up == 0 ? down / FACTOR : Math.sqrt(up * down);
            cut = cut.with(along, other);
        }
        return new Node(chosen, leaf, lower, next, middle);
    }

    private void offer(Place place) {
        if (place.above() <= room && place.moved() < best.moved()) {
            best = place;
        }
    }

    /** Returns the minimum of what is minimised. */
    private double value(@Nullable Place at, Cut cut) {
        if (at == null || (at.eta() > 0 && at.above() >= Double.MAX_VALUE)) {
            return Double.NEGATIVE_INFINITY;
        }
        double hedge = at.eta() == 0 ? 0 : at.weight() * (at.above() - room);
        return at.moved() + hedge + cut.at(at.r());
    }

    /** Returns the coordinate in which the two sides of a jump differ most. */
    private static int apart(@Nullable Place worse, @Nullable Place better, int otherwise) {
        int most = otherwise;
        double distance = 0;
        for (int i = 0; worse != null && better != null && i < worse.r().length; i++) {
            // tau is preferred: at a fixed tau, jumps are rare
            double d = (i == worse.r().length - 1 ? 10 : 1) * Math.abs(worse.r()[i] - better.r()[i]);
            if (d > distance) {
                distance = d;
                most = i;
            }
        }
        return most;
    }

    private static double middle(@Nullable Place worse, @Nullable Place better, Cut cut, int along) {
        double low = cut.low()[along];
        double high = cut.high()[along];
        double middle = worse == null || better == null ? (low + high) / 2 : (worse.r()[along] + better.r()[along]) / 2;
        double margin = (high - low) / 8;
        return Math.max(low + margin, Math.min(high - margin, middle));
    }

    /**
     * Returns the derivative of the bound by the weight of the cut; between two sides of a jump, that of their mixture
     * with H = B.
     */
    private double slope(@Nullable Place worse, @Nullable Place better, Cut cut, int along) {
        if (worse == null || better == null) {
            Place only = worse == null ? better : worse;
            return only == null ? 0 : product(only, cut, along);
        }
        double over = worse.kept() * worse.kept() * (worse.above() - room);
        double under = better.kept() * better.kept() * (room - better.above());
        double part = over + under > 0 && Double.isFinite(over) ? under / (over + under) : 0;
        return part * product(worse, cut, along) + (1 - part) * product(better, cut, along);
    }

    private static double product(Place at, Cut cut, int along) {
        return (at.r()[along] - cut.low()[along]) * (at.r()[along] - cut.high()[along]);
    }
}
