package stackelberg.linalg;

import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.function.BiConsumer;

/**
 * An orthonormal basis Q of a Krylov space of a symmetric A, and T = Q'AQ: Lanczos with full reorthogonalisation, for spaces of a few vectors.
 *
 * @param basis the vectors of Q
 * @param t T, newly formed, of the order of their number
 */
public record Lanczos(double[][] basis, DenseMatrix t) {
    /**
     * Steps from a unit vector until there are enough, or A leads no further.
     *
     * @param times (v, out) -> out = A v, for one column
     * @param exhausted a new vector that is this small against its product has nothing but rounding outside the space
     * @param workers lend the vectors of the basis
     */
    public static Lanczos of(
            BiConsumer<DenseMatrix, DenseMatrix> times,
            double[] start,
            int maxSteps,
            double exhausted,
            Workers workers) {
        return new Lanczos(new double[][] {start}, DenseMatrix.zeros(1, 1))
                .extended(times, maxSteps, exhausted, workers);
    }

    /** More steps with the same A, of which only the last product is computed once more; of a space that it leads out of. */
    public Lanczos extended(
            BiConsumer<DenseMatrix, DenseMatrix> times, int maxSteps, double exhausted, Workers workers) {
        int n = basis[0].length;
        int steps = Math.min(maxSteps, n);
        double[][] longer = Arrays.copyOf(basis, Math.max(steps, basis.length));
        double[][] coefficients = new double[longer.length][longer.length];
        int used = basis.length - 1;
        for (int j = 0; j < used; j++) {
            for (int i = 0; i <= j; i++) {
                coefficients[i][j] = t.get(i, j);
            }
        }
        DenseMatrix v = DenseMatrix.zeros(n, 1);
        DenseMatrix product = DenseMatrix.zeros(n, 1);
        double[] next = basis[used];
        while (used < steps) {
            longer[used] = next;
            v.setColumn(0, next);
            times.accept(v, product);
            next = workers.borrowArray(n);
            product.tile(0, n, 0, 1, DoubleBuffer.wrap(next));
            double before = Vectors.norm(next);
            // the neighbours have nearly all of it: what is left of the others is rounding, of which one round leaves
            // nothing unless it takes much
            double left = remove(Math.max(0, used - 1), used, next, longer, coefficients);
            double beta = remove(0, used, next, longer, coefficients);
            for (int round = 0; round < 2 && beta < 0.7 * left; round++) {
                left = beta;
                beta = remove(0, used, next, longer, coefficients);
            }
            used++;
            if (beta <= exhausted * before) {
                break;
            }
            Vectors.scale(1 / beta, next);
        }
        DenseMatrix projected = DenseMatrix.zeros(used, used);
        for (int i = 0; i < used; i++) {
            for (int j = 0; j <= i; j++) {
                projected.set(i, j, coefficients[j][i]);
                projected.set(j, i, coefficients[j][i]);
            }
        }
        return new Lanczos(Arrays.copyOf(longer, used), projected);
    }

    /** Takes vectors from ... last of the basis out of the product with the last one, four at a time; returns the norm of what is left. */
    private static double remove(int from, int last, double[] next, double[][] basis, double[][] coefficients) {
        int k = from;
        for (; k + 3 <= last; k += 4) {
            double[] c = removeFour(basis[k], basis[k + 1], basis[k + 2], basis[k + 3], next);
            for (int j = 0; j < 4; j++) {
                coefficients[k + j][last] += c[j];
            }
        }
        for (; k <= last; k++) {
            double c = Vectors.dot(basis[k], next);
            coefficients[k][last] += c;
            Vectors.axpy(-c, basis[k], next);
        }
        return Vectors.norm(next);
    }

    /** One read of x for four vectors; returns their coordinates. */
    private static double[] removeFour(double[] a, double[] b, double[] c, double[] d, double[] x) {
        double inA = 0;
        double inB = 0;
        double inC = 0;
        double inD = 0;
        double otherA = 0;
        double otherB = 0;
        double otherC = 0;
        double otherD = 0;
        int i = 0;
        for (; i < x.length - 1; i += 2) {
            inA += a[i] * x[i];
            inB += b[i] * x[i];
            inC += c[i] * x[i];
            inD += d[i] * x[i];
            otherA += a[i + 1] * x[i + 1];
            otherB += b[i + 1] * x[i + 1];
            otherC += c[i + 1] * x[i + 1];
            otherD += d[i + 1] * x[i + 1];
        }
        for (; i < x.length; i++) {
            inA += a[i] * x[i];
            inB += b[i] * x[i];
            inC += c[i] * x[i];
            inD += d[i] * x[i];
        }
        double[] in = {inA + otherA, inB + otherB, inC + otherC, inD + otherD};
        subtract(in[0], a, in[1], b, x);
        subtract(in[2], c, in[3], d, x);
        return in;
    }

    private static void subtract(double s, double[] a, double t, double[] b, double[] x) {
        for (int i = 0; i < x.length; i++) {
            x[i] -= s * a[i] + t * b[i];
        }
    }

    /** Gives all vectors of the basis back, which nobody may use from now on. */
    public void giveBack(Workers workers) {
        for (double[] vector : basis) {
            workers.giveBack(vector);
        }
    }

    /** The unit vector along Q c. */
    public double[] unit(double[] c) {
        double[] u = new double[basis[0].length];
        for (int k = 0; k < basis.length; k++) {
            Vectors.axpy(c[k], basis[k], u);
        }
        Vectors.scale(1 / Vectors.norm(u), u);
        return u;
    }
}
