package stackelberg.game;

import java.nio.DoubleBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntToDoubleFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import stackelberg.data.EncodedColumn;
import stackelberg.data.Encoding;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;

/** How many people a rule takes where nobody was seen in training: where no limits are declared, moves know no bounds. */
final class OutOfRange {
    /** Values of a block of rows, 512 kB: it stays in the cache from the prediction to the check. */
    private static final int BLOCK = 1 << 16;

    /** Values of a matrix, zeros of a sparse one included, that are held against their ranges: about a second. */
    private static final long MAX_CHECKED = 500_000_000;

    private OutOfRange() {}

    /** People with at least one move that ends outside, if all move at the world's gamma; empty where a matrix has too many values to look at. */
    static OptionalInt people(Sample sample, PublishedRule rule, Workers workers) {
        World world = sample.world();
        Optional<Supplier<Response.Bounded>> bounded = world.bounded(rule);
        if (bounded.isPresent()) {
            return (long) sample.size() * world.manipulable() > MAX_CHECKED
                    ? OptionalInt.empty()
                    : OptionalInt.of(limited(sample, rule, bounded.get(), workers));
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

    /** The same for people who can go only so far. */
    private static int limited(Sample sample, PublishedRule rule, Supplier<Response.Bounded> bounded, Workers workers) {
        World world = sample.world();
        double[] p = sample.predictions(rule, workers);
        double[] z = sample.z();
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

    private static int byColumns(Sample sample, double[] perGap, double[] p) {
        double[] z = sample.z();
        boolean[] out = new boolean[p.length];
        int j = 0;
        for (Encoding.Feature feature : sample.world().encoding().features()) {
            for (EncodedColumn column : feature.columns()) {
                double direction = perGap[j];
                if (sample.world().manipulable(j) && direction != 0 && feature.reach() != null) {
                    IntToDoubleFunction raw = RawFeatures.column(sample.rows(), feature, column);
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
