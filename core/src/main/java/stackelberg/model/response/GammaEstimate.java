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
 * gamma and relative costs as people showed them: t = sum (p_i* - p_i)(z_i - p_i) / sum (z_i - p_i)^2 from their features before and after a
 * published rule was in force, gamma = omega (1 - t)/t, and c_j = t w_j / (omega b_j), with b_j the slope of (x_ij* - x_ij) on (z_i - p_i).
 *
 * <p>Only gamma C is identified. The scale of the costs is that of the world's: omega is the same for both, and therefore gamma too, whichever
 * of the costs one believes. (A mean of 1 would let the one feature that hardly moves, whose cost is mostly noise, blur all others.)
 *
 * <p>A constant term that people can move is part of their answer but not of what is seen of it, so that t is larger than its visible part by
 * omega over the part of omega that the columns have.
 *
 * <p>Who is stopped by a limit would have gone further. Where limits stop people, only moves that they leave free tell: x_ij* - x_ij = v_i w_j/(gamma c_j), with
 * v_i = z_i - p_i* what is still open, whatever stopped the other features of the same person. 1/(gamma c_j) is then the ratio of the sums of gap times move and
 * gap times w_j v_i over the people whom the limits of feature j leave free. Who these are is not read from where they ended, which would select by the noise of
 * their moves, but from where the game sends them: far enough from the limit that their own noise does not carry them there. Features that are not free are in
 * v_i where the game sends them, because a floor cuts noise off on one side.
 *
 * @param people how many there are
 * @param pullThrough t
 * @param gamma at the costs of the world; infinite if nobody moves towards its wish, 0 if everybody gets all of it
 * @param explained the share of the squared change of predictions that the gap to the wish explains, and the limits
 * @param costs per feature that people can move and that counts in the rule, in encoded units and on the scale of the world's costs; not a number
 *     where people moved the feature the wrong way or not at all, or where its limits leave too few free
 * @param behaviour how people moved, and whether that looks like the game
 * @param warnings what a user should know
 */
