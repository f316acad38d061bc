package stackelberg.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GammaRangeTest {
    @Test
    void aRangeHasItsEndsAndEqualDistances() {
        double[] gammas = GammaRange.parse("0.001:0.75:40").values();

        assertThat(gammas).hasSize(40).startsWith(0.001).endsWith(0.75);
        for (int i = 1; i < gammas.length; i++) {
            assertThat(gammas[i] - gammas[i - 1]).isCloseTo(0.749 / 39, within(1e-15));
        }
    }

    @Test
    void aLogRangeHasItsEndsAndEqualRatios() {
        assertThat(GammaRange.parse("log:1e-3:1e3:7").values()).containsExactly(0.001, 0.01, 0.1, 1, 10, 100, 1000);

        double[] gammas = GammaRange.parse("log:0.3:7:5").values();
        assertThat(gammas).hasSize(5).startsWith(0.3).endsWith(7);
        for (int i = 1; i < gammas.length; i++) {
            assertThat(gammas[i] / gammas[i - 1]).isCloseTo(Math.pow(7 / 0.3, 0.25), within(1e-14));
        }
    }

    @Test
    void aListOfGammasIsUsedAsGiven() {
        assertThat(GammaRange.parse("0.5, 10,2").values()).containsExactly(0.5, 10, 2);
        assertThat(GammaRange.parse("0.1").values()).containsExactly(0.1);
    }

    @Test
    void theDefaultIsARange() {
        assertThat(GammaRange.parse(GammaRange.DEFAULT).values()).hasSize(40);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0.1:10 | \"0.1:10\" is not a range of gammas",
                "0.1:10:5:6 | is not a range of gammas",
                "log:0.1:10 | is not a range of gammas",
                "lin:0.1:10:5 | is not a range of gammas",
                "0.1,x,3 | \"x\" is not a number",
                "0.1,,3 | \"\" is not a number",
                "a:10:5 | \"a\" is not a number",
                "0:10:5 | A gamma is 0; it must be positive and finite",
                "log:-1:10:5 | A gamma is -1; it must be positive",
                "1,NaN | A gamma is NaN",
                "1:Infinity:3 | A gamma is Infinity",
                "10:1:5 | The range goes from 10 to 1; the first must be the smaller",
                "1:1:5 | give a single gamma",
                "1:2:2.5 | The COUNT \"2.5\" is not a whole number",
                "1:2:1 | The COUNT is 1; it must be 2 to 10000",
                "1:2:1000000000 | The COUNT is 1000000000"
            })
    void invalidRangesAreRefusedWithTheReason(String spec, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GammaRange.parse(spec))
                .withMessageContaining(message);
    }
}
