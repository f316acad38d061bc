package stackelberg.game;

import java.nio.DoubleBuffer;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import stackelberg.data.Encoding;
import stackelberg.data.Encoding.EncodedColumn;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;

/**
 * Counts the rows whose best response takes at least one feature outside the range seen in training.
 *
 * <p>Without declared limits the model allows moves of any length, so a rule can predict moves for which there is no
 * evidence in the data. The count is printed as a warning. It is taken while predictions are computed, because the
 * features are in the cache then.
 */
final class OutOfRange implements Sample.RangeCounter {
    /** Values copied at a time, 32 kB per thread, so that they stay in the first-level cache. */
    private static final int BLOCK = 1 << 12;

    /**
     * Columns checked at a time in a wide matrix: a row that leaves the range usually does so in one of the first
     * columns.
     */
    private static final int STRIP = 512;

    /**
     * Larger matrices (rows times columns, zeros of sparse ones included) are not checked: 5e8 comparisons take about a
     * second.
     */
    private static final long MAX_CHECKED = 500_000_000;

    private final Matrix columns;
    private final double[] z;
    /** The move of each column for a gap of one between wish and prediction, in the units of the matrix. */
    private final double[] perGap;

    /**
     * The training range of each column in the units of the matrix; infinite where the range is not known or the column
     * is not moved.
     */
    private final double[] low;

    private final double[] high;
    private final AtomicInteger counted = new AtomicInteger();

    /** Computes the move per unit of the gap and the training range of every column, in the units of the matrix. */
    private OutOfRange(Sample sample, PublishedRule rule) {
        World world = sample.world();
        columns = sample.columns();
        z = sample.shared().z();
        perGap = new double[columns.cols()];
        low = new double[columns.cols()];
        high = new double[columns.cols()];
        double[] direction = world.direction(rule);
        double resistance = Response.of(world.omega(rule), world.gamma()).resistance();
        int j = 0;
        for (Encoding.Feature feature : world.encoding().features()) {
            Encoding.Feature.@Nullable Range reach = feature.reach();
            for (EncodedColumn column : feature.columns()) {
                low[j] = Double.NEGATIVE_INFINITY;
                high[j] = Double.POSITIVE_INFINITY;
                if (reach != null && world.manipulable(j) && direction[j] != 0) {
                    double shift = sample.isBlock() ? 0 : column.shift();
                    double scale = sample.isBlock() ? 1 : column.scale();
                    double rounding = reach.rounding();
                    perGap[j] = direction[j] / resistance / scale;
                    low[j] = (reach.min() - rounding - shift) / scale;
                    high[j] = (reach.max() + rounding - shift) / scale;
                }
                j++;
            }
        }
    }

    /**
     * A counter for the moves under a rule; empty for a matrix that is too large, or under limits, where moves have no
     * closed form.
     */
    static Optional<Sample.RangeCounter> counter(Sample sample, PublishedRule rule) {
        Matrix x = sample.columns();
        boolean large = sample.isBlock() && (long) x.rows() * x.cols() > MAX_CHECKED;
        return large || sample.spec().mixed() || sample.world().bounded(rule).isPresent()
                ? Optional.empty()
                : Optional.of(new OutOfRange(sample, rule));
    }

    /**
     * The number of rows with at least one feature that ends outside its range if every row moves at the world's gamma;
     * empty for a matrix that is too large.
     */
    static OptionalInt count(Sample sample, PublishedRule rule, Workers workers) {
        World world = sample.world();
        if (sample.spec().mixed()) {
            return OptionalInt.empty();
        }
        Optional<Supplier<Response.Bounded>> bounded = world.bounded(rule);
        if (bounded.isPresent()) {
            return (long) sample.size() * world.manipulable() > MAX_CHECKED
                    ? OptionalInt.empty()
                    : OptionalInt.of(limited(sample, rule, bounded.get(), workers));
        }
        return counter(sample, rule)
                .map(counter -> {
                    sample.predictions(rule, counter, workers);
                    return OptionalInt.of(counter.count());
                })
                .orElse(OptionalInt.empty());
    }

