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
        int steps = Math.min(maxSteps, start.length);
        double[][] basis = new double[steps][];
        double[][] coefficients = new double[steps][steps];
        DenseMatrix product = DenseMatrix.zeros(start.length, 1);
        double[] next = start;
        int used = 0;
        while (used < steps) {
            basis[used] = next;
            times.accept(DenseMatrix.column(next), product);
            next = product.column(0);
            double before = Vectors.norm(next);
            for (int round = 0; round < 2; round++) {
                for (int k = 0; k <= used; k++) {
                    double c = Vectors.dot(basis[k], next);
                    coefficients[k][used] += c;
                    Vectors.axpy(-c, basis[k], next);
                }
            }
            used++;
            double beta = Vectors.norm(next);
            if (beta <= exhausted * before) {
                break;
            }
            Vectors.scale(1 / beta, next);
        }
        DenseMatrix t = DenseMatrix.zeros(used, used);
        for (int i = 0; i < used; i++) {
            for (int j = 0; j <= i; j++) {
                t.set(i, j, coefficients[j][i]);
                t.set(j, i, coefficients[j][i]);
            }
        }
        return new Lanczos(Arrays.copyOf(basis, used), t);
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
