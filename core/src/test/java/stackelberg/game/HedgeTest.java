package stackelberg.game;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A hedge in words: what can be written, and what stands in a file. */
class HedgeTest {
    @ParameterizedTest
    @CsvSource({"5%,0.05", "0.05,0.05", "1.1%,0.011", " 250 % ,2.5", "0.999,0.999"})
    void percentagesAndFractionsAreShares(String text, double worse) {
        assertThat(Hedge.parse(text)).isEqualTo(Hedge.atMost(worse));
    }

    @Test
    void wordsAreReadInAnyCase() {
        assertThat(Hedge.parse(" Balanced")).isEqualTo(Hedge.BALANCED);
        assertThat(Hedge.parse("NONE")).isEqualTo(Hedge.NONE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"5", "1", "all", "", "%", "five%", "0", "-5%", "nan", "infinity"})
    void invalidHedgesAreRefused(String text) {
        assertThatThrownBy(() -> Hedge.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void hedgesSurviveARoundTripThroughAFile() {
        for (Hedge hedge : new Hedge[] {Hedge.NONE, Hedge.BALANCED, Hedge.atMost(0.031)}) {
            assertThat(Hedge.fromFile(hedge.inFile())).isEqualTo(hedge);
            assertThat(Hedge.parse(hedge.toString())).isEqualTo(hedge);
        }
    }
}
