package stackelberg.linalg;

/** Plain loops over vectors: dot product, norm, x + a y, x - y, scaling. */
public final class Vectors {
    private static final double SAFE_MIN = 0x1p-500;
    private static final double SAFE_MAX = 0x1p+500;

    private Vectors() {}

    /** x'y. */
    public static double dot(double[] x, double[] y) {
        requireSameLength(x, y);
        return dot(x, 0, y, 0, x.length);
    }

    /** Four running sums: the additions of one sum wait for each other, and compilers may not reorder them. */
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

    /** Entry i of a vector, or the one number that all entries are. */
    public static double at(double[] values, int i) {
        return values[values.length == 1 ? 0 : i];
    }

    /** The sum of all entries, bit for bit as the dot product with ones. */
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

    /** x'Sy for a diagonal S; S and x may be one number throughout. */
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

    /** One entry after the other, four at a time: until it is compiled to its best, a loop costs more than what is in it. */
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

    /** x += a in every entry, four at a time. */
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

    /** ||x||, also where the squares of the entries overflow or underflow. */
    public static double norm(double[] x) {
        double sum = dot(x, x);
        if (sum > SAFE_MIN && sum < SAFE_MAX) {
            return Math.sqrt(sum);
        }
        double max = maxAbs(x);
        if (max == 0 || Double.isInfinite(max) || Double.isNaN(max)) {
            return max;
        }
        // A power of two near max: dividing by it is exact.
        int exponent = Math.getExponent(max);
        double scaled = 0;
        for (double value : x) {
            double v = Math.scalb(value, -exponent);
            scaled += v * v;
        }
        return Math.scalb(Math.sqrt(scaled), exponent);
    }

    /** max |x_i|; not a number if any entry is not. */
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
