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
    void theNormIsHomogeneousForTinyAndHugeVectors(double scale) {
        double[] x = {3 * scale, 0, -4 * scale};
        assertThat(Vectors.norm(x) / scale).isCloseTo(5, within(scale < 1e-300 ? 1e-3 : 1e-14));
    }

    @Test
    void theNormOfAVectorThatIsNotFiniteIsNotFinite() {
        assertThat(Vectors.norm(new double[] {1, Double.NaN})).isNaN();
        assertThat(Vectors.norm(new double[] {1, Double.NEGATIVE_INFINITY})).isInfinite();
        assertThat(Vectors.norm(new double[0])).isZero();
    }

    @Test
    void sumsAndDotProductsAgreeWithTheirDefinitions() {
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
    void aSumHasTheBitsOfTheDotProductWithOnes() {
        for (int n = 0; n < 12; n++) {
            double[] x = new java.util.Random(n).doubles(n).toArray();
            double[] ones = new double[n];
            java.util.Arrays.fill(ones, 1);
            assertThat(Vectors.sum(x)).isEqualTo(Vectors.dot(x, ones));
        }
    }

    @Test
    void anArrayOfLengthOneStandsForAConstantVector() {
        double[] y = {1, 3, 5};
        double[] x = {0.1, 0.2, 0.3};
        double[] same = {0.7, 0.7, 0.7};
        double[] half = {0.5, 0.5, 0.5};
        assertThat(Vectors.dot(x, y, new double[] {0.5})).isEqualTo(Vectors.dot(x, y, half));
        assertThat(Vectors.dot(new double[] {0.7}, y, new double[] {0.5})).isEqualTo(Vectors.dot(same, y, half));
        assertThat(Vectors.dot(new double[0], new double[0], new double[] {1})).isZero();
        assertThat(Vectors.at(y, 2)).isEqualTo(5);
        assertThat(Vectors.at(new double[] {0.7}, 2)).isEqualTo(0.7);
    }
}
