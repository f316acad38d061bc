package stackelberg.sphere;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.util.Arrays;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Gram;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;

/**
 * Products with P X without forming it: P X V = X V - E (F'V) with F = X'SE.
 *
 * <p>The projection is done row by row inside the one pass over X, so sparse data stays sparse and mapped data is read once.
 *
 * @param weights the diagonal of S; one number where it is everybody's
 * @param fixed E
 * @param f the columns of F
 */
record ProjectedRows(Matrix x, double[] weights, RowProjection fixed, double[][] f, Workers workers) {
    /** out = X'PX V: one pass over the data. */
    void gramTimes(DenseMatrix v, DenseMatrix out) {
        int k = v.cols();
        double[][] fv = projections(v);
        Matrix.RowStep project = (firstRow, rowCount, u) -> {
            if (isPlain(firstRow, rowCount)) {
                return;
            }
            for (int i = 0; i < rowCount; i++) {
                double s = Vectors.at(weights, firstRow + i);
                for (int c = 0; c < k; c++) {
                    u.put(i * k + c, s * (u.get(i * k + c) - fixedPart(firstRow + i, fv[c])));
                }
            }
        };
        Matrix.RowStep[] steps = new Matrix.RowStep[x.parts(k)];
        Arrays.fill(steps, project);
        x.pass(v, steps, out, workers);
    }

    /** Whether S and P leave these rows as they are: nothing is fixed, and every weight is 1. */
    private boolean isPlain(int firstRow, int rowCount) {
        boolean plain = fixed.rank() == 0;
        for (int i = 0; i < rowCount && plain; i++) {
            plain = Vectors.at(weights, firstRow + i) == 1;
        }
        return plain;
    }

    /** X'PX, newly formed. */
    DenseMatrix gram() {
        DenseMatrix gram = DenseMatrix.zeros(x.cols(), x.cols());
        gram(gram);
        return gram;
    }

    /** X'PX in place of the zeros of sum, which may be a part of a larger matrix. */
    void gram(DenseMatrix sum) {
        SphereFamily.Sparse sparse = SparseGram.of(x, weights, fixed);
        if (sparse != null && FormedGram.into(sparse, this, sum)) {
            return;
        }
        if (Gram.isMany(x) && formed(sum)) {
            return;
        }
        int m = x.rows();
        int n = x.cols();
        int parts = Gram.parts(m, n);
        // parts that are summed side by side have tiles that stay in cache
        int height = Math.max(1, Math.min(m, (parts == 1 ? 1 << 22 : 1 << 16) / Math.max(1, n)));
        DenseMatrix[] sums = new DenseMatrix[parts];
        workers.run(parts, part -> {
            DenseMatrix own = part == 0 ? sum : DenseMatrix.zeros(n, n);
            DoubleBuffer tile = scratch(height, n);
            int end = Gram.firstRow(m, part + 1, parts);
            for (int first = Gram.firstRow(m, part, parts); first < end; first += height) {
                int count = Math.min(height, end - first);
                x.tile(first, count, 0, n, tile);
                project(tile, first, count, 0, n);
                Gram.addTransposeProduct(tile, count, parts == 1 ? count : m, n, own, workers);
            }
            sums[part] = own;
        });
        for (int part = 1; part < parts; part++) {
            add(sums[part], sum);
        }
        Gram.symmetrize(sum);
    }

    /** X'X - F'F, F = E'X, where everybody weighs 1 and at most half of any column is taken off: no digit is lost then. */
    private boolean formed(DenseMatrix sum) {
        int n = x.cols();
        if (!Vectors.isOnes(weights)) {
            return false;
        }
        Gram.ofMany((DenseMatrix) x, sum, workers);
        for (int j = 0; j < n; j++) {
            double taken = 0;
            for (double[] along : f) {
                taken += along[j] * along[j];
            }
            if (!(taken <= sum.get(j, j) / 2)) {
                sum.setAll(DenseMatrix.zeros(n, n));
                return false;
            }
        }
        for (int i = 0; i < n; i++) {
            double[] row = sum.row(i);
            for (double[] along : f) {
                for (int j = 0; j < n; j++) {
                    row[j] -= along[i] * along[j];
                }
            }
            sum.setRow(i, row);
        }
        return true;
    }

