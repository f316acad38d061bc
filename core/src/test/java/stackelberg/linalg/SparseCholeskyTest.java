package stackelberg.linalg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** (A + shift I)^{-1}(A + shift I) x = x for every pattern, and the order keeps sparse what can stay sparse. */
class SparseCholeskyTest {
    private static final Workers TWO = Workers.of(2);

    @Test
    void solvesWithTheFactoredMatrix() {
        Random random = new Random(31_001);
        for (int trial = 0; trial < 300; trial++) {
            int n = 1 + random.nextInt(trial < 200 ? 40 : 400);
            CsrMatrix b = random(random, 1 + random.nextInt(2 * n), n, 1 + random.nextInt(4));
            CsrMatrix a = b.gram();
            double shift = Math.pow(10, -3 + 5 * random.nextDouble());
            double[] x = random.doubles(n, -1, 1).toArray();
            double[] y = a.times(x);
            Vectors.axpy(shift, x, y);

            SparseCholesky.Symbolic.of(a).factor(shift, TWO).orElseThrow().solve(y);

            Vectors.axpy(-1, x, y);
            assertThat(Vectors.maxAbs(y)).as("trial " + trial + ", order " + n).isLessThan(1e-9);
        }
    }

    /** Kinds of sparse data: the pattern of B in A = B'B, or of A itself. */
    private static List<CsrMatrix> shapes() {
        Random random = new Random(143);
        List<CsrMatrix> shapes = new ArrayList<>();
        shapes.add(new CsrMatrix.Builder().build(0));
        shapes.add(band(1, 0));
        shapes.add(band(50, 0));
        shapes.add(band(300, 3));
        shapes.add(random(random, 0, 20, 1).gram());
        shapes.add(arrow(400));
        shapes.add(random(random, 200, 150, 150).gram());
        shapes.add(random(random, 900, 800, 40).gram());
        shapes.add(grid(40));
        shapes.add(blocks(random));
        for (int perRow = 1; perRow < 7; perRow++) {
            shapes.add(random(random, 700, 500, perRow).gram());
            shapes.add(random(random, 250, 500, perRow).gram());
        }
        // a dense end of several tiles, with and without native kernels
        shapes.add(random(random, 4_000, 1_100, 4).gram());
        return shapes;
    }

    /** Two dense parts, a sparse one and isolated columns, in random order. */
    private static CsrMatrix blocks(Random random) {
        int n = 700;
        Integer[] where = IntStream.range(0, n).boxed().toArray(Integer[]::new);
        Collections.shuffle(Arrays.asList(where), random);
        CsrMatrix.Builder builder = new CsrMatrix.Builder();
        for (int i = 0; i < 900; i++) {
            int part = i % 3;
            random.ints(part == 2 ? 2 : 20, part * 200, part * 200 + 200)
                    .map(j -> where[j])
                    .sorted()
                    .distinct()
                    .forEach(j -> builder.put(j, random.nextGaussian()));
            builder.endRow();
        }
        return builder.build(n).gram();
    }

    @Test
    void agreesWithTheDenseFactorisation() {
        for (CsrMatrix a : shapes()) {
            int n = a.rows();
            Random random = new Random(n);
            double[] b = random.doubles(n, -1, 1).toArray();
            DenseMatrix dense = toDense(a);
            double size = 0;
            for (int i = 0; i < n; i++) {
                size = Math.max(size, Arrays.stream(dense.row(i)).map(Math::abs).sum());
            }
            double shift = 1 + size;
            double[] expected = b.clone();
            Cholesky.of(dense, shift, TWO).orElseThrow().solve(expected);
            double[] x = b.clone();
            SparseCholesky.Symbolic.of(a).factor(shift, TWO).orElseThrow().solve(x);

            double[] residual = a.times(x);
            Vectors.axpy(shift, x, residual);
            Vectors.axpy(-1, b, residual);
            assertThat(Vectors.maxAbs(residual))
                    .as("order " + n)
                    .isLessThanOrEqualTo(1e-12 * (shift + size) * Vectors.maxAbs(x));
            Vectors.axpy(-1, expected, x);
            assertThat(Vectors.maxAbs(x)).as("order " + n).isLessThanOrEqualTo(1e-12 * Vectors.maxAbs(expected));
        }
    }

