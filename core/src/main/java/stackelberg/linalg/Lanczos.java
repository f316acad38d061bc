package stackelberg.linalg;

import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;

/**
 * An orthonormal basis Q of a Krylov space of a symmetric A, and T = Q'AQ: Lanczos with full reorthogonalisation, for spaces of a few vectors.
 *
 * @param basis the vectors of Q
 * @param t T, newly formed, of the order of their number
 */
public record Lanczos(double[][] basis, DenseMatrix t) {
    /** Products with the matrices of several spaces. */
    @FunctionalInterface
    public interface Products {
        /** Every out becomes A v, for the A of the space with this number. */
        void times(int[] spaces, double[][] v, double[][] out);
    }

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
        return from(start).extended(times, maxSteps, exhausted, workers);
    }

    /** The space of a unit vector alone, which it takes over. */
    public static Lanczos from(double[] start) {
        return new Lanczos(new double[][] {start}, DenseMatrix.zeros(1, 1));
    }

    /** More steps with the same A, of which only the last product is computed once more; of a space that it leads out of. */
    public Lanczos extended(
            BiConsumer<DenseMatrix, DenseMatrix> times, int maxSteps, double exhausted, Workers workers) {
        int n = basis[0].length;
        DenseMatrix vector = DenseMatrix.zeros(n, 1);
        DenseMatrix product = DenseMatrix.zeros(n, 1);
        Products products = (one, v, out) -> {
            vector.setColumn(0, v[0]);
            times.accept(vector, product);
            product.tile(0, n, 0, 1, DoubleBuffer.wrap(out[0]));
        };
        return extended(new Lanczos[] {this}, products, maxSteps, exhausted, workers)[0];
    }

    /** The same of several spaces of vectors of one length, which take their steps together: a product with many vectors costs less than many with one. */
    public static Lanczos[] extended(
            Lanczos[] spaces, Products products, int maxSteps, double exhausted, Workers workers) {
        Growth[] all =
                Arrays.stream(spaces).map(space -> new Growth(space, maxSteps)).toArray(Growth[]::new);
        while (true) {
            int[] open =
                    IntStream.range(0, all.length).filter(k -> !all[k].ended()).toArray();
            if (open.length == 0) {
                return Arrays.stream(all).map(Growth::space).toArray(Lanczos[]::new);
            }
            int n = all[open[0]].next.length;
            double[][] vectors = new double[open.length][];
            Arrays.setAll(vectors, k -> all[open[k]].next);
            double[][] next = new double[open.length][];
            Arrays.setAll(next, k -> workers.borrowArray(n));
            products.times(open, vectors, next);
            workers.run(open.length, k -> all[open[k]].add(next[k], exhausted));
        }
    }

    /** A space while it grows. */
    private static final class Growth {
        private final int steps;
        private final double[][] basis;
        private final double[][] coefficients;
        private double[] next;
        private int used;
        private boolean exhausted;

        Growth(Lanczos from, int maxSteps) {
            used = from.basis.length - 1;
            next = from.basis[used];
            steps = Math.min(maxSteps, next.length);
            basis = Arrays.copyOf(from.basis, Math.max(steps, from.basis.length));
            coefficients = new double[basis.length][basis.length];
            for (int j = 0; j < used; j++) {
                for (int i = 0; i <= j; i++) {
                    coefficients[i][j] = from.t.get(i, j);
                }
            }
        }

        boolean ended() {
            return exhausted || used >= steps;
        }

        /** Takes the last vector into the basis, and what its product has beside that for the next one. */
        void add(double[] product, double rounding) {
            basis[used] = next;
            next = product;
            double before = Vectors.norm(next);
            // the neighbours have nearly all of it: what is left of the others is rounding, of which one round leaves
            // nothing unless it takes much
            double left = remove(Math.max(0, used - 1), used, next, basis, coefficients);
            double beta = remove(0, used, next, basis, coefficients);
            for (int round = 0; round < 2 && beta < 0.7 * left; round++) {
                left = beta;
                beta = remove(0, used, next, basis, coefficients);
            }
            used++;
            exhausted = beta <= rounding * before;
            if (!exhausted) {
                Vectors.scale(1 / beta, next);
            }
        }

        Lanczos space() {
            DenseMatrix projected = DenseMatrix.zeros(used, used);
            for (int i = 0; i < used; i++) {
                for (int j = 0; j <= i; j++) {
                    projected.set(i, j, coefficients[j][i]);
                    projected.set(j, i, coefficients[j][i]);
                }
            }
            return new Lanczos(Arrays.copyOf(basis, used), projected);
        }
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
