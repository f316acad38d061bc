package stackelberg.sphere;

import java.util.ArrayList;
import java.util.List;
import stackelberg.linalg.CsrMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Gram;
import stackelberg.linalg.Vectors;

/**
 * Forms the dense matrix X'PX = C'C - W T^{-1} W' from the nonzeros of a sparse C.
 *
 * <p>C'C costs one multiplication per pair of nonzeros of a row, where rows filled up with zeros would cost n^2 each. The price is a difference: a
 * column that lies mostly along the immutable ones loses digits in C'C - W T^{-1} W', so such columns are replaced by products X'P(x_j), which do not
 * cancel. The same serves dense columns beside the sparse ones.
 */
final class FormedGram {
    /** Multiplications of a dense product (BLAS) that take as long as one of a sparse product in Java; measured. */
    private static final double DENSE_PER_SPARSE = 100;

    /** A column of which a smaller share of its square remains has lost more than three digits in the difference. */
    private static final double LEAST_REMAINING = 1e-3;

    /** The largest number of columns that are replaced by products; beyond it the dense route is faster. */
    private static final int MAX_BY_PRODUCT = 256;

    /** The largest number of values of such columns in memory at once, 32 MB. */
    private static final int MAX_VALUES = 1 << 22;

    private FormedGram() {}

    /**
     * Fills gram with X'PX.
     *
     * @param gram all zero
     * @return false, with gram still zero, if the dense route is cheaper
     */
    static boolean into(SphereFamily.Sparse sparse, ProjectedRows rows, DenseMatrix gram) {
        int n = rows.x().cols();
        double dense = (double) rows.x().rows() * n * n;
        if (sparse.core().gramNonzerosBound() * DENSE_PER_SPARSE > dense) {
            return false;
        }
        int features = sparse.features();
        DenseMatrix inner = gram.firstRows(features).columns(0, features);
        sparse.core().lowerGram(inner, rows.workers());
        List<Integer> byProduct = subtract(sparse, inner);
        for (int j = features; j < n; j++) {
            byProduct.add(j);
        }
        if (byProduct.size() > MAX_BY_PRODUCT) {
            // too many columns lost digits: undo and leave it to the dense route
            double[] zeros = new double[n];
            for (int i = 0; i < n; i++) {
                gram.setRow(i, zeros);
            }
            return false;
        }
        Gram.symmetrize(gram);
        replace(byProduct, rows, gram);
        return true;
    }

    /**
     * Fills gram with S^{1/2} XX' S^{1/2} = CC' + DD', D the dense columns, order m.
     *
     * @param gram all zero
     * @return false, with gram still zero, if columns are projected or shifted (then CC' alone is not the matrix), or if the dense route is cheaper
     */
    static boolean ofRows(SphereFamily.Sparse sparse, ProjectedRows rows, DenseMatrix gram) {
        int m = rows.x().rows();
        int n = rows.x().cols();
        int dense = n - sparse.features();
        CsrMatrix across = sparse.core().transpose();
        if (sparse.low().length > 0
                || dense > MAX_BY_PRODUCT
                || across.gramNonzerosBound() * DENSE_PER_SPARSE > (double) n * m * m) {
            return false;
        }
        across.lowerGram(gram, rows.workers());
        if (dense > 0) {
            // the dense columns themselves, as products of X with unit vectors
            DenseMatrix units = DenseMatrix.zeros(n, dense);
            for (int k = 0; k < dense; k++) {
                units.set(sparse.features() + k, k, 1);
            }
            DenseMatrix columns = DenseMatrix.zeros(m, dense);
            rows.x().times(units, columns, rows.workers());
            double[][] u = new double[dense][];
            for (int k = 0; k < dense; k++) {
                u[k] = columns.column(k);
                for (int i = 0; i < m; i++) {
                    u[k][i] *= Math.sqrt(Vectors.at(rows.weights(), i));
                }
            }
            rows.workers().run(m, i -> {
                double[] row = gram.row(i);
                for (double[] column : u) {
                    for (int k = 0; k <= i; k++) {
                        row[k] += column[i] * column[k];
                    }
                }
                gram.setRow(i, row);
            });
        }
        Gram.symmetrize(gram);
        return true;
    }

    /** Subtracts W T^{-1} W' from C'C in the lower triangle; returns the columns that lost too many digits. */
    private static List<Integer> subtract(SphereFamily.Sparse sparse, DenseMatrix gram) {
        double[][] low = sparse.low();
        double[][] right = SparseGram.lowTimesInverse(sparse);
        List<Integer> lost = new ArrayList<>();
        for (int j = 0; low.length > 0 && j < gram.rows(); j++) {
            double[] row = gram.row(j);
            double whole = row[j];
            for (int c = 0; c < low.length; c++) {
                for (int k = 0; k <= j; k++) {
                    row[k] -= low[c][j] * right[c][k];
                }
            }
            gram.setRow(j, row);
            if (!(row[j] >= LEAST_REMAINING * whole)) {
                lost.add(j);
            }
        }
        return lost;
    }

    /** Replaces columns and rows of X'PX by X'SP x_j, some at a time: the part along the immutable columns is removed before anything is summed. */
    private static void replace(List<Integer> columns, ProjectedRows rows, DenseMatrix gram) {
        int m = rows.x().rows();
        int together = Math.max(1, MAX_VALUES / Math.max(m, 1));
        for (int first = 0; first < columns.size(); first += together) {
            List<Integer> some = columns.subList(first, Math.min(columns.size(), first + together));
            DenseMatrix units = DenseMatrix.zeros(gram.rows(), some.size());
            for (int k = 0; k < some.size(); k++) {
                units.set(some.get(k), k, 1);
            }
            DenseMatrix u = DenseMatrix.zeros(m, some.size());
            rows.x().times(units, u, rows.workers());
            for (int k = 0; k < some.size(); k++) {
                u.setColumn(k, weightedProjection(u.column(k), rows));
            }
            DenseMatrix products = DenseMatrix.zeros(gram.rows(), some.size());
            rows.x().transposeTimes(u, products, null, rows.workers());
            for (int k = 0; k < some.size(); k++) {
                double[] column = products.column(k);
                for (int i = 0; i < column.length; i++) {
                    gram.set(i, some.get(k), column[i]);
                    gram.set(some.get(k), i, column[i]);
                }
            }
        }
    }

    /** Returns S P x. */
    private static double[] weightedProjection(double[] x, ProjectedRows rows) {
        double[] projected = rows.fixed().remove(x, rows.fixed().coordinates(x));
        for (int i = 0; i < projected.length; i++) {
            projected[i] *= Vectors.at(rows.weights(), i);
        }
        return projected;
    }
}