    @Test
    void supernodesCoverEveryColumnOnceAndFollowTheirChildren() {
        for (CsrMatrix a : shapes()) {
            int n = a.rows();
            Supernodes nodes = Supernodes.of(MinimumDegree.of(a, Long.MAX_VALUE));
            assertThat(Arrays.stream(nodes.order()).sorted().toArray())
                    .isEqualTo(IntStream.range(0, n).toArray());
            int[] owner = new int[n];
            int next = 0;
            for (int s = 0; s < nodes.count(); s++) {
                assertThat(nodes.first(s)).isEqualTo(next);
                Arrays.fill(owner, next, next + nodes.width(s), s);
                next += nodes.width(s);
                int[] rows = nodes.rows(s);
                assertThat(rows).isSorted().doesNotHaveDuplicates();
                assertThat(rows.length == 0 || rows[0] >= next).isTrue();
            }
            assertThat(next).isEqualTo(n);
            for (int s = 0; s < nodes.count(); s++) {
                int[] rows = nodes.rows(s);
                if (rows.length == 0) {
                    continue;
                }
                // all that a child has below the parent's columns the parent has, too
                int parent = owner[rows[0]];
                int end = nodes.first(parent) + nodes.width(parent);
                assertThat(nodes.height(parent)).isGreaterThan(nodes.height(s));
                int[] common = nodes.rows(parent);
                assertThat(Arrays.stream(rows).filter(i -> i >= end))
                        .allMatch(i -> Arrays.binarySearch(common, i) >= 0);
            }
            // every entry of A has a place
            for (int i = 0; i < n; i++) {
                for (int p = a.rowBegin(i); p < a.rowEnd(i); p++) {
                    int row = Math.max(nodes.place()[i], nodes.place()[a.columnAt(p)]);
                    int s = owner[Math.min(nodes.place()[i], nodes.place()[a.columnAt(p)])];
                    assertThat(row < nodes.first(s) + nodes.width(s) || Arrays.binarySearch(nodes.rows(s), row) >= 0)
                            .isTrue();
                }
            }
        }
    }

    @Test
    void ifThePatternGrowsTooLargeTheRestBecomesOneDensePivot() {
        CsrMatrix a = random(new Random(5), 900, 500, 3).gram();
        MinimumDegree.Result cut = MinimumDegree.of(a, 100);
        assertThat(cut.patterns()[cut.patterns().length - 1]).isEmpty();
        assertThat(Arrays.stream(cut.order()).sorted().toArray())
                .isEqualTo(IntStream.range(0, 500).toArray());
        assertThat(Supernodes.of(cut).count()).isLessThan(120);
    }

    @Test
    void factorsHaveTheSameBitsForAnyNumberOfThreads() {
        Workers three = Workers.of(3);
        for (CsrMatrix a : shapes()) {
            double[] b = new Random(1).doubles(a.rows(), -1, 1).toArray();
            double[] alone = b.clone();
            SparseCholesky.Symbolic.of(a)
                    .factor(0.7, Workers.of(1))
                    .orElseThrow()
                    .solve(alone);
            for (Workers workers : new Workers[] {TWO, three}) {
                double[] x = b.clone();
                SparseCholesky.Symbolic.of(a).factor(0.7, workers).orElseThrow().solve(x);
                assertThat(x).containsExactly(alone);
            }
        }
    }

    @Test
    void anEarlierFactorIsRecomputedAfterALaterOneTookItsMemory() {
        CsrMatrix a = random(new Random(9), 3_000, 900, 3).gram();
        double[] b = new Random(2).doubles(900, -1, 1).toArray();
        SparseCholesky.Symbolic symbolic = SparseCholesky.Symbolic.of(a);
        SparseCholesky one = symbolic.factor(1, TWO).orElseThrow();
        double[] first = b.clone();
        one.solve(first);
        SparseCholesky two = symbolic.factor(2, Workers.of(1)).orElseThrow();
        double[] second = b.clone();
        two.solve(second);
        assertThat(symbolic.factor(-1e6, TWO)).isEmpty();
        double[] again = b.clone();
        one.solve(again);
        assertThat(again).containsExactly(first);
        double[] third = b.clone();
        two.solve(third);
        assertThat(third).containsExactly(second);
        assertThat(second).isNotEqualTo(first);
    }

