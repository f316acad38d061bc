package stackelberg.data;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import stackelberg.data.Encoding.EncodedColumn;

class ScalingTest {
    private final Scaling.Spread spread = new Scaling.Spread(10, 5, 2, 1, 8);

    @Test
    void eachRuleTakesItsOwnShiftAndScale() {
        assertThat(Scaling.RANGE.column("a", null, spread)).isEqualTo(new EncodedColumn("a", null, 1, 8));
        assertThat(Scaling.STANDARD.column("a=x", "x", spread)).isEqualTo(new EncodedColumn("a=x", "x", 5, 2));
        assertThat(Scaling.NONE.column("a", null, null)).isEqualTo(new EncodedColumn("a", null, 0, 1));
    }

    @Test
    void aConstantColumnIsShiftedToZeroAndNotDividedByIt() {
        Scaling.Spread constant = new Scaling.Spread(10, 3, 0, 3, 0);
        for (Scaling scaling : new Scaling[] {Scaling.RANGE, Scaling.STANDARD}) {
            assertThat(scaling.column("a", null, constant)).isEqualTo(new EncodedColumn("a", null, 3, 1));
        }
    }
}
