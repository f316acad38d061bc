package stackelberg.cli.text;

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
}
