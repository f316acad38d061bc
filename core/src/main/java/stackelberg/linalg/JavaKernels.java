package stackelberg.linalg;

import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.EigenDecomposition_F64;

/**
 * The dense operations in plain Java, for small work and for machines without OpenBLAS. Rows are copied from buffers to
 * arrays, because the compiler vectorises loops over arrays but not over buffers. Loops that combine several rows read
 * a common factor once and keep several independent sums, which hides the latency of additions.
 */
final class JavaKernels implements Kernels {
    static final JavaKernels INSTANCE = new JavaKernels();

    /**
     * The numbers of a long row that are multiplied at once, so that they stay in the first-level cache with those of
     * some other rows.
     */
    private static final int BLOCK = 512;

    private JavaKernels() {}

    @Override
    public void gemm(
            boolean transA,
            boolean transB,
            int m,
            int n,
            int k,
            double alpha,
            DoubleBuffer a,
            int lda,
            DoubleBuffer b,
            int ldb,
            double beta,
            DoubleBuffer c,
            int ldc) {
        if (!transB && n > m) {
            addRows(transA, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
            return;
        }
        if (!transA && transB && 4L * m <= k) {
            innerProducts(m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
            return;
        }
        double[][] columnsOfB = columns(transB, n, k, b, ldb);
        double[] out = new double[n];
        if (!transA) {
            double[] row = new double[k];
            for (int i = 0; i < m; i++) {
                a.get(a.position() + i * lda, row);
                int j = 0;
                for (; j < n - 1; j += 2) {
                    dots(row, columnsOfB[j], columnsOfB[j + 1], k, out, j);
                }
                for (; j < n; j++) {
                    out[j] = Vectors.dot(row, 0, columnsOfB[j], 0, k);
                }
                update(alpha, out, beta, c, c.position() + i * ldc);
            }
            return;
        }
        double[][] columnsOfC = new double[n][m];
        double[] row = new double[m];
        for (int p = 0; p < k; p++) {
            a.get(a.position() + p * lda, row);
            for (int j = 0; j < n; j++) {
                Vectors.axpy(columnsOfB[j][p], row, 0, columnsOfC[j], 0, m);
            }
        }
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < n; j++) {
                out[j] = columnsOfC[j][i];
            }
            update(alpha, out, beta, c, c.position() + i * ldc);
        }
    }

