package stackelberg.sphere;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;
import stackelberg.sphere.SphereProblem.Evaluation;

/** A game whose rows answer only with sums is the same game. */
class RemoteReductionTest {
    private static final int M = 60;
    private static final int N = 5;
    private static final Workers ALONE = Workers.of(1);

    private final double[][] x = new double[M][N];
    private final double[][] v = new double[3][M];
    private final double[] y = new double[M];
    private final double[] z = new double[M];
    private final double[] weights = new double[M];
    private final double[] costs = {1, 2, 0.5, 1, 3};
    private int reads;

    /** The second immutable column is the first but for a little; the third is the sum of both. */
    private void fill(double little) {
        Random random = new Random(5);
        for (int i = 0; i < M; i++) {
            for (int j = 0; j < N; j++) {
                x[i][j] = 2 + random.nextGaussian();
            }
            v[0][i] = 5 + random.nextGaussian();
            v[1][i] = v[0][i] + little * random.nextGaussian();
            v[2][i] = v[0][i] + v[1][i];
            y[i] = 10 + x[i][0] - v[0][i] + random.nextGaussian();
            z[i] = y[i] + random.nextDouble();
            weights[i] = random.nextInt(3);
        }
    }

    private PredictionGame game() {
        return PredictionGame.of(DenseMatrix.of(x), y, z, 1)
                .withCosts(costs)
                .withImmutable(v)
                .withIntercept()
                .withWeights(weights)
                .withWishNoise(0.2);
    }

    private Reduction local() {
        return Reduction.of(game(), ALONE);
    }

    private Reduction remote() {
        RowsOfGame rows = new RowsOfGame(game());
        Reduction reduction = rows.remotely();
        reads = rows.reads();
        return reduction;
    }

    private static double[] point() {
        Random random = new Random(6);
        double[] r = random.doubles(N + 1, -1, 1).toArray();
        double norm = Math.sqrt(java.util.Arrays.stream(r).map(a -> a * a).sum());
        return java.util.Arrays.stream(r).map(a -> a / norm).toArray();
    }

    /** With 1e-5 the products V'SV have lost ten digits of the second column. */
    @ParameterizedTest
    @ValueSource(doubles = {1, 1e-5})
    void theFamilyOfRemoteRowsEqualsTheFamilyOfLocalRows(double little) {
        fill(little);
        SphereFamily near = local().family();
        SphereFamily far = remote().family();
        double scale = near.squaredNorm();
        assertThat(far.squaredNorm()).isPositive().isCloseTo(scale, within(1e-12 * scale));
        assertThat(far.rankBound()).isEqualTo(near.rankBound());
        double[] quadratic = {far.yy(), far.yz(), far.zz(), far.p(), far.limitPointLoss()};
        double[] expected = {near.yy(), near.yz(), near.zz(), near.p(), near.limitPointLoss()};
        assertThat(quadratic).containsExactly(expected, within(1e-10 * near.zz()));
        assertThat(far.xy()).containsExactly(near.xy(), within(1e-10 * scale));
        assertThat(far.xz()).containsExactly(near.xz(), within(1e-10 * scale));
        DenseMatrix gram = near.gram();
        DenseMatrix columns = DenseMatrix.zeros(N, N);
        for (int j = 0; j < N; j++) {
            columns.set(j, j, 1);
        }
        DenseMatrix product = DenseMatrix.zeros(N, N);
        far.gramTimes(columns, product);
        for (int j = 0; j < N; j++) {
            assertThat(product.column(j)).containsExactly(gram.column(j), within(1e-10 * scale));
            assertThat(far.gram().column(j)).containsExactly(gram.column(j), within(1e-6 * scale));
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {1, 1e-5})
    void aPointHasTheSameLossGradientAndRule(double little) {
        fill(little);
        Reduction near = local();
        Reduction far = remote();
        double[] r = point();
        Evaluation a = near.family().at(0.3).evaluate(r);
        Evaluation b = far.family().at(0.3).evaluate(r);
        assertThat(b.objective()).isCloseTo(a.objective(), within(1e-11 * a.objective()));
        assertThat(b.halfGradient())
                .containsExactly(a.halfGradient(), within(1e-11 * near.family().squaredNorm()));
        assertThat(far.recover(r, 0.3).w()).containsExactly(near.recover(r, 0.3).w(), within(1e-12));
        assertThat(far.recover(r, 0.3).q()).containsExactly(near.recover(r, 0.3).q(), within(1e-10 / little));
        assertThat(far.recover(r, 0.3).intercept())
                .isCloseTo(near.recover(r, 0.3).intercept(), within(1e-10 / little));
        double[] w = new Random(7).doubles(N, -1, 1).toArray();
        assertThat(far.naiveRule(w).q()).containsExactly(near.naiveRule(w).q(), within(1e-9 / little));
    }

    /** Effects of both signs, with a ridge and without: one more read, and the same sphere. */
    @ParameterizedTest
    @ValueSource(doubles = {0, 3})
    void withEffectsTheSphereIsTheSameToo(double ridge) {
        fill(1);
        double[] effects = {0.5, -2, 0, 7, -0.1};
        PredictionGame game = game().withEffects(effects).withRidge(ridge);
        Reduction near = Reduction.of(game, ALONE);
        RowsOfGame rows = new RowsOfGame(game);
        Reduction remote = rows.remotely();
        for (Reduction far : List.of(remote, rows.bySums())) {
            double[] r = point();
            Evaluation a = near.family().at(0.3).evaluate(r);
            Evaluation b = far.family().at(0.3).evaluate(r);
            assertThat(b.objective()).isCloseTo(a.objective(), within(1e-11 * a.objective()));
            assertThat(b.halfGradient())
                    .containsExactly(
                            a.halfGradient(), within(1e-11 * near.family().squaredNorm()));
            assertThat(far.family().xy())
                    .containsExactly(
                            near.family().xy(), within(1e-10 * near.family().squaredNorm()));
            assertThat(far.family().at(0.3).p())
                    .isCloseTo(
                            near.family().at(0.3).p(),
                            within(1e-11 * near.family().p()));
            assertThat(far.recover(r, 0.3).w())
                    .containsExactly(near.recover(r, 0.3).w(), within(1e-12));
            assertThat(far.recover(r, 0.3).q())
                    .containsExactly(near.recover(r, 0.3).q(), within(1e-9));
        }
        int before = rows.reads();
        remote.family();
        assertThat(rows.reads()).isEqualTo(before);
        assertThat(before).isEqualTo(2 + 1 + 1);
    }

    @Test
    void anotherReadIsSpentOnlyWhereTheImmutableColumnsAreBadlyConditioned() {
        fill(1);
        remote();
        assertThat(reads).isEqualTo(2);
        fill(1e-5);
        remote();
        assertThat(reads).isEqualTo(3);
    }
}
