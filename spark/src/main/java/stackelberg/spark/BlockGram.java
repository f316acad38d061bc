package stackelberg.spark;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.util.Iterator;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Gram;
import stackelberg.linalg.Workers;

/** M'SM over the rows of a partition, M = [V, X, y, z - y]: only its lower triangle travels. */
final class BlockGram {
    /** From this many rows on a tile is multiplied at full speed. */
    private static final int TILE_ROWS = 512;

    private final Workers alone = Workers.of(1);
    private final int order;
    private final DenseMatrix sum;
    private final DoubleBuffer tile;
    private int filled;

    BlockGram(Layout layout) {
        this.order = layout.order();
        this.sum = DenseMatrix.zeros(order, order);
        this.tile = ByteBuffer.allocateDirect(Math.multiplyExact(8 * TILE_ROWS, order))
                .order(ByteOrder.nativeOrder())
                .asDoubleBuffer();
    }

    Part over(Iterator<RowBlock> blocks) {
        long rows = 0;
        double weight = 0;
        while (blocks.hasNext()) {
            RowBlock block = blocks.next();
            if (block.problem != null) {
                return Part.bad(block.problem);
            }
            rows += block.rows;
            for (int i = 0; i < block.rows; i++) {
                weight += block.weights[i];
                block.copyRow(i, tile, filled * order);
                filled++;
                if (filled == TILE_ROWS) {
                    flush();
                }
            }
        }
        flush();
        return Part.of(rows, weight, lowerTriangle());
    }

    private void flush() {
        Gram.addTransposeProduct(tile, filled, order, sum, alone);
        double[] zeros = new double[order];
        for (int i = 0; i < filled; i++) {
            tile.put(i * order, zeros);
        }
        filled = 0;
    }

    private double[] lowerTriangle() {
        double[] packed = new double[Math.multiplyExact(order, order + 1) / 2];
        for (int i = 0; i < order; i++) {
            System.arraycopy(sum.row(i), 0, packed, i * (i + 1) / 2, i + 1);
        }
        return packed;
    }

    /** The whole symmetric matrix of a packed triangle. */
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
