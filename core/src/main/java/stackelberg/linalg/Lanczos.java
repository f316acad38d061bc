package stackelberg.linalg;

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
     */
    public static Lanczos of(
            BiConsumer<DenseMatrix, DenseMatrix> times, double[] start, int maxSteps, double exhausted) {
        return new Lanczos(new double[][] {start}, DenseMatrix.zeros(1, 1)).extended(times, maxSteps, exhausted);
    }

    /** More steps with the same A, of which only the last product is computed once more; of a space that it leads out of. */
    public Lanczos extended(BiConsumer<DenseMatrix, DenseMatrix> times, int maxSteps, double exhausted) {
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
        DenseMatrix product = DenseMatrix.zeros(n, 1);
        double[] next = basis[used];
        while (used < steps) {
            longer[used] = next;
            times.accept(DenseMatrix.column(next), product);
            next = product.column(0);
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

    /** Takes vectors from ... last of the basis out of the product with the last one; returns the norm of what is left. */
    private static double remove(int from, int last, double[] next, double[][] basis, double[][] coefficients) {
        for (int k = from; k <= last; k++) {
            double c = Vectors.dot(basis[k], next);
            coefficients[k][last] += c;
            Vectors.axpy(-c, basis[k], next);
        }
        return Vectors.norm(next);
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
