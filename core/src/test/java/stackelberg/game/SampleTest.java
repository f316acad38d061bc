package stackelberg.game;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.DoubleBuffer;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import stackelberg.data.CategoricalColumn;
import stackelberg.data.Missing;
import stackelberg.data.NumericColumn;
import stackelberg.data.Scaling;
import stackelberg.data.Table;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;

class SampleTest {
    private static final Workers WORKERS = Workers.of(2);
    private static final double NONE = Double.NaN;

    private static double[][] numbers(int rows, int cols) {
        Random random = new Random(3);
        double[][] x = new double[rows][cols];
        for (double[] row : x) {
            java.util.Arrays.setAll(row, j -> 5 * j + (j + 1) * random.nextGaussian());
        }
        return x;
    }

    private static double[] column(double[][] x, int j) {
        return java.util.Arrays.stream(x).mapToDouble(row -> row[j]).toArray();
    }

    /** The game does not ask where its numbers came from: the same columns as a block and one by one are the same game, but for constants. */
    @ParameterizedTest
    @EnumSource(Scaling.class)
    void aBlockAndSeparateColumnsGiveTheSameGame(Scaling scaling) {
        double[][] x = numbers(30, 3);
        NumericColumn y = NumericColumn.of("y", column(numbers(30, 1), 0));
        Table block = Table.ofBlock(DenseMatrix.of(x), List.of("a", "b", "c"), y);
        Table columns = Table.of(
                NumericColumn.of("a", column(x, 0)),
                NumericColumn.of("b", column(x, 1)),
                NumericColumn.of("c", column(x, 2)),
                y);
        GameSpec spec = GameSpec.builder()
                .target("y")
                .wish("max(y,quantile(0.5))")
                .gamma(1)
                .scaling(scaling)
                .cost("b", 2)
                .costUnits(GameSpec.CostUnits.RAW)
                .intercept(GameSpec.Intercept.MANIPULABLE)
                .build();

        Sample one = Sample.of(spec, block, WORKERS);
        Sample other = Sample.of(spec, columns, WORKERS);

        assertThat(one.isBlock()).isTrue();
        assertThat(one.columns()).isSameAs(block.block().orElseThrow().matrix());
        assertThat(other.isBlock()).isFalse();
        assertThat(one.z()).containsExactly(other.z());
        assertThat(one.spec()).isEqualTo(other.spec());
        assertThat(one.game().costs()).containsExactly(other.game().costs(), within(1e-12));
        assertThat(values(one.game().x())).containsExactly(values(other.game().x()), within(1e-12));
        assertThat(one.values(new int[] {4})[0]).containsExactly(x[4], within(1e-12));
        assertThat(other.values(new int[] {4})[0]).containsExactly(x[4], within(1e-12));
        PublishedRule rule = new PublishedRule("any", 2, Map.of("a", 0.3, "c", -1.0));
        double[] p = one.predictions(rule, WORKERS);
        assertThat(p).containsExactly(other.predictions(rule, WORKERS), within(1e-12));
        assertThat(p[7]).isCloseTo(2 + 0.3 * x[7][0] - x[7][2], within(1e-12));
        assertThat(one.outOfRange(rule, WORKERS).orElse(0))
                .isEqualTo(
                        scaling == Scaling.NONE
                                ? 0
                                : other.outOfRange(rule, WORKERS).orElseThrow());
    }

    private static double[] values(Matrix x) {
        DoubleBuffer all = DoubleBuffer.allocate(x.rows() * x.cols());
        x.tile(0, x.rows(), 0, x.cols(), all);
        return all.array();
    }

    @Test
    void droppedRowsAndFilledValuesAreCounted() {
        Table table = Table.of(
                NumericColumn.of("income", new double[] {1, NONE, 3, NONE, 5, 6}),
                CategoricalColumn.of("job", new String[] {"a", "b", null, "a", "b", "b"}),
                NumericColumn.of("debt", new double[] {2, 1, 4, 3, 6, 5}),
                NumericColumn.of("y", new double[] {1, 2, 3, 4, 5, 6}));
        GameSpec.Builder spec = GameSpec.builder().target("y").wish("y + debt");

        Sample filled = Sample.of(spec.missing(Missing.MEAN).build(), table, WORKERS);
        Sample dropped = Sample.of(spec.missing(Missing.DROP).build(), table, WORKERS);

        assertThat(filled.filled()).isEqualTo(Map.of("income", 2, "job", 1));
        assertThat(filled.dropped()).isZero();
        assertThat(filled.size()).isEqualTo(6);
        assertThat(dropped.filled()).isEmpty();
        assertThat(dropped.dropped()).isEqualTo(3);
        assertThat(dropped.y()).containsExactly(1, 5, 6);
        assertThat(dropped.label(1)).isEqualTo("row 5");
        assertThat(dropped.warnings()).anyMatch(w -> w.text().startsWith("3 rows were left out"));
    }

    @Test
    void aColumnOfABlockCanBeImmutableTheWeightOrIgnored() {
        double[][] x = numbers(20, 4);
        for (double[] row : x) {
            row[3] = Math.abs(row[3]);
        }
        Table block = Table.ofBlock(
                DenseMatrix.of(x),
                Table.positions(4),
                NumericColumn.of("y", column(x, 0)),
                NumericColumn.of("z", column(x, 1)));
        GameSpec spec = GameSpec.builder()
                .target("y")
                .wish("z")
                .immutable(Set.of("2"))
                .weight("4")
                .ignore(Set.of("1"))
                .build();

        Sample sample = Sample.of(spec, block, WORKERS);

        assertThat(sample.world().encoding().names()).containsExactly("3", "2");
        assertThat(sample.world().manipulable()).isEqualTo(1);
        assertThat(sample.immutable()).containsExactly("2");
        assertThat(sample.weights()).containsExactly(column(x, 3));
    }
}
