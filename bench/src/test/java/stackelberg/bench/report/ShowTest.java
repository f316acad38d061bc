package stackelberg.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ShowTest {
    @Test
    void numbersShowThreeSignificantDigits() {
        assertThat(Show.digits(0.0123456)).isEqualTo("0.0123");
        assertThat(Show.digits(1.2)).isEqualTo("1.20");
        assertThat(Show.digits(123_456)).isEqualTo("123000");
        assertThat(Show.digits(1.234e-5)).isEqualTo("1.23e-05");
        assertThat(Show.digits(0)).isEqualTo("0");
        assertThat(Show.digits(Double.NaN)).isEqualTo("–");
    }

    @Test
    void magnitudesShowOneDigitAndAnExponent() {
        assertThat(Show.order(2.2e-6)).isEqualTo("2e-6");
        assertThat(Show.order(1e-12)).isEqualTo("1e-12");
        assertThat(Show.order(3e7)).isEqualTo("3e7");
        assertThat(Show.order(Double.POSITIVE_INFINITY)).isEqualTo("–");
    }

    @Test
    void durationsAndTicksAreReadable() {
        assertThat(Show.duration(2e-5)).isEqualTo("20 µs");
        assertThat(Show.duration(1e-3)).isEqualTo("1 ms");
        assertThat(Show.duration(0.5)).isEqualTo("500 ms");
        assertThat(Show.duration(100)).isEqualTo("100 s");
        assertThat(Show.tick(0.1 + 0.2)).isEqualTo("0.3");
        assertThat(Show.tick(50_000)).isEqualTo("50,000");
        assertThat(Show.tick(1e-9)).isEqualTo("1e-9");
    }
}
