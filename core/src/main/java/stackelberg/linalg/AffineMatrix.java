package stackelberg.linalg;

import java.nio.DoubleBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The matrix [(X - 1 shift') diag(scale), 1]: X with shifted and scaled columns, and optionally a column of ones, without forming it.
 *
 * <p>X is not changed, so it may be sparse, mapped from a file or shared. With D = diag(scale) and s = shift:
 *
 * <pre>
 * product with V:   X (D V) + 1 c',   where the row c' = (last row of V) - s'D V is the same for all rows
 * product with U:   D (X'U - s u'),   where u' = 1'U are the column sums of U
 * </pre>
 *
 * <p>Rounding errors are relative to the size of X, not of X - 1 shift': a column whose mean is many times its spread should be centred explicitly.
 */
public final class AffineMatrix implements Matrix {
    private final Matrix x;
    private final double @Nullable [] shift;
    private final double @Nullable [] scale;
    private final boolean ones;

    /**
     * The view of a matrix.
     *
     * @param shift the number subtracted from each column of X; null for 0
     * @param scale the factor of each column after the shift; null for 1
     * @param ones whether a column of ones follows
     */
    public AffineMatrix(Matrix x, double @Nullable [] shift, double @Nullable [] scale, boolean ones) {
        requireLength("shift", shift, x.cols());
        requireLength("scale", scale, x.cols());
        this.x = x;
        this.shift = shift == null ? null : shift.clone();
        this.scale = scale == null ? null : scale.clone();
        this.ones = ones;
    }

    /** X itself, without shift, scale and ones. */
    public Matrix inner() {
        return x;
    }

    /** The numbers subtracted from the columns of X; zeros if no shift was given. */
    public double[] shift() {
        return shift == null ? new double[x.cols()] : shift.clone();
    }

    /** The factors of the columns after the shift; ones if no scale was given. */
    public double[] scale() {
        double[] values = new double[x.cols()];
        for (int j = 0; j < values.length; j++) {
            values[j] = scaleOf(j);
        }
        return values;
    }

    private static void requireLength(String what, double @Nullable [] values, int cols) {
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
     * {@inheritDoc} Here, rowSquares receives upper bounds, by the triangle inequality: (norm of the scaled row of X + norm of the scaled shift)^2, plus 1 for the
     * ones. If computing the norm of the scaled row would cost a pass, max |scale| times the norm of the row takes its place.
     */
    @Override
    public void transposeTimes(DenseMatrix u, DenseMatrix out, double @Nullable [] rowSquares, Workers workers) {
        transposeTimes(u, out, rowSquares, null, workers);
    }

    @Override
    public void transposeTimes(
            DenseMatrix u,
            DenseMatrix out,
            double @Nullable [] rowSquares,
            ColumnStatistics.@Nullable Ranges ranges,
            Workers workers) {
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

    /** Turns the squared norm of each row of X into the bound (factor sqrt(square) + ||scale shift||)^2, plus one^2 if there is a column of ones. */
    private void addConstants(double factor, double[] scales, double one, double[] squares) {
        double[] offset = new double[shift == null ? 0 : shift.length];
        for (int j = 0; shift != null && j < offset.length; j++) {
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

    /** Adds a constant row to all rows of a block. */
    private static void addTo(DoubleBuffer u, int rowCount, double[] constant) {
        int k = constant.length;
        for (int i = 0; i < rowCount; i++) {
            for (int j = 0; j < k; j++) {
                u.put(i * k + j, u.get(i * k + j) + constant[j]);
            }
        }
    }

    /** A step of a pass: adds the constant row to a block of X V, applies the caller's step to it, and adds up the columns of the result. */
    private record Summing(double @Nullable [] constant, RowStep step, double[] sums) implements RowStep {
        @Override
        public void apply(int firstRow, int rowCount, DoubleBuffer u) {
            int k = sums.length;
            if (constant != null) {
                addTo(u, rowCount, constant);
            }
            step.apply(firstRow, rowCount, u);
            for (int i = 0; i < rowCount; i++) {
                for (int j = 0; j < k; j++) {
                    sums[j] += u.get(i * k + j);
                }
            }
        }
    }

    /** Whether X'U needs the column sums of U, and X V a constant row. */
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

    /** A copy of the rows of V that belong to X, by rows. */
    private double[] leadingRows(DenseMatrix v) {
        double[] values = new double[Math.multiplyExact(x.cols(), v.cols())];
        v.tile(0, x.cols(), 0, v.cols(), DoubleBuffer.wrap(values));
        return values;
    }

    /** Multiplies row j of a block of k columns by scale[j]; nothing if there is no scale. */
    private void scaleRows(double[] values, int k) {
        for (int j = 0; scale != null && j < x.cols(); j++) {
            for (int c = 0; c < k; c++) {
                values[j * k + c] *= scale[j];
            }
        }
    }

    /** The row c' that is added to every row of X diag(scale) V; absent if there is neither a shift nor a column of ones. */
    private double @Nullable [] constantRow(DenseMatrix v) {
        if (!needsSums()) {
            return null;
        }
        double[] constant = ones ? v.row(x.cols()) : new double[v.cols()];
        for (int j = 0; shift != null && j < x.cols(); j++) {
            Vectors.axpy(-shift[j] * scaleOf(j), v.row(j), constant);
        }
        return constant;
    }

    /** out = [diag(scale) (X'U - shift sums'); sums'], where out holds X'U before; {@code sums} is null if it is not needed. */
    @SuppressWarnings("NullAway")
    private void finish(double @Nullable [] sums, DenseMatrix out) {
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

    /** 1'U, summed part by part so that the result does not depend on the number of threads. */
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
