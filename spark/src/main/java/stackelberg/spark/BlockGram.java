package stackelberg.spark;

import java.util.Iterator;
import stackelberg.estimate.Moments;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;

/** Computes M'SM over the rows of a partition, M = [V, X, y, z - y]; only its lower triangle is sent to the driver. */
final class BlockGram {
    /** Rows multiplied at a time; from about this many on, products run at full speed. */
    private static final int TILE_ROWS = 512;

    /** The largest order whose products fit into one buffer of 2 GB; the core's factorisations have the same limit. */
    static final int MAX_ORDER = 16_383;

    private BlockGram() {}

    static Part over(Iterator<RowBlock> blocks, int order) {
        Moments.Builder sums = new Moments.Builder(order, TILE_ROWS, Workers.of(1));
        double[] row = new double[order];
        while (blocks.hasNext()) {
            RowBlock block = blocks.next();
            if (block.problem != null) {
                return Part.bad(block.problem);
            }
            for (int i = 0; i < block.rows; i++) {
                block.copyRow(i, row);
                sums.add(block.weights[i], row);
            }
        }
        Moments moments = sums.build();
        return Part.of(moments.rows(), moments.weight(), lowerTriangle(moments.products()));
    }

    private static double[] lowerTriangle(DenseMatrix products) {
        int order = products.rows();
        double[] packed = new double[order * (order + 1) / 2];
        for (int i = 0; i < order; i++) {
            System.arraycopy(products.row(i), 0, packed, i * (i + 1) / 2, i + 1);
        }
        return packed;
    }

    /** The symmetric matrix of a packed lower triangle. */
    static DenseMatrix symmetric(double[] packed, int order) {
        DenseMatrix full = DenseMatrix.zeros(order, order);
        for (int i = 0; i < order; i++) {
            for (int j = 0; j <= i; j++) {
                full.set(i, j, packed[i * (i + 1) / 2 + j]);
                full.set(j, i, packed[i * (i + 1) / 2 + j]);
            }
        }
        return full;
    }
}
