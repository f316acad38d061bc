package stackelberg.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import stackelberg.data.DataException;
import stackelberg.data.Missing;
import stackelberg.data.Scaling;

/** Arrays that do not fit together are refused as data are, with rows counted from 1. */
class ArraysTest {
    /** What is missing later is filled in with the mean of training, of arrays as of tables; where that is not known, it is said. */
    @Test
    void aModelOfArraysKnowsItsMeans() {
        double[][] x = {{2010, 1}, {2015, 2}, {2020, 4}, {2017, 1}, {2011, 3}};
        double[] y = {1, 2, 4, 3, 2};
        double[] z = {2, 3, 4, 4, 3};
        StackelbergModel model =
                StackelbergRegression.builder().gamma(1).build().fit(x, y, z).withMissing(Missing.MEAN);

        assertThat(model.predict(new double[][] {{Double.NaN, 2}})[0])
                .isCloseTo(model.predict(new double[][] {{2014.6, 2}})[0], within(1e-9));
        StackelbergModel bare = StackelbergRegression.builder()
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

    @Test
    void raggedRowsAreCountedFromOne() {
        assertThatThrownBy(
                        () -> StackelbergRegression.builder().build().fit(new double[][] {{1, 2}, {2}, {4, 3}}, Y, Y))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("Row 2 of x has 1 numbers, row 1 has 2");
        assertThatThrownBy(
                        () -> StackelbergRegression.builder().build().fit(new double[][] {{1, 2}, {2, 1}, null}, Y, Y))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("Row 3 of x is null");
    }

    @Test
    void wishesThatAreNullAreMissed() {
        assertThatThrownBy(() -> StackelbergRegression.builder().build().fit(X, Y, null))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("z is null; the game needs 3 values");
    }

    @Test
    void otherLengthsAreDataToo() {
        assertThatThrownBy(() -> StackelbergRegression.builder().build().fit(X, new double[2], Y))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("y has 2 values; the game needs 3");
    }
}
