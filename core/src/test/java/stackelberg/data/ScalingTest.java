package stackelberg.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.data.Encoding.EncodedColumn;

class ScalingTest {
    private final Scaling.Spread spread = new Scaling.Spread(10, 5, 2, 1, 8);

    @Test
    void eachScalingHasItsOwnShiftAndScale() {
        assertThat(Scaling.RANGE.column("a", null, spread, true)).isEqualTo(new EncodedColumn("a", null, 1, 8));
        assertThat(Scaling.STANDARD.column("a=x", "x", spread, true)).isEqualTo(new EncodedColumn("a=x", "x", 5, 2));
        assertThat(Scaling.NONE.column("a", null, null, true)).isEqualTo(new EncodedColumn("a", null, 0, 1));
    }

    @Test
    void aConstantColumnIsShiftedToZeroWithScaleOne() {
        Scaling.Spread constant = new Scaling.Spread(10, 3, 0, 3, 0);
        for (Scaling scaling : new Scaling[] {Scaling.RANGE, Scaling.STANDARD}) {
            assertThat(scaling.column("a", null, constant, true)).isEqualTo(new EncodedColumn("a", null, 3, 1));
        }
    }

    /** Squares of many values are summed in the first pass, as offsets from the first value, unless that value lies far from the mean. */
    @ParameterizedTest
    @ValueSource(doubles = {0, 1, 3, 1e9})
    void meanAndDeviationOfManyValuesAgreeWithTheirDefinitions(double first) {
        double[] values = new Random(5).doubles(300_000, 999_999, 1_000_001).toArray();
        values[0] = 1_000_000 + first;
        double mean = Arrays.stream(values).average().orElseThrow();
        double squares = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum();

        Scaling.Spread of = Scaling.Spread.of(values, values.length);

        assertThat(of.mean()).isCloseTo(mean, withinPercentage(1e-8));
        assertThat(of.sd()).isCloseTo(Math.sqrt(squares / values.length), withinPercentage(1e-9));
        assertThat(of.max()).isEqualTo(Arrays.stream(values).max().orElseThrow());
    }

    @Test
    void manyTinyOrHugeValuesKeepTheirDeviation() {
        double[] values = new Random(6).doubles(300_000, -1, 1).toArray();
        double sd = Scaling.Spread.of(values, values.length).sd();
        for (double unit : new double[] {1e-200, 1e200}) {
            double[] scaled = Arrays.stream(values).map(v -> unit * v).toArray();
            assertThat(Scaling.Spread.of(scaled, scaled.length).sd()).isCloseTo(unit * sd, withinPercentage(1e-9));
        }
    }
}