    /** Counts these rows under declared limits. */
    private static int limited(Sample sample, PublishedRule rule, Supplier<Response.Bounded> bounded, Workers workers) {
        World world = sample.world();
        double[] p = sample.predictions(rule, workers);
        double[] z = sample.shared().z();
        int[] movable = world.movable();
        Encoding.Feature.Range[] all = world.encoding().features().stream()
                .flatMap(f -> f.columns().stream().map(column -> Optional.ofNullable(f.reach())))
                .map(range -> range.orElse(null))
                .toArray(Encoding.Feature.Range[]::new);
        AtomicInteger out = new AtomicInteger();
        Response.Bounded.each(p.length, world.features(sample.rows()), bounded, workers, (i, person) -> {
            person.answer(p[i], z[i], world.gamma());
            double[] x = person.features();
            boolean leaves = false;
            for (int k = 0; k < movable.length && !leaves; k++) {
                Encoding.Feature.Range range = all[movable[k]];
                leaves = range != null && range.isLeft(x[k], x[k] + person.move(k));
            }
            out.addAndGet(leaves ? 1 : 0);
        });
        return out.get();
    }

    @Override
    public int count() {
        return counted.get();
    }

    @Override
    public PredictionGame.PredictionObserver get() {
        int n = columns.cols();
        int width = Math.max(1, Math.min(n, STRIP));
        // of a narrow matrix, many whole rows are copied at a time
        int height = width < n ? 1 : Math.max(1, BLOCK / width);
        double[] values = new double[height * width];
        DoubleBuffer target = DoubleBuffer.wrap(values);
        return (first, count, p) -> {
            int leaving = 0;
            for (int row = first; row < first + count; row += height) {
                int some = Math.min(height, first + count - row);
                boolean left = false;
                for (int from = 0; from < n && !left; from += width) {
                    int wide = Math.min(width, n - from);
                    columns.tile(row, some, from, wide, target);
                    for (int i = 0; i < some; i++) {
                        double gap = z[row + i] - p[row + i];
                        left = mayLeave(values, i * wide, from, wide, gap, perGap, low, high)
                                && leaves(values, i * wide, from, wide, gap, perGap, low, high);
                        leaving += left ? 1 : 0;
                    }
                }
            }
            counted.addAndGet(leaving);
        };
    }

    /**
     * Whether any of these features ends outside its range, whether or not it was inside before: a fast first test.
     *
     * <p>The sign bits of the distances to both ends are combined without branches, two columns per step, so that the
     * loop runs at the speed of memory.
     */
    private static boolean mayLeave(
            double[] values, int at, int from, int count, double gap, double[] perGap, double[] low, double[] high) {
        long signs = 0;
        int k = 0;
        for (; k < count - 1; k += 2) {
            double after = values[at + k] + gap * perGap[from + k];
            double next = values[at + k + 1] + gap * perGap[from + k + 1];
            signs |= Double.doubleToRawLongBits(after - low[from + k])
                    | Double.doubleToRawLongBits(high[from + k] - after)
                    | Double.doubleToRawLongBits(next - low[from + k + 1])
                    | Double.doubleToRawLongBits(high[from + k + 1] - next);
        }
        for (; k < count; k++) {
            double after = values[at + k] + gap * perGap[from + k];
            signs |= Double.doubleToRawLongBits(after - low[from + k])
                    | Double.doubleToRawLongBits(high[from + k] - after);
        }
        return signs < 0;
    }

    /**
     * Whether any of these features was inside its range and ends outside: a row that was outside before is not
     * counted.
     */
    private static boolean leaves(
            double[] values, int at, int from, int count, double gap, double[] perGap, double[] low, double[] high) {
        for (int k = 0; k < count; k++) {
            int j = from + k;
            double before = values[at + k];
            double after = before + gap * perGap[j];
            if ((after < low[j] || after > high[j]) && before >= low[j] && before <= high[j]) {
                return true;
            }
        }
        return false;
    }
}
