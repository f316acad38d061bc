package stackelberg.sphere;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Gram;

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

    /** Empty where the rows, filled with zeros, are the better way. */
    static Optional<DenseMatrix> of(SphereFamily.Sparse sparse, ProjectedRows rows) {
        int n = rows.x().cols();
        double dense = (double) rows.x().rows() * n * n;
        if (sparse.core().gramNonzerosBound() * DENSE_PER_SPARSE > dense) {
            return Optional.empty();
        }
        DenseMatrix inner = sparse.core().lowerGram(rows.workers());
        List<Integer> byProduct = subtract(sparse, inner);
        for (int j = sparse.features(); j < n; j++) {
            byProduct.add(j);
        }
        if (byProduct.size() > MAX_BY_PRODUCT) {
            return Optional.empty();
        }
        DenseMatrix gram = inner;
        if (n > inner.rows()) {
            gram = DenseMatrix.zeros(n, n);
            gram.firstRows(inner.rows()).columns(0, inner.cols()).setAll(inner);
        }
        Gram.symmetrize(gram);
        replace(byProduct, rows, gram);
        return Optional.of(gram);
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
            projected[i] *= rows.weights()[i];
        }
        return projected;
    }
}
