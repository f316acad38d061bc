package stackelberg.linalg;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;

/** Random matrices, products by definition to compare with, and both implementations of the kernels. */
final class Samples {
    private Samples() {}

    /** Plain Java and, unless the suite is run without it, OpenBLAS. */
    static Stream<Kernels> kernels() {
        return "java".equals(System.getProperty("stackelberg.blas"))
                ? Stream.of(JavaKernels.INSTANCE)
                : Stream.of(JavaKernels.INSTANCE, Native.KERNELS);
    }

    private static final class Native {
        static final Kernels KERNELS = new OpenBlasKernels();
    }

    static double[][] random(int rows, int cols, long seed) {
        Random random = new Random(seed);
        double[][] values = new double[rows][cols];
        for (double[] row : values) {
            Arrays.setAll(row, j -> random.nextGaussian());
        }
        return values;
    }

    static DenseMatrix dense(double[][] values, int cols, int chunkRows) {
        DenseMatrix a = DenseMatrix.zeros(values.length, cols, chunkRows);
        for (int i = 0; i < values.length; i++) {
            a.setRow(i, values[i]);
        }
        return a;
    }

    static DenseMatrix dense(int rows, int cols, long seed) {
        return dense(random(rows, cols, seed), cols, Math.max(1, rows));
    }

    /** A matrix with earlier content, which a result must overwrite completely. */
    static DenseMatrix stale(int rows, int cols) {
        DenseMatrix a = DenseMatrix.zeros(rows, cols);
        for (int j = 0; j < cols; j++) {
            for (int i = 0; i < rows; i++) {
                a.set(i, j, Double.NaN);
            }
        }
        return a;
    }

    static double[][] rows(DenseMatrix a) {
        double[][] values = new double[a.rows()][];
        Arrays.setAll(values, a::row);
        return values;
    }

    static double[][] transpose(double[][] a, int cols) {
        double[][] t = new double[cols][a.length];
        for (int i = 0; i < a.length; i++) {
            for (int j = 0; j < cols; j++) {
                t[j][i] = a[i][j];
            }
        }
        return t;
    }

    /** The definition of the product of an m x p and a p x n matrix. */
    static double[][] product(double[][] a, double[][] b, int n) {
        double[][] c = new double[a.length][n];
        for (int i = 0; i < a.length; i++) {
            for (int p = 0; p < b.length; p++) {
                for (int j = 0; j < n; j++) {
                    c[i][j] += a[i][p] * b[p][j];
                }
            }
        }
        return c;
    }

    static Matrix.RowStep[] steps(Matrix x, int k, Matrix.RowStep step) {
        Matrix.RowStep[] steps = new Matrix.RowStep[x.parts(k)];
        Arrays.fill(steps, step);
        return steps;
    }

    /** Row i of U is multiplied by i + 1 and gets 0.5 added: a step that shows whether the rows it is given are the right ones. */
    static Matrix.RowStep weightAndShift(int k) {
        return (first, count, u) -> {
            for (int i = 0; i < count; i++) {
                for (int j = 0; j < k; j++) {
                    u.put(i * k + j, u.get(i * k + j) * (first + i + 1) + 0.5);
                }
            }
        };
    }

    /** X'step(X V) for {@link #weightAndShift}. */
    static double[][] passByDefinition(double[][] x, double[][] v, int cols, int k) {
        double[][] u = product(x, v, k);
        for (int i = 0; i < u.length; i++) {
            for (int j = 0; j < k; j++) {
                u[i][j] = u[i][j] * (i + 1) + 0.5;
            }
        }
        return product(transpose(x, cols), u, k);
    }

    static void assertClose(DenseMatrix actual, double[][] expected) {
        assertClose(rows(actual), expected);
    }

    static void assertClose(double[][] actual, double[][] expected) {
        assertThat(actual.length).isEqualTo(expected.length);
        double scale = 1;
        for (double[] row : expected) {
            scale = Math.max(scale, Vectors.maxAbs(row));
        }
        double difference = 0;
        for (int i = 0; i < expected.length; i++) {
            assertThat(actual[i]).hasSameSizeAs(expected[i]);
            for (int j = 0; j < expected[i].length; j++) {
                difference = Math.max(difference, Math.abs(actual[i][j] - expected[i][j]));
            }
        }
        assertThat(difference).isLessThanOrEqualTo(1e-12 * scale);
    }

    static double[] bits(DenseMatrix a) {
        double[] values = new double[a.rows() * a.cols()];
        a.tile(0, a.rows(), 0, a.cols(), DoubleBuffer.wrap(values));
        return values;
    }
}
