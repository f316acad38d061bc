package stackelberg.model.response;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import stackelberg.data.Encoding.EncodedColumn;
import stackelberg.data.Message;
import stackelberg.estimate.Resampling;
import stackelberg.estimate.Resampling.Bootstrap;
import stackelberg.game.GameSpec;
import stackelberg.game.PublishedRule;
import stackelberg.game.Response;
import stackelberg.game.World;
import stackelberg.linalg.DenseMatrix;

/**
 * Estimates gamma and the relative costs of the features from features before and after a published rule was in force.
 *
 * <p>The pull-through is t = sum (p_i* - p_i)(z_i - p_i) / sum (z_i - p_i)^2, and gamma = omega (1 - t)/t. The relative
 * costs are c_j = t w_j / (omega b_j), where b_j is the slope of (x_ij* - x_ij) on (z_i - p_i).
 *
 * <p>Only the product gamma C is identified. The estimated costs are scaled so that omega = w'C^{-1}w equals that of
 * the world's costs, so gamma does not depend on whether one uses the declared or the estimated costs. (With costs
 * scaled to mean 1 instead, one feature that hardly moves, whose estimated cost is mostly noise, would blur all
 * others.)
 *
 * <p>If people can move the constant term, part of their move does not show in the features. The total pull-through is
 * then the visible one times omega over the part of omega that belongs to columns.
 *
 * <p>Followers who are stopped by a limit would have moved further, so with limits only free moves, those that no limit
 * cuts off, are used. For these x_ij* - x_ij = v_i w_j/(gamma c_j), where v_i = z_i - p_i* is the part of the gap that
 * is still open, whatever stopped the other features of the same person. The ratio 1/(gamma c_j) is then the sum of gap
 * times move divided by the sum of gap times w_j v_i, over the people whose move of feature j is free. Which moves are
 * free is decided not from the observed end points, which would select by their noise, but from the moves that the game
 * predicts: they must end so far from the limit that the noise cannot reach it. In v_i, features that are not free
 * count at the end point that the game predicts, because a limit cuts off the noise on one side.
 *
 * @param people the number of people
 * @param pullThrough t
 * @param gamma at the costs of the world; infinite if nobody moves towards the wish, 0 if everyone closes the whole gap
 * @param explained the share of the squared change of predictions that the gap and the limits explain
 * @param costs the relative cost of each manipulable feature with a coefficient, in encoded units and on the scale of
 *     the world's costs; NaN if people moved the feature in the wrong direction or not at all, or if its limits leave
 *     too few free moves
 * @param behaviour how people moved, and whether that agrees with the model
 * @param warnings what the reader should know
 */
