package stackelberg.linalg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;
import static stackelberg.linalg.Samples.assertClose;
import static stackelberg.linalg.Samples.dense;
import static stackelberg.linalg.Samples.passByDefinition;
import static stackelberg.linalg.Samples.random;
import static stackelberg.linalg.Samples.rows;
import static stackelberg.linalg.Samples.steps;
import static stackelberg.linalg.Samples.weightAndShift;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DenseMatrixTest {
    private final Workers workers = Workers.of(2);

    @TempDir
    Path folder;

    @Test
    void writtenValuesAreReadBack() {
        double[][] values = random(10, 4, 1);
        DenseMatrix a = DenseMatrix.zeros(10, 4, 3);
        a.setTile(
                0,
                5,
                0,
                4,
                java.util.Arrays.stream(values, 0, 5)
                        .flatMapToDouble(java.util.Arrays::stream)
                        .toArray());
        for (int i = 5; i < 9; i++) {
            a.setRow(i, values[i]);
        }
        for (int j = 0; j < 4; j++) {
            a.set(9, j, values[9][j]);
        }
        assertThat(rows(a)).isDeepEqualTo(values);
        double[] column = a.column(2);
        DenseMatrix b = DenseMatrix.of(values);
        b.setColumn(2, new double[10]);
        assertThat(b.column(2)).containsOnly(0);
        b.setColumn(2, column);
        assertThat(rows(b)).isDeepEqualTo(values);
    }

    @Test
    void columnsReturnsAllColumns() {
        double[][] values = random(1100, 3, 7);
        DenseMatrix a = DenseMatrix.zeros(1100, 4, 300);
        double[][] columns = DenseMatrix.of(values).columns();
        a.setColumns(1, columns);
        for (int j = 0; j < 3; j++) {
            assertThat(columns[j]).isEqualTo(DenseMatrix.of(values).column(j));
            assertThat(a.column(1 + j)).isEqualTo(columns[j]);
        }
        assertThat(a.column(0)).containsOnly(0);
        assertThat(DenseMatrix.zeros(0, 2).columns()).isDeepEqualTo(new double[2][0]);
    }

    /** For any size and any earlier content of the memory. */
    @Test
    void borrowedMatricesHoldTheValuesWrittenToThem() {
        for (int rows : new int[] {0, 5, 7, 3}) {
            DenseMatrix a = workers.borrow(rows, 3);
            double[][] values = random(rows, 3, rows);
            for (int i = 0; i < rows; i++) {
                a.setRow(i, values[i]);
            }
            assertThat(rows(a)).isDeepEqualTo(values);
            workers.giveBack(a);
        }
        DenseMatrix one = workers.borrow(4, 2);
        DenseMatrix other = workers.borrow(4, 2);
        one.setAll(DenseMatrix.zeros(4, 2));
        other.setColumns(0, new double[] {1, 1, 1, 1}, new double[] {1, 1, 1, 1});
        assertThat(one.column(1)).containsOnly(0);
    }

    @Test
    void tasksAreSharedWhileThreadsAreFree() {
        CyclicBarrier bothAtOnce = new CyclicBarrier(2);
        Thread[] threads = new Thread[2];
        Workers.of(2).run(2, task -> {
            threads[task] = Thread.currentThread();
            await(bothAtOnce);
        });
        assertThat(threads[0]).isNotSameAs(threads[1]);
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void tilesAndColumnRangesHaveTheValuesOfTheMatrix() {
        double[][] values = random(10, 6, 1);
        DenseMatrix a = dense(values, 6, 4);
        DoubleBuffer tile = DoubleBuffer.allocate(5 * 2);
        a.tile(3, 5, 1, 2, tile);
        DenseMatrix range = a.columns(1, 2);
        for (int i = 0; i < 5; i++) {
            assertThat(tile.get(2 * i)).isEqualTo(values[3 + i][1]);
            assertThat(tile.get(2 * i + 1)).isEqualTo(values[3 + i][2]).isEqualTo(range.get(3 + i, 1));
        }
        range.set(9, 0, 42);
        assertThat(a.get(9, 1)).isEqualTo(42);
        assertThatThrownBy(() -> a.columns(5, 2)).hasMessageContaining("6 columns");
    }

    @Test
    void aMappedFileHasTheValuesThatWereWritten() throws IOException {
        double[][] values = random(23, 5, 1);
        Path file = write(values, 80);
        for (int chunkRows : new int[] {23, 4}) {
            DenseMatrix mapped = DenseMatrix.map(file, 80, 23, 5, chunkRows);
            assertThat(rows(mapped)).isDeepEqualTo(values);
            double[][] v = random(5, 2, 2);
            DenseMatrix out = DenseMatrix.zeros(5, 2);
            for (Kernels kernels : Samples.kernels().toList()) {
                DenseProducts.pass(
                        kernels, mapped, DenseMatrix.of(v), steps(mapped, 2, weightAndShift(2)), out, workers);
                assertClose(out, passByDefinition(values, v, 5, 2));
            }
        }
    }

    @Test
    void aMappedFileIsReadOnlyAndTooShortAFileIsRefused() throws IOException {
        Path file = write(random(5, 5, 1), 0);
        DenseMatrix mapped = DenseMatrix.map(file, 0, 5, 5);
        assertThatThrownBy(() -> dense(5, 5, 2).times(dense(5, 5, 3), mapped, workers))
                .hasMessageContaining("read-only");
        assertThatThrownBy(() -> dense(5, 5, 2).transposeTimes(dense(5, 5, 3), mapped, null, workers))
                .hasMessageContaining("read-only");
        assertThatThrownBy(() -> Cholesky.overwriting(mapped, 1, workers)).hasMessageContaining("read-only");
        assertThatThrownBy(() -> DenseMatrix.map(file, 8, 5, 5))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("200 bytes")
                .hasMessageContaining("208");
    }

    private Path write(double[][] values, int offset) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(offset + values.length * values[0].length * 8)
                .order(ByteOrder.LITTLE_ENDIAN);
        bytes.position(offset);
        for (double[] row : values) {
            for (double value : row) {
                bytes.putDouble(value);
            }
        }
        return Files.write(folder.resolve("x.bin"), bytes.array());
    }

    @Test
    void impossibleSizesAreRefused() {
        assertThatThrownBy(() -> DenseMatrix.zeros(-1, 2)).hasMessageContaining("-1 rows");
        assertThatThrownBy(() -> DenseMatrix.zeros(1, 1 << 28)).hasMessageContaining("2 GB");
    }

    @Test
    void theGramMatrixOfAReadOnlyMatrixIsCached() {
        int rows = 80_000;
        int cols = 28;
        DenseMatrix x = DenseMatrix.zeros(rows, cols, workers);
        double[] row = new double[cols];
        Random random = new Random(9);
        for (int i = 0; i < rows; i++) {
            Arrays.setAll(row, j -> random.nextGaussian());
            x.setRow(i, row);
        }
        DenseMatrix first = DenseMatrix.zeros(cols, cols);
        Gram.ofMany(x, first, workers);
        assertThat(x.gram()).isEmpty();

        DenseMatrix readers = x.asReadOnly();
        DenseMatrix again = DenseMatrix.zeros(cols, cols);
        Gram.ofMany(readers, again, workers);
        assertThat(readers.columns(0, cols).gram()).isPresent();
        assertThat(readers.columns(1, cols - 1).gram()).isEmpty();
        Gram.ofMany(readers, again, workers);
        double trace = 0;
        for (int j = 0; j < cols; j++) {
            assertThat(again.row(j)).isEqualTo(first.row(j));
            assertThat(again.get(j, j)).isCloseTo(Vectors.dot(x.column(j), x.column(j)), withinPercentage(1e-10));
            trace += again.get(j, j);
        }
        assertThat(Gram.knownSquares(readers).orElseThrow()).isCloseTo(trace, withinPercentage(1e-10));
        assertThat(Gram.knownSquares(x)).isEmpty();
        // a borrowed matrix belongs to its caller alone
        again.set(0, 0, -1);
        assertThat(readers.gram().orElseThrow().get(0, 0)).isEqualTo(first.get(0, 0));
        assertThatThrownBy(() -> readers.set(0, 0, 1)).isInstanceOf(ReadOnlyBufferException.class);
    }
}
