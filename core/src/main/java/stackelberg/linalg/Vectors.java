package stackelberg.linalg;

/**
 * Plain loops over vectors: dot product, norm, x + a y, x - y, scaling.
 *
 * <p>Some loops are unrolled by hand, in a fixed order of additions: their results are the same bits on every machine, and they are fast even before the compiler
 * has optimised them.
 */
public final class Vectors {
    /** A sum of squares between these bounds has lost nothing to underflow or overflow that matters. */
    private static final double SAFE_MIN = 0x1p-500;

    private static final double SAFE_MAX = 0x1p+500;

    private Vectors() {}

    /** x'y. */
    public static double dot(double[] x, double[] y) {
        requireSameLength(x, y);
        return dot(x, 0, y, 0, x.length);
    }

    /** The dot product in four running sums: additions to a single sum wait for each other, and the compiler must not reorder them. */
    static double dot(double[] x, int xFrom, double[] y, int yFrom, int n) {
        double a = 0;
        double b = 0;
        double c = 0;
        double d = 0;
        int i = 0;
        for (; i < n - 3; i += 4) {
            a += x[xFrom + i] * y[yFrom + i];
            b += x[xFrom + i + 1] * y[yFrom + i + 1];
            c += x[xFrom + i + 2] * y[yFrom + i + 2];
            d += x[xFrom + i + 3] * y[yFrom + i + 3];
        }
        for (; i < n; i++) {
            a += x[xFrom + i] * y[yFrom + i];
        }
        return (a + b) + (c + d);
    }

    /** Entry i of a vector; an array of length 1 stands for a vector with that number in all entries. */
    public static double at(double[] values, int i) {
        return values[values.length == 1 ? 0 : i];
    }

    /** The sum of all entries; the same bits as the dot product with a vector of ones. */
    public static double sum(double[] x) {
        double a = 0;
        double b = 0;
        double c = 0;
        double d = 0;
        int i = 0;
        for (; i < x.length - 3; i += 4) {
            a += x[i];
            b += x[i + 1];
            c += x[i + 2];
            d += x[i + 3];
        }
        for (; i < x.length; i++) {
            a += x[i];
        }
        return (a + b) + (c + d);
    }

    /** x'Sy for S = diag(s); s, or s and x, may be of length 1 for the same number in all entries. */
    public static double dot(double[] x, double[] y, double[] s) {
        double sum = 0;
        if (s.length == 1) {
            double each = s[0];
            if (x.length == 1) {
                return sumTimes(each * x[0], y);
            }
            for (int i = 0; i < y.length; i++) {
                sum += each * x[i] * y[i];
            }
            return sum;
        }
        for (int i = 0; i < x.length; i++) {
            sum += s[i] * x[i] * y[i];
        }
        return sum;
    }

    /** sum_i factor y_i in the order of the entries, unrolled by four: before the loop is fully compiled, its overhead exceeds the additions. */
    private static double sumTimes(double factor, double[] y) {
        double sum = 0;
        int i = 0;
        for (; i < y.length - 3; i += 4) {
            sum += factor * y[i];
            sum += factor * y[i + 1];
            sum += factor * y[i + 2];
            sum += factor * y[i + 3];
        }
        for (; i < y.length; i++) {
            sum += factor * y[i];
        }
        return sum;
    }

    /** x_i += a in every entry. */
    public static void shift(double a, double[] x) {
        int i = 0;
        for (; i < x.length - 3; i += 4) {
            x[i] += a;
            x[i + 1] += a;
            x[i + 2] += a;
            x[i + 3] += a;
        }
        for (; i < x.length; i++) {
            x[i] += a;
        }
    }

    /** x - y. */
    public static double[] minus(double[] x, double[] y) {
        double[] difference = x.clone();
        axpy(-1, y, difference);
        return difference;
    }

    /** ||x||, even if the squares of the entries overflow or underflow; infinite or NaN if an entry is. */
    public static double norm(double[] x) {
        double sum = dot(x, x);
        if (sum > SAFE_MIN && sum < SAFE_MAX) {
            return Math.sqrt(sum);
        }
        double max = maxAbs(x);
        if (max == 0 || Double.isInfinite(max) || Double.isNaN(max)) {
            return max;
        }
        // Scaled by a power of two near the largest entry, which is exact.
        int exponent = Math.getExponent(max);
        double scaled = 0;
        for (double value : x) {
            double v = Math.scalb(value, -exponent);
            scaled += v * v;
        }
        return Math.scalb(Math.sqrt(scaled), exponent);
    }

    /** max |x_i|; NaN if any entry is NaN, 0 for an empty vector. */
    public static double maxAbs(double[] x) {
        double max = 0;
        for (double value : x) {
            max = Math.max(max, Math.abs(value));
        }
        return max;
    }

    /** Whether every entry is 1. */
    public static boolean isOnes(double[] x) {
        for (double value : x) {
            if (value != 1) {
                return false;
            }
        }
        return true;
    }

    /** y += a x. */
    public static void axpy(double a, double[] x, double[] y) {
        requireSameLength(x, y);
        axpy(a, x, 0, y, 0, x.length);
    }

    static void axpy(double a, double[] x, int xFrom, double[] y, int yFrom, int n) {
        for (int i = 0; i < n; i++) {
            y[yFrom + i] += a * x[xFrom + i];
        }
    }

    /** x *= a. */
    public static void scale(double a, double[] x) {
        for (int i = 0; i < x.length; i++) {
            x[i] *= a;
        }
    }

    private static void requireSameLength(double[] x, double[] y) {
        if (x.length != y.length) {
            throw new IllegalArgumentException("Vectors of length " + x.length + " and " + y.length
                    + " cannot be combined: the lengths must be equal.");
        }
    }
}