public record GammaEstimate(
        int people,
        Resampling.Estimate pullThrough,
        Resampling.Estimate gamma,
        double explained,
        Map<String, Resampling.Estimate> costs,
        Behaviour behaviour,
        List<Message> warnings) {
    /** A spread of the gaps below this, relative to the predictions, is too small for a regression on them. */
    private static final double NO_GAP = 1e-9;

    /** A value within this distance of a limit, in encoded units, is at the limit: data files round. */
    private static final double AT_LIMIT = 1e-6;

    /**
     * A predicted move counts as free if it ends at least this far from the limit, in standard deviations of the
     * unexplained part of moves.
     */
    private static final double FREE = 3;

    /** The cost of a feature is not estimated if its free moves have less than this share of the squared gaps. */
    private static final double FEWEST = 0.05;

    /** If the gap explains less than this share of the moves, people moved mostly for other reasons. */
    private static final double LITTLE = 0.1;

    /**
     * A share of people moving away from their wish above this gives a warning; it is one half if moves are unrelated
     * to wishes.
     */
    private static final double MANY_AGAINST = 0.25;

    /** A share of people at the very end of the observed range above this gives a warning. */
    private static final double PILE = 0.05;

    private static final int SMALLEST_PILE = 10;

    /** The largest number of rounds in deciding which moves are free; it usually takes a few. */
    private static final int ROUNDS = 100;

    /** The relative change of gamma at which the rounds end. */
    private static final double SETTLED = 1e-9;

    /**
     * How people moved, and whether that agrees with the model.
     *
     * @param moved the number of people whose prediction changed
     * @param against the number of people whose prediction moved away from their wish
     * @param satisfied the number of people whose score is already at least as good as they want and who would only
     *     move it in the other direction; they are left out
     * @param immovable for each immutable column that changed, the number of people who changed it
     * @param limits the columns with a limit
     */
    public record Behaviour(
            int moved, int against, int satisfied, Map<String, Integer> immovable, List<Limited> limits) {
        public Behaviour {
            immovable = Collections.unmodifiableMap(new LinkedHashMap<>(immovable));
            limits = List.copyOf(limits);
        }
    }

    /**
     * How many people are stopped by the limits of one feature.
     *
     * @param atFloor people whom the rule pushes down and who ended at the smallest value allowed, or below it
     * @param atCeiling people whom the rule pushes up and who ended at the largest value allowed, or above it
     * @param free people whose moves of this feature are free, so that they show its cost
     */
    public record Limited(String feature, int atFloor, int atCeiling, int free) {}

    public GammaEstimate {
        costs = Collections.unmodifiableMap(new LinkedHashMap<>(costs));
        warnings = List.copyOf(warnings);
    }

    /** Returns whether the data identify gamma: the estimate and its interval are positive and finite. */
    public boolean identified() {
        return gamma.value() > 0
                && Double.isFinite(gamma.value())
                && gamma.interval().low() > 0
                && Double.isFinite(gamma.interval().high());
    }

    /** Returns the names of immutable columns that changed nevertheless. */
    public List<String> immovable() {
        return List.copyOf(behaviour.immovable.keySet());
    }

    private GammaEstimate withWarnings(List<Message> newWarnings) {
        return new GammaEstimate(people, pullThrough, gamma, explained, costs, behaviour, newWarnings);
    }

    /**
     * Estimates gamma from the encoded features of the same people, in the same order, before and after.
     *
     * @param before encoded features before, in the world's encoding
     * @param after encoded features of the same people later
     * @param wishes their wishes when they saw the rule
     */
    public static GammaEstimate of(
            World world,
            PublishedRule rule,
            DenseMatrix before,
            DenseMatrix after,
            double[] wishes,
            Bootstrap bootstrap) {
        return new Estimator(world, rule, before, after, wishes).estimate(bootstrap);
    }

    /**
     * Holds the data from which the statistics are computed, so that each bootstrap replicate is one pass over them.
     */
    private static final class Estimator {
        private final World world;
        private final List<EncodedColumn> columns;
        private final DenseMatrix before;
        private final DenseMatrix after;
        private final double[] w;
        private final double omega;
        /** The coefficient of the constant term if people can move it; otherwise 0. */
        private final double constant;
        /** The part of omega that belongs to columns. */
        private final double shown;
        /**
         * The part of the pull-through that shows in the columns: below 1 only if people move the constant term too,
         * and 0 if there are no columns.
         */
        private final double visible;

        private final double[] gap;
        private final double[] change;
        private final double[] p;
        /** The columns whose relative cost can be estimated: manipulable, with a nonzero coefficient. */
        private final List<Integer> telling = new ArrayList<>();

        private final double[][] moves;
        private final Map<String, Integer> immovable = new LinkedHashMap<>();

        private final Response.Bounds bounds;
        private final double[] low;
        private final double[] high;
        /** For each of these columns and each person, whether the move is free; null if all moves are. */
        private boolean[][] free;
        /** v_i, the open part of the gap, with features that are not free at the end points that the game predicts. */
        private double[] open;
        /** For each of these columns, whether enough of its moves are free. */
        private boolean[] known;

        /** Computes predictions, gaps and moves from the features before and after. */
        Estimator(World world, PublishedRule rule, DenseMatrix before, DenseMatrix after, double[] wishes) {
            if (before.rows() != after.rows() || before.rows() != wishes.length) {
                throw new IllegalArgumentException("There are " + before.rows() + " people before, " + after.rows()
                        + " after and " + wishes.length + " wishes; they must be the same people.");
            }
            this.world = world;
            this.before = before;
            this.after = after;
            columns = world.encoding().columns();
            omega = world.omega(rule);
            constant = world.intercept() == GameSpec.Intercept.MANIPULABLE ? rule.encodedConstant(columns) : 0;
            p = rule.predict(world.encoding(), before);
            double[] pAfter = rule.predict(world.encoding(), after);
            gap = new double[p.length];
            change = new double[p.length];
            for (int i = 0; i < gap.length; i++) {
                gap[i] = wishes[i] - p[i];
                change[i] = pAfter[i] - p[i];
            }
            w = rule.encodedCoefficients(columns);
            for (int j = 0; j < w.length; j++) {
                if (world.manipulable(j) && w[j] != 0) {
                    telling.add(j);
                } else if (!world.manipulable(j) && changed(j) > 0) {
                    immovable.put(columns.get(j).name(), changed(j));
                }
            }
            double sum = 0;
            double[] costs = world.costs();
            for (int j : telling) {
                sum += w[j] * w[j] / costs[j];
            }
            shown = sum;
            visible = shown == 0 ? 0 : shown / omega;
            moves = new double[telling.size()][p.length];
            for (int k = 0; k < moves.length; k++) {
                for (int i = 0; i < p.length; i++) {
                    moves[k][i] = after.get(i, telling.get(k)) - before.get(i, telling.get(k));
                }
            }
            bounds = world.bounds().orElse(null);
            low = bounds == null ? null : bounds.low();
            high = bounds == null ? null : bounds.high();
        }

        private int changed(int j) {
            int count = 0;
            for (int i = 0; i < before.rows(); i++) {
                count += Math.abs(before.get(i, j) - after.get(i, j)) > 1e-9 ? 1 : 0;
            }
            return count;
        }

        GammaEstimate estimate(Bootstrap bootstrap) {
            int[] once = new int[p.length];
            Arrays.fill(once, 1);
            double[] point = bounds == null ? statistics(once) : limited(once);
            Resampling.Interval[] intervals = bootstrap.intervals(p.length, this::statistics);
            IntFunction<Resampling.Estimate> estimates = k -> new Resampling.Estimate(point[k], intervals[k]);
            Map<String, Resampling.Estimate> costs = new LinkedHashMap<>();
            for (int k = 0; k < telling.size(); k++) {
                costs.put(columns.get(telling.get(k)).name(), estimates.apply(2 + k));
            }
            GammaEstimate estimate = new GammaEstimate(
                    p.length, estimates.apply(0), estimates.apply(1), explained(point), costs, behaviour(), List.of());
            return estimate.withWarnings(warnings(estimate));
        }

        /**
         * Returns the statistics with limits. Which moves are free depends on the statistics and vice versa, so both
         * are recomputed in turn until they settle.
         */
        private double[] limited(int[] once) {
            boolean[][] next = freeAsObserved();
            open = new double[gap.length];
            Arrays.setAll(open, i -> gap[i] - change[i]);
            double[] point = {Double.NaN, Double.NaN};
            for (int round = 0; round < ROUNDS; round++) {
                free = all(next) ? null : next;
                double[] last = point;
                point = statistics(once);
                boolean tells = point[1] > 0 && !Double.isInfinite(point[1]);
                if (free == null || !tells && round > 0) {
                    return point;
                }
                // if the first guess identifies no gamma, the declared gamma predicts which moves are free
                next = freeAsPredicted(tells ? point : declared());
                if (Arrays.deepEquals(next, free) && Math.abs(point[1] - last[1]) <= SETTLED * point[1]) {
                    return point;
                }
            }
            return point;
        }

        private double[] declared() {
            double[] point = new double[2 + moves.length];
            Arrays.fill(point, Double.NaN);
            point[1] = world.gamma();
            return point;
        }

        private static boolean all(boolean[][] who) {
            for (boolean[] of : who) {
                for (boolean one : of) {
                    if (!one) {
                        return false;
                    }
                }
            }
            return true;
        }

        /** Returns whether the rule gives person i a reason to move. */
        private boolean pushed(int i) {
            return gap[i] != 0 && !satisfied(i);
        }

        private boolean satisfied(int i) {
            return bounds != null
                    && bounds.side() != null
                    && gap[i] != 0
                    && (bounds.side() == GameSpec.Side.UP) == gap[i] < 0;
        }

        private boolean up(int i, int k) {
            return gap[i] > 0 == w[telling.get(k)] > 0;
        }

        private double floor(int i, int k) {
            return Math.min(low[telling.get(k)], before.get(i, telling.get(k)));
        }

        private double ceiling(int i, int k) {
            return Math.max(high[telling.get(k)], before.get(i, telling.get(k)));
        }

        private boolean atFloor(int i, int k) {
            double least = floor(i, k);
            return after.get(i, telling.get(k)) <= least + AT_LIMIT * Math.max(1, Math.abs(least));
        }

        private boolean atCeiling(int i, int k) {
            double most = ceiling(i, k);
            return after.get(i, telling.get(k)) >= most - AT_LIMIT * Math.max(1, Math.abs(most));
        }

        /**
         * Returns a first guess of the free moves: those that did not end at the limit towards which the rule pushed.
         */
        private boolean[][] freeAsObserved() {
            boolean[][] who = new boolean[moves.length][gap.length];
            for (int k = 0; k < who.length; k++) {
                for (int i = 0; i < gap.length; i++) {
                    who[k][i] = !satisfied(i) && !(gap[i] != 0 && (up(i, k) ? atCeiling(i, k) : atFloor(i, k)));
                }
            }
            return who;
        }

        /** Returns the free moves that the game predicts, for features whose limits stop anyone. */
        private boolean[][] freeAsPredicted(double[] point) {
            boolean[][] who = new boolean[moves.length][gap.length];
            boolean[] stops = new boolean[moves.length];
            double[] squares = new double[moves.length];
            int[] counts = new int[moves.length];
            double[][] sent = new double[moves.length][gap.length];
            boolean[][] held = new boolean[moves.length][gap.length];
            answers(point, (i, person) -> {
                for (int k = 0; k < who.length; k++) {
                    sent[k][i] = person.move(telling.get(k));
                    held[k][i] = person.isStopped(telling.get(k));
                    if (free[k][i]) {
                        double rest = moves[k][i] - sent[k][i];
                        squares[k] += rest * rest;
                        counts[k]++;
                    }
                    stops[k] |= pushed(i) && (atFloor(i, k) || atCeiling(i, k));
                }
            });
            boolean[] unsure = new boolean[gap.length];
            for (int k = 0; k < who.length; k++) {
                double margin = counts[k] == 0 ? 0 : FREE * Math.sqrt(squares[k] / counts[k]);
                for (int i = 0; i < gap.length; i++) {
                    double end = before.get(i, telling.get(k)) + sent[k][i];
                    boolean near = end - floor(i, k) < margin || ceiling(i, k) - end < margin;
                    who[k][i] = !satisfied(i) && (!stops[k] || !held[k][i] && !near);
                    unsure[i] |= stops[k] && !held[k][i] && near;
                }
            }
            for (int i = 0; i < gap.length; i++) {
                open[i] = gap[i] - change[i];
                for (int k = 0; k < who.length; k++) {
                    open[i] += who[k][i] ? 0 : w[telling.get(k)] * (moves[k][i] - sent[k][i]);
                    who[k][i] &= !unsure[i];
                }
            }
            return who;
        }

        /** Visits the best response of each person at these statistics. */
        private void answers(double[] point, Response.Bounded.Visitor visitor) {
            int n = w.length;
            double[] costs = Arrays.copyOf(world.costs(), n + 1);
            double[] weights = Arrays.copyOf(w, n + 1);
            costs[n] = 1;
            weights[n] = constant;
            double all = constant * constant;
            for (int k = 0; k < moves.length; k++) {
                int j = telling.get(k);
                costs[j] = Double.isNaN(point[2 + k]) ? costs[j] : point[2 + k];
                all += w[j] * w[j] / costs[j];
            }
            var person = new Response.Bounded(weights, all, costs, bounds.first(n + 1), null);
            for (int i = 0; i < gap.length; i++) {
                for (int j = 0; j < n; j++) {
                    person.features()[j] = before.get(i, j);
                }
                visitor.visit(i, person.answer(p[i], p[i] + gap[i], point[1]));
            }
        }

        /** Returns t, gamma and the relative costs, with person i counted counts[i] times. */
        private double[] statistics(int[] counts) {
            return free == null ? ofAll(counts) : ofFreeMoves(counts);
        }

        /** Returns the statistics without limits, with person i counted counts[i] times. */
        private double[] ofAll(int[] counts) {
            double squares = 0;
            double closed = 0;
            for (int i = 0; i < gap.length; i++) {
                squares += counts[i] * gap[i] * gap[i];
                closed += counts[i] * gap[i] * change[i];
            }
            double[] result = new double[2 + moves.length];
            double t = noGap() || visible == 0 ? Double.NaN : closed / squares / visible;
            result[0] = t;
            result[1] = Response.gamma(omega, t);
            for (int k = 0; k < moves.length; k++) {
                double slope = 0;
                for (int i = 0; i < gap.length; i++) {
                    slope += counts[i] * gap[i] * moves[k][i];
                }
                double cost = t * w[telling.get(k)] * squares / (omega * slope);
                result[2 + k] = t > 0 && cost > 0 && Double.isFinite(cost) ? cost : Double.NaN;
            }
            return result;
        }

        /**
         * Returns the same statistics from free moves: with u = sum_j w_j^2/(gamma c_j) over the features with enough
         * free moves, gamma = sum_j w_j^2/c_j / u, apart from the constant term.
         */
        private double[] ofFreeMoves(int[] counts) {
            double[] result = new double[2 + moves.length];
            Arrays.fill(result, Double.NaN);
            double[] ratio = new double[moves.length];
            double u = 0;
            double identified = 0;
            double[] costs = world.costs();
            boolean beyond = false;
            known = new boolean[moves.length];
            double most = IntStream.range(0, gap.length)
                    .filter(this::pushed)
                    .mapToDouble(i -> gap[i] * gap[i])
                    .sum();
            for (int k = 0; k < moves.length; k++) {
                double gaps = 0;
                double slope = 0;
                double left = 0;
                for (int i = 0; i < gap.length; i++) {
                    if (free[k][i]) {
                        gaps += gap[i] * gap[i];
                        slope += counts[i] * gap[i] * moves[k][i];
                        left += counts[i] * gap[i] * open[i];
                    }
                }
                int j = telling.get(k);
                known[k] = gaps > FEWEST * most;
                if (known[k]) {
                    ratio[k] = slope / left;
                    u += w[j] * ratio[k];
                    identified += w[j] * w[j] / costs[j];
                    beyond |= left <= 0;
                }
            }
            if (identified == 0 || noGap() || Double.isNaN(u)) {
                return result;
            }
            double extrapolated = u * shown / identified;
            double t = (beyond ? 1 : extrapolated > 0 ? extrapolated / (1 + extrapolated) : extrapolated) / visible;
            result[0] = t;
            result[1] = Response.gamma(omega, t);
            for (int k = 0; k < moves.length; k++) {
                double cost = w[telling.get(k)] / (ratio[k] * (result[1] + constant * constant));
                result[2 + k] = known[k] && t > 0 && cost > 0 && Double.isFinite(cost) ? cost : Double.NaN;
            }
            return result;
        }

        private boolean noGap() {
            double gaps = 0;
            double sizes = 0;
            for (int i = 0; i < gap.length; i++) {
                gaps = Math.max(gaps, Math.abs(gap[i]));
                sizes = Math.max(sizes, Math.abs(p[i]));
            }
            return gaps <= NO_GAP * sizes || gaps == 0;
        }

        /** Returns the share of the squared change of predictions that the moves of the game explain. */
        private double explained(double[] point) {
            double[] expected = new double[gap.length];
            if (free == null) {
                Arrays.setAll(expected, i -> visible * point[0] * gap[i]);
            } else if (point[1] > 0 && !Double.isInfinite(point[1])) {
                answers(point, (i, person) -> {
                    for (int j : telling) {
                        expected[i] += w[j] * person.move(j);
                    }
                });
            }
            double total = 0;
            double left = 0;
            for (int i = 0; i < gap.length; i++) {
                total += change[i] * change[i];
                double rest = change[i] - expected[i];
                left += rest * rest;
            }
            return total == 0 ? 0 : Math.max(0, 1 - left / total);
        }

        private boolean moved(int i) {
            return Math.abs(change[i]) > NO_GAP * (Math.abs(p[i]) + Math.abs(gap[i]));
        }

        /** Counts how people moved. */
        private Behaviour behaviour() {
            int moved = 0;
            int against = 0;
            int satisfied = 0;
            for (int i = 0; i < gap.length; i++) {
                moved += moved(i) ? 1 : 0;
                against += moved(i) && gap[i] * change[i] < 0 ? 1 : 0;
                satisfied += satisfied(i) ? 1 : 0;
            }
            List<Limited> limits = new ArrayList<>();
            for (int k = 0; bounds != null && k < moves.length; k++) {
                if (low[telling.get(k)] != Double.NEGATIVE_INFINITY
                        || high[telling.get(k)] != Double.POSITIVE_INFINITY) {
                    limits.add(limited(k));
                }
            }
            return new Behaviour(moved, against, satisfied, immovable, limits);
        }

        private Limited limited(int k) {
            int atFloor = 0;
            int atCeiling = 0;
            int left = 0;
            for (int i = 0; i < gap.length; i++) {
                atFloor += pushed(i) && !up(i, k) && atFloor(i, k) ? 1 : 0;
                atCeiling += pushed(i) && up(i, k) && atCeiling(i, k) ? 1 : 0;
                left += free == null || free[k][i] ? 1 : 0;
            }
            return new Limited(columns.get(telling.get(k)).name(), atFloor, atCeiling, left);
        }

        /**
         * Returns warnings about why gamma or a cost is not identified, or whether the moves look unlike those of the
         * game.
         */
        private List<Message> warnings(GammaEstimate estimate) {
            List<Message> warnings = new ArrayList<>();
            double t = estimate.pullThrough().value();
            Resampling.Interval around = estimate.pullThrough().interval();
            if (visible == 0) {
                warnings.add(Message.plain(
                        "nothing-rewarded",
                        "The rule has no coefficient on anything that people can move, so they cannot show what moving"
                                + " costs."));
            } else if (noGap()) {
                warnings.add(Message.plain(
                        "gaps-zero",
                        "Everyone already has the score they want, so no one has a reason to move and gamma cannot be"
                                + " estimated. Maybe the wishes are not those of these people."));
            } else if (Arrays.stream(change).allMatch(c -> c == 0)) {
                warnings.add(Message.plain(
                        "nobody-moved",
                        "No prediction changed, so gamma has no upper bound. Maybe the rule was not in force yet,"
                                + " or both tables are the same."));
            } else if (Double.isNaN(t)) {
                warnings.add(Message.plain(
                        "too-few-free",
                        "The limits leave too few people free to show what moving costs, so gamma cannot be estimated."
                                + " Maybe observe more people, or ones further from the limits."));
            } else if (t <= 0) {
                warnings.add(Message.of(
                        "moved-away",
                        "On the whole people moved away from their wishes (t = {}), so gamma cannot be estimated. Maybe the wishes are "
                                + "wrong, or the features changed for other reasons.",
                        number(t)));
            } else if (t >= 1) {
                warnings.add(Message.of(
                        "moved-too-far",
                        "On the whole people got further than they wished (t = {}), so gamma cannot be estimated. Maybe the wishes are "
                                + "higher than was thought.",
                        number(t)));
            } else if (around.low() <= 0) {
                warnings.add(Message.plain(
                        "moves-too-small",
                        "The moves are too small for an estimate: t may be 0 (nobody moves), so gamma has no upper bound."
                                + " Maybe observe more people, or wait longer."));
            } else if (around.high() >= 1) {
                warnings.add(
                        Message.plain(
                                "gamma-may-be-zero",
                                "t may be 1 (everyone gets the score they want), so gamma may be 0. Maybe observe more people."));
            }
            if (free != null && !Double.isNaN(t)) {
                List<String> unknown = new ArrayList<>();
                for (int k = 0; k < known.length; k++) {
                    if (!known[k]) {
                        unknown.add(columns.get(telling.get(k)).name());
                    }
                }
                if (!unknown.isEmpty()) {
                    warnings.add(Message.of(
                            "column-not-free",
                            "Limits leave too few people free to show what moving costs in {}; gamma is estimated from the other features.",
                            names(unknown)));
                }
            }
            addPiles(warnings);
            addDoubts(estimate, warnings);
            return warnings;
        }

        /** Adds warnings if the moves do not look like those of the game. */
        private void addDoubts(GammaEstimate estimate, List<Message> warnings) {
            if (estimate.identified() && estimate.explained() < LITTLE) {
                warnings.add(Message.plain(
                        "little-explained",
                        String.format(
                                Locale.ROOT,
                                "The gap to the wish explains only %.1f%% of the change in predictions; most of it has other"
                                        + " reasons.",
                                100 * estimate.explained())));
            }
            Behaviour behaviour = estimate.behaviour();
            if (behaviour.against() > MANY_AGAINST * behaviour.moved()) {
                warnings.add(Message.plain(
                        "many-against",
                        String.format(
                                Locale.ROOT,
                                "Of %,d people whose prediction changed, %,d moved away from their wish (%.0f%%), which no one"
                                        + " does in the model. Maybe the wishes are wrong, or the features changed for other reasons.",
                                behaviour.moved(),
                                behaviour.against(),
                                100.0 * behaviour.against() / behaviour.moved())));
            }
            long restless = IntStream.range(0, gap.length)
                    .filter(i -> satisfied(i) && moved(i))
                    .count();
            if (restless > MANY_AGAINST * behaviour.satisfied()) {
                warnings.add(Message.plain(
                        "satisfied-moved",
                        String.format(
                                Locale.ROOT,
                                "Of %,d people whose score is as good as they wish, %,d moved all the same. Maybe people move in"
                                        + " both directions here.",
                                behaviour.satisfied(),
                                restless)));
            }
            if (!immovable.isEmpty()) {
                warnings.add(Message.of(
                        "immutable-changed",
                        "Declared immutable, but changed: {}. What they changed in the predictions counts as a move here.",
                        names(immovable.entrySet().stream()
                                .map(one -> one.getKey() + " (" + one.getValue()
                                        + (one.getValue() == 1 ? " person)" : " people)"))
                                .toList())));
            }
        }

        private static String names(List<String> all) {
            return String.join(", ", all.subList(0, Math.min(10, all.size())))
                    + (all.size() > 10 ? " and " + (all.size() - 10) + " more" : "");
        }

        /**
         * Adds warnings about limits that may be missing from the declaration: many people at the very end of the
         * observed range, where nothing but a limit would stop them.
         */
        private void addPiles(List<Message> warnings) {
            for (int k = 0; k < moves.length; k++) {
                EncodedColumn column = columns.get(telling.get(k));
                boolean still = Arrays.stream(moves[k]).allMatch(move -> move == 0);
                // an indicator of a level has no limits
                if (column.level() == null && !still) {
                    addPile(k, column, true, warnings);
                    addPile(k, column, false, warnings);
                }
            }
        }

        /** Adds a warning if many people end at the very end of the observed range of one column. */
        private void addPile(int k, EncodedColumn column, boolean floor, List<Message> warnings) {
            int j = telling.get(k);
            double[] ends = after.column(j);
            double end =
                    (floor ? Arrays.stream(ends).min() : Arrays.stream(ends).max()).orElse(Double.NaN);
            int there = 0;
            int wanted = 0;
            for (int i = 0; i < gap.length; i++) {
                boolean sent = pushed(i) && up(i, k) != floor;
                // people at a declared limit are known to be stopped
                boolean declared = bounds != null && (floor ? atFloor(i, k) : atCeiling(i, k));
                wanted += sent ? 1 : 0;
                there += sent && !declared && Math.abs(ends[i] - end) <= NO_GAP * Math.max(1, Math.abs(end)) ? 1 : 0;
            }
            if (there >= SMALLEST_PILE && there >= PILE * wanted) {
                // encoding and decoding changes the last digits
                String value = BigDecimal.valueOf(column.shift())
                        .add(BigDecimal.valueOf(column.scale() * end))
                        .setScale(9 - (int) Math.floor(Math.log10(column.scale())), RoundingMode.HALF_EVEN)
                        .stripTrailingZeros()
                        .toPlainString();
                warnings.add(Message.of(
                        "limit-undeclared",
                        "{} Maybe declare it with {}.",
                        String.format(
                                Locale.ROOT,
                                "Of %,d people whom the rule pushes %s in '%s', %,d ended at exactly %s, and no one beyond. That"
                                        + " looks like a %s that is not declared, where people would otherwise have moved further, so the"
                                        + " estimate of gamma is not reliable.",
                                wanted,
                                floor ? "down" : "up",
                                column.name(),
                                there,
                                value,
                                floor ? "floor" : "ceiling"),
                        Message.Choice.text("limit", column.name() + (floor ? ">=" : "<=") + value)));
            }
        }

        private static String number(double value) {
            return String.format(Locale.ROOT, "%.4g", value);
        }
    }
}
