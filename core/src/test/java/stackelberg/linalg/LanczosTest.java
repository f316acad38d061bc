package stackelberg.linalg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static stackelberg.linalg.Samples.assertClose;
import static stackelberg.linalg.Samples.product;
import static stackelberg.linalg.Samples.random;
import static stackelberg.linalg.Samples.transpose;

import org.junit.jupiter.api.Test;

class LanczosTest {
    private static final Workers ONE = Workers.of(1);
    private static final int N = 40;

    private static double[] unit(double[] v) {
        Vectors.scale(1 / Vectors.norm(v), v);
        return v;
    }

    private static Lanczos lanczos(double[][] a, double[] start, int steps) {
        DenseMatrix matrix = DenseMatrix.of(a);
        return Lanczos.of((v, out) -> matrix.times(v, out, ONE), start, steps, 1e-13, ONE);
    }

    @Test
    void basisIsOrthonormalAndProjectsTheMatrixToATridiagonalOne() {
        double[][] b = random(N, N, 91_001);
        double[][] a = product(b, transpose(b, N), N);
        Lanczos lanczos = lanczos(a, unit(random(1, N, 91_002)[0]), 12);

        double[][] q = lanczos.basis();
        double[][] identity = new double[12][12];
        for (int i = 0; i < 12; i++) {
            identity[i][i] = 1;
        }
        assertClose(product(q, transpose(q, N), 12), identity);
        assertClose(lanczos.t(), product(product(q, a, N), transpose(q, N), 12));
        for (int i = 2; i < 12; i++) {
            assertThat(lanczos.t().get(i, i - 2))
                    .isCloseTo(0, within(1e-12 * lanczos.t().get(0, 0)));
        }
    }

    /** Eigenvalues over twelve decades: the large ones converge early, and without reorthogonalisation rounding errors grow along them. */
    @Test
    void basisStaysOrthonormalAfterEigenvectorsAreFound() {
        double[][] a = new double[N][N];
        for (int i = 0; i < N; i++) {
            a[i][i] = Math.pow(10, -12.0 * i / (N - 1));
        }
        Lanczos lanczos = lanczos(a, unit(random(1, N, 91_003)[0]), 34);

        double[][] q = lanczos.basis();
        for (int i = 0; i < q.length; i++) {
            for (int j = 0; j < i; j++) {
                assertThat(Vectors.dot(q[i], q[j])).isCloseTo(0, within(1e-14));
            }
        }
        assertThat(q.length).isGreaterThan(20);
    }

    @Test
    void anExtendedSpaceEqualsTheSpaceOfALongerRun() {
        double[][] b = random(N, N, 91_004);
        DenseMatrix a = DenseMatrix.of(product(b, transpose(b, N), N));
        double[] start = unit(random(1, N, 91_005)[0]);
        Lanczos whole = Lanczos.of((v, out) -> a.times(v, out, ONE), start, 20, 1e-13, ONE);
        int[] products = {0};
        Lanczos extended = Lanczos.of((v, out) -> a.times(v, out, ONE), start, 8, 1e-13, ONE)
                .extended(
                        (v, out) -> {
                            products[0]++;
                            a.times(v, out, ONE);
                        },
                        20,
                        1e-13,
                        ONE);

        assertThat(products[0]).isEqualTo(13);
        assertThat(extended.basis()).isDeepEqualTo(whole.basis());
        for (int i = 0; i < 20; i++) {
            assertThat(extended.t().row(i)).isEqualTo(whole.t().row(i));
        }
    }

    /** Spaces of different matrices, one of which is complete after three steps, in memory that another space has used. */
    @Test
    void spacesExtendedTogetherEqualSpacesExtendedSeparately() {
        double[][][] matrices = {
            product(random(N, N, 91_006), transpose(random(N, N, 91_006), N), N), new double[N][N], random(N, N, 91_007)
        };
        for (int i = 0; i < N; i++) {
            matrices[1][i][i] = i + 1;
            for (int j = 0; j < i; j++) {
                matrices[2][i][j] = matrices[2][j][i];
            }
        }
        double[][] starts = {random(1, N, 91_008)[0], new double[N], random(1, N, 91_009)[0]};
        starts[1][3] = 1;
        starts[1][7] = -2;
        starts[1][20] = 3;
        Lanczos[] alone = new Lanczos[3];
        Lanczos[] starting = new Lanczos[3];
        for (int k = 0; k < 3; k++) {
            alone[k] = lanczos(matrices[k], unit(starts[k].clone()), 14);
            starting[k] = Lanczos.from(unit(starts[k].clone()));
        }
        Workers lending = Workers.of(1);
        lanczos(matrices[0], unit(random(1, N, 91_010)[0]), 20).giveBack(lending);
        Lanczos[] together = Lanczos.extended(
                starting,
                (which, v, out) -> {
                    for (int k = 0; k < which.length; k++) {
                        DenseMatrix product = DenseMatrix.zeros(N, 1);
                        DenseMatrix.of(matrices[which[k]]).times(DenseMatrix.column(v[k]), product, ONE);
                        System.arraycopy(product.column(0), 0, out[k], 0, N);
                    }
                },
                14,
                1e-13,
                lending);

        assertThat(together[1].basis()).hasDimensions(3, N);
        for (int k = 0; k < 3; k++) {
            assertThat(together[k].basis()).isDeepEqualTo(alone[k].basis());
            for (int i = 0; i < alone[k].t().rows(); i++) {
                assertThat(together[k].t().row(i)).isEqualTo(alone[k].t().row(i));
            }
        }
    }

    /** The start vector has parts along three eigenvectors only, so the Krylov space is complete after three steps. */
    @Test
    void stepsEndWhenTheSpaceIsComplete() {
        double[][] a = new double[N][N];
        for (int i = 0; i < N; i++) {
            a[i][i] = i + 1;
        }
        double[] start = new double[N];
        start[3] = 1;
        start[7] = -2;
        start[20] = 3;
        Lanczos lanczos = lanczos(a, unit(start), 12);

        SymmetricEigen eigen = SymmetricEigen.of(lanczos.t(), ONE);
        assertThat(eigen.values()).containsExactly(new double[] {4, 8, 21}, within(1e-12));
        double[] lowest = lanczos.unit(eigen.vectors().column(0));
        assertThat(Math.abs(lowest[3])).isCloseTo(1, within(1e-12));
        assertThat(Vectors.norm(lowest)).isCloseTo(1, within(1e-15));
    }
}
