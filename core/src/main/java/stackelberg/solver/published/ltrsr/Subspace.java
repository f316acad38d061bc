package stackelberg.solver.published.ltrsr;

import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;

/** An orthonormal basis V with the products H V and the projection V'HV, one product per new vector. */
final class Subspace {
    /** What orthogonalising leaves of a vector is noise below this part of it. */
    private static final double DEPENDENT = 1e-13;

    private final HessianProducts hessian;
    private final double[][] v;
    private final double[][] hv;
    private final double[][] projection;
    private int k;

    Subspace(HessianProducts hessian, int capacity) {
        this.hessian = hessian;
        this.v = new double[capacity][];
        this.hv = new double[capacity][];
        this.projection = new double[capacity][capacity];
    }

    int size() {
        return k;
    }

    boolean isFull() {
        return k == v.length;
    }

    double[] lastProduct() {
        return hv[k - 1];
    }

    double projection(int i, int j) {
        return projection[i][j];
    }

    /**
     * Makes w a unit vector orthogonal to the basis.
     *
     * @return the norm that was left of w, 0 if it lies in the span; then w is not changed to anything useful
     */
    double orthonormalise(double[] w) {
        double before = Vectors.norm(w);
        for (int round = 0; round < 2; round++) {
            for (int j = 0; j < k; j++) {
                Vectors.axpy(-Vectors.dot(v[j], w), v[j], w);
            }
        }
        double after = Vectors.norm(w);
        if (!(after > DEPENDENT * before)) {
            return 0;
        }
        Vectors.scale(1 / after, w);
        // what was nearly dependent has lost digits: once more, now as a unit vector
        if (after < 1e-3 * before) {
            for (int j = 0; j < k; j++) {
                Vectors.axpy(-Vectors.dot(v[j], w), v[j], w);
            }
            Vectors.scale(1 / Vectors.norm(w), w);
        }
        return after;
    }

    /** Takes a unit vector orthogonal to the basis into it: one product with H. */
    void append(double[] unit) {
        append(unit, hessian.times(unit));
    }

    private void append(double[] unit, double[] product) {
        v[k] = unit;
        hv[k] = product;
        for (int j = 0; j <= k; j++) {
            projection[k][j] = Vectors.dot(v[j], product);
            projection[j][k] = projection[k][j];
        }
        k++;
    }

    DenseMatrix projection() {
        DenseMatrix m = DenseMatrix.zeros(k, k);
        for (int i = 0; i < k; i++) {
            for (int j = 0; j < k; j++) {
                m.set(i, j, projection[i][j]);
            }
        }
        return m;
    }

    /** V'w. */
    double[] coordinates(double[] w) {
        double[] c = new double[k];
        for (int j = 0; j < k; j++) {
            c[j] = Vectors.dot(v[j], w);
        }
        return c;
    }

    /** V c. */
    double[] combine(double[] c) {
        return combination(v, c);
    }

    /** H V c, without a product. */
    double[] combineProducts(double[] c) {
        return combination(hv, c);
    }

    private double[] combination(double[][] vectors, double[] c) {
        double[] sum = new double[vectors[0].length];
        for (int j = 0; j < k; j++) {
            Vectors.axpy(c[j], vectors[j], sum);
        }
        return sum;
    }

    /** Replaces the basis by V c for orthonormal coordinate vectors c; no products. */
    void restart(double[][] orthonormal) {
        double[][] kept = new double[orthonormal.length][];
        double[][] products = new double[orthonormal.length][];
        for (int j = 0; j < kept.length; j++) {
            kept[j] = combine(orthonormal[j]);
            products[j] = combineProducts(orthonormal[j]);
        }
        k = 0;
        for (int j = 0; j < kept.length; j++) {
            append(kept[j], products[j]);
        }
        for (int j = k; j < v.length; j++) {
            v[j] = null;
            hv[j] = null;
        }
    }
}
