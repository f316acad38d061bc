package stackelberg.sphere;

import java.util.ArrayList;
import java.util.List;
import stackelberg.linalg.CsrMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Gram;
import stackelberg.linalg.Vectors;

/** X'PX = C'C - W T^{-1} W' formed from the nonzeros of a sparse C, where rows filled with zeros would cost the square of the features each. */
final class FormedGram {
    /** Multiplications of a dense product that take as long as one of a sparse product. */
    private static final double DENSE_PER_SPARSE = 100;

    /** A column that keeps less than this share of its square has lost more than three digits in the difference. */
    private static final double KEPT = 1e-3;

    /** How many columns are computed by products instead. */
    private static final int MAX_BY_PRODUCT = 256;

    /** Values of such columns that are held at once. */
    private static final int MAX_VALUES = 1 << 22;

    private FormedGram() {}

    /** Fills gram, which is zero; false, and zero still, where the rows, filled with zeros, are the better way. */
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
     * XX' = CC' + the products of the dense columns, in the coordinates of the rows, where nothing is projected or shifted; false, and zero still,
     * elsewhere and where filling with zeros is the better way.
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

    /** C'C -= W T^{-1} W' in the lower triangle; returns the columns of which too little is left. */
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
            if (!(row[j] >= KEPT * whole)) {
                lost.add(j);
            }
        }
        return lost;
    }

    /** Columns of X'PX by way of P x_j, some at a time: what is large and fixed is gone before anything is added up. */
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

    /** S P x. */
    private static double[] weightedProjection(double[] x, ProjectedRows rows) {
        double[] projected = rows.fixed().remove(x, rows.fixed().coordinates(x));
        for (int i = 0; i < projected.length; i++) {
            projected[i] *= Vectors.at(rows.weights(), i);
        }
        return projected;
    }
}
