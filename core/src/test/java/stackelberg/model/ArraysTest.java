package stackelberg.model;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import stackelberg.data.DataException;

/** Arrays that do not fit together are refused as data are, with rows counted from 1. */
class ArraysTest {
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
