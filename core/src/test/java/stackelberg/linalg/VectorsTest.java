package stackelberg.linalg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VectorsTest {
    @ParameterizedTest
    @ValueSource(doubles = {1, 1e-320, 1e-200, 1e160, 1e300})
    void theNormIsHomogeneousAtEveryScale(double scale) {
        double[] x = {3 * scale, 0, -4 * scale};
        assertThat(Vectors.norm(x) / scale).isCloseTo(5, within(scale < 1e-300 ? 1e-3 : 1e-14));
    }

    @Test
    void theNormOfWhatIsNotFiniteIsNotFinite() {
        assertThat(Vectors.norm(new double[] {1, Double.NaN})).isNaN();
        assertThat(Vectors.norm(new double[] {1, Double.NEGATIVE_INFINITY})).isInfinite();
        assertThat(Vectors.norm(new double[0])).isZero();
    }

    @Test
    void sumsAndProducts() {
        double[] x = {1, 2, 3, 4, 5, 6};
        double[] y = {6, 5, 4, 3, 2, 1};
        assertThat(Vectors.dot(x, y)).isEqualTo(56);
        Vectors.axpy(2, x, y);
        assertThat(y).containsExactly(8, 9, 10, 11, 12, 13);
        Vectors.scale(-1, x);
        assertThat(x).containsExactly(-1, -2, -3, -4, -5, -6);
        assertThat(Vectors.maxAbs(x)).isEqualTo(6);
        assertThatThrownBy(() -> Vectors.dot(x, new double[2])).hasMessageContaining("6 and 2");
    }

    @Test
    void onesAreSharedAmongThoseWhoWantAsMany() {
        double[] ones = Vectors.ones(5);
        assertThat(ones).containsExactly(1, 1, 1, 1, 1);
        assertThat(Vectors.ones(5)).isSameAs(ones);
        assertThat(Vectors.ones(2)).containsExactly(1, 1);
    }
}
