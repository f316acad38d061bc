package stackelberg.linalg;

import java.nio.DoubleBuffer;

/**
 * [(X - 1 shift') diag(scale), 1]: X with shifted and scaled columns and, if asked for, a column of ones, all of it implicit.
 *
 * <p>X stays as it is (sparse, mapped, shared): a shift becomes one row added to X V and the column sums of U taken from X'U. Rounding errors
 * are those of the size of X, not of X - 1 shift'; a column whose mean dwarfs its spread should be centred explicitly.
 */
public final class AffineMatrix implements Matrix {
    private final Matrix x;
    private final double[] shift;
    private final double[] scale;
    private final boolean ones;

    /**
     * @param shift subtracted from the columns of X, or null
     * @param scale multiplied to the columns after that, or null
     * @param ones whether a column of ones follows
     */
    public AffineMatrix(Matrix x, double[] shift, double[] scale, boolean ones) {
        requireLength("shift", shift, x.cols());
        requireLength("scale", scale, x.cols());
        this.x = x;
        this.shift = shift == null ? null : shift.clone();
        this.scale = scale == null ? null : scale.clone();
        this.ones = ones;
    }

    /** X, without shift, scale and ones. */
    public Matrix inner() {
        return x;
    }

    /** What is subtracted from the columns of X; zeros if nothing is. */
    public double[] shift() {
        return shift == null ? new double[x.cols()] : shift.clone();
    }

    /** What the columns are multiplied by after that. */
    public double[] scale() {
        double[] values = new double[x.cols()];
        for (int j = 0; j < values.length; j++) {
            values[j] = scaleOf(j);
        }
        return values;
    }

    private static void requireLength(String what, double[] values, int cols) {
        if (values != null && values.length != cols) {
            throw new IllegalArgumentException(
                    "The " + what + " has " + values.length + " values, but the matrix has " + cols + " columns.");
        }
    }

    @Override
    public int rows() {
        return x.rows();
    }

    @Override
    public int cols() {
        return x.cols() + (ones ? 1 : 0);
    }

    @Override
    public int parts(int k) {
        return x.parts(k);
    }

    @Override
    public void times(DenseMatrix v, DenseMatrix out, Workers workers) {
        DenseProducts.requireSize("V", v, cols(), v.cols());
        x.times(scaled(v), out, workers);
        double[] constant = constantRow(v);
        if (constant == null) {
            return;
        }
        int k = v.cols();
        int parts = parts(k);
        workers.run(parts, part -> {
            int end = (int) ((long) rows() * (part + 1) / parts);
            for (int i = (int) ((long) rows() * part / parts); i < end; i++) {
                for (int j = 0; j < k; j++) {
                    out.set(i, j, out.get(i, j) + constant[j]);
                }
            }
        });
    }

    /**
     * {@inheritDoc} Here, rowSquares receives an upper bound: (norm of the scaled row of X + norm of the scaled shift)^2, plus 1 for the ones, and max |scale|
     * times the norm of the row for that of the scaled row where scaling would cost a read.
     */
    @Override
    public void transposeTimes(DenseMatrix u, DenseMatrix out, double[] rowSquares, Workers workers) {
        transposeTimes(u, out, rowSquares, null, workers);
    }

    @Override
    public void transposeTimes(
            DenseMatrix u, DenseMatrix out, double[] rowSquares, ColumnStatistics.Ranges ranges, Workers workers) {
        DenseProducts.requireSize("the result", out, cols(), u.cols());
        double[] sums = needsSums() ? columnSums(u, workers) : null;
        x.transposeTimes(u, out.firstRows(x.cols()), rowSquares, ranges, workers);
        finish(sums, out);
        if (rowSquares != null) {
            double largest = scale == null || x.rowSquares(scale, rowSquares) ? 1 : Vectors.maxAbs(scale);
            addConstants(largest, scale(), 1, rowSquares);
        }
    }

    /** {@inheritDoc} Here they are upper bounds, as in {@link #transposeTimes}. */
    @Override
    public boolean rowSquares(double[] factors, double[] squares) {
        double[] inner = scale();
        for (int j = 0; j < inner.length; j++) {
            inner[j] *= factors[j];
        }
        boolean known = x.rowSquares(inner, squares);
        if (known) {
            addConstants(1, inner, ones ? factors[x.cols()] : 0, squares);
        }
        return known;
    }

    /** (factor sqrt(square) + ||scale shift||)^2 + one^2 for each square of a row of X, the last where there are ones. */
    private void addConstants(double factor, double[] scales, double one, double[] squares) {
        double[] offset = new double[shift == null ? 0 : shift.length];
        for (int j = 0; j < offset.length; j++) {
            offset[j] = scales[j] * shift[j];
        }
        double shiftNorm = Vectors.norm(offset);
        for (int i = 0; i < squares.length; i++) {
            double bound = factor * Math.sqrt(squares[i]) + shiftNorm;
            squares[i] = bound * bound + (ones ? one * one : 0);
        }
    }

    @Override
    public void pass(DenseMatrix v, RowStep[] step, DenseMatrix out, Workers workers) {
        DenseProducts.requireSize("V", v, cols(), v.cols());
        DenseProducts.requireSize("the result", out, cols(), v.cols());
        int k = v.cols();
        DenseProducts.requireSteps(step, parts(k));
        double[] constant = constantRow(v);
        Summing[] inner = new Summing[step.length];
        for (int part = 0; part < step.length; part++) {
            inner[part] = new Summing(constant, step[part], new double[k]);
        }
        x.pass(scaled(v), needsSums() ? inner : step, out.firstRows(x.cols()), workers);
        double[] sums = new double[k];
        for (Summing part : inner) {
            Vectors.axpy(1, part.sums, sums);
        }
        finish(sums, out);
    }

