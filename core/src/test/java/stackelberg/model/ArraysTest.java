package stackelberg.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.data.DataException;
import stackelberg.data.Missing;
import stackelberg.data.NumericColumn;
import stackelberg.data.Scaling;
import stackelberg.data.Table;
import stackelberg.game.Hedge;

/** Arrays that do not fit together are refused as data are, with rows counted from 1. */
class ArraysTest {
    /** What is missing later is filled in with the mean of training, of arrays as of tables; where that is not known, it is said. */
    @Test
    void missingValuesInNewArraysAreFilledInWithTheTrainingMean() {
        double[][] x = {{2010, 1}, {2015, 2}, {2020, 4}, {2017, 1}, {2011, 3}};
        double[] y = {1, 2, 4, 3, 2};
        double[] z = {2, 3, 4, 4, 3};
        StackelbergModel model = StackelbergRegression.builder()
                .hedge(Hedge.NONE)
                .gamma(1)
                .build()
                .fit(x, y, z)
                .withMissing(Missing.MEAN);

        assertThat(model.predict(new double[][] {{Double.NaN, 2}})[0])
                .isCloseTo(model.predict(new double[][] {{2014.6, 2}})[0], within(1e-9));
        StackelbergModel bare = StackelbergRegression.builder()
                .hedge(Hedge.NONE)
                .gamma(1)
                .scaling(Scaling.NONE)
                .build()
                .fit(x, y, z);
        assertThatThrownBy(() -> bare.withMissing(Missing.MEAN))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("does not know the means");
    }

    private static final double[][] X = {{1, 2}, {2, 1}, {4, 3}};
    private static final double[] Y = {1, 2, 3};

    /** A mean that is taken off products instead of values leaves 1e-4 of the loss unproven at ten million standard deviations. */
    @ParameterizedTest
    @ValueSource(doubles = {900, 1e7})
    void aColumnFarFromZeroIsCertifiedInArraysAsInTables(double distance) {
        Far far = Far.drawn(distance);
        StackelbergModel arrays = StackelbergRegression.builder()
                .hedge(Hedge.NONE)
                .gamma(0.5)
                .build()
                .fit(far.x, far.y, far.z);
        StackelbergModel table = StackelbergRegression.builder()
                .hedge(Hedge.NONE)
                .target("y")
                .wish("z")
                .gamma(0.5)
                .build()
                .fit(Table.of(
                        new NumericColumn("x1", far.column(0)),
                        new NumericColumn("x2", far.column(1)),
                        new NumericColumn("y", far.y),
                        new NumericColumn("z", far.z)));

        assertThat(arrays.certified()).isTrue();
        assertThat(arrays.coefficients().values())
                .containsExactlyElementsOf(table.coefficients().values());
        assertThat(arrays.optimality().gapBound()).isEqualTo(table.optimality().gapBound());
    }

    @Test
    void aColumnFarFromZeroThatIsNotCentredIsNamedInAWarning() {
        Far far = Far.drawn(1e7);
        StackelbergModel model = StackelbergRegression.builder()
                .hedge(Hedge.NONE)
                .gamma(0.5)
                .scaling(Scaling.NONE)
                .build()
                .fit(far.x, far.y, far.z);

        assertThat(model.certified()).isFalse();
        assertThat(model.warnings())
                .anyMatch(warning -> warning.text().startsWith("Column '2' lies farther from 0 than ten times")
                        && warning.text().endsWith("Maybe subtract the mean first."));
    }

    /** Two columns, the second so many standard deviations from 0. */
    private record Far(double[][] x, double[] y, double[] z) {
        static Far drawn(double distance) {
            SplittableRandom random = new SplittableRandom(8);
            Far far = new Far(new double[100][], new double[100], new double[100]);
            for (int i = 0; i < 100; i++) {
                double a = random.nextGaussian();
                double b = random.nextGaussian();
                far.x[i] = new double[] {a, distance + b};
                far.y[i] = a + 2 * b + 0.3 * random.nextGaussian();
                far.z[i] = far.y[i] + 1 + random.nextGaussian();
            }
            return far;
        }

        double[] column(int j) {
            return Arrays.stream(x).mapToDouble(row -> row[j]).toArray();
        }
    }

    @Test
    void aRaggedRowIsNamedByItsNumberCountedFromOne() {
        assertThatThrownBy(() -> StackelbergRegression.builder()
                        .hedge(Hedge.NONE)
                        .build()
                        .fit(new double[][] {{1, 2}, {2}, {4, 3}}, Y, Y))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("Row 2 of x has 1 numbers, row 1 has 2");
        assertThatThrownBy(() -> StackelbergRegression.builder()
                        .hedge(Hedge.NONE)
                        .build()
                        .fit(new double[][] {{1, 2}, {2, 1}, null}, Y, Y))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("Row 3 of x is null");
    }

    @Test
    void nullWishesAreRefused() {
        assertThatThrownBy(() -> StackelbergRegression.builder()
                        .hedge(Hedge.NONE)
                        .build()
                        .fit(X, Y, null))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("z is null; the game needs 3 values");
    }

    @Test
    void arraysOfDifferentLengthAreRefusedAsData() {
        assertThatThrownBy(() -> StackelbergRegression.builder()
                        .hedge(Hedge.NONE)
                        .build()
                        .fit(X, new double[2], Y))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("y has 2 values; the game needs 3");
    }
}
