package stackelberg.model;

import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import stackelberg.data.Feature;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;

/** How many people a rule takes where nobody was seen in training: the closed form of the response knows no bounds. */
public final class OutOfRange {
    /** Values of a block of rows, 512 kB: it stays in the cache from the prediction to the check. */
    private static final int BLOCK = 1 << 16;

    private OutOfRange() {}

    /** What to say about it; nothing if nobody is taken there. */
    public static Optional<String> warning(long out, int people) {
        return out == 0
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "%,d of %,d people would end outside the range seen in training with at least one feature: moves"
                                + " know no bounds.",
                        out,
                        people));
    }

    /** People with at least one move that ends outside. */
    public static int people(Responses responses) {
        return (int) Arrays.stream(responses.movesOutOfRange())
                .filter(moves -> moves > 0)
                .count();
    }

    /**
     * The same for the rows of a matrix that a model was fitted to, in one pass.
     *
     * @param model a finite rule for people who all respond alike; its features are the columns of the matrix, in their order
     */
    public static int people(StackelbergModel model, Matrix x, double[] wishes, Workers workers) {
        double[] w = model.terms().stream()
                .mapToDouble(StackelbergModel.Term::coefficient)
                .toArray();
        double[] direction = World.of(model).direction(PublishedRule.of(model));
        List<Feature> features = model.encoding().features();
        int[] movable = IntStream.range(0, x.cols())
                .filter(j -> direction[j] != 0 && features.get(j).range() != null)
                .toArray();
        Feature.Range[] ranges = features.stream().map(Feature::range).toArray(Feature.Range[]::new);
        int height = Math.max(1, BLOCK / Math.max(1, x.cols()));
        AtomicInteger out = new AtomicInteger();
        workers.run((x.rows() + height - 1) / height, block -> {
            int first = block * height;
            int count = Math.min(height, x.rows() - first);
            DoubleBuffer rows = DoubleBuffer.allocate(count * x.cols());
            x.tile(first, count, 0, x.cols(), rows);
            for (int i = 0; i < count; i++) {
                int at = i * x.cols();
                double prediction = model.intercept();
                for (int j = 0; j < w.length; j++) {
                    prediction += w[j] * rows.get(at + j);
                }
                double gap = wishes[first + i] - prediction;
                boolean leaves = IntStream.of(movable)
                        .anyMatch(j ->
                                Responses.leaves(ranges[j], rows.get(at + j), rows.get(at + j) + gap * direction[j]));
                out.addAndGet(leaves ? 1 : 0);
            }
        });
        return out.get();
    }
}