    @Override
    public void look(DenseMatrix v, RowStep[] step, Workers workers) {
        DenseProducts.requireSize("V", v, cols(), v.cols());
        DenseProducts.requireSteps(step, parts(v.cols()));
        double[] constant = constantRow(v);
        RowStep[] inner = step.clone();
        for (int part = 0; part < step.length && constant != null; part++) {
            RowStep last = step[part];
            inner[part] = (firstRow, rowCount, u) -> {
                addTo(u, rowCount, constant);
                last.apply(firstRow, rowCount, u);
            };
        }
        x.look(scaled(v), inner, workers);
    }

    private static void addTo(DoubleBuffer u, int rowCount, double[] constant) {
        int k = constant.length;
        for (int i = 0; i < rowCount; i++) {
            for (int j = 0; j < k; j++) {
                u.put(i * k + j, u.get(i * k + j) + constant[j]);
            }
        }
    }

    /** Adds the constant row to a block of X V, lets the caller's step change it, and keeps the column sums. */
    private record Summing(double[] constant, RowStep step, double[] sums) implements RowStep {
        @Override
        public void apply(int firstRow, int rowCount, DoubleBuffer u) {
            int k = sums.length;
            addTo(u, rowCount, constant);
            step.apply(firstRow, rowCount, u);
            for (int i = 0; i < rowCount; i++) {
                for (int j = 0; j < k; j++) {
                    sums[j] += u.get(i * k + j);
                }
            }
        }
    }

    private boolean needsSums() {
        return ones || shift != null;
    }

    private double scaleOf(int j) {
        return scale == null ? 1 : scale[j];
    }

    /** diag(scale) times the rows of V that belong to X. */
    private DenseMatrix scaled(DenseMatrix v) {
        if (scale == null) {
            return v.firstRows(x.cols());
        }
        double[] values = leadingRows(v);
        scaleRows(values, v.cols());
        DenseMatrix scaled = DenseMatrix.zeros(x.cols(), v.cols());
        scaled.setTile(0, x.cols(), 0, v.cols(), values);
        return scaled;
    }

    /** The rows that belong to X, copied in one go. */
    private double[] leadingRows(DenseMatrix v) {
        double[] values = new double[Math.multiplyExact(x.cols(), v.cols())];
        v.tile(0, x.cols(), 0, v.cols(), DoubleBuffer.wrap(values));
        return values;
    }

    private void scaleRows(double[] values, int k) {
        for (int j = 0; j < x.cols(); j++) {
            for (int c = 0; c < k; c++) {
                values[j * k + c] *= scale[j];
            }
        }
    }

    /** What every row of the product has besides X diag(scale) V: the last row of V minus shift' diag(scale) V; null if nothing. */
    private double[] constantRow(DenseMatrix v) {
        if (!needsSums()) {
            return null;
        }
        double[] constant = ones ? v.row(x.cols()) : new double[v.cols()];
        for (int j = 0; shift != null && j < x.cols(); j++) {
            Vectors.axpy(-shift[j] * scaleOf(j), v.row(j), constant);
        }
        return constant;
    }

    /** out = [diag(scale) (X'U - shift sums'); sums'], where X'U is in out already. */
    private void finish(double[] sums, DenseMatrix out) {
        int k = out.cols();
        if (shift != null || scale != null) {
            double[] values = leadingRows(out);
            for (int j = 0; shift != null && j < x.cols(); j++) {
                Vectors.axpy(-shift[j], sums, 0, values, j * k, k);
            }
            if (scale != null) {
                scaleRows(values, k);
            }
            out.setTile(0, x.cols(), 0, k, values);
        }
        if (ones) {
            out.setRow(x.cols(), sums);
        }
    }

    private double[] columnSums(DenseMatrix u, Workers workers) {
        int k = u.cols();
        int parts = parts(k);
        double[][] sums = new double[parts][k];
        workers.run(parts, part -> {
            int end = (int) ((long) rows() * (part + 1) / parts);
            for (int i = (int) ((long) rows() * part / parts); i < end; i++) {
                for (int j = 0; j < k; j++) {
                    sums[part][j] += u.get(i, j);
                }
            }
        });
        double[] total = new double[k];
        for (double[] sum : sums) {
            Vectors.axpy(1, sum, total);
        }
        return total;
    }

    @Override
    public void tile(int firstRow, int rowCount, int firstCol, int colCount, DoubleBuffer target) {
        int inner = Math.max(0, Math.min(colCount, x.cols() - firstCol));
        DoubleBuffer block = inner == colCount ? target : DoubleBuffer.allocate(rowCount * inner);
        if (inner > 0) {
            x.tile(firstRow, rowCount, firstCol, inner, block);
        }
        for (int i = 0; i < rowCount; i++) {
            for (int j = 0; j < inner; j++) {
                double moved = block.get(i * inner + j) - (shift == null ? 0 : shift[firstCol + j]);
                target.put(i * colCount + j, moved * scaleOf(firstCol + j));
            }
            if (inner < colCount) {
                target.put(i * colCount + inner, 1);
            }
        }
    }
}
