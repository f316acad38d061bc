package stackelberg.estimate;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Gram;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;

/**
 * The weighted sums of products M'SM over some rows, S the diagonal matrix of sample weights: all that least squares, ridge and the reduction to the
 * sphere need of a long table. Which columns M has, and in which order, is up to the caller.
 *
 * <p>Sums of different rows are added, never subtracted. The sums of all folds but one could be had by subtracting the fold from the total, but the
 * difference of two large sums loses digits.
 *
 * @param products M'SM, symmetric; not copied
 * @param rows the number of rows summed
 * @param weight the sum of their weights, sum_i s_i
 */
public record Moments(DenseMatrix products, long rows, double weight) {
    /** How many rows {@link #of} multiplies at a time. */
    private static final int BLOCK = 512;

    /** How many values it reads at a time. */
    private static final int READ = 1 << 16;

    public Moments {
        if (products.rows() != products.cols()) {
            throw new IllegalArgumentException(
                    "Sums of products are " + products.rows() + " x " + products.cols() + "; they must be square.");
        }
    }

    /** The order of M'SM, that is the number of columns of M. */
    public int order() {
        return products.rows();
    }

    /** The sums over the rows of both objects. */
    public Moments plus(Moments other) {
        return sum(List.of(this, other));
    }

    /** The sums over the rows of all parts, added in their order. */
    public static Moments sum(List<Moments> parts) {
        int order = parts.get(0).order();
        DenseMatrix sum = DenseMatrix.zeros(order, order);
        for (int i = 0; i < order; i++) {
            double[] row = new double[order];
            for (Moments part : parts) {
                Vectors.axpy(1, part.products.row(i), row);
            }
            sum.setRow(i, row);
        }
        return new Moments(
                sum,
                parts.stream().mapToLong(Moments::rows).sum(),
                parts.stream().mapToDouble(Moments::weight).sum());
    }

    /** The sums over the rows of all parts but one. */
    public static Moments without(List<Moments> parts, int left) {
        List<Moments> others = new ArrayList<>(parts);
        others.remove(left);
        return sum(others);
    }

    /**
     * Into how many parts the rows are divided, which are summed in parallel: several if the rows are many and the columns few, because then one product
     * is too small to be shared by threads. It depends on the sizes alone, so that the digits of a sum do not depend on the number of threads.
     */
    public static int parts(int rows, int order) {
        return Gram.parts(rows, order);
    }

    /** Completes rows of M that begin with the values of another matrix. */
    @FunctionalInterface
    public interface Completion {
        /**
         * Completes row i, whose first entries are those of x, which may be changed. Returns the sample weight of the row; one with weight 0 is left out.
         */
        double complete(int i, double[] row);
    }

    /**
     * The sums over all rows, computed in parts in parallel; the result does not depend on the number of threads.
     *
     * @param x the first columns of M
     * @param more the number of further columns, which are completed row by row
     */
    public static Moments of(Matrix x, int more, Workers workers, Completion completion) {
        return byFold(x, more, null, 1, workers, completion).get(0);
    }

    /**
     * The sums over the rows of each fold, in one pass.
     *
     * @param foldOf the fold of each row, -1 for a row that is in none; null if all rows are in one fold
     */
    static List<Moments> byFold(
            Matrix x, int more, int @Nullable [] foldOf, int folds, Workers workers, Completion completion) {
        int rows = x.rows();
        int n = x.cols();
        int height = Math.max(1, READ / Math.max(1, n));
        int parts = parts(rows, n + more);
        Moments[][] sums = new Moments[folds][parts];
        workers.run(parts, part -> {
            Builder[] own = new Builder[folds];
            Arrays.setAll(own, f -> new Builder(n + more, BLOCK, rows, workers));
            double[] tile = new double[Math.min(height, rows) * n];
            double[] row = new double[n + more];
            int end = first(rows, part + 1, parts);
            for (int first = first(rows, part, parts); first < end; first += height) {
                int count = Math.min(height, end - first);
                x.tile(first, count, 0, n, DoubleBuffer.wrap(tile));
                for (int i = first; i < first + count; i++) {
                    int fold = foldOf == null ? 0 : foldOf[i];
                    if (fold >= 0) {
                        System.arraycopy(tile, (i - first) * n, row, 0, n);
                        double weight = completion.complete(i, row);
                        if (weight > 0) {
                            own[fold].add(weight, row);
                        }
                    }
                }
            }
            for (int f = 0; f < folds; f++) {
                sums[f][part] = own[f].build();
            }
        });
        return Arrays.stream(sums)
                .map(fold -> parts == 1 ? fold[0] : sum(List.of(fold)))
                .toList();
    }

    /** The first row of a part. */
    public static int first(int rows, int part, int parts) {
        return Gram.firstRow(rows, part, parts);
    }

    /** Adds up rows; not thread-safe. Rows are collected into blocks, because one product of a block is much faster than one product per row. */
    public static final class Builder {
        private final int order;
        private final int height;
        private final int all;
        private final Workers workers;
        private final DenseMatrix sum;
        private final DoubleBuffer block;
        private int filled;
        private long rows;
        private double weight;

        /**
         * Sums over no rows yet.
         *
         * @param height how many rows make a block; from 512 on, products run at full speed
         */
        public Builder(int order, int height, Workers workers) {
            this(order, height, 0, workers);
        }

        /**
         * Sums over one of several parts of a table.
         *
         * @param all the number of rows of all parts: it decides on the kernel, so that every part uses the same one
         */
        public Builder(int order, int height, int all, Workers workers) {
            this.order = order;
            this.height = height;
            this.all = parts(all, order) == 1 ? 0 : all;
            this.workers = workers;
            this.sum = DenseMatrix.zeros(order, order);
            this.block = ByteBuffer.allocateDirect(Math.multiplyExact(8 * order, height))
                    .order(ByteOrder.nativeOrder())
                    .asDoubleBuffer();
        }

        /** Adds a row with sample weight s. The array is scaled by sqrt(s) in place. */
        public void add(double s, double[] row) {
            double root = Math.sqrt(s);
            if (root != 1) {
                Vectors.scale(root, row);
            }
            block.put(filled * order, row);
            rows++;
            weight += s;
            if (++filled == height) {
                flush();
            }
        }

        private void flush() {
            Gram.addTransposeProduct(block, filled, Math.max(all, filled), order, sum, workers);
            filled = 0;
        }

        /** The sums over all rows; nothing can be added afterwards. */
        public Moments build() {
            flush();
            Gram.symmetrize(sum);
            return new Moments(sum, rows, weight);
        }
    }
}
