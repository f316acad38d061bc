package stackelberg.sphere;

import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;

/**
 * The rows' side of a {@link DataFamily}: K = PXX'P of order m, for data with fewer rows than features. Coordinates are scaled by sqrt(s_i), in which P is
 * a symmetric matrix.
 */
record RowDual(ProjectedRows rows, double[] py, double[] pz) implements SphereFamily.Dual {
    @Override
    public DenseMatrix gram() {
        return rows.rowGram();
    }

    @Override
    public double[] y() {
        return scaled(py);
    }

    @Override
    public double[] z() {
        return scaled(pz);
    }

    @Override
    public void times(DenseMatrix v, DenseMatrix out) {
        double[][] fv = rows.projections(v);
        rows.x().times(v, out, rows.workers());
        for (int i = 0; i < rows.x().rows(); i++) {
            double root = Math.sqrt(Vectors.at(rows.weights(), i));
            for (int c = 0; c < v.cols(); c++) {
                out.set(i, c, root * (out.get(i, c) - rows.fixedPart(i, fv[c])));
            }
        }
    }

    @Override
    public void transposeTimes(DenseMatrix u, DenseMatrix out) {
        double[] weights = rows.weights();
        int m = rows.x().rows();
        DenseMatrix projected = DenseMatrix.zeros(m, u.cols());
        for (int c = 0; c < u.cols(); c++) {
            double[] column = u.column(c);
            for (int i = 0; i < m; i++) {
                double weight = Vectors.at(weights, i);
                // rows with zero sample weight have no coordinate of their own
                column[i] = weight > 0 ? column[i] / Math.sqrt(weight) : 0;
            }
            double[] clean = rows.fixed().remove(column, rows.fixed().coordinates(column));
            for (int i = 0; i < m; i++) {
                projected.set(i, c, Vectors.at(weights, i) * clean[i]);
            }
        }
        rows.x().transposeTimes(projected, out, null, rows.workers());
    }

    /** Returns S^{1/2} v. */
    private double[] scaled(double[] v) {
        double[] result = v.clone();
        for (int i = 0; i < result.length; i++) {
            result[i] *= Math.sqrt(Vectors.at(rows.weights(), i));
        }
        return result;
    }
}
