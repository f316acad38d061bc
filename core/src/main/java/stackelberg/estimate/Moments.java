package stackelberg.estimate;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.List;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Gram;
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

    /** A source of rows that are added to sums. */
    @FunctionalInterface
    public interface Rows {
        /** Adds the rows from, ..., end - 1 to the sums. */
        void add(int from, int end, Builder sums);
    }

    /**
     * The sums over the rows 0, ..., rows - 1, computed in parts in parallel; the result does not depend on the number of threads.
     *
     * @param order the number of columns of M
     * @param height how many rows are multiplied at a time
     * @param some adds a range of rows
     */
    public static Moments of(int rows, int order, int height, Workers workers, Rows some) {
        int parts = parts(rows, order);
        Moments[] sums = new Moments[parts];
        workers.run(parts, part -> {
            Builder own = new Builder(order, height, rows, workers);
            some.add(first(rows, part, parts), first(rows, part + 1, parts), own);
            sums[part] = own.build();
        });
        return parts == 1 ? sums[0] : sum(List.of(sums));
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
