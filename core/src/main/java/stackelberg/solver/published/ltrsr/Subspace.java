package stackelberg.solver.published.ltrsr;

import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;

/** An orthonormal basis V with the products H V and the projection V'HV; every new vector costs one product with H. */
final class Subspace {
    /** The share of a vector's norm below which what remains after orthogonalising is rounding. */
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

    /** Returns the number of vectors. */
    int size() {
        return k;
    }

    boolean isFull() {
        return k == v.length;
    }

    /** Returns H times the last vector, not copied. */
    double[] lastProduct() {
        return hv[k - 1];
    }

    /** Returns an entry of V'HV. */
    double projection(int i, int j) {
        return projection[i][j];
    }

    /**
     * Orthogonalises w against the basis and normalises it, in place.
     *
     * @return the norm of the part of w outside the span; 0 if there is none, and then w holds nothing useful
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
        // a nearly dependent vector has lost digits of orthogonality: one more round, as a unit vector
        if (after < 1e-3 * before) {
            for (int j = 0; j < k; j++) {
                Vectors.axpy(-Vectors.dot(v[j], w), v[j], w);
            }
            Vectors.scale(1 / Vectors.norm(w), w);
        }
        return after;
    }

    /** Appends a unit vector orthogonal to the basis; costs one product with H. */
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

    /** Returns V'HV. */
    DenseMatrix projection() {
        DenseMatrix m = DenseMatrix.zeros(k, k);
        for (int i = 0; i < k; i++) {
            for (int j = 0; j < k; j++) {
                m.set(i, j, projection[i][j]);
            }
        }
        return m;
    }

    /** Returns V'w. */
    double[] coordinates(double[] w) {
        double[] c = new double[k];
        for (int j = 0; j < k; j++) {
            c[j] = Vectors.dot(v[j], w);
        }
        return c;
    }

    /** Returns V c. */
    double[] combine(double[] c) {
        return combination(v, c);
    }

    /** Returns H V c, from stored products. */
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

    /** Replaces the basis by the vectors V c, for orthonormal coordinate vectors c; needs no products with H. */
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
