package stackelberg.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import stackelberg.data.CategoricalColumn;
import stackelberg.data.NumericColumn;
import stackelberg.data.Scaling;
import stackelberg.data.Table;
import stackelberg.game.GameSpec;
import stackelberg.game.Hedge;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;

/** Without an intercept rules have no constant in the units of the data, whatever the scaling, and the best of these is found. */
class NoInterceptTest {
    private static final double[] X = {1, 2, 3, 4, 5};
    private static final double[] Y = {11.2, 12.1, 12.9, 14.2, 15.1};
    private static final double[] Z = {13, 13, 14, 15, 17};
    private static final Workers ONE = Workers.of(1);

    private static StackelbergRegression.Builder game(Scaling scaling) {
        return StackelbergRegression.builder()
                .hedge(Hedge.NONE)
                .target("y")
                .wish("z")
                .gamma(1)
                .scaling(scaling)
                .intercept(GameSpec.Intercept.NONE);
    }

    private static Table table() {
        return Table.of(NumericColumn.of("x", X), NumericColumn.of("y", Y), NumericColumn.of("z", Z));
    }

    /** sum ((1 - t) w x + t z - y)^2, t = alpha/(1 + alpha), alpha = (w scale)^2/gamma. */
    private static double loss(double w, double scale) {
        double alpha = w * scale * w * scale;
        double t = alpha / (1 + alpha);
        double sum = 0;
        for (int i = 0; i < X.length; i++) {
            double e = (1 - t) * w * X[i] + t * Z[i] - Y[i];
            sum += e * e;
        }
        return sum;
    }

    @ParameterizedTest
    @EnumSource(Scaling.class)
    void theRuleIsOptimalAmongRulesWithoutAConstantInTheUnitsOfTheData(Scaling scaling) {
        StackelbergModel model = game(scaling).build().fit(table());

        double scale = scaling == Scaling.NONE ? 1 : scaling == Scaling.RANGE ? 4 : Math.sqrt(2);
        double best = Double.POSITIVE_INFINITY;
        for (double w = -50; w <= 50; w += 1e-4) {
            best = Math.min(best, loss(w, scale));
        }
        assertThat(model.intercept()).isEqualTo(0);
        assertThat(model.certified()).isTrue();
        assertThat(model.losses().anticipated())
                .isLessThanOrEqualTo(best)
                .isCloseTo(loss(model.coefficients().get("x"), scale), within(1e-12));
        assertThat(
                        model.game().today().rule() == null
                                ? 0
                                : model.game().today().rule().intercept())
                .isEqualTo(0);
        assertThat(Verification.of(model, table(), ONE).certified()).isTrue();
        assertThat(model.predict(table())[1]).isEqualTo(2 * model.coefficients().get("x"));
    }

    @ParameterizedTest
    @EnumSource(Scaling.class)
    void anArrayIsTheSameGameAsATable(Scaling scaling) {
        double[][] rows = new double[X.length][];
        for (int i = 0; i < X.length; i++) {
            rows[i] = new double[] {X[i]};
        }
        Table block =
                Table.ofBlock(DenseMatrix.of(rows), List.of("x"), NumericColumn.of("y", Y), NumericColumn.of("z", Z));
        StackelbergModel one = game(scaling).build().fit(block);
        StackelbergModel other = game(scaling).build().fit(table());

        assertThat(one.intercept()).isEqualTo(0);
        assertThat(one.coefficients().get("x")).isCloseTo(other.coefficients().get("x"), within(1e-12));
        assertThat(Verification.of(one, block, ONE).certified()).isTrue();
    }

    private static Table withRegions(String... names) {
        Random random = new Random(4);
        int rows = 60;
        double[] x = new double[rows];
        double[] y = new double[rows];
        String[] region = new String[rows];
        String[] job = new String[rows];
        for (int i = 0; i < rows; i++) {
            x[i] = 5 + random.nextGaussian();
            region[i] = names[i % 3];
            job[i] = i % 2 == 0 ? "a" : "b";
            y[i] = x[i] + 3 * (i % 3) + (i % 2) + random.nextGaussian();
        }
        double[] z = new double[rows];
        for (int i = 0; i < rows; i++) {
            z[i] = Math.max(y[i], 8) + random.nextDouble();
        }
        return Table.of(
                NumericColumn.of("x", x),
                CategoricalColumn.of("region", region),
                CategoricalColumn.of("job", job),
                NumericColumn.of("y", y),
                NumericColumn.of("z", z));
    }

    /** A base level would be predicted without a constant, so that its name decided how good a rule can be. */
    @ParameterizedTest
    @EnumSource(Scaling.class)
    void theOrderOfLevelsDoesNotMatter(Scaling scaling) {
        StackelbergModel one = game(scaling).build().fit(withRegions("a", "b", "c"));
        StackelbergModel other = game(scaling).build().fit(withRegions("c", "a", "b"));

        assertThat(one.coefficients()).containsOnlyKeys("x", "region=a", "region=b", "region=c", "job=b");
        assertThat(one.intercept()).isEqualTo(0);
        assertThat(one.certified()).isTrue();
        assertThat(one.losses().anticipated()).isCloseTo(other.losses().anticipated(), within(1e-9));
        assertThat(Verification.of(one, withRegions("a", "b", "c"), ONE).certified())
                .isTrue();
    }

    /** What is the same for everybody is then the constant that a rule has, and not dropped. */
    @Test
    void aColumnOfOnesIsAFeature() {
        Table ones = Table.of(
                NumericColumn.of("one", 1, 1, 1, 1, 1),
                NumericColumn.of("x", X),
                NumericColumn.of("y", Y),
                NumericColumn.of("z", Z));
        StackelbergModel model = game(Scaling.STANDARD).build().fit(ones);

        assertThat(model.coefficients()).containsOnlyKeys("one", "x");
        assertThat(model.coefficients().get("one")).isNotZero();
    }
}
