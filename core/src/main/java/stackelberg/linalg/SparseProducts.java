package stackelberg.linalg;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Products of sparse matrices that are formed from the stored entries alone. */
final class SparseProducts {
    /** The rows of the product that are one task. */
    private static final int STRIP = 32;

    private SparseProducts() {}

    /** diag(rowScale) B diag(colScale); null stands for ones. */
    static CsrMatrix scaled(CsrMatrix b, double @Nullable [] rowScale, double @Nullable [] colScale) {
        int[] rowStart = new int[b.rows() + 1];
        int[] columns = new int[b.nonzeros()];
        double[] values = new double[b.nonzeros()];
        for (int i = 0; i < b.rows(); i++) {
            rowStart[i + 1] = b.rowEnd(i);
            for (int p = b.rowBegin(i); p < b.rowEnd(i); p++) {
                columns[p] = b.columnAt(p);
                double factor = (rowScale == null ? 1 : rowScale[i]) * (colScale == null ? 1 : colScale[columns[p]]);
                values[p] = factor * b.valueAt(p);
            }
        }
        return new CsrMatrix(b.rows(), b.cols(), rowStart, columns, values);
    }

    /** B u. */
    static double[] times(CsrMatrix b, double[] u) {
        double[] result = new double[b.rows()];
        for (int i = 0; i < result.length; i++) {
            double sum = 0;
            for (int p = b.rowBegin(i); p < b.rowEnd(i); p++) {
                sum += b.valueAt(p) * u[b.columnAt(p)];
            }
            result[i] = sum;
        }
        return result;
    }

    /** B'u. */
    static double[] transposeTimes(CsrMatrix b, double[] u) {
        double[] result = new double[b.cols()];
        for (int i = 0; i < u.length; i++) {
            for (int p = b.rowBegin(i); p < b.rowEnd(i); p++) {
                result[b.columnAt(p)] += b.valueAt(p) * u[i];
            }
        }
        return result;
    }

    /** An upper bound on the number of nonzeros of B'B: the sum of the squared numbers of entries of the rows of B. */
    static long gramNonzerosBound(CsrMatrix b) {
        long sum = 0;
        for (int i = 0; i < b.rows(); i++) {
            long length = b.rowEnd(i) - b.rowBegin(i);
            sum += length * length;
        }
        return sum;
    }

    /** Computes the lower triangle of C = B'B; entries above the diagonal become 0. */
    static void lowerGram(CsrMatrix b, DenseMatrix c, Workers workers) {
        // Row j of B'B is the sum over the entries b_ij of column j of b_ij times row i of B; the transpose gives the
        // entries of a column.
        CsrMatrix t = b.transpose();
        int n = b.cols();
        DenseProducts.requireSize("a Gram matrix", c, n, n);
        int strips = Math.max(1, n / STRIP);
        workers.run(strips, strip -> {
            int end = (int) ((long) n * (strip + 1) / strips);
            for (int j = (int) ((long) n * strip / strips); j < end; j++) {
                double[] row = new double[n];
                for (int p = t.rowBegin(j); p < t.rowEnd(j); p++) {
                    int i = t.columnAt(p);
                    double value = t.valueAt(p);
                    for (int q = b.rowBegin(i); q < b.rowEnd(i) && b.columnAt(q) <= j; q++) {
                        row[b.columnAt(q)] += value * b.valueAt(q);
                    }
                }
                c.setRow(j, row);
            }
        });
    }

    /** B'B with both triangles, as a sparse matrix. */
    static CsrMatrix gram(CsrMatrix b) {
        CsrMatrix t = b.transpose();
        int n = b.cols();
        int[] rowStart = new int[n + 1];
        int capacity = Math.max(16, (int) Math.min(Integer.MAX_VALUE - 8, 1 + gramNonzerosBound(b) / 2));
        int[] columns = new int[capacity];
        double[] values = new double[capacity];
        double[] row = new double[n];
        // Row by row as in lowerGram, in a dense row of which only the columns in pattern are used: seen[k] == j + 1
        // marks column k as one of row j.
        int[] seen = new int[n];
        int[] pattern = new int[n];
        int count = 0;
        for (int j = 0; j < n; j++) {
            int length = 0;
            for (int p = t.rowBegin(j); p < t.rowEnd(j); p++) {
                int i = t.columnAt(p);
                double value = t.valueAt(p);
                for (int q = b.rowBegin(i); q < b.rowEnd(i); q++) {
                    int k = b.columnAt(q);
                    if (seen[k] != j + 1) {
                        seen[k] = j + 1;
                        row[k] = 0;
                        pattern[length++] = k;
                    }
                    row[k] += value * b.valueAt(q);
                }
            }
            Arrays.sort(pattern, 0, length);
            if (count + length > columns.length) {
                int larger = (int) Math.min(Integer.MAX_VALUE - 8, (count + (long) length) * 3 / 2);
                columns = Arrays.copyOf(columns, larger);
                values = Arrays.copyOf(values, larger);
            }
            for (int p = 0; p < length; p++) {
                columns[count] = pattern[p];
                values[count++] = row[pattern[p]];
            }
            rowStart[j + 1] = count;
        }
        return new CsrMatrix(n, n, rowStart, Arrays.copyOf(columns, count), Arrays.copyOf(values, count));
    }
}
