package stackelberg.game;

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
 * Sums of products over some rows, M'SM for columns M in the order their maker chose: all that least squares, ridge and the sphere need of rows
 * that are many. Sums of different rows are added, never subtracted: a difference loses the digits of the few beside the many.
 *
 * @param products M'SM, symmetric; not copied
 * @param rows how many rows were summed
 * @param weight sum_i s_i
 */
public record Moments(DenseMatrix products, long rows, double weight) {
    public Moments {
        if (products.rows() != products.cols()) {
            throw new IllegalArgumentException(
                    "Sums of products are " + products.rows() + " x " + products.cols() + "; they must be square.");
        }
    }

    /** The order of M'SM. */
    public int order() {
        return products.rows();
    }

    /** The sums over the rows of both. */
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

    /** How many parts of many rows are summed side by side, by the sizes alone: sums of few columns leave threads nothing else to share. */
    public static int parts(int rows, int order) {
        return Gram.parts(rows, order);
    }

    /** Adds some rows to sums. */
    @FunctionalInterface
    public interface Rows {
        /** Adds rows from to end - 1. */
        void add(int from, int end, Builder sums);
    }

    /** The sums over rows 0 to rows - 1, of which parts are added side by side; no sum depends on the number of threads. */
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

    /** Adds up rows, a block of them at a time, because a block is multiplied much faster than its rows are; not for several threads at once. */
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
         * Nothing is added yet.
         *
         * @param height how many rows make a block: 512 and more are multiplied at full speed
         */
        public Builder(int order, int height, Workers workers) {
            this(order, height, 0, workers);
        }

        /**
         * One of the parts of many rows.
         *
         * @param all how many rows all parts have: kernels are chosen by all of them where there are several parts
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

        /** Adds a row that counts s times; its values are overwritten by sqrt(s) times themselves. */
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