public record GammaEstimate(
        int people,
        Resampling.Estimate pullThrough,
        Resampling.Estimate gamma,
        double explained,
        Map<String, Resampling.Estimate> costs,
        Behaviour behaviour,
        List<Message> warnings) {
    /** Gaps to the wish this small against the predictions leave nothing to regress on. */
    private static final double NO_GAP = 1e-9;

    /** In encoded units: data files round. */
    private static final double AT_LIMIT = 1e-6;

    /** How far from its limit a move must end to tell, in standard deviations of what the game does not explain of moves. */
    private static final double FREE = 3;

    /** A feature that limits leave to fewer, by their squared gaps, tells nothing of its cost. */
    private static final double FEWEST = 0.05;

    /** The gap explains less of the moves than this where they have other reasons. */
    private static final double LITTLE = 0.1;

    /** More people than this against their wish are no accident: it is half of them where moves have nothing to do with wishes. */
    private static final double MANY_AGAINST = 0.25;

    /** As many people at the very end of what is seen are no accident. */
    private static final double PILE = 0.05;

    private static final int SMALLEST_PILE = 10;

    /** Of the search of who is stopped, which ends by itself after a few. */
    private static final int ROUNDS = 100;

    /** The change of gamma, relative to it, at which that search ends. */
    private static final double SETTLED = 1e-9;

    /**
     * How people moved, and whether that looks like the game.
     *
     * @param moved people whose prediction changed
     * @param against people whose prediction moved away from their wish
     * @param satisfied people whose score is as good as they wish and who want to move it in the other direction only: they are left out
     * @param immovable how many people changed which immutable column
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
     * Who is stopped by the limits of a feature.
     *
     * @param atFloor people whom the rule pushes down and who ended at the least value that they can have, or below it
     * @param atCeiling people whom it pushes up and who ended at the largest
     * @param free people whose moves of it tell what moving costs
     */
    public record Limited(String feature, int atFloor, int atCeiling, int free) {}

    public GammaEstimate {
        costs = Collections.unmodifiableMap(new LinkedHashMap<>(costs));
        warnings = List.copyOf(warnings);
    }

    /** Whether the data tell gamma: it is positive and finite, and so is its interval. */
    public boolean identified() {
        return gamma.value() > 0
                && Double.isFinite(gamma.value())
                && gamma.interval().low() > 0
                && Double.isFinite(gamma.interval().high());
    }

    /** Names of immutable columns that changed all the same. */
    public List<String> immovable() {
        return List.copyOf(behaviour.immovable.keySet());
    }

    private GammaEstimate withWarnings(List<Message> newWarnings) {
        return new GammaEstimate(people, pullThrough, gamma, explained, costs, behaviour, newWarnings);
    }

    /**
     * From the encoded features of the same people in the same order.
     *
     * @param before encoded in the world's encoding
     * @param after the same people later
     * @param wishes what they wished when they saw the rule
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

    /** The sums that everything is made of, so that a bootstrap replicate is one pass over them. */
    private static final class Estimator {
        private final World world;
        private final List<EncodedColumn> columns;
        private final DenseMatrix before;
        private final DenseMatrix after;
        private final double[] w;
        private final double omega;
        /** The constant term, where people can move it; else 0. */
        private final double constant;
        /** The part of omega that columns have. */
        private final double shown;
        /** The part of the pull-through that columns show: below 1 only where people move the constant term too; 0 if there are no columns. */
        private final double visible;

        private final double[] gap;
        private final double[] change;
        private final double[] p;
        /** Columns whose relative cost can show: manipulable, with a coefficient. */
        private final List<Integer> telling = new ArrayList<>();

        private final double[][] moves;
        private final Map<String, Integer> immovable = new LinkedHashMap<>();

        private final Response.Bounds bounds;
        private final double[] low;
        private final double[] high;
        /** By telling column and person, whose moves tell; null where all do. */
        private boolean[][] free;
        /** v_i, what is open after the move, the features that a limit does not leave free being where the game sends them. */
        private double[] open;
        /** By telling column, whether it is left to enough people. */
        private boolean[] known;

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

        /** The statistics once it is settled whom the limits leave free, which the statistics tell. */
        private double[] limited(int[] once) {
            boolean[][] next = notSeenStopped();
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
                // where those who were not seen to stop tell nothing, what is declared tells who stops
                next = sentFree(tells ? point : declared());
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

        /** Whether the rule gives somebody a reason to move. */
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

        /** A first guess: whoever did not end at the limit that it was pushed to. */
        private boolean[][] notSeenStopped() {
            boolean[][] who = new boolean[moves.length][gap.length];
            for (int k = 0; k < who.length; k++) {
                for (int i = 0; i < gap.length; i++) {
                    who[k][i] = !satisfied(i) && !(gap[i] != 0 && (up(i, k) ? atCeiling(i, k) : atFloor(i, k)));
                }
            }
            return who;
        }

        /** Whom the game sends to a place that is free of limits, in features that limits stop anybody in. */
        private boolean[][] sentFree(double[] point) {
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

        /** Everybody's answer at these statistics, one after the other. */
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

        /** t, gamma, and the relative costs, with person i counted counts[i] times. */
        private double[] statistics(int[] counts) {
            return free == null ? ofAll(counts) : ofTheFree(counts);
        }

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

        /** The same from free moves: with u = sum_j w_j^2/(gamma c_j) over the known features, gamma = sum_j w_j^2/c_j / u but for the constant term. */
        private double[] ofTheFree(int[] counts) {
            double[] result = new double[2 + moves.length];
            Arrays.fill(result, Double.NaN);
            double[] ratio = new double[moves.length];
            double u = 0;
            double told = 0;
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
                    told += w[j] * w[j] / costs[j];
                    beyond |= left <= 0;
                }
            }
            if (told == 0 || noGap() || Double.isNaN(u)) {
                return result;
            }
            double extrapolated = u * shown / told;
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

        private List<Message> warnings(GammaEstimate estimate) {
            List<Message> warnings = new ArrayList<>();
            double t = estimate.pullThrough().value();
            Resampling.Interval around = estimate.pullThrough().interval();
            if (visible == 0) {
                warnings.add(Message.plain(
                        "nothing-rewarded",
                        "The rule does not count anything that people can move, so they cannot show what moving"
                                + " costs."));
            } else if (noGap()) {
                warnings.add(Message.plain(
                        "gaps-zero",
                        "Everybody is predicted what it wishes, so nobody has a reason to move and gamma cannot be"
                                + " told. Maybe the wishes are not those of these people."));
            } else if (Arrays.stream(change).allMatch(c -> c == 0)) {
                warnings.add(Message.plain(
                        "nobody-moved",
                        "Nobody's prediction changed, so gamma has no upper bound. Maybe the rule was not in force yet,"
                                + " or both tables are the same."));
            } else if (Double.isNaN(t)) {
                warnings.add(Message.plain(
                        "too-few-free",
                        "The limits leave too few people free to show what moving costs, so gamma cannot be told."
                                + " Maybe observe more people, or ones further from the limits."));
            } else if (t <= 0) {
                warnings.add(Message.of(
                        "moved-away",
                        "On the whole people moved away from their wishes (t = {}), so gamma cannot be told. Maybe the wishes are "
                                + "wrong, or the features changed for other reasons.",
                        number(t)));
            } else if (t >= 1) {
                warnings.add(Message.of(
                        "moved-too-far",
                        "On the whole people got further than they wished (t = {}), so gamma cannot be told. Maybe the wishes are "
                                + "higher than was thought.",
                        number(t)));
            } else if (around.low() <= 0) {
                warnings.add(Message.plain(
                        "moves-too-small",
                        "The moves are too small to tell: t may be 0 (nobody moves), so gamma has no upper bound."
                                + " Maybe observe more people, or wait longer."));
            } else if (around.high() >= 1) {
                warnings.add(Message.plain(
                        "gamma-may-be-zero",
                        "t may be 1 (everybody gets its wish), so gamma may be 0. Maybe observe more people."));
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
                            "Limits leave too few people free to tell what moving costs in {}; gamma is told by the other features.",
                            names(unknown)));
                }
            }
            addPiles(warnings);
            addDoubts(estimate, warnings);
            return warnings;
        }

        /** Warns where moves do not look like those of the game. */
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
                                "Of %,d people whose prediction changed, %,d moved away from their wish (%.0f%%), which nobody"
                                        + " does in the game. Maybe the wishes are wrong, or the features changed for other reasons.",
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

        /** Warns of limits that nobody declared: many people at the very end of what is seen, where nothing but a limit would hold them. */
        private void addPiles(List<Message> warnings) {
            for (int k = 0; k < moves.length; k++) {
                EncodedColumn column = columns.get(telling.get(k));
                boolean still = Arrays.stream(moves[k]).allMatch(move -> move == 0);
                // a level is there or not
                if (column.level() == null && !still) {
                    addPile(k, column, true, warnings);
                    addPile(k, column, false, warnings);
                }
            }
        }

        private void addPile(int k, EncodedColumn column, boolean floor, List<Message> warnings) {
            int j = telling.get(k);
            double[] ends = after.column(j);
            double end =
                    (floor ? Arrays.stream(ends).min() : Arrays.stream(ends).max()).orElse(Double.NaN);
            int there = 0;
            int wanted = 0;
            for (int i = 0; i < gap.length; i++) {
                boolean sent = pushed(i) && up(i, k) != floor;
                // who is at a limit that is declared is known to be
                boolean declared = bounds != null && (floor ? atFloor(i, k) : atCeiling(i, k));
                wanted += sent ? 1 : 0;
                there += sent && !declared && Math.abs(ends[i] - end) <= NO_GAP * Math.max(1, Math.abs(end)) ? 1 : 0;
            }
            if (there >= SMALLEST_PILE && there >= PILE * wanted) {
                // encoded and back: the last digits are rounding
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
                                "Of %,d people whom the rule pushes %s in '%s', %,d ended at exactly %s, and nobody beyond: that"
                                        + " looks like a %s, at which they would not have stopped by themselves, and gamma is not to"
                                        + " be trusted.",
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