    @Test
    void aSolveAllocatesNothingThatGrowsWithTheOrder() {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        List<CsrMatrix> matrices = new ArrayList<>(List.of(grid(120), band(20_000, 1)));
        if (!"java".equals(System.getProperty("stackelberg.blas"))) {
            // in plain Java the kernels of a large panel copy its rows to arrays
            matrices.add(random(new Random(3), 4_000, 1_400, 3).gram());
        }
        for (CsrMatrix a : matrices) {
            SparseCholesky factor =
                    SparseCholesky.Symbolic.of(a).factor(1, Workers.of(1)).orElseThrow();
            double[] b = new double[a.rows()];
            Arrays.fill(b, 1);
            factor.solve(b);
            long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
            factor.solve(b);
            long allocated =
                    threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
            // the buffers of a few large panels are looked at through new objects
            assertThat(allocated).as("order " + a.rows()).isLessThan(2L * a.rows());
        }
    }

    @Test
    void gramIsTheProductOfTheTransposeWithTheMatrix() {
        Random random = new Random(31_002);
        CsrMatrix b = random(random, 30, 20, 3);
        CsrMatrix gram = b.gram();
        double[] x = random.doubles(20, -1, 1).toArray();
        double[] difference = gram.times(x);
        Vectors.axpy(-1, b.transposeTimes(b.times(x)), difference);
        assertThat(Vectors.maxAbs(difference)).isLessThan(1e-13);
        assertThat((long) gram.nonzeros()).isLessThanOrEqualTo(b.gramNonzerosBound());
    }

    @Test
    void aGridStaysSparse() {
        // the five-point Laplacian of a 100 x 100 grid: nested dissection has 31 n log2 n / 4 nonzeros, a band order
        // n^1.5 = 1,000,000
        SparseCholesky.Symbolic symbolic = SparseCholesky.Symbolic.of(grid(100));
        assertThat(symbolic.bytes()).isLessThan(12 * 450_000);
        assertThat(symbolic.denseOrder()).isLessThan(1_000);
    }

    @Test
    void anArrowDoesNotFillIn() {
        SparseCholesky.Symbolic symbolic = SparseCholesky.Symbolic.of(arrow(2_000));
        assertThat(symbolic.flops()).isLessThan(1e5);
    }

    @Test
    void detectsAMatrixThatIsNotPositiveDefinite() {
        CsrMatrix a = random(new Random(31_003), 400, 300, 2).gram();
        SparseCholesky.Symbolic symbolic = SparseCholesky.Symbolic.of(a);
        assertThat(symbolic.factor(1e-6, TWO)).isPresent();
        assertThat(symbolic.factor(-1, TWO)).isEmpty();
    }

    @Test
    void refusesMatricesThatAreNotSquare() {
        assertThatThrownBy(() -> SparseCholesky.Symbolic.of(random(new Random(1), 3, 4, 1)))
                .hasMessageContaining("3 x 4");
    }

    private static DenseMatrix toDense(CsrMatrix a) {
        DenseMatrix dense = DenseMatrix.zeros(a.rows(), a.rows());
        for (int i = 0; i < a.rows(); i++) {
            for (int p = a.rowBegin(i); p < a.rowEnd(i); p++) {
                dense.set(i, a.columnAt(p), a.valueAt(p));
            }
        }
        return dense;
    }

    private static CsrMatrix band(int n, int distance) {
        CsrMatrix.Builder builder = new CsrMatrix.Builder();
        for (int i = 0; i < n; i++) {
            for (int j = Math.max(0, i - distance); j <= Math.min(n - 1, i + distance); j++) {
                builder.put(j, i == j ? 2 * distance + 1 : -1);
            }
            builder.endRow();
        }
        return builder.build(n);
    }

    private static CsrMatrix grid(int side) {
        CsrMatrix.Builder builder = new CsrMatrix.Builder();
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
        return builder.build(side * side);
    }

    private static CsrMatrix arrow(int n) {
        CsrMatrix.Builder builder = new CsrMatrix.Builder();
        for (int i = 0; i < n - 1; i++) {
            builder.put(i, 2).put(n - 1, 1).endRow();
        }
        for (int j = 0; j < n - 1; j++) {
            builder.put(j, 1);
        }
        builder.put(n - 1, n).endRow();
        return builder.build(n);
    }

    private static CsrMatrix random(Random random, int m, int n, int perRow) {
        CsrMatrix.Builder builder = new CsrMatrix.Builder();
        for (int i = 0; i < m; i++) {
            random.ints(perRow, 0, n).sorted().distinct().forEach(j -> builder.put(j, random.nextGaussian()));
            builder.endRow();
        }
        return builder.build(n);
    }
}
