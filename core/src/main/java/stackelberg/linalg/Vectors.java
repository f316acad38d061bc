package stackelberg.linalg;

/** Plain loops over small heap vectors. */
public final class Vectors {
    private Vectors() {}

    public static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }

    public static double norm(double[] a) {
        return Math.sqrt(dot(a, a));
    }

    /** y += alpha x. */
    public static void axpy(double alpha, double[] x, double[] y) {
        for (int i = 0; i < x.length; i++) {
            y[i] += alpha * x[i];
        }
    }

    public static void scale(double alpha, double[] x) {
        for (int i = 0; i < x.length; i++) {
            x[i] *= alpha;
        }
    }
}
