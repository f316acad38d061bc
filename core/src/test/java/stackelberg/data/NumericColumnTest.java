package stackelberg.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A column stored in several arrays behaves as one stored in a single array. */
class NumericColumnTest {
    private final Random random = new Random(11);

    private double[][] cut(double[] values, int longest) {
        List<double[]> pieces = new ArrayList<>();
        for (int from = 0; from < values.length; ) {
            int to = Math.min(values.length, from + 1 + random.nextInt(longest));
            pieces.add(Arrays.copyOfRange(values, from, to));
            from = to;
        }
        return pieces.toArray(double[][]::new);
    }

    private NumericColumn inPieces(double[] values, int longest) {
        return new NumericColumn("a", cut(values, longest), null);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 1000, 1024, 5000, 100_000})
    void rowsOfAColumnInPiecesHaveTheValuesOfAColumnInOnePiece(int longest) {
        double[] values = random.doubles(20_000, -1, 1).toArray();
        for (int k = 0; k < 50; k++) {
            values[random.nextInt(values.length)] = Double.NaN;
        }
        NumericColumn one = new NumericColumn("a", values.clone());
        NumericColumn many = inPieces(values, longest);

        assertThat(many.rows()).isEqualTo(one.rows());
        assertThat(many.missing()).isEqualTo(one.missing());
        assertThat(many.values()).isEqualTo(values);
        for (int i = 0; i < values.length; i++) {
            assertThat(Double.doubleToLongBits(many.value(i))).isEqualTo(Double.doubleToLongBits(values[i]));
            assertThat(many.isMissing(i)).isEqualTo(one.isMissing(i));
        }
        int[] some = random.ints(500, 0, values.length).toArray();
        assertThat(many.select(some).values()).isEqualTo(one.select(some).values());
        assertThat(many.text(3)).isEqualTo(one.text(3));
    }

    @Test
    void aColumnInPiecesIsEncodedToTheSameBits() {
        double[] values = random.doubles(9000, 1e6, 1e6 + 1).toArray();
        for (boolean gaps : new boolean[] {false, true}) {
            values[4000] = gaps ? Double.NaN : values[4000];
            for (Scaling scaling : Scaling.values()) {
                List<Encoding.Choice> choice = List.of(new Encoding.Choice("a", scaling, false));
                Table one = Table.of(new NumericColumn("a", values.clone()));
                Table many = Table.of(inPieces(values, 700));
                Encoding ofOne = Encoding.fit(one, choice, Missing.MEAN);
                Encoding ofMany = Encoding.fit(many, choice, Missing.MEAN);

                assertThat(ofMany).isEqualTo(ofOne);
                assertThat(ofMany.apply(many).column(0))
                        .isEqualTo(ofOne.apply(one).column(0));
            }
        }
    }
}
