package stackelberg.sphere;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;

/**
 * An orthonormal basis B of the few directions that the wTilde of many points span, with coefficients c such that every wTilde = B c to rounding.
 *
 * <p>The solutions of one game at forty gammas lie in one small Krylov space (docs/theory.md, "Paths"), so that evaluating all of them costs a pass with a
 * handful of vectors instead of forty.
 */
final class SpanningSet {
    /** The smallest number of points for which a smaller spanning set is looked for. */
    static final int MIN_POINTS = 8;

    /** The share of a point's norm below which its part outside the basis is neglected: little more than its own rounding. */
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
     * Returns the spanning set of the first n coordinates of the points, by Gram-Schmidt with reorthogonalisation; absent if they span more than half as many
     * directions as there are points, so that it would not pay.
     *
     * <p>The next direction always comes from the point that is furthest from the span so far. Neighbouring points are nearly parallel: the direction
     * between two of them, scaled to length 1, would consist mostly of their rounding, and other points would need further directions to correct it.
     */
    static @Nullable SpanningSet of(double[][] points, int n) {
        int count = points.length;
        double[][] found = new double[count / 2][];
        double[][] coefficients = new double[count][count / 2];
        double[] neglected = new double[count];
        // squared norms of what is outside the span, relative to the point; updated cheaply, accurate enough to choose
        // by
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

    /** Returns the index of the largest value. */
    private static int largest(double[] values) {
        int largest = 0;
        for (int k = 1; k < values.length; k++) {
            largest = values[k] > values[largest] ? k : largest;
        }
        return largest;
    }

    /** Returns the number of directions. */
    int size() {
        return basis.cols();
    }

    /** Returns B, not copied. */
    DenseMatrix basis() {
        return basis;
    }

    /** Returns c with wTilde = B c for the k-th point. */
    double[] coefficients(int k) {
        return Arrays.copyOf(coefficients[k], size());
    }

    /** Returns ||wTilde - B c|| of the k-th point. */
    double neglected(int k) {
        return neglected[k];
    }
}
