package stackelberg.sphere;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.game.PredictionGame;
import stackelberg.game.RandomGame;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;

/** Which immutable columns count as combinations of others: the same ones from rows at hand, rows elsewhere, and sums, or the sums cannot tell. */
class DependentColumnsTest {
    private static final Workers ONE = Workers.of(1);
    private static final int M = 80;
    private static final int N = 4;

    private final Random random = new Random(93_001);
    private final PredictionGame plain =
            RandomGame.plain(random, M, N, 1).withIntercept().withWeights(RandomGame.positive(random, M));
    private final double[] first = RandomGame.normal(random, M);

    /** 2 first - 1, and a part of this size against it that nothing else explains. */
    private double[] near(double part) {
        double[] other = RandomGame.normal(random, M);
        double[] column = first.clone();
        Vectors.scale(2, column);
        double length = Vectors.norm(column);
        Vectors.axpy(part * length / Vectors.norm(other), other, column);
        for (int i = 0; i < M; i++) {
            column[i] -= 1;
        }
        return column;
    }

    /** Which columns get a coefficient of exactly 0. */
    private static boolean[] dropped(Reduction reduction) {
        double[] q = reduction.naiveRule(new double[N]).q();
        boolean[] dropped = new boolean[q.length];
        for (int j = 0; j < q.length; j++) {
            dropped[j] = q[j] == 0;
        }
        return dropped;
    }

    @ParameterizedTest
    @CsvSource({
        "0, true, true",
        "1e-13, true, true",
        "1e-10, false, false",
        "1e-9, false, false",
        "1e-6, false, false",
        "1e-3, false, true",
        "1, false, true"
    })
    void theThreeReductionsDropTheSameColumnUnlessTheSumsAreInaccurate(double part, boolean dependent, boolean told) {
        PredictionGame game = plain.withImmutable(first, near(part), RandomGame.normal(random, M));
        boolean[] expected = {false, dependent, false};
        RowsOfGame rows = new RowsOfGame(game);

        assertThat(dropped(Reduction.of(game, ONE))).isEqualTo(expected);
        assertThat(dropped(rows.remotely())).isEqualTo(expected);
        Reduction bySums = rows.bySums();
        assertThat(bySums.accurate()).isEqualTo(told);
        if (told) {
            assertThat(dropped(bySums)).isEqualTo(expected);
        }
    }

    /** What is left out is named, by whatever kind leaves it out. */
    @Test
    void theThreeReductionsNameTheColumnTheyDrop() {
        PredictionGame game = plain.withImmutable(first, near(1e-13), RandomGame.normal(random, M));
        RowsOfGame rows = new RowsOfGame(game);
        List<String> names = List.of("first", "near", "other");
        for (Reduction reduction : List.of(Reduction.of(game, ONE), rows.remotely(), rows.bySums())) {
            assertThat(reduction.dependenceWarning(names, List.of()).orElseThrow())
                    .contains("'near'")
                    .doesNotContain("'first'")
                    .doesNotContain("'other'");
        }
        assertThat(Reduction.of(plain.withImmutable(first), ONE).dependenceWarning(List.of("first"), List.of()))
                .isEmpty();
    }

    /** All of them at once: each is judged against those before it, whatever was found of them. */
    @Test
    void manyDoubtfulColumnsAreDecidedInTheirOrder() {
        PredictionGame game =
                plain.withImmutable(first, near(1e-13), near(1e-10), near(0), near(1e-9), near(1e-6), near(1e-3));
        boolean[] expected = {false, true, false, true, false, false, false};
        RowsOfGame rows = new RowsOfGame(game);

        assertThat(dropped(Reduction.of(game, ONE))).isEqualTo(expected);
        assertThat(dropped(rows.remotely())).isEqualTo(expected);
        assertThat(rows.bySums().accurate()).isFalse();
    }

    /** A column that is dependent to rounding costs no read: it is measured along with what is read anyway. */
    @ParameterizedTest
    @ValueSource(doubles = {0, 1e-13})
    void dependentColumnsCostNoRead(double part) {
        RowsOfGame rows = new RowsOfGame(plain.withImmutable(first, near(part)));
        rows.remotely();
        assertThat(rows.reads()).isEqualTo(2);
    }

    /** The part 1e-9 is measured to seven digits at best, and so is everything along it. */
    @Test
    void aColumnWhoseIndependenceSumsCannotTellIsUsedWithLocalAndRemoteRows() {
        PredictionGame game = plain.withImmutable(first, near(1e-9));
        Reduction near = Reduction.of(game, ONE);
        Reduction far = new RowsOfGame(game).remotely();
        double[] r = RandomGame.unit(random, N + 1);

        double expected = near.family().at(0.3).evaluate(r).objective();
        assertThat(far.family().at(0.3).evaluate(r).objective()).isCloseTo(expected, within(1e-5 * expected));
        assertThat(far.family().rankBound()).isEqualTo(near.family().rankBound());
        double without = Reduction.of(plain.withImmutable(first), ONE)
                .family()
                .at(0.3)
                .evaluate(r)
                .objective();
        assertThat(without).as("it matters").isGreaterThan(1.001 * expected);
    }

    /** A feature that the immutable columns explain to 1e-9 has a direction that its sums have lost. */
    @ParameterizedTest
    @CsvSource({"0, true", "1e-9, false", "1, true"})
    void sumsReportWhenTheRemainderOfAFeatureIsRounding(double part, boolean accurate) {
        double[] feature = near(part);
        double[][] x = RandomGame.rows(plain);
        for (int i = 0; i < M; i++) {
            x[i][1] = feature[i];
        }
        PredictionGame game = PredictionGame.of(DenseMatrix.of(x), plain.y(), plain.z(), 1)
                .withImmutable(first)
                .withIntercept();
        assertThat(new RowsOfGame(game).bySums().accurate()).isEqualTo(accurate);
    }
}
