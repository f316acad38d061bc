package stackelberg.solver.published.admm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;
import stackelberg.linalg.CsrBuilder;
import stackelberg.linalg.CsrMatrix;
import stackelberg.linalg.SparseProducts;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;

/** (A + shift I)^{-1}(A + shift I) x = x for every pattern, and the order keeps sparse what can stay sparse. */
class SparseCholeskyTest {
    private static final Workers TWO = Workers.of(2);

    @Test
    void solvesWhatItFactored() {
        Random random = new Random(31_001);
        for (int trial = 0; trial < 300; trial++) {
            int n = 1 + random.nextInt(trial < 200 ? 40 : 400);
            CsrMatrix b = random(random, 1 + random.nextInt(2 * n), n, 1 + random.nextInt(4));
            CsrMatrix a = SparseProducts.gram(b);
            double shift = Math.pow(10, -3 + 5 * random.nextDouble());
            double[] x = random.doubles(n, -1, 1).toArray();
            double[] y = SparseProducts.times(a, x);
            Vectors.axpy(shift, x, y);

            SparseCholesky.Symbolic.of(a).factor(shift, TWO).orElseThrow().solve(y);

            Vectors.axpy(-1, x, y);
            assertThat(Vectors.maxAbs(y)).as("trial " + trial + ", order " + n).isLessThan(1e-9);
        }
    }

    @Test
    void gramIsTheProductOfTheTransposeWithTheMatrix() {
        Random random = new Random(31_002);
        CsrMatrix b = random(random, 30, 20, 3);
        CsrMatrix gram = SparseProducts.gram(b);
        double[] x = random.doubles(20, -1, 1).toArray();
        double[] difference = SparseProducts.times(gram, x);
        Vectors.axpy(-1, SparseProducts.transposeTimes(b, SparseProducts.times(b, x)), difference);
        assertThat(Vectors.maxAbs(difference)).isLessThan(1e-13);
        assertThat((long) gram.nonzeros()).isLessThanOrEqualTo(SparseProducts.gramNonzerosBound(b));
    }

    @Test
    void aGridStaysSparse() {
        // the five-point Laplacian of a 100 x 100 grid: nested dissection has 31 n log2 n / 4 nonzeros, a band order
        // n^1.5 = 1,000,000
        int side = 100;
        CsrBuilder builder = new CsrBuilder();
        for (int i = 0; i < side; i++) {
            for (int j = 0; j < side; j++) {
                int k = i * side + j;
                if (i > 0) {
                    builder.put(k - side, -1);
                }
                if (j > 0) {
                    builder.put(k - 1, -1);
                }
                builder.put(k, 4);
                if (j < side - 1) {
                    builder.put(k + 1, -1);
                }
                if (i < side - 1) {
                    builder.put(k + side, -1);
                }
                builder.endRow();
            }
        }
        SparseCholesky.Symbolic symbolic = SparseCholesky.Symbolic.of(builder.build(side * side));
        assertThat(symbolic.bytes()).isLessThan(12 * 450_000);
        assertThat(symbolic.denseOrder()).isLessThan(1_000);
    }

    @Test
    void anArrowDoesNotFillIn() {
        int n = 2_000;
        CsrBuilder builder = new CsrBuilder();
        for (int i = 0; i < n - 1; i++) {
            builder.put(i, 2).put(n - 1, 1).endRow();
        }
        for (int j = 0; j < n - 1; j++) {
            builder.put(j, 1);
        }
        builder.put(n - 1, n).endRow();
        SparseCholesky.Symbolic symbolic = SparseCholesky.Symbolic.of(builder.build(n));
        assertThat(symbolic.flops()).isLessThan(1e5);
    }

    @Test
    void findsOutThatAMatrixIsNotPositiveDefinite() {
        CsrMatrix a = SparseProducts.gram(random(new Random(31_003), 400, 300, 2));
        SparseCholesky.Symbolic symbolic = SparseCholesky.Symbolic.of(a);
        assertThat(symbolic.factor(1e-6, TWO)).isPresent();
        assertThat(symbolic.factor(-1, TWO)).isEmpty();
    }

    @Test
    void refusesMatricesThatAreNotSquare() {
        assertThatThrownBy(() -> SparseCholesky.Symbolic.of(random(new Random(1), 3, 4, 1)))
                .hasMessageContaining("3 x 4");
    }

    private static CsrMatrix random(Random random, int m, int n, int perRow) {
        CsrBuilder builder = new CsrBuilder();
        for (int i = 0; i < m; i++) {
            random.ints(perRow, 0, n).sorted().distinct().forEach(j -> builder.put(j, random.nextGaussian()));
            builder.endRow();
        }
        return builder.build(n);
    }
}
