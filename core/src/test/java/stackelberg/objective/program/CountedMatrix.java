package stackelberg.objective.program;

import java.nio.DoubleBuffer;
import java.util.concurrent.atomic.LongAdder;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;

/** A matrix that counts how often it is read, whoever reads it and how. */
final class CountedMatrix implements Matrix {
    private final Matrix x;
    private final LongAdder values = new LongAdder();

    CountedMatrix(Matrix x) {
        this.x = x;
    }

    /** How often all of it was read since the last question. */
    double passes() {
        return values.sumThenReset() / ((double) x.rows() * x.cols());
    }

    private void all() {
        values.add((long) x.rows() * x.cols());
    }

    @Override
    public int rows() {
        return x.rows();
    }

    @Override
    public int cols() {
        return x.cols();
    }

    @Override
    public void times(DenseMatrix v, DenseMatrix out, Workers workers) {
        all();
        x.times(v, out, workers);
    }

    @Override
    public void transposeTimes(DenseMatrix u, DenseMatrix out, double[] rowSquares, Workers workers) {
        all();
        x.transposeTimes(u, out, rowSquares, workers);
    }

    @Override
    public void pass(DenseMatrix v, RowStep[] step, DenseMatrix out, Workers workers) {
        all();
        x.pass(v, step, out, workers);
    }

    @Override
    public int parts(int k) {
        return x.parts(k);
    }

    @Override
    public void tile(int firstRow, int rowCount, int firstCol, int colCount, DoubleBuffer target) {
        values.add((long) rowCount * colCount);
        x.tile(firstRow, rowCount, firstCol, colCount, target);
    }
}
