package stackelberg.spark;

import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;

/** Computes M'S(M C) and the weighted squared norms of the columns of M C over the blocks of a partition, M = [V, X, y, z - y]; each block is read once. */
final class BlockProduct implements Matrix.RowStep {
    /** Numbers in a tile, about the size of a second-level cache, so that a tile is read from memory once for both products. */
    private static final int TILE_NUMBERS = 1 << 17;

    /** Smallest number of rows in a tile: with fewer, reading the vectors would take as long as reading the rows. */
    private static final int MIN_ROWS = 16;

    /** One thread: Spark assigns one core to a task. */
    private final Workers alone = Workers.of(1);

    private final int fixed;
    private final int n;
    private final int k;
    /** C, row-major; cx is its part for the columns of X. */
    private final double[] c;

    private final DenseMatrix cx;
    private final DenseMatrix out;
    /** The result: M'S(M C) row-major, then the squared norms. */
    private final double[] sums;

    private final double[] tileSums;
    private final double[] u;
    private final double[] v;
    /** Dense rows copied to direct memory, which the native kernels need; the blocks they came from are in {@link #waiting}. */
    private @Nullable DenseMatrix tile;

    private final List<RowBlock> waiting = new ArrayList<>();
    private int filled;

    BlockProduct(Layout layout, double[] c) {
        this.fixed = layout.fixed();
        this.n = layout.features();
        this.k = c.length / layout.order();
        this.c = c;
        this.cx = DenseMatrix.zeros(n, k);
        cx.setTile(0, n, 0, k, Arrays.copyOfRange(c, fixed * k, (fixed + n) * k));
        this.out = DenseMatrix.zeros(n, k);
        this.sums = new double[c.length + k];
        this.tileSums = new double[c.length + k];
        this.u = new double[k];
        this.v = new double[fixed];
    }

    Part over(Iterator<RowBlock> blocks) {
        long rows = 0;
        while (blocks.hasNext()) {
            RowBlock block = blocks.next();
            rows += block.rows;
            if (block.sparse != null) {
                addSparse(block, block.sparse);
            } else if (block.rows > 0) {
                addDense(block);
            }
        }
        multiplyTile();
        return Part.of(rows, 0, sums);
    }

    /** Adds sparse rows one by one, at a cost proportional to their nonzeros, whatever the number of columns. */
    private void addSparse(RowBlock block, SparseRows x) {
        for (int i = 0; i < block.rows; i++) {
            Arrays.fill(u, 0);
            x.multiply(i, c, fixed * k, u);
            addRest(block, i, sums);
            x.add(i, u, sums, fixed * k);
        }
    }

    /** Copies dense rows into the tile, which is multiplied when it is full. */
    private void addDense(RowBlock block) {
        if (tile == null) {
            tile = DenseMatrix.zeros(Math.max(MIN_ROWS, TILE_NUMBERS / n), n);
        }
        if (filled + block.rows > tile.rows()) {
            multiplyTile();
        }
        block.dense().copyTo(tile, filled);
        waiting.add(block);
        filled += block.rows;
    }

    private void multiplyTile() {
        if (tile == null || filled == 0) {
            return;
        }
        Arrays.fill(tileSums, 0);
        DenseMatrix x = tile.firstRows(filled);
        // on one thread the parts run one after the other, so they can share this object
        Matrix.RowStep[] steps = new Matrix.RowStep[x.parts(k)];
        Arrays.fill(steps, this);
        x.pass(cx, steps, out, alone);
        DoubleBuffer image = DoubleBuffer.wrap(tileSums, fixed * k, n * k).slice();
        out.tile(0, n, 0, k, image);
        Vectors.axpy(1, tileSums, sums);
        waiting.clear();
        filled = 0;
    }

    @Override
    public void apply(int firstRow, int rowCount, DoubleBuffer rows) {
        int begin = 0;
        for (RowBlock block : waiting) {
            int end = begin + block.rows;
            for (int row = Math.max(begin, firstRow); row < Math.min(end, firstRow + rowCount); row++) {
                int at = (row - firstRow) * k;
                rows.get(at, u);
                addRest(block, row - begin, tileSums);
                rows.put(at, u);
            }
            begin = end;
        }
    }

    /** Adds the columns V, y and z - y of a row to u = x'C, which becomes s m'C, and adds their part of the result. The part of X is added by the caller. */
    private void addRest(RowBlock block, int row, double[] to) {
        int y = (fixed + n) * k;
        int gap = y + k;
        int squares = gap + k;
        block.fixed.copyRow(row, v, 0);
        for (int j = 0; j < fixed; j++) {
            axpy(v[j], c, j * k, u, 0);
        }
        axpy(block.y[row], c, y, u, 0);
        axpy(block.gap[row], c, gap, u, 0);
        for (int d = 0; d < k; d++) {
            double weighted = block.weights[row] * u[d];
            to[squares + d] += weighted * u[d];
            u[d] = weighted;
        }
        for (int j = 0; j < fixed; j++) {
            axpy(v[j], u, 0, to, j * k);
        }
        axpy(block.y[row], u, 0, to, y);
        axpy(block.gap[row], u, 0, to, gap);
    }

    private void axpy(double factor, double[] from, int fromAt, double[] to, int toAt) {
        for (int d = 0; d < k; d++) {
            to[toAt + d] += factor * from[fromAt + d];
        }
    }
}
