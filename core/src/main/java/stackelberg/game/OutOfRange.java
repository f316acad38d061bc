package stackelberg.game;

import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import stackelberg.data.CategoricalColumn;
import stackelberg.data.EncodedColumn;
import stackelberg.data.Encoding;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;

/** How many people a rule takes where nobody was seen in training: the closed form of the response knows no bounds. */
final class OutOfRange {
    /** Values of a block of rows, 512 kB: it stays in the cache from the prediction to the check. */
    private static final int BLOCK = 1 << 16;

    /** Values of a matrix, zeros of a sparse one included, that are held against their ranges: about a second. */
    private static final long MAX_CHECKED = 500_000_000;

    private OutOfRange() {}

    /** Everybody's value of an encoded column as it is, in the units of the data; the column is looked up once. */
    private static IntToDoubleFunction raw(Table rows, Encoding.Feature feature, EncodedColumn column) {
        if (feature.categorical()) {
            return rows.column(feature.column()) instanceof CategoricalColumn text
                    ? i -> column.level().equals(text.level(i)) ? 1 : 0
                    : i -> 0;
        }
        NumericColumn numbers = rows.numeric(feature.column());
        return i -> numbers.isMissing(i) ? feature.mean() : numbers.value(i);
    }

    /** People with at least one move that ends outside, if all move at the world's gamma; empty where a matrix has too many values to look at. */
    static OptionalInt people(Sample sample, PublishedRule rule, Workers workers) {
        World world = sample.world();
        if (world.bounds().isPresent()) {
            return (long) sample.columns().rows() * sample.columns().cols() > MAX_CHECKED
                    ? OptionalInt.empty()
                    : OptionalInt.of(bounded(sample, rule, workers));
        }
        double[] perGap = world.direction(rule);
        double resistance = Response.of(world.omega(rule), world.gamma()).resistance();
        for (int j = 0; j < perGap.length; j++) {
            perGap[j] /= resistance;
        }
        if (!sample.isBlock()) {
            return OptionalInt.of(byColumns(sample, perGap, sample.predictions(rule, workers)));
        }
        Matrix x = sample.columns();
        return (long) x.rows() * x.cols() > MAX_CHECKED
                ? OptionalInt.empty()
                : OptionalInt.of(byRows(sample, rule, perGap, workers));
    }

    /** The same for people who can go only so far; who stops at a limit that is the range's own end has not left it. */
    private static int bounded(Sample sample, PublishedRule rule, Workers workers) {
        World world = sample.world();
        PredictionGame game = sample.ordinary();
        int manipulable = world.manipulable();
        List<EncodedColumn> columns = world.encoding().columns();
        Encoding.Feature.Range[] ranges = world.encoding().features().stream()
                .flatMap(feature -> feature.columns().stream().map(column -> Optional.ofNullable(feature.reach())))
                .map(range -> range.orElse(null))
                .toArray(Encoding.Feature.Range[]::new);
        double[] w = Arrays.copyOf(
                Arrays.copyOf(rule.encodedCoefficients(columns), manipulable),
                game.x().cols());
        if (w.length > manipulable) {
            w[manipulable] = rule.encodedConstant(columns);
        }
        double[] p = sample.predictions(rule, workers);
        double[] z = sample.z();
        AtomicInteger out = new AtomicInteger();
        game.eachBounded(w, world.omega(rule), workers, (i, person) -> {
            person.answer(p[i], z[i], world.gamma());
            boolean leaves = false;
            for (int j = 0; j < manipulable && !leaves; j++) {
                EncodedColumn column = columns.get(j);
                double before = column.shift() + column.scale() * person.features()[j];
                leaves = ranges[j] != null
                        && w[j] != 0
                        && ranges[j].left(before, before + column.scale() * person.move(j));
            }
            out.addAndGet(leaves ? 1 : 0);
        });
        return out.get();
    }

    private static int byColumns(Sample sample, double[] perGap, double[] p) {
        double[] z = sample.z();
        boolean[] out = new boolean[p.length];
        int j = 0;
        for (Encoding.Feature feature : sample.world().encoding().features()) {
            for (EncodedColumn column : feature.columns()) {
                double direction = perGap[j];
                if (sample.world().manipulable(j) && direction != 0 && feature.reach() != null) {
                    IntToDoubleFunction raw = raw(sample.rows(), feature, column);
                    for (int i = 0; i < p.length; i++) {
                        double before = raw.applyAsDouble(i);
                        out[i] |= feature.reach().left(before, before + (z[i] - p[i]) * direction);
                    }
                }
                j++;
            }
        }
        return (int) IntStream.range(0, out.length).filter(i -> out[i]).count();
    }

    /** The same for the rows of a block, predicted on the way: one pass. */
    private static int byRows(Sample sample, PublishedRule rule, double[] perGap, Workers workers) {
        Matrix x = sample.columns();
        List<Encoding.Feature> features = sample.world().encoding().features();
        double[] w = sample.world().encoding().columns().stream()
                .mapToDouble(rule::coefficient)
                .toArray();
        double[] z = sample.z();
        Encoding.Feature.Range[] ranges =
                features.stream().map(Encoding.Feature::range).toArray(Encoding.Feature.Range[]::new);
        int[] movable = IntStream.range(0, x.cols())
                .filter(j -> perGap[j] != 0 && ranges[j] != null)
                .toArray();
        int height = Math.max(1, BLOCK / Math.max(1, x.cols()));
        AtomicInteger out = new AtomicInteger();
        AtomicInteger next = new AtomicInteger();
        workers.run(workers.threads(), thread -> {
            double[] rows = new double[height * x.cols()];
            int leaving = 0;
            for (int first = next.getAndAdd(height); first < x.rows(); first = next.getAndAdd(height)) {
                int count = Math.min(height, x.rows() - first);
                x.tile(first, count, 0, x.cols(), DoubleBuffer.wrap(rows));
                for (int i = 0; i < count; i++) {
                    int at = i * x.cols();
                    double gap = z[first + i] - rule.intercept() - product(w, rows, at);
                    leaving += leaves(ranges, movable, rows, at, gap, perGap) ? 1 : 0;
                }
            }
            out.addAndGet(leaving);
        });
        return out.get();
    }

    private static double product(double[] w, double[] rows, int at) {
        double sum = 0;
        for (int j = 0; j < w.length; j++) {
            sum += w[j] * rows[at + j];
        }
        return sum;
    }

    private static boolean leaves(
            Encoding.Feature.Range[] ranges, int[] movable, double[] rows, int at, double gap, double[] perGap) {
        for (int j : movable) {
            if (ranges[j].left(rows[at + j], rows[at + j] + gap * perGap[j])) {
                return true;
            }
        }
        return false;
    }
}
