package stackelberg.model.tuning;

import java.nio.DoubleBuffer;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;

/** The matrix B T, whose columns are linear combinations of those of B; it is never formed. */
final class CombinedColumns implements Matrix {
    private final Matrix base;
    private final ColumnMap map;

    CombinedColumns(Matrix base, ColumnMap map) {
        if (map.inputs() != base.cols()) {
            throw new IllegalArgumentException(
                    "The map is for " + map.inputs() + " columns, but the matrix has " + base.cols() + ".");
        }
        this.base = base;
        this.map = map;
    }

    @Override
    public int rows() {
        return base.rows();
    }

    @Override
    public int cols() {
        return map.outputs();
    }

    @Override
    public int parts(int k) {
        return base.parts(k);
    }

    @Override
    public void times(DenseMatrix v, DenseMatrix out, Workers workers) {
        DenseMatrix mapped = map.times(v, workers);
        base.times(mapped, out, workers);
        workers.giveBack(mapped);
    }

    /**
     * {@inheritDoc} Here rowSquares receives upper bounds: from {@link ColumnMap#rowSquares}, or that of B times the
     * square of ||T||.
     */
    @Override
    public void transposeTimes(DenseMatrix u, DenseMatrix out, double[] rowSquares, Workers workers) {
        DenseMatrix inner = workers.borrow(base.cols(), u.cols());
        base.transposeTimes(u, inner, rowSquares, workers);
        map.transposeTimes(inner, out, workers);
        workers.giveBack(inner);
        if (rowSquares != null && !map.rowSquares(base, rowSquares)) {
            double norm = map.norm();
            Vectors.scale(norm * norm, rowSquares);
        }
    }

    @Override
    public void pass(DenseMatrix v, RowStep[] step, DenseMatrix out, Workers workers) {
        DenseMatrix mapped = map.times(v, workers);
        DenseMatrix inner = workers.borrow(base.cols(), v.cols());
        base.pass(mapped, step, inner, workers);
        workers.giveBack(mapped);
        map.transposeTimes(inner, out, workers);
        workers.giveBack(inner);
    }

    @Override
    public void tile(int firstRow, int rowCount, int firstCol, int colCount, DoubleBuffer target) {
        double[] row = new double[base.cols()];
        double[] combined = new double[map.outputs()];
        DoubleBuffer buffer = DoubleBuffer.wrap(row);
        for (int i = 0; i < rowCount; i++) {
            base.tile(firstRow + i, 1, 0, row.length, buffer);
            map.combine(row, combined);
            target.put(i * colCount, combined, firstCol, colCount);
        }
    }
}
