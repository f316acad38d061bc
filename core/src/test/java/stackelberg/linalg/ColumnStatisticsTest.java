package stackelberg.linalg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ColumnStatisticsTest {
    private static final Workers ONE = Workers.of(1);

    /** Several tiles whose height is not a power of two: a rounding error in a constant column would be taken for its scale. */
    @Test
    void aConstantColumnHasItsValueAsMeanAndDeviationZero() {
        SplittableRandom random = new SplittableRandom(3);
        for (int trial = 0; trial < 20; trial++) {
            int n = 5 + random.nextInt(9);
            int m = 2 * (1 << 16) / n + random.nextInt(20_000);
            double[] constants = new double[n];
            DenseMatrix x = DenseMatrix.zeros(m, n);
            for (int j = 0; j < n; j++) {
                constants[j] = random.nextInt(-100_000, 100_000) / 100.0;
            }
            for (int i = 0; i < m; i++) {
                x.setRow(i, constants);
            }

            ColumnStatistics statistics = ColumnStatistics.of(x, ONE);

            assertThat(statistics.sd()).containsOnly(0);
            assertThat(statistics.mean()).containsExactly(constants);
            assertThat(statistics.min()).containsExactly(constants);
            assertThat(statistics.max()).containsExactly(constants);
        }
    }

    @Test
    void deviationsOfColumnsFarFromZeroAreAccurate() {
        SplittableRandom random = new SplittableRandom(5);
        int m = 30_000;
        DenseMatrix x = DenseMatrix.zeros(m, 7);
        for (int i = 0; i < m; i++) {
            double[] row = random.doubles(7).toArray();
            for (int j = 0; j < 7; j++) {
                // sorted, so that every tile has a mean of its own
                row[j] = Math.pow(10, j) + row[j] + (double) i / m;
            }
            x.setRow(i, row);
        }

        ColumnStatistics statistics = ColumnStatistics.of(x, Workers.of(2));

        for (int j = 0; j < 7; j++) {
            BigDecimal sum = BigDecimal.ZERO;
            BigDecimal squares = BigDecimal.ZERO;
            for (double value : x.column(j)) {
                BigDecimal exact = new BigDecimal(value);
                sum = sum.add(exact);
                squares = squares.add(exact.multiply(exact));
            }
            BigDecimal rows = BigDecimal.valueOf(m);
            BigDecimal mean = sum.divide(rows, MathContext.DECIMAL128);
            double sd = Math.sqrt(squares.subtract(sum.multiply(mean))
                    .divide(rows, MathContext.DECIMAL128)
                    .doubleValue());
            assertThat(statistics.mean()[j]).isCloseTo(mean.doubleValue(), within(1e-15 * Math.pow(10, j) + 1e-15));
            assertThat(statistics.sd()[j] / sd - 1).isCloseTo(0, within(1e-14 * Math.pow(10, j) + 1e-13));
        }
    }
}
