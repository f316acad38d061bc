package stackelberg.spark;

import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.Iterator;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;

/** M'S(M C) and the squares of the columns of M C over the blocks of a partition, each block read once; M = [V, X, y, z - y]. */
final class BlockProduct implements Matrix.RowStep {
    /** A task of Spark has one core. */
    private final Workers alone = Workers.of(1);

    private final int fixed;
    private final int n;
    private final int k;
    /** C, row-major, and the part of it that meets X. */
    private final double[] c;

    private final DenseMatrix cx;
    private final DenseMatrix out;
    /** The image, row-major, then the squares. */
    private final double[] sums;

    private final double[] blockSums;
    private final double[] u;
    private RowBlock block;
    private DenseMatrix tile;

    BlockProduct(Layout layout, double[] c) {
        this.fixed = layout.fixed();
        this.n = layout.features();
        this.k = c.length / layout.order();
        this.c = c;
        this.cx = DenseMatrix.zeros(n, k);
        cx.setTile(0, n, 0, k, Arrays.copyOfRange(c, fixed * k, (fixed + n) * k));
        this.out = DenseMatrix.zeros(n, k);
        this.sums = new double[c.length + k];
        this.blockSums = new double[c.length + k];
        this.u = new double[k];
    }

    Part over(Iterator<RowBlock> blocks) {
        long rows = 0;
        while (blocks.hasNext()) {
            block = blocks.next();
            rows += block.rows;
            if (block.rows > 0) {
                add();
            }
        }
        return Part.of(rows, 0, sums);
    }

    private void add() {
        Arrays.fill(blockSums, 0);
        Matrix x = block.isSparse() ? block.sparse() : dense();
        // one after the other on one thread, so that all parts may share this step
        Matrix.RowStep[] steps = new Matrix.RowStep[x.parts(k)];
        Arrays.fill(steps, this);
        x.pass(cx, steps, out, alone);
        DoubleBuffer image = DoubleBuffer.wrap(blockSums, fixed * k, n * k).slice();
        out.tile(0, n, 0, k, image);
        Vectors.axpy(1, blockSums, sums);
    }

    /** The block in direct memory, where the native kernels want it. */
    private DenseMatrix dense() {
        if (tile == null || tile.rows() != block.rows) {
            tile = DenseMatrix.zeros(block.rows, n);
        }
        tile.setTile(0, block.rows, 0, n, block.values);
        return tile;
    }

    /** The rest of each row joins u = X C, which becomes S M C. */
    @Override
    public void apply(int firstRow, int rowCount, DoubleBuffer rows) {
        int y = (fixed + n) * k;
        int gap = y + k;
        int squares = gap + k;
        for (int i = 0; i < rowCount; i++) {
            int row = firstRow + i;
            rows.get(i * k, u);
            for (int j = 0; j < fixed; j++) {
                axpy(block.fixed[row * fixed + j], c, j * k, u, 0);
            }
            axpy(block.y[row], c, y, u, 0);
            axpy(block.gap[row], c, gap, u, 0);
            for (int d = 0; d < k; d++) {
                double weighted = block.weights[row] * u[d];
                blockSums[squares + d] += weighted * u[d];
                u[d] = weighted;
            }
            for (int j = 0; j < fixed; j++) {
                axpy(block.fixed[row * fixed + j], u, 0, blockSums, j * k);
            }
            axpy(block.y[row], u, 0, blockSums, y);
            axpy(block.gap[row], u, 0, blockSums, gap);
            rows.put(i * k, u);
        }
    }

    private void axpy(double factor, double[] from, int fromAt, double[] to, int toAt) {
        for (int d = 0; d < k; d++) {
            to[toAt + d] += factor * from[fromAt + d];
        }
    }
}
