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
 * <p>The projection is applied row by row inside the one pass over X, so that sparse data stays sparse and a mapped file is read once.
 *
 * @param x the manipulable features, costs applied
 * @param weights the diagonal of S; an array of one number if all rows have that weight
 * @param fixed E, the orthonormal basis of the range of the immutable columns
 * @param f the columns of F
 */
record ProjectedRows(Matrix x, double[] weights, RowProjection fixed, double[][] f, Workers workers) {
    /** Writes X'PX V to out: one pass over the data. */
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

    /** Returns whether S and P leave these rows as they are: there are no immutable columns, and every weight is 1. */
    private boolean isPlain(int firstRow, int rowCount) {
        boolean plain = fixed.rank() == 0;
        for (int i = 0; i < rowCount && plain; i++) {
            plain = Vectors.at(weights, firstRow + i) == 1;
        }
        return plain;
    }

    /** Returns X'PX, newly formed. */
    DenseMatrix gram() {
        DenseMatrix gram = DenseMatrix.zeros(x.cols(), x.cols());
        gram(gram);
        return gram;
    }

    /**
     * Adds X'PX to sum, by the cheapest of three routes: from the nonzeros of a sparse X, as X'X - F'F by one large product, or tile by tile.
     *
     * @param sum all zero, of order n; may be a part of a larger matrix
     */
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
        // several parts run at once, so each takes tiles of 512 kB, which stay in cache; a single part takes tiles of
        // 32 MB
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

    /**
     * Forms X'X - F'F, F = E'SX, in one large product.
     *
     * @return false, with sum still zero, if weights differ from 1 or a column loses more than half of its square in the difference (at most one bit is
     *     lost otherwise)
     */
    private boolean formed(DenseMatrix sum) {
        int n = x.cols();
        if (!Vectors.isOnes(weights)) {
            return false;
        }
        Gram.ofMany((DenseMatrix) x, sum, workers);
        for (int j = 0; j < n; j++) {
            double removed = 0;
            for (double[] along : f) {
                removed += along[j] * along[j];
            }
            if (!(removed <= sum.get(j, j) / 2)) {
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

    /** Returns K = S^{1/2} PXX'P' S^{1/2}, newly formed, of order m: column tile by column tile, or from the nonzeros of a sparse X. */
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

    /** Overwrites a tile of X with the same tile of S^{1/2} P X. */
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

    /** Returns F'v for every column v of a matrix; read in tiles of 4,096 values, which stay in cache. */
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

    /** Subtracts E times coefficients from the values of consecutive rows, starting at firstRow: {@link #fixedPart} of each. */
    void subtractFixed(int firstRow, double[] coefficients, double[] values) {
        // the most common case, an intercept alone and equal weights: the same number for every row
        if (coefficients.length == 1 && fixed.basis(0).length == 1) {
            Vectors.shift(-(fixed.basis(0)[0] * coefficients[0]), values);
            return;
        }
        for (int i = 0; i < values.length; i++) {
            values[i] -= fixedPart(firstRow + i, coefficients);
        }
    }

    /** Returns one row of E times coefficients. */
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