    private static void add(DenseMatrix part, DenseMatrix sum) {
        for (int j = 0; j < sum.rows(); j++) {
            double[] row = sum.row(j);
            Vectors.axpy(1, part.row(j), row);
            sum.setRow(j, row);
        }
    }

    /** S^{1/2} PXX'P S^{1/2}, newly formed. */
    DenseMatrix rowGram() {
        int m = x.rows();
        int n = x.cols();
        DenseMatrix sum = DenseMatrix.zeros(m, m);
        SphereFamily.Sparse sparse = SparseGram.of(x, weights, fixed);
        if (sparse != null && FormedGram.ofRows(sparse, this, sum)) {
            return sum;
        }
        int width = Math.max(1, Math.min(n, (1 << 22) / Math.max(1, m)));
        DoubleBuffer tile = scratch(m, width);
        for (int first = 0; first < n; first += width) {
            int count = Math.min(width, n - first);
            x.tile(0, m, first, count, tile);
            project(tile, 0, m, first, count);
            Gram.addProductTranspose(tile, m, count, sum, workers);
        }
        Gram.symmetrize(sum);
        return sum;
    }

    /** Turns a tile of X into the same tile of S^{1/2} P X. */
    private void project(DoubleBuffer tile, int firstRow, int rowCount, int firstCol, int colCount) {
        if (isPlain(firstRow, rowCount)) {
            return;
        }
        double[] values = new double[colCount];
        for (int i = 0; i < rowCount; i++) {
            int row = firstRow + i;
            double root = Math.sqrt(Vectors.at(weights, row));
            tile.get(i * colCount, values);
            for (int k = 0; k < f.length; k++) {
                double e = Vectors.at(fixed.basis(k), row);
                double[] column = f[k];
                for (int j = 0; j < colCount; j++) {
                    values[j] -= e * column[firstCol + j];
                }
            }
            for (int j = 0; j < colCount && root != 1; j++) {
                values[j] *= root;
            }
            tile.put(i * colCount, values);
        }
    }

    /** F'v for every column v. */
    double[][] projections(DenseMatrix v) {
        double[][] fv = new double[v.cols()][f.length];
        if (f.length == 0) {
            return fv;
        }
        int width = v.cols();
        int height = Math.max(1, Math.min(v.rows(), 4096 / Math.max(1, width)));
        double[] values = new double[height * width];
        for (int first = 0; first < v.rows(); first += height) {
            int count = Math.min(height, v.rows() - first);
            v.tile(first, count, 0, width, DoubleBuffer.wrap(values));
            for (int c = 0; c < width; c++) {
                for (int k = 0; k < f.length; k++) {
                    double sum = fv[c][k];
                    for (int j = 0; j < count; j++) {
                        sum += f[k][first + j] * values[j * width + c];
                    }
                    fv[c][k] = sum;
                }
            }
        }
        return fv;
    }

    /** Takes E times coefficients off as many values as there are, from a row on: as {@link #fixedPart} of each. */
    void subtractFixed(int firstRow, double[] coefficients, double[] values) {
        if (coefficients.length == 1 && fixed.basis(0).length == 1) {
            Vectors.shift(-(fixed.basis(0)[0] * coefficients[0]), values);
            return;
        }
        for (int i = 0; i < values.length; i++) {
            values[i] -= fixedPart(firstRow + i, coefficients);
        }
    }

    /** The row of E times coefficients. */
    double fixedPart(int row, double[] coefficients) {
        double sum = 0;
        for (int k = 0; k < coefficients.length; k++) {
            sum += Vectors.at(fixed.basis(k), row) * coefficients[k];
        }
        return sum;
    }

    private static DoubleBuffer scratch(int rows, int cols) {
        return ByteBuffer.allocateDirect(Math.toIntExact(8L * rows * cols))
                .order(ByteOrder.nativeOrder())
                .asDoubleBuffer();
    }
}
