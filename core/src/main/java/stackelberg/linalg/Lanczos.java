package stackelberg.linalg;

import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;

/**
 * The Lanczos process with full reorthogonalisation: an orthonormal basis Q of the Krylov space of a symmetric matrix A
 * and a start vector, and T = Q'AQ. For spaces of a few vectors.
 *
 * @param basis the columns of Q
 * @param t T, whose order is the number of columns of Q
 */
public record Lanczos(double[][] basis, DenseMatrix t) {
    /** Products with the matrices of several Krylov spaces. */
    @FunctionalInterface
    public interface Products {
        /** out[k] = A v[k], where A is the matrix of the space with the number spaces[k]. */
        void times(int[] spaces, double[][] v, double[][] out);
    }

    /**
     * The Krylov space of a unit vector, with {@code maxSteps} basis vectors, or fewer if A maps the space into itself
     * before.
     *
     * @param times (v, out) -> out = A v, for one column
     * @param exhausted the relative size of the part of A v outside the space below which it is taken for rounding
     *     error, and the space for complete
     * @param workers provide the memory of the basis; see {@link #giveBack}
     */
    public static Lanczos of(
            BiConsumer<DenseMatrix, DenseMatrix> times,
            double[] start,
            int maxSteps,
            double exhausted,
            Workers workers) {
        return from(start).extended(times, maxSteps, exhausted, workers);
    }

    /** The space of a unit vector alone; the array is kept, not copied. */
    public static Lanczos from(double[] start) {
        return new Lanczos(new double[][] {start}, DenseMatrix.zeros(1, 1));
    }

    /**
     * The space extended to {@code maxSteps} vectors with the same A. Only one product, with the last vector, is
     * recomputed. The space must not be complete.
     */
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

    /**
     * Extends several spaces of vectors of the same length together, step by step: one product with many vectors costs
     * less than many with one.
     */
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

    /** A Krylov space that is being extended. */
    private static final class Growth {
        /** The number of basis vectors to stop at. */
        private final int steps;

        private final double[][] basis;
        /** T: coefficients[i][j] = q_i'A q_j. */
        private final double[][] coefficients;
        /** The unit vector that becomes the next basis vector. */
        private double[] next;
        /** The number of basis vectors so far. */
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

        /**
         * Adds the current vector to the basis; the part of its product A v that is orthogonal to the basis,
         * normalised, is the next vector.
         */
        void add(double[] product, double rounding) {
            basis[used] = next;
            next = product;
            double before = Vectors.norm(next);
            // In exact arithmetic A v has parts along the last two basis vectors only. A second round over the whole
            // basis removes rounding errors; it is repeated if it removed much (the norm fell below 0.7 of what it
            // was), because then it left new rounding errors of that size.
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

        /** The space so far; T is taken from its computed upper triangle, so that it is exactly symmetric. */
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

    /**
     * Subtracts the parts of {@code next} along basis vectors from ... last, adds their sizes to column {@code last} of
     * the coefficients, and returns the norm of the rest.
     */
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

    /**
     * Subtracts the parts of x along four orthonormal vectors, reading x once for all of their inner products, which it
     * returns.
     */
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

    /** x -= s a + t b. */
    private static void subtract(double s, double[] a, double t, double[] b, double[] x) {
        for (int i = 0; i < x.length; i++) {
            x[i] -= s * a[i] + t * b[i];
        }
    }

    /** Returns the memory of the basis to the workers; the basis must not be used afterwards. */
    public void giveBack(Workers workers) {
        for (double[] vector : basis) {
            workers.giveBack(vector);
        }
    }

    /** Q c / ||Q c||. */
    public double[] unit(double[] c) {
        double[] u = new double[basis[0].length];
        for (int k = 0; k < basis.length; k++) {
            Vectors.axpy(c[k], basis[k], u);
        }
        Vectors.scale(1 / Vectors.norm(u), u);
        return u;
    }
}
