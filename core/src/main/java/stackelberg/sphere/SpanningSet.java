package stackelberg.sphere;

import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;

/**
 * An orthonormal basis B of the few directions that the wTilde of many points span, and every wTilde = B c to the last bits.
 *
 * <p>The answers of one game at forty gammas lie in one small Krylov space, so that evaluating them all costs a pass with a handful of vectors
 * instead of forty.
 */
final class SpanningSet {
    /** From this many points on it is worth looking for a smaller spanning set. */
    static final int WORTHWHILE = 8;

    /** What is left of a point outside the earlier ones is neglected below this part of it: little more than its own rounding. */
    private static final double NEGLIGIBLE = 32 * 0x1p-52;

    private final DenseMatrix basis;
    private final double[][] coefficients;
    private final double[] neglected;

    private SpanningSet(DenseMatrix basis, double[][] coefficients, double[] neglected) {
        this.basis = basis;
        this.coefficients = coefficients;
        this.neglected = neglected;
    }

    /** Gram-Schmidt, twice, over the first n coordinates of the points; null as soon as more than half as many directions as points are found. */
    static SpanningSet of(double[][] points, int n) {
        double[][] found = new double[points.length / 2][];
        double[][] coefficients = new double[points.length][points.length / 2];
        double[] neglected = new double[points.length];
        int size = 0;
        for (int k = 0; k < points.length; k++) {
            double[] rest = java.util.Arrays.copyOf(points[k], n);
            double norm = Vectors.norm(rest);
            for (int round = 0; round < 2; round++) {
                for (int d = 0; d < size; d++) {
                    double c = Vectors.dot(found[d], rest);
                    coefficients[k][d] += c;
                    Vectors.axpy(-c, found[d], rest);
                }
            }
            double left = Vectors.norm(rest);
            if (left > NEGLIGIBLE * norm) {
                if (size == found.length) {
                    return null;
                }
                Vectors.scale(1 / left, rest);
                found[size] = rest;
                coefficients[k][size] = left;
                size++;
            } else {
                neglected[k] = left;
            }
        }
        DenseMatrix basis = DenseMatrix.zeros(n, size);
        for (int d = 0; d < size; d++) {
            basis.setColumn(d, found[d]);
        }
        return new SpanningSet(basis, coefficients, neglected);
    }

    int size() {
        return basis.cols();
    }

    DenseMatrix basis() {
        return basis;
    }

    /** c with wTilde of the k-th point = B c. */
    double[] coefficients(int k) {
        return java.util.Arrays.copyOf(coefficients[k], size());
    }

    /** ||wTilde - B c|| of the k-th point. */
    double neglected(int k) {
        return neglected[k];
    }
}
