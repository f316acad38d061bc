package stackelberg.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import stackelberg.certificate.Certificate.Finiteness;
import stackelberg.data.NumericColumn;
import stackelberg.data.Scaling;
import stackelberg.data.Table;
import stackelberg.game.GameSpec;
import stackelberg.game.Hedge;
import stackelberg.linalg.Workers;

/** Moves that are real can leave nothing of a prediction, tau = 1, at a finite w: beta'w = -gamma. Six rows, one column with effect 1, gamma 1: w = -1. */
class RealMovesAtTheLimitTest {
    private static final int GAMES = 120;
    private static final int ROWS = 6;

    /** What people wish beside the truth. */
    private enum Wishes {
        THE_TRUTH,
        ONE_MORE,
        ANYTHING
    }

    private static double tenths(Random random) {
        return Math.round(10 * random.nextGaussian()) / 10.0;
    }

    private static Table game(int k, Wishes wishes) {
        Random random = new Random(k);
        double[] x = new double[ROWS];
        double[] y = new double[ROWS];
        double[] z = new double[ROWS];
        for (int i = 0; i < ROWS; i++) {
            x[i] = tenths(random);
            y[i] = tenths(random);
            double more = wishes == Wishes.THE_TRUTH ? 0 : wishes == Wishes.ONE_MORE ? 1 : tenths(random);
            z[i] = Math.round(10 * (y[i] + more)) / 10.0;
        }
        return Table.of(NumericColumn.of("x", x), NumericColumn.of("y", y), NumericColumn.of("z", z));
    }

    private static StackelbergModel fit(Table table, GameSpec.Intercept intercept) {
        return StackelbergRegression.builder()
                .hedge(Hedge.NONE)
                .target("y")
                .wish("z")
                .gamma(1)
                .scaling(Scaling.NONE)
                .effect("x", 1)
                .intercept(intercept)
                .build()
                .fit(table);
    }

    /** By the definition: people move, and the truth with them. */
    private static double loss(StackelbergModel model, Table table) {
        double w = model.coefficients().get("x");
        double[] p = model.predict(table);
        double[] y = table.numeric("y").values();
        double[] z = table.numeric("z").values();
        double sum = 0;
        for (int i = 0; i < ROWS; i++) {
            double move = (z[i] - p[i]) * w / (1 + w * w);
            double e = p[i] + w * move - (y[i] + move);
            sum += e * e;
        }
        return sum;
    }

    @ParameterizedTest
    @EnumSource(
            value = GameSpec.Intercept.class,
            names = {"IMMUTABLE", "NONE"})
    void theLossOfAModelIsThatOfItsRule(GameSpec.Intercept intercept) {
        for (Wishes wishes : Wishes.values()) {
            for (int k = 0; k < GAMES; k++) {
                Table table = game(k, wishes);
                StackelbergModel model = fit(table, intercept);

                assertThat(model.optimality().finiteness()).isNotEqualTo(Finiteness.UNKNOWN);
                if (model.optimality().finite()) {
                    double loss = loss(model, table);
                    assertThat(model.losses().anticipated())
                            .as("%s, game %d", wishes, k)
                            .isCloseTo(loss, within(1e-12 + 1e-9 * loss));
                    assertThat(model.certified()).isTrue();
                }
            }
        }
    }

    /** Wishes are the truth and a constant: only ever larger intercepts take it back where next to nothing is left of them. */
    @ParameterizedTest
    @EnumSource(
            value = GameSpec.Intercept.class,
            names = {"IMMUTABLE"})
    void aConstantWishThatCannotBeCancelledHasNoFiniteEquilibrium(GameSpec.Intercept intercept) {
        for (int k = 0; k < GAMES; k++) {
            assertThat(fit(game(k, Wishes.ONE_MORE), intercept).optimality().finiteness())
                    .as("game %d", k)
                    .isEqualTo(Finiteness.NONE);
        }
    }

    /** Wishes that are the truth: at w = -1 everybody's score ends there, whatever the intercept is. */
    @ParameterizedTest
    @EnumSource(
            value = GameSpec.Intercept.class,
            names = {"IMMUTABLE", "NONE"})
    void aLimitPointAttainedByAFiniteRuleGivesThatRule(GameSpec.Intercept intercept) {
        for (int k = 0; k < GAMES; k++) {
            Table table = game(k, Wishes.THE_TRUTH);
            StackelbergModel model = fit(table, intercept);

            assertThat(model.certified()).as("game %d", k).isTrue();
            assertThat(model.coefficients().get("x")).isEqualTo(-1);
            assertThat(loss(model, table)).isLessThan(1e-28);
            assertThat(Verification.of(model, table, Workers.of(1)).certified()).isTrue();
        }
    }
}
