package stackelberg.game;

import java.nio.DoubleBuffer;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import stackelberg.data.Encoding;
import stackelberg.data.Encoding.EncodedColumn;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;

/** How many people a rule takes where nobody was seen in training: where no limits are declared, moves know no bounds. */
final class OutOfRange implements Sample.Leaving {
    /** Values of a block of rows, 32 kB: every part of the people has one. */
    private static final int BLOCK = 1 << 12;

    /** Columns that are looked at together: most people who leave do so with one of the first. */
    private static final int STRIP = 512;

    /** Values of a matrix, zeros of a sparse one included, that are held against their ranges: about a second. */
    private static final long MAX_CHECKED = 500_000_000;

    private final Matrix columns;
    private final double[] z;
    /** What each column moves by for a gap of one, and where it leaves its range, all in the units of the matrix; nothing leaves where nothing is known. */
    private final double[] perGap;

    private final double[] low;
    private final double[] high;
    private final AtomicInteger people = new AtomicInteger();

    private OutOfRange(Sample sample, PublishedRule rule) {
        World world = sample.world();
        columns = sample.columns();
        z = sample.lent().z();
        perGap = new double[columns.cols()];
        low = new double[columns.cols()];
        high = new double[columns.cols()];
        double[] direction = world.direction(rule);
        double resistance = Response.of(world.omega(rule), world.gamma()).resistance();
        int j = 0;
        for (Encoding.Feature feature : world.encoding().features()) {
            Encoding.Feature.Range reach = feature.reach();
            for (EncodedColumn column : feature.columns()) {
                boolean known = reach != null && world.manipulable(j) && direction[j] != 0;
                double shift = sample.isBlock() ? 0 : column.shift();
                double scale = sample.isBlock() ? 1 : column.scale();
                double rounding = known ? reach.rounding() : 0;
                perGap[j] = known ? direction[j] / resistance / scale : 0;
                low[j] = known ? (reach.min() - rounding - shift) / scale : Double.NEGATIVE_INFINITY;
                high[j] = known ? (reach.max() + rounding - shift) / scale : Double.POSITIVE_INFINITY;
                j++;
            }
        }
    }

    /** Who sees everybody under a rule; empty where a matrix has too many values to look at, or where limits say how far people go. */
    static Optional<Sample.Leaving> watching(Sample sample, PublishedRule rule) {
        Matrix x = sample.columns();
        boolean large = sample.isBlock() && (long) x.rows() * x.cols() > MAX_CHECKED;
        return large || sample.world().bounded(rule).isPresent()
                ? Optional.empty()
                : Optional.of(new OutOfRange(sample, rule));
    }

    /** People with at least one move that ends outside, if all move at the world's gamma; empty where a matrix has too many values to look at. */
    static OptionalInt people(Sample sample, PublishedRule rule, Workers workers) {
        World world = sample.world();
        Optional<Supplier<Response.Bounded>> bounded = world.bounded(rule);
        if (bounded.isPresent()) {
            return (long) sample.size() * world.manipulable() > MAX_CHECKED
                    ? OptionalInt.empty()
                    : OptionalInt.of(limited(sample, rule, bounded.get(), workers));
        }
        return watching(sample, rule)
                .map(leaving -> {
                    sample.predictions(rule, leaving, workers);
                    return OptionalInt.of(leaving.people());
                })
                .orElse(OptionalInt.empty());
    }

    /** The same for people who can go only so far. */
    private static int limited(Sample sample, PublishedRule rule, Supplier<Response.Bounded> bounded, Workers workers) {
        World world = sample.world();
        double[] p = sample.predictions(rule, workers);
        double[] z = sample.lent().z();
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
                leaves = range != null && range.left(x[k], x[k] + person.move(k));
            }
            out.addAndGet(leaves ? 1 : 0);
        });
        return out.get();
    }

    @Override
    public int people() {
        return people.get();
    }

    @Override
    public PredictionGame.Seen get() {
        int n = columns.cols();
        int width = Math.max(1, Math.min(n, STRIP));
        // whole rows of a narrow matrix are copied many at a time
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
            people.addAndGet(leaving);
        };
    }

    /** Whether a move ends outside, for whoever was inside before or not: the signs of differences, without a branch that a compiler would count for every value of everybody. */
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

    /** Whoever was outside before does not leave. */
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
