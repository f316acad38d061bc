package stackelberg.model;

import java.nio.DoubleBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import stackelberg.data.EncodedColumn;
import stackelberg.data.Feature;
import stackelberg.game.Response;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;

/** How many people a rule takes where nobody was seen in training: the closed form of the response knows no bounds. */
public final class OutOfRange {
    /** Values of a block of rows, 512 kB: it stays in the cache from the prediction to the check. */
    private static final int BLOCK = 1 << 16;

    private OutOfRange() {}

    /**
     * What to say about it; nothing if nobody is taken there.
     *
     * @param truthful whether some of the people may be truthful, and not move
     */
    public static Optional<String> warning(long out, int people, boolean truthful) {
        return out == 0
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "%,d of %,d people would%s end outside the range seen in training with at least one feature: moves"
                                + " know no bounds.",
                        out,
                        people,
                        truthful ? ", if they move," : ""));
    }

    /** How far a person moves every column per unit of the gap z - p, in the units of the data: w_j scale_j^2 / (c_j (gamma + omega)). */
    private static double[] direction(StackelbergModel model) {
        double resistance = Response.of(model.omega(), model.gamma()).resistance();
        List<EncodedColumn> columns = model.encoding().columns();
        double[] direction = new double[model.terms().size()];
        for (int j = 0; j < direction.length; j++) {
            StackelbergModel.Term term = model.terms().get(j);
            double scale = columns.get(j).scale();
            direction[j] = term.manipulable() ? term.coefficient() * scale * scale / term.cost() / resistance : 0;
        }
        return direction;
    }

    /**
     * People with at least one move that ends outside, among the rows of a matrix that a model was fitted to, in one pass.
     *
     * @param model a finite rule for people who all respond alike; its features are the columns of the matrix, in their order
     */
    public static int people(StackelbergModel model, Matrix x, double[] wishes, Workers workers) {
        double[] w = model.terms().stream()
                .mapToDouble(StackelbergModel.Term::coefficient)
                .toArray();
        double[] direction = direction(model);
        Feature.Range[] ranges =
                model.encoding().features().stream().map(Feature::range).toArray(Feature.Range[]::new);
        int[] movable = IntStream.range(0, x.cols())
                .filter(j -> direction[j] != 0 && ranges[j] != null)
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
                    double gap = wishes[first + i] - model.intercept() - product(w, rows, at);
                    leaving += leaves(ranges, movable, rows, at, gap, direction) ? 1 : 0;
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
            Feature.Range[] ranges, int[] movable, double[] rows, int at, double gap, double[] direction) {
        for (int j : movable) {
            if (ranges[j].isLeft(rows[at + j], rows[at + j] + gap * direction[j])) {
                return true;
            }
        }
        return false;
    }
}
