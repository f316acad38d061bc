package stackelberg.cli.answer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NumbersTest {
    @Test
    void gammasAreShownInFiveDigitsWithoutNoise() {
        assertThat(Numbers.gamma(0.1)).isEqualTo("0.1");
        assertThat(Numbers.gamma(1000)).isEqualTo("1000");
        assertThat(Numbers.gamma(0.0014251026)).isEqualTo("0.0014251");
        assertThat(Numbers.gamma(1e-9)).isEqualTo("1E-9");
    }

    @Test
    void chosenNumbersArePrintedInFullAndComputedOnesRounded() {
        assertThat(Numbers.plain(0.5)).isEqualTo("0.5");
        assertThat(Numbers.plain(1500)).isEqualTo("1,500");
        assertThat(Numbers.plain(0.0012345)).isEqualTo("0.0012345");
        assertThat(Numbers.plain(189.26133702)).isEqualTo("189.26");
        assertThat(Numbers.plain(Double.POSITIVE_INFINITY)).isEqualTo("Infinity");
    }

    /** A share that is neither nothing nor all is not called so. */
    @Test
    void percentagesNeverRoundTo0Or100() {
        assertThat(Numbers.percent(0.4182)).isEqualTo("42%");
        assertThat(Numbers.percent(0.0412)).isEqualTo("4.12%");
        assertThat(Numbers.percent(0.998)).isEqualTo("99.8%");
        assertThat(Numbers.percent(0.99997)).isEqualTo("99.997%");
        assertThat(Numbers.percent(1 - 1.25e-9)).isEqualTo("99.99999988%");
        assertThat(Numbers.percent(1)).isEqualTo("100%");
        assertThat(Numbers.percent(107.6)).isEqualTo("10,760%");
        assertThat(Numbers.share(0.3)).isEqualTo("30%");
        assertThat(Numbers.share(0.125)).isEqualTo("12.5%");
        assertThat(Numbers.share(0.0000123)).isEqualTo("0.0012%");
        assertThat(Numbers.share(0.9999987)).isEqualTo("99.99987%");
        assertThat(Numbers.share(0)).isEqualTo("0%");
        assertThat(Numbers.share(1)).isEqualTo("100%");
    }
}
