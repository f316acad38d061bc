package stackelberg.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import stackelberg.data.NumericColumn;
import stackelberg.data.Scaling;
import stackelberg.data.Table;
import stackelberg.game.GameSpec;
import stackelberg.game.Hedge;
import stackelberg.linalg.ColumnStatistics;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;
import stackelberg.model.StackelbergRegression.FitOptions;

/** How often a fit reads large data: once to assemble, a pass for every step of the solver, one for the certificate, one for all that is told of the rule. */
class ReadsOfAFitTest {
    /** Too many for a decomposition beside the fit. */
    private static final int ROWS = 1700;

    private static final int COLUMNS = 1600;

    private static DenseMatrix x;
    private static double[] y;
    private static double[] z;

    @BeforeAll
    static void draw() {
        SplittableRandom random = new SplittableRandom(5);
        x = DenseMatrix.zeros(ROWS, COLUMNS);
        y = new double[ROWS];
        z = new double[ROWS];
        for (int i = 0; i < ROWS; i++) {
            double[] row = random.doubles(COLUMNS).toArray();
            x.setRow(i, row);
            y[i] = 10 * row[0] + 5 * row[1] + random.nextGaussian();
            z[i] = y[i] + Math.abs(random.nextGaussian());
        }
    }

    @Test
    void unscaledDataAreReadOnceBeforeTheSolverAndOnceAfterTheCertificate() {
        Counted counted = new Counted(x);
        StackelbergModel model = fit(2, counted, 0.1);

        assertThat(model.solver().passes())
                .as("the solver is sure by its recurrence")
                .isEqualTo(model.solver().iterations());
        assertThat(counted.reads()).isEqualTo(1 + model.solver().iterations() + 1 + 1);
        assertThat(counted.whole.sum())
                .as(
                        "looked at only while it is in cache, but for the row of the largest wish, in which a column that is the wish would show")
                .isEqualTo(COLUMNS);
    }

    @Test
    void theCertificateReusesTheSolversEvaluationOfItsPoint() {
        Counted counted = new Counted(x);
        StackelbergModel model = fit(2, counted, 0.05);

        assertThat(model.solver().passes())
                .as("the solver asks the data")
                .isEqualTo(model.solver().iterations() + 1);
        assertThat(counted.reads()).isEqualTo(1 + model.solver().passes() + 1);
    }

    /** One read before the solver, its passes, and one for all losses; the certificates of all gammas need none where the solver asked about the same points. */
    @Test
    void aPathReadsTheDataNoMoreOftenThanASingleFit() {
        Counted counted = new Counted(x);
        List<StackelbergModel> path = regression(2, 0.05).fitPath(table(counted), 0.04, 0.05, 0.06);

        assertThat(counted.reads()).isEqualTo(1 + path.get(0).solver().passes() + 1);
    }

    @Test
    void movesOutOfRangeAreCountedForUnscaledDataToo() {
        StackelbergModel model = fit(1, x, 0.1);

        DoubleSummaryStatistics[] ranges = IntStream.range(0, COLUMNS)
                .mapToObj(j -> Arrays.stream(x.column(j)).summaryStatistics())
                .toArray(DoubleSummaryStatistics[]::new);
        long out =
                IntStream.range(0, ROWS).filter(i -> leaves(model, ranges, i)).count();
        assertThat(out).isPositive();
        assertThat(model.warnings()).anyMatch(warning -> warning.text()
                .startsWith(String.format("%,d of %,d people would end outside", out, ROWS)));
    }

    @Test
    void theNumberOfThreadsChangesNothing() {
        StackelbergModel one = fit(1, x, 0.1);
        StackelbergModel three = fit(3, x, 0.1);

        assertThat(three.coefficients()).isEqualTo(one.coefficients());
        assertThat(three.losses()).isEqualTo(one.losses());
        assertThat(three.warnings()).isEqualTo(one.warnings());
        assertThat(three.encoding()).isEqualTo(one.encoding());
    }

