package stackelberg.solver.krylov;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.solver.RandomGame;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereFamily;

/** The definition: V orthonormal, V'AV = T, and what A leads out of the space is as long as the recurrence says. */
class BlockLanczosTest {
    private static final Workers ONE = Workers.of(1);

    @Test
    void theRecurrenceHoldsToRoundingAtEveryStep() {
        SphereFamily family = family(40, 25, 25);
        BlockLanczos lanczos =
                new BlockLanczos(family, new double[][] {family.xy(), family.xz()}, family.startSizes(), ONE);
        while (!lanczos.exhausted()) {
            lanczos.step();
            if (lanczos.order() == 8) {
                assertThat(lanczos.addProbe()).isTrue();
            }
            checkRecurrence(family, lanczos);
        }
        assertThat(lanczos.order()).isEqualTo(25);
    }

    /** Where every step leaves a good part of its product, of which one careless round would let errors grow by a factor with every step. */
    @Test
    void theRecurrenceHoldsAfterManyStepsWhereEigenvaluesAreAlike() {
        SphereFamily family = alike(80, 400);
        BlockLanczos lanczos =
                new BlockLanczos(family, new double[][] {family.xy(), family.xz()}, family.startSizes(), ONE);
        while (lanczos.order() < 70) {
            lanczos.step();
        }
        checkRecurrence(family, lanczos);
    }

    @Test
    void theSpaceIsExhaustedAtTheRankOfTheData() {
        SphereFamily family = family(40, 25, 6);
        BlockLanczos lanczos =
                new BlockLanczos(family, new double[][] {family.xy(), family.xz()}, family.startSizes(), ONE);
        while (!lanczos.exhausted()) {
            lanczos.step();
            checkRecurrence(family, lanczos);
        }
        // a direction of pure rounding may slip in before the end
        assertThat(lanczos.order()).isBetween(6, 8);
        assertThat(lanczos.seesEveryEigenvalue()).isFalse();

        // the probe brings in the null space, and nothing else is left to find
        assertThat(lanczos.addProbe()).isTrue();
        while (!lanczos.exhausted()) {
            lanczos.step();
        }
        assertThat(lanczos.order()).isBetween(7, 10);
        assertThat(lanczos.ritz().theta()[0]).isLessThan(1e-12 * family.squaredNorm());
        assertThat(lanczos.seesEveryEigenvalue()).isTrue();
        checkRecurrence(family, lanczos);
    }

    private static void checkRecurrence(SphereFamily family, BlockLanczos lanczos) {
        int k = lanczos.order();
        double size = family.squaredNorm();
        Ritz ritz = lanczos.ritz();
        List<double[]> units = Arrays.asList(new double[k][]);
        units.replaceAll(ignored -> new double[k]);
        for (int i = 0; i < k; i++) {
            units.get(i)[i] = 1;
        }
        DenseMatrix rows = lanczos.combine(ritz, units);
        DenseMatrix v = DenseMatrix.zeros(family.features(), k);
        for (int i = 0; i < k; i++) {
            v.setColumn(i, rows.row(i));
        }
        DenseMatrix av = DenseMatrix.zeros(family.features(), k);
        family.gramTimes(v, av);
        for (int i = 0; i < k; i++) {
            for (int j = 0; j < k; j++) {
                double expected = i == j ? 1 : 0;
                assertThat(Vectors.dot(v.column(i), v.column(j))).isCloseTo(expected, within(1e-13));
                assertThat(Vectors.dot(v.column(i), av.column(j)))
                        .isCloseTo(expected * ritz.theta()[j], within(1e-14 * size));
            }
            double[] outside = av.column(i);
            Vectors.axpy(-ritz.theta()[i], v.column(i), outside);
            assertThat(Vectors.norm(outside)).isCloseTo(ritz.outside(units.get(i)), within(1e-14 * size));
        }
    }

    /** More features than people, all of them noise. */
    private static SphereFamily alike(int m, int n) {
        Random random = new Random(43_002);
        double[][] x = new double[m][];
        Arrays.setAll(x, i -> RandomGame.normal(random, n, 1));
        double[] y = RandomGame.normal(random, m, 1);
        var game = PredictionGame.of(DenseMatrix.of(x), y, RandomGame.normal(random, m, 1), 1);
        return Reduction.of(game, ONE).family();
    }

    /** m x n features of the given rank. */
    private static SphereFamily family(int m, int n, int rank) {
        Random random = new Random(43_001);
        double[][] left = new double[rank][];
        Arrays.setAll(left, i -> RandomGame.normal(random, n, 1));
        double[][] x = new double[m][n];
        for (double[] row : x) {
            for (double[] vector : left) {
                Vectors.axpy(random.nextGaussian(), vector, row);
            }
        }
        double[] y = RandomGame.normal(random, m, 1);
        var game = PredictionGame.of(DenseMatrix.of(x), y, RandomGame.normal(random, m, 1), 1);
        return Reduction.of(game, ONE).family();
    }
}