    /**
     * C = alpha A B' + beta C for few long rows, by blocks of their columns; every sum has the bits that {@link
     * Vectors#dot} computes.
     */
    private static void innerProducts(
            int m,
            int n,
            int k,
            double alpha,
            DoubleBuffer a,
            int lda,
            DoubleBuffer b,
            int ldb,
            double beta,
            DoubleBuffer c,
            int ldc) {
        int whole = k - k % 4;
        double[] sums = new double[4 * m * n];
        double[] row = new double[Math.min(k, BLOCK)];
        double[][] others = new double[n][row.length];
        for (int first = 0; first < whole; first += BLOCK) {
            int width = Math.min(BLOCK, whole - first);
            for (int j = 0; j < n; j++) {
                b.get(b.position() + j * ldb + first, others[j], 0, width);
            }
            for (int i = 0; i < m; i++) {
                a.get(a.position() + i * lda + first, row, 0, width);
                int j = 0;
                for (; j < n - 1; j += 2) {
                    addDots(row, others[j], others[j + 1], width, sums, 4 * (i * n + j));
                }
                if (j < n) {
                    addDot(row, others[j], width, sums, 4 * (i * n + j));
                }
            }
        }
        double[] out = new double[n];
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < n; j++) {
                int at = 4 * (i * n + j);
                for (int p = whole; p < k; p++) {
                    sums[at] += a.get(a.position() + i * lda + p) * b.get(b.position() + j * ldb + p);
                }
                out[j] = (sums[at] + sums[at + 1]) + (sums[at + 2] + sums[at + 3]);
            }
            update(alpha, out, beta, c, c.position() + i * ldc);
        }
    }

    /** Continues the four running sums of x'y with another block. */
    private static void addDot(double[] x, double[] y, int n, double[] sums, int at) {
        double a = sums[at];
        double b = sums[at + 1];
        double c = sums[at + 2];
        double d = sums[at + 3];
        for (int i = 0; i < n; i += 4) {
            a += x[i] * y[i];
            b += x[i + 1] * y[i + 1];
            c += x[i + 2] * y[i + 2];
            d += x[i + 3] * y[i + 3];
        }
        sums[at] = a;
        sums[at + 1] = b;
        sums[at + 2] = c;
        sums[at + 3] = d;
    }

    /** Adds x'y and x'z, reading x once. */
    private static void addDots(double[] x, double[] y, double[] z, int n, double[] sums, int at) {
        double a = sums[at];
        double b = sums[at + 1];
        double c = sums[at + 2];
        double d = sums[at + 3];
        double e = sums[at + 4];
        double f = sums[at + 5];
        double g = sums[at + 6];
        double h = sums[at + 7];
        for (int i = 0; i < n; i += 4) {
            a += x[i] * y[i];
            e += x[i] * z[i];
            b += x[i + 1] * y[i + 1];
            f += x[i + 1] * z[i + 1];
            c += x[i + 2] * y[i + 2];
            g += x[i + 2] * z[i + 2];
            d += x[i + 3] * y[i + 3];
            h += x[i + 3] * z[i + 3];
        }
        sums[at] = a;
        sums[at + 1] = b;
        sums[at + 2] = c;
        sums[at + 3] = d;
        sums[at + 4] = e;
        sums[at + 5] = f;
        sums[at + 6] = g;
        sums[at + 7] = h;
    }

    /** Two dot products with one read of x; the bits are those of {@link Vectors#dot}. */
    private static void dots(double[] x, double[] y, double[] z, int n, double[] out, int at) {
        double a = 0;
        double b = 0;
        double c = 0;
        double d = 0;
        double e = 0;
        double f = 0;
        double g = 0;
        double h = 0;
        int i = 0;
        for (; i < n - 3; i += 4) {
            a += x[i] * y[i];
            e += x[i] * z[i];
            b += x[i + 1] * y[i + 1];
            f += x[i + 1] * z[i + 1];
            c += x[i + 2] * y[i + 2];
            g += x[i + 2] * z[i + 2];
            d += x[i + 3] * y[i + 3];
            h += x[i + 3] * z[i + 3];
        }
        for (; i < n; i++) {
            a += x[i] * y[i];
            e += x[i] * z[i];
        }
        out[at] = (a + b) + (c + d);
        out[at + 1] = (e + f) + (g + h);
    }

    /** y += a v + b w + c x + d z with one read of y; the bits are those of four separate additions. */
    private static void addFour(
            double a, double[] v, double b, double[] w, double c, double[] x, double d, double[] z, double[] y, int n) {
        for (int i = 0; i < n; i++) {
            y[i] = y[i] + a * v[i] + b * w[i] + c * x[i] + d * z[i];
        }
    }

    /** C = alpha op(A) B + beta C, where each of the few rows of C is a sum of rows of B. */
    private static void addRows(
            boolean transA,
            int m,
            int n,
            int k,
            double alpha,
            DoubleBuffer a,
            int lda,
            DoubleBuffer b,
            int ldb,
            double beta,
            DoubleBuffer c,
            int ldc) {
        int most = Math.min(n, BLOCK);
        double[][] rowsOfC = new double[m][most];
        double[][] rows = new double[4][most];
        for (int first = 0; first < n; first += BLOCK) {
            int width = Math.min(BLOCK, n - first);
            for (int i = 0; i < m; i++) {
                if (beta == 0) {
                    Arrays.fill(rowsOfC[i], 0);
                } else {
                    c.get(c.position() + i * ldc + first, rowsOfC[i], 0, width);
                    Vectors.scale(beta, rowsOfC[i]);
                }
            }
            int p = 0;
            for (; p < k - 3; p += 4) {
                for (int q = 0; q < 4; q++) {
                    b.get(b.position() + (p + q) * ldb + first, rows[q], 0, width);
                }
                for (int i = 0; i < m; i++) {
                    int at = a.position() + (transA ? p * lda + i : i * lda + p);
                    int next = transA ? lda : 1;
                    addFour(
                            alpha * a.get(at),
                            rows[0],
                            alpha * a.get(at + next),
                            rows[1],
                            alpha * a.get(at + 2 * next),
                            rows[2],
                            alpha * a.get(at + 3 * next),
                            rows[3],
                            rowsOfC[i],
                            width);
                }
            }
            for (; p < k; p++) {
                b.get(b.position() + p * ldb + first, rows[0], 0, width);
                for (int i = 0; i < m; i++) {
                    double entry = a.get(a.position() + (transA ? p * lda + i : i * lda + p));
                    Vectors.axpy(alpha * entry, rows[0], 0, rowsOfC[i], 0, width);
                }
            }
            for (int i = 0; i < m; i++) {
                c.put(c.position() + i * ldc + first, rowsOfC[i], 0, width);
            }
        }
    }

    /** The n columns of op(B), each as an array of length k. */
    private static double[][] columns(boolean transB, int n, int k, DoubleBuffer b, int ldb) {
        double[][] columns = new double[n][k];
        if (transB) {
            for (int j = 0; j < n; j++) {
                b.get(b.position() + j * ldb, columns[j]);
            }
            return columns;
        }
        double[] row = new double[n];
        for (int p = 0; p < k; p++) {
            b.get(b.position() + p * ldb, row);
            for (int j = 0; j < n; j++) {
                columns[j][p] = row[j];
            }
        }
        return columns;
    }

    private static void update(double alpha, double[] values, double beta, DoubleBuffer c, int from) {
        for (int j = 0; j < values.length; j++) {
            double old = beta == 0 ? 0 : beta * c.get(from + j);
            c.put(from + j, alpha * values[j] + old);
        }
    }

    @Override
    public void rowSquares(int m, int n, DoubleBuffer a, int lda, double[] squares, int from) {
        double[] row = new double[n];
        for (int i = 0; i < m; i++) {
            a.get(a.position() + i * lda, row);
            squares[from + i] = Vectors.dot(row, 0, row, 0, n);
        }
    }

    @Override
    public void syrk(boolean transA, int n, int k, double alpha, DoubleBuffer a, int lda, DoubleBuffer c, int ldc) {
        double[][] sums = new double[n][];
        for (int i = 0; i < n; i++) {
            sums[i] = new double[i + 1];
        }
        if (transA) {
            double[] row = new double[n];
            for (int p = 0; p < k; p++) {
                a.get(a.position() + p * lda, row);
                for (int i = 0; i < n; i++) {
                    Vectors.axpy(row[i], row, 0, sums[i], 0, i + 1);
                }
            }
        } else {
            double[][] rows = columns(true, n, k, a, lda);
            for (int i = 0; i < n; i++) {
                for (int j = 0; j <= i; j++) {
                    sums[i][j] = Vectors.dot(rows[i], 0, rows[j], 0, k);
                }
            }
        }
        for (int i = 0; i < n; i++) {
            update(alpha, sums[i], 1, c, c.position() + i * ldc);
        }
    }

    @Override
    public void trsm(int m, int n, DoubleBuffer l, int ldl, DoubleBuffer b, int ldb) {
        double[][] rows = lower(n, l, ldl);
        double[] x = new double[n];
        for (int i = 0; i < m; i++) {
            b.get(b.position() + i * ldb, x);
            for (int j = 0; j < n; j++) {
                x[j] = (x[j] - Vectors.dot(rows[j], 0, x, 0, j)) / rows[j][j];
            }
            b.put(b.position() + i * ldb, x);
        }
    }

    @Override
    public boolean potrf(int n, DoubleBuffer a, int lda) {
        double[][] l = lower(n, a, lda);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < i; j++) {
                l[i][j] = (l[i][j] - Vectors.dot(l[i], 0, l[j], 0, j)) / l[j][j];
            }
            double pivot = l[i][i] - Vectors.dot(l[i], 0, l[i], 0, i);
            if (!(pivot > 0)) {
                return false;
            }
            l[i][i] = Math.sqrt(pivot);
        }
        for (int i = 0; i < n; i++) {
            a.put(a.position() + i * lda, l[i]);
        }
        return true;
    }

    @Override
    public void potri(int n, DoubleBuffer buffer, int ldl, int threads) {
        double[][] l = lower(n, buffer, ldl);
        // K = L^{-1}, row by row: K_i = (e_i - sum_{j<i} L_ij K_j) / L_ii. Then A^{-1} = K'K.
        double[][] k = new double[n][];
        double[][] inverse = new double[n][];
        for (int i = 0; i < n; i++) {
            k[i] = new double[i + 1];
            inverse[i] = new double[i + 1];
            for (int j = 0; j < i; j++) {
                Vectors.axpy(-l[i][j], k[j], 0, k[i], 0, j + 1);
            }
            k[i][i] = 1;
            Vectors.scale(1 / l[i][i], k[i]);
        }
        for (double[] row : k) {
            for (int i = 0; i < row.length; i++) {
                Vectors.axpy(row[i], row, 0, inverse[i], 0, i + 1);
            }
        }
        for (int i = 0; i < n; i++) {
            buffer.put(buffer.position() + i * ldl, inverse[i]);
        }
    }

    private static double[][] lower(int n, DoubleBuffer a, int lda) {
        double[][] rows = new double[n][];
        for (int i = 0; i < n; i++) {
            rows[i] = new double[i + 1];
            a.get(a.position() + i * lda, rows[i]);
        }
        return rows;
    }

    @Override
    public void trsv(boolean transposed, int n, DoubleBuffer l, int ldl, DoubleBuffer b) {
        double[] row = new double[n];
        double[] x = new double[n];
        b.get(b.position(), x);
        if (!transposed) {
            for (int i = 0; i < n; i++) {
                l.get(l.position() + i * ldl, row, 0, i + 1);
                x[i] = (x[i] - Vectors.dot(row, 0, x, 0, i)) / row[i];
            }
        } else {
            for (int i = n - 1; i >= 0; i--) {
                l.get(l.position() + i * ldl, row, 0, i + 1);
                x[i] /= row[i];
                Vectors.axpy(-x[i], row, 0, x, 0, i);
            }
        }
        b.put(b.position(), x);
    }

    @Override
    public boolean syev(boolean vectors, int n, DoubleBuffer a, int lda, double[] values, int threads) {
        DMatrixRMaj square = new DMatrixRMaj(n, n);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++) {
                double value = a.get(a.position() + i * lda + j);
                square.set(i, j, value);
                square.set(j, i, value);
            }
        }
        EigenDecomposition_F64<DMatrixRMaj> eigen = DecompositionFactory_DDRM.eig(n, vectors, true);
        if (n > 0 && !eigen.decompose(square)) {
            return false;
        }
        double[] unordered = IntStream.range(0, n)
                .mapToDouble(i -> eigen.getEigenvalue(i).getReal())
                .toArray();
        int[] order = IntStream.range(0, n)
                .boxed()
                .sorted((i, j) -> Double.compare(unordered[i], unordered[j]))
                .mapToInt(i -> i)
                .toArray();
        for (int i = 0; i < n; i++) {
            values[i] = unordered[order[i]];
            if (vectors) {
                a.put(a.position() + i * lda, eigen.getEigenVector(order[i]).getData(), 0, n);
            }
        }
        return Arrays.stream(values).allMatch(Double::isFinite);
    }
}
