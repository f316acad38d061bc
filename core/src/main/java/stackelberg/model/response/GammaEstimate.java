package stackelberg.model.response;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import stackelberg.data.EncodedColumn;
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
 * @param people how many there are
 * @param pullThrough t
 * @param gamma at the costs of the world; infinite if nobody moves towards its wish, 0 if everybody gets all of it
 * @param explained the share of the squared change of predictions that the gap to the wish explains
 * @param costs per feature that people can move and that counts in the rule, in encoded units and on the scale of the world's costs; not a number
 *     where people moved the feature the wrong way or not at all
 * @param immovable names of immutable columns that changed all the same
 * @param warnings what a user should know
 */
public record GammaEstimate(
        int people,
        Bootstrap.Estimate pullThrough,
        Bootstrap.Estimate gamma,
        double explained,
        Map<String, Bootstrap.Estimate> costs,
        List<String> immovable,
        List<String> warnings) {
    /** Gaps to the wish this small against the predictions leave nothing to regress on. */
    private static final double NO_GAP = 1e-9;

    public GammaEstimate {
        costs = Collections.unmodifiableMap(new LinkedHashMap<>(costs));
        immovable = List.copyOf(immovable);
        warnings = List.copyOf(warnings);
    }

    /** Whether the data tell gamma: it is positive and finite, and so is its interval. */
    public boolean identified() {
        return gamma.value() > 0
                && Double.isFinite(gamma.value())
                && gamma.interval().low() > 0
                && Double.isFinite(gamma.interval().high());
    }

    private GammaEstimate withWarnings(List<String> newWarnings) {
        return new GammaEstimate(people, pullThrough, gamma, explained, costs, immovable, newWarnings);
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
        private final double[] w;
        private final double omega;
        /** The part of the pull-through that columns show: below 1 only where people move the constant term too; 0 if there are no columns. */
        private final double visible;

        private final double[] gap;
        private final double[] change;
        private final double[] p;
        /** Columns whose relative cost can show: manipulable, with a coefficient. */
        private final List<Integer> telling = new ArrayList<>();

        private final double[][] moves;
        private final List<String> immovable = new ArrayList<>();

        Estimator(World world, PublishedRule rule, DenseMatrix before, DenseMatrix after, double[] wishes) {
            if (before.rows() != after.rows() || before.rows() != wishes.length) {
                throw new IllegalArgumentException("There are " + before.rows() + " people before, " + after.rows()
                        + " after and " + wishes.length + " wishes; they must be the same people.");
            }
            this.world = world;
            columns = world.encoding().columns();
            omega = world.omega(rule);
            p = rule.predict(world.encoding(), before);
            double[] pAfter = rule.predict(world.encoding(), after);
            gap = new double[p.length];
            change = new double[p.length];
            for (int i = 0; i < gap.length; i++) {
                gap[i] = wishes[i] - p[i];
                change[i] = pAfter[i] - p[i];
            }
            w = new double[columns.size()];
            for (int j = 0; j < w.length; j++) {
                w[j] = rule.coefficient(columns.get(j)) * columns.get(j).scale();
                if (world.manipulable(j) && w[j] != 0) {
                    telling.add(j);
                } else if (!world.manipulable(j) && differs(before, after, j)) {
                    immovable.add(columns.get(j).name());
                }
            }
            double shown = 0;
            for (int j : telling) {
                shown += w[j] * w[j] / world.costs()[j];
            }
            visible = shown == 0 ? 0 : shown / omega;
            moves = new double[telling.size()][p.length];
            for (int k = 0; k < moves.length; k++) {
                for (int i = 0; i < p.length; i++) {
                    moves[k][i] = after.get(i, telling.get(k)) - before.get(i, telling.get(k));
                }
            }
        }

        private static boolean differs(DenseMatrix before, DenseMatrix after, int j) {
            for (int i = 0; i < before.rows(); i++) {
                if (Math.abs(before.get(i, j) - after.get(i, j)) > 1e-9) {
                    return true;
                }
            }
            return false;
        }

        GammaEstimate estimate(Bootstrap bootstrap) {
            int[] once = new int[p.length];
            Arrays.fill(once, 1);
            double[] point = statistics(once);
            Bootstrap.Interval[] intervals = bootstrap.intervals(p.length, this::statistics);
            IntFunction<Bootstrap.Estimate> estimates = k -> new Bootstrap.Estimate(point[k], intervals[k]);
            Map<String, Bootstrap.Estimate> costs = new LinkedHashMap<>();
            for (int k = 0; k < telling.size(); k++) {
                costs.put(columns.get(telling.get(k)).name(), estimates.apply(2 + k));
            }
            GammaEstimate estimate = new GammaEstimate(
                    p.length, estimates.apply(0), estimates.apply(1), explained(point[0]), costs, immovable, List.of());
            return estimate.withWarnings(warnings(estimate));
        }

        /** t, gamma, and the relative costs, with person i counted counts[i] times. */
        private double[] statistics(int[] counts) {
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

        private boolean noGap() {
            double gaps = 0;
            double sizes = 0;
            for (int i = 0; i < gap.length; i++) {
                gaps = Math.max(gaps, Math.abs(gap[i]));
                sizes = Math.max(sizes, Math.abs(p[i]));
            }
            return gaps <= NO_GAP * sizes || gaps == 0;
        }

        private double explained(double t) {
            double total = 0;
            double left = 0;
            for (int i = 0; i < gap.length; i++) {
                total += change[i] * change[i];
                double rest = change[i] - visible * t * gap[i];
                left += rest * rest;
            }
            return total == 0 ? 0 : Math.max(0, 1 - left / total);
        }

        private List<String> warnings(GammaEstimate estimate) {
            List<String> warnings = new ArrayList<>();
            double t = estimate.pullThrough().value();
            Bootstrap.Interval around = estimate.pullThrough().interval();
            if (visible == 0) {
                warnings.add("The rule does not count anything that people can move, so they cannot show what moving"
                        + " costs.");
            } else if (noGap()) {
                warnings.add("Everybody is predicted what it wishes, so nobody has a reason to move and gamma cannot be"
                        + " told. Maybe the wishes are not those of these people.");
            } else if (Arrays.stream(change).allMatch(c -> c == 0)) {
                warnings.add(
                        "Nobody's prediction changed, so gamma has no upper bound. Maybe the rule was not in force yet,"
                                + " or both tables are the same.");
            } else if (t <= 0) {
                warnings.add("On the whole people moved away from their wishes (t = "
                        + number(t)
                        + "), so gamma cannot be told. Maybe the wishes are wrong, or the features changed for other"
                        + " reasons.");
            } else if (t >= 1) {
                warnings.add("On the whole people got further than they wished (t = " + number(t)
                        + "), so gamma cannot be told. Maybe the wishes are higher than was thought.");
            } else if (around.low() <= 0) {
                warnings.add("The moves are too small to tell: t may be 0 (nobody moves), so gamma has no upper bound."
                        + " Maybe observe more people, or wait longer.");
            } else if (around.high() >= 1) {
                warnings.add("t may be 1 (everybody gets its wish), so gamma may be 0. Maybe observe more people.");
            }
            if (estimate.identified() && estimate.explained() < 0.1) {
                warnings.add(String.format(
                        Locale.ROOT,
                        "The gap to the wish explains only %.1f%% of the change in predictions; most of it has other"
                                + " reasons.",
                        100 * estimate.explained()));
            }
            if (!immovable.isEmpty()) {
                warnings.add("Declared immutable, but changed: "
                        + String.join(", ", immovable.subList(0, Math.min(10, immovable.size())))
                        + (immovable.size() > 10 ? " and " + (immovable.size() - 10) + " more" : "")
                        + ". What they changed in the predictions counts as a move here.");
            }
            return warnings;
        }

        private static String number(double value) {
            return String.format(Locale.ROOT, "%.4g", value);
        }
    }
}
