package stackelberg.cli.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import stackelberg.data.Encoding.EncodedColumn;
import stackelberg.model.StackelbergModel;

/** Chooses the gammas, columns, people and digits that a page shows, so that it stays small. */
public final class Sampling {
    /** The maximum number of points in a scatter plot. */
    private static final int MOST_PEOPLE = 300;

    /** The maximum number of columns on the page; the loss includes all. */
    private static final int MOST_FEATURES = 2000;

    /** The size limit of the path's data: a page has at most 3 MB, of which the chart library takes 1 MB. */
    private static final int PATH_BYTES = 1_500_000;

    /** A coefficient with all its digits, and a move with six. */
    private static final int BYTES_PER_FEATURE = 30;

    private static final int BYTES_PER_PERSON = 9;

    /** The number of losses (people times rules times worlds) that can be computed in a moment. */
    private static final double MOST_LOSSES = 1e8;

    private Sampling() {}

    /** The number of gammas for which the page can be computed in reasonable time, if every rule is evaluated at every gamma on this many people. */
    static int mostWorlds(int people) {
        return (int) Math.max(3, Math.sqrt(MOST_LOSSES / Math.max(1, people)));
    }

    /** The number of gammas that fit on a page with this many columns: wide data get a coarser slider instead of a slow page. */
    public static int mostPoints(int columns) {
        int perPoint = BYTES_PER_FEATURE * Math.min(columns, MOST_FEATURES) + BYTES_PER_PERSON * MOST_PEOPLE + 400;
        return Math.max(3, PATH_BYTES / perPoint);
    }

    /** The columns with the largest scaled coefficient at any gamma, in their order. */
    static int[] columns(List<StackelbergModel> path) {
        List<EncodedColumn> columns = path.get(0).encoding().columns();
        double[] effects = new double[columns.size()];
        for (StackelbergModel at : path) {
            for (int j = 0; j < effects.length && at.optimality().finite(); j++) {
                effects[j] = Math.max(
                        effects[j],
                        Math.abs(
                                at.terms().get(j).coefficient() * columns.get(j).scale()));
            }
        }
        return IntStream.range(0, effects.length)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer j) -> -effects[j]))
                .limit(MOST_FEATURES)
                .sorted()
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /** The indices of the people to show, which depend only on the number of people. */
    static int[] people(int count) {
        int[] order = IntStream.range(0, count).toArray();
        if (count <= MOST_PEOPLE) {
            return order;
        }
        Random random = new Random(count);
        for (int i = 0; i < MOST_PEOPLE; i++) {
            int j = i + random.nextInt(count - i);
            int swap = order[i];
            order[i] = order[j];
            order[j] = swap;
        }
        int[] sample = Arrays.copyOf(order, MOST_PEOPLE);
        Arrays.sort(sample);
        return sample;
    }

    /** At most this many evenly spaced indices from 0 to count - 1, always with both ends and those given. */
    static int[] evenly(int count, int most, int... always) {
        if (count <= most) {
            return IntStream.range(0, count).toArray();
        }
        int spread = most - always.length;
        return IntStream.concat(
                        IntStream.range(0, spread).map(k -> (int) Math.round((double) k * (count - 1) / (spread - 1))),
                        IntStream.of(always))
                .sorted()
                .distinct()
                .toArray();
    }

    static double[] some(double[] values, int[] indices) {
        return IntStream.of(indices).mapToDouble(i -> values[i]).toArray();
    }

    /** The number rounded to six digits, as many as a chart can show. */
    static double sixDigits(double value) {
        return Double.isFinite(value)
                ? new BigDecimal(value).round(new MathContext(6)).doubleValue()
                : value;
    }

    static double[] sixDigits(double[] values) {
        return Arrays.stream(values).map(Sampling::sixDigits).toArray();
    }
}