    /** By the definition: some x_j + (z - p) w_j / (gamma + w'w) is beyond all that were seen. */
    private static boolean leaves(StackelbergModel model, DoubleSummaryStatistics[] ranges, int i) {
        double[] w = model.coefficients().values().stream().mapToDouble(c -> c).toArray();
        double omega = model.intercept() * model.intercept();
        double p = model.intercept();
        for (int j = 0; j < COLUMNS; j++) {
            omega += w[j] * w[j];
            p += w[j] * x.get(i, j);
        }
        for (int j = 0; j < COLUMNS; j++) {
            double after = x.get(i, j) + (z[i] - p) * w[j] / (model.gamma() + omega);
            double rounding = 1e-9 * (ranges[j].getMax() - ranges[j].getMin());
            if (after < ranges[j].getMin() - rounding || after > ranges[j].getMax() + rounding) {
                return true;
            }
        }
        return false;
    }

    private static StackelbergModel fit(int threads, Matrix features, double gamma) {
        return regression(threads, gamma).fit(table(features));
    }

    private static Table table(Matrix features) {
        return Table.ofBlock(
                features,
                IntStream.rangeClosed(1, COLUMNS).mapToObj(Integer::toString).toList(),
                NumericColumn.of("y", y),
                NumericColumn.of("z", z));
    }

    private static StackelbergRegression regression(int threads, double gamma) {
        GameSpec spec = GameSpec.builder()
                .hedge(Hedge.NONE)
                .target("y")
                .wish("z")
                .gamma(gamma)
                .wishNoise(1)
                .scaling(Scaling.NONE)
                .intercept(GameSpec.Intercept.MANIPULABLE)
                .build();
        return new StackelbergRegression(spec, FitOptions.defaults().withThreads(threads));
    }

    /** Counts reads of the whole matrix, and tiles that are not of rows which are in cache. */
    private static final class Counted implements Matrix {
        private final DenseMatrix x;
        private final LongAdder reads = new LongAdder();
        private final LongAdder whole = new LongAdder();
        private final ThreadLocal<int[]> cached = ThreadLocal.withInitial(() -> new int[2]);

        Counted(DenseMatrix x) {
            this.x = x;
        }

        int reads() {
            return reads.intValue();
        }

        @Override
        public int rows() {
            return x.rows();
        }

        @Override
        public int cols() {
            return x.cols();
        }

        @Override
        public void times(DenseMatrix v, DenseMatrix out, Workers workers) {
            reads.increment();
            x.times(v, out, workers);
        }

        @Override
        public void transposeTimes(DenseMatrix u, DenseMatrix out, double[] rowSquares, Workers workers) {
            transposeTimes(u, out, rowSquares, null, workers);
        }

        @Override
        public void transposeTimes(
                DenseMatrix u, DenseMatrix out, double[] rowSquares, ColumnStatistics.Ranges ranges, Workers workers) {
            reads.increment();
            x.transposeTimes(u, out, rowSquares, ranges, workers);
        }

        @Override
        public void look(DenseMatrix v, RowStep[] step, Workers workers) {
            reads.increment();
            RowStep[] inCache = List.of(step).stream()
                    .map(one -> (RowStep) (first, count, u) -> {
                        cached.set(new int[] {first, first + count});
                        one.apply(first, count, u);
                        cached.remove();
                    })
                    .toArray(RowStep[]::new);
            x.look(v, inCache, workers);
        }

        @Override
        public void pass(DenseMatrix v, RowStep[] step, DenseMatrix out, Workers workers) {
            reads.increment();
            x.pass(v, step, out, workers);
        }

        @Override
        public int parts(int k) {
            return x.parts(k);
        }

        @Override
        public void tile(int firstRow, int rowCount, int firstCol, int colCount, DoubleBuffer target) {
            int[] rows = cached.get();
            if (firstRow < rows[0] || firstRow + rowCount > rows[1]) {
                whole.add((long) rowCount * colCount);
            }
            x.tile(firstRow, rowCount, firstCol, colCount, target);
        }
    }
}
