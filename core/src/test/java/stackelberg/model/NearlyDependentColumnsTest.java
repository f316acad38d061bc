package stackelberg.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import stackelberg.data.NumericColumn;
import stackelberg.data.Scaling;
import stackelberg.data.Table;
import stackelberg.game.GameSpec;
import stackelberg.game.Hedge;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;
import stackelberg.model.tuning.Tuning;
import stackelberg.sphere.Reduction;

/** An immutable column 1 + k 2^-40 beside the intercept: its digits are all there, and a column that has none left is named. */
class NearlyDependentColumnsTest {
    private static final int ROWS = 40;
    private static final double STEP = 0x1p-40;

    private final Random random = new Random(16_030);
    private final double[] x = new double[ROWS];
    private final double[] k = new double[ROWS];
    private final double[] y = new double[ROWS];
    private final double[] z = new double[ROWS];

    @BeforeEach
    void fill() {
        for (int i = 0; i < ROWS; i++) {
            x[i] = random.nextGaussian();
            k[i] = i % 5;
            y[i] = x[i] + 2 * k[i] + 0.1 * random.nextGaussian();
            z[i] = y[i] + random.nextDouble();
        }
    }

    private double[] nearlyOne() {
        double[] column = k.clone();
        for (int i = 0; i < ROWS; i++) {
            column[i] = 1 + k[i] * STEP;
        }
        return column;
    }

    private StackelbergRegression.Builder game() {
        return StackelbergRegression.builder()
                .hedge(Hedge.NONE)
                .target("y")
                .wish("z")
                .immutable(Set.of("k"))
                .scaling(Scaling.NONE)
                .gamma(0.5)
                .threads(1);
    }

    private Table table(double[] column) {
        return Table.of(List.of(
                new NumericColumn("x", x),
                new NumericColumn("k", column),
                new NumericColumn("y", y),
                new NumericColumn("z", z)));
    }

    @Test
    void aColumnThatVariesInItsLastDigitsIsUsedLikeOneThatVariesInItsFirst() {
        StackelbergModel clear = game().build().fit(table(k));
        StackelbergModel near = game().build().fit(table(nearlyOne()));
        assertThat(near.certified()).isTrue();
        assertThat(near.optimality().objective())
                .isCloseTo(
                        clear.optimality().objective(),
                        within(1e-9 * clear.optimality().objective()));
        assertThat(near.pullThrough()).isCloseTo(clear.pullThrough(), within(1e-9));
        assertThat(near.coefficients().get("k") * STEP)
                .isCloseTo(clear.coefficients().get("k"), within(1e-7));
        assertThat(near.warnings()).noneMatch(warning -> warning.text().contains("'k'"));
    }

    @Test
    void aColumnThatVariesInItsLastDigitsIsUsedInMixedPopulationsToo() {
        StackelbergModel clear = game().truthfulShare(0.2).build().fit(table(k));
        StackelbergModel near = game().truthfulShare(0.2).build().fit(table(nearlyOne()));
        assertThat(near.optimality().objective())
                .isCloseTo(
                        clear.optimality().objective(),
                        within(1e-7 * clear.optimality().objective()));
    }

    @Test
    void aColumnThatVariesByRoundingAloneIsLeftOutAndNamed() {
        double[] rounding = k.clone();
        for (int i = 0; i < ROWS; i++) {
            rounding[i] = 0.1 + (i % 3) * Math.ulp(0.1);
        }
        StackelbergModel model = game().build().fit(table(rounding));
        assertThat(model.coefficients().get("k")).isZero();
        assertThat(model.warnings())
                .filteredOn(warning -> warning.text().contains("'k'"))
                .hasSize(1);
    }

    @Test
    void withoutAnInterceptAColumnThatAnotherNearlyDeterminesIsNamed() {
        double[] other = new double[ROWS];
        double[] near = new double[ROWS];
        for (int i = 0; i < ROWS; i++) {
            other[i] = 3 + random.nextGaussian();
            near[i] = other[i] * (1 + 1e-13 * random.nextGaussian());
        }
        PredictionGame plain = PredictionGame.of(DenseMatrix.column(x), y, z, 1).withImmutable(other, near);
        assertThat(Reduction.of(plain, Workers.of(1)).dependenceWarning(List.of("a", "b"), List.of()))
                .hasValueSatisfying(text -> assertThat(text).contains("'b'").doesNotContain("'a'"));
        assertThat(Reduction.of(plain, Workers.of(1)).dependenceWarning(List.of("a", "b"), List.of("b")))
                .isEmpty();
    }

    @Test
    void tuneNamesTheColumnsItLeavesOut() {
        double[] twice = new double[ROWS];
        for (int i = 0; i < ROWS; i++) {
            twice[i] = 2 * k[i] + 1;
        }
        Table table = Table.of(List.of(
                new NumericColumn("x", x),
                new NumericColumn("k", k),
                new NumericColumn("twice", twice),
                new NumericColumn("y", y),
                new NumericColumn("z", z)));
        var tuning = game().immutable(Set.of("k", "twice"))
                .intercept(GameSpec.Intercept.IMMUTABLE)
                .build()
                .tune(table, Tuning.Plan.of(0.1, 1, 10), Tuning.Listener.NONE);
        assertThat(tuning.warnings()).anyMatch(warning -> warning.text().contains("'twice'"));
    }
}
