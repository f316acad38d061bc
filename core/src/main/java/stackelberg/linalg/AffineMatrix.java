package stackelberg.linalg;

import java.nio.DoubleBuffer;

/** The view (X - 1 shift') diag(scale), never formed. */
public final class AffineMatrix implements Matrix {
    private final Matrix x;
    private final double[] scale;

    public AffineMatrix(Matrix x, double[] shift, double[] scale, boolean ones) {
        this.x = x;
        this.scale = scale;
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
        x.times(scaled(v), out, workers);
    }

    @Override
    public void transposeTimes(DenseMatrix u, DenseMatrix out, double[] rowSquares, Workers workers) {
        x.transposeTimes(u, out, rowSquares, workers);
        scaleRows(out);
    }

    @Override
    public void pass(DenseMatrix v, RowStep[] step, DenseMatrix out, Workers workers) {
        x.pass(scaled(v), step, out, workers);
        scaleRows(out);
    }

    @Override
    public int parts(int k) {
        return x.parts(k);
    }

    @Override
    public void tile(int firstRow, int rowCount, int firstCol, int colCount, DoubleBuffer target) {
        x.tile(firstRow, rowCount, firstCol, colCount, target);
        for (int i = 0; i < rowCount; i++) {
            for (int j = 0; j < colCount; j++) {
                target.put(i * colCount + j, target.get(i * colCount + j) * scale[firstCol + j]);
            }
        }
    }

    private DenseMatrix scaled(DenseMatrix v) {
        DenseMatrix copy = DenseMatrix.zeros(v.rows(), v.cols());
        for (int i = 0; i < v.rows(); i++) {
            for (int k = 0; k < v.cols(); k++) {
                copy.set(i, k, v.get(i, k) * scale[i]);
            }
        }
        return copy;
    }

    private void scaleRows(DenseMatrix out) {
        for (int i = 0; i < out.rows(); i++) {
            for (int k = 0; k < out.cols(); k++) {
                out.set(i, k, out.get(i, k) * scale[i]);
            }
        }
    }
}
