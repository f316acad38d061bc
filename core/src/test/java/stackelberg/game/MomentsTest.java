package stackelberg.game;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;

/** Sums of products are what their definition says, whatever the blocks, and parts add up to the whole. */
class MomentsTest {
    private static final Workers ONE = Workers.of(1);

    @Test
    void theSumsAreThoseOfTheRowsHoweverManyMakeABlock() {
        Random random = new Random(31_006);
        for (int height : new int[] {1, 7, 1000}) {
            Moments.Builder builder = new Moments.Builder(3, height, ONE);
            double[][] expected = new double[3][3];
            double weight = 0;
            for (int row = 0; row < 50; row++) {
                double[] values = RandomGame.normal(random, 3);
                double s = row % 5 == 0 ? 1 : random.nextDouble();
                weight += s;
                for (int i = 0; i < 3; i++) {
                    for (int j = 0; j < 3; j++) {
                        expected[i][j] += s * values[i] * values[j];
                    }
                }
                builder.add(s, values);
            }
            Moments moments = builder.build();
            assertThat(moments.rows()).isEqualTo(50);
            assertThat(moments.weight()).isCloseTo(weight, within(1e-12));
            for (int i = 0; i < 3; i++) {
                assertThat(moments.products().row(i)).containsExactly(expected[i], within(1e-11));
            }
        }
    }

    @Test
    void whatIsLeftWithoutAPartKnowsNothingOfIt() {
        List<Moments> parts = new ArrayList<>();
        for (double s : new double[] {1, 1e20, 3}) {
            Moments.Builder builder = new Moments.Builder(2, 512, ONE);
            builder.add(s, new double[] {1, 2});
            parts.add(builder.build());
        }
        Moments light = Moments.without(parts, 1);
        assertThat(light.rows()).isEqualTo(2);
        assertThat(light.weight()).isEqualTo(4);
        assertThat(light.products().get(1, 0)).isCloseTo(8, within(1e-14));
        assertThat(parts.get(0).plus(parts.get(2)).products().row(1))
                .isEqualTo(light.products().row(1));
        assertThat(Moments.sum(parts).rows()).isEqualTo(3);
    }

    @Test
    void sumsThatAreNotSquareAreRefused() {
        assertThatThrownBy(() -> new Moments(DenseMatrix.zeros(2, 3), 1, 1))
                .hasMessageContaining("2 x 3; they must be square");
    }
}
