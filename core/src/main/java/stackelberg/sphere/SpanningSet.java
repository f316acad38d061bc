package stackelberg.sphere;

import java.util.Arrays;
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

    /**
     * Gram-Schmidt, twice, over the first n coordinates of the points; null as soon as more than half as many directions as points are found.
     *
     * <p>Always the point that is furthest from what was found before: neighbours are nearly parallel, and the direction between two of them, blown
     * up to length 1, is full of their rounding, which the other points would then need further directions to get rid of.
     */
    static SpanningSet of(double[][] points, int n) {
        int count = points.length;
        double[][] found = new double[count / 2][];
        double[][] coefficients = new double[count][count / 2];
        double[] neglected = new double[count];
        // squares of what is left of the unit vectors, only good enough to choose by
        double[] left = new double[count];
        Arrays.fill(left, 1);
        int size = 0;
        for (int turn = 0; turn < count; turn++) {
            int k = largest(left);
            left[k] = Double.NEGATIVE_INFINITY;
            double[] rest = Arrays.copyOf(points[k], n);
            double norm = Vectors.norm(rest);
            for (int round = 0; round < 2; round++) {
                for (int d = 0; d < size; d++) {
                    double c = Vectors.dot(found[d], rest);
                    coefficients[k][d] += c;
                    Vectors.axpy(-c, found[d], rest);
                }
            }
            double length = Vectors.norm(rest);
            if (length <= NEGLIGIBLE * norm) {
                neglected[k] = length;
                continue;
            }
            if (size == found.length) {
                return null;
            }
            Vectors.scale(1 / length, rest);
            found[size] = rest;
            coefficients[k][size] = length;
            size++;
            for (int other = 0; other < count; other++) {
                if (left[other] > 0) {
                    double[] point = Arrays.copyOf(points[other], n);
                    double square = Vectors.dot(point, point);
                    double along = Vectors.dot(rest, point);
                    left[other] = square > 0 ? Math.max(0, left[other] - along * along / square) : 0;
                }
            }
        }
        DenseMatrix basis = DenseMatrix.zeros(n, size);
        for (int d = 0; d < size; d++) {
            basis.setColumn(d, found[d]);
        }
        return new SpanningSet(basis, coefficients, neglected);
    }

    private static int largest(double[] values) {
        int largest = 0;
        for (int k = 1; k < values.length; k++) {
            largest = values[k] > values[largest] ? k : largest;
        }
        return largest;
    }

    int size() {
        return basis.cols();
    }

    DenseMatrix basis() {
        return basis;
    }

    /** c with wTilde of the k-th point = B c. */
    double[] coefficients(int k) {
        return Arrays.copyOf(coefficients[k], size());
    }

    /** ||wTilde - B c|| of the k-th point. */
    double neglected(int k) {
        return neglected[k];
    }
}
