package stackelberg.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NumbersTest {
    @Test
    void aDecimalIsReadAsTheNearestDouble() {
        Random random = new Random(1);
        for (int k = 0; k < 200_000; k++) {
            String text =
                    switch (k % 4) {
                        case 0 -> Double.toString(Double.longBitsToDouble(random.nextLong()));
                        case 1 ->
                            String.format(Locale.ROOT, "%." + random.nextInt(12) + "f", 1e4 * random.nextGaussian());
                        case 2 ->
                            (random.nextBoolean() ? "-" : "+") + Math.abs(random.nextLong() >> random.nextInt(63))
                                    + ".";
                        default ->
                            "." + Math.abs(random.nextLong() >> random.nextInt(63)) + "e" + (random.nextInt(60) - 30);
                    };
            double value = Double.parseDouble(text);
            if (Double.isFinite(value)) {
                assertThat(Double.doubleToLongBits(Numbers.parse(text)))
                        .as(text)
                        .isEqualTo(Double.doubleToLongBits(value));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "-",
                "+",
                "e5",
                "1e",
                "1d",
                "2f",
                "0x10",
                "0x1p3",
                "1-2",
                "2020-01-01",
                "1,5",
                "1 2",
                "--1",
                "1.2.3",
                "abc",
                "NaN"
            })
    void textThatIsNotADecimalNumberIsReadAsNaN(String text) {
        assertThat(Numbers.isNumber(text)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"inf", "-inf", "Infinity", "+INF", "-Infinity", "1e999", "-1e999"})
    void infinityIsReadAsInfinite(String text) {
        assertThat(Numbers.parse(text)).isInfinite();
        assertThat(Numbers.parse(text) < 0).isEqualTo(text.startsWith("-"));
    }
}
