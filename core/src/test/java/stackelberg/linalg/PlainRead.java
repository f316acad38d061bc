package stackelberg.linalg;

import static org.bytedeco.openblas.global.openblas_nolapack.cblas_ddot;

import java.nio.DoubleBuffer;
import java.util.Arrays;

/** Reads a matrix once, in place and on all threads, as fast as the memory allows: the yardstick for the time of a pass. */
public final class PlainRead {
    /** The numbers in a piece, 2 MB. */
    private static final int PIECE = 1 << 18;

    private PlainRead() {}

    /** The sum of squares, which depends on every number, so that no read can be optimised away. */
    public static double of(DenseMatrix x, Workers workers) {
        int height = Math.max(1, PIECE / x.cols());
        double[] sums = new double[(x.rows() + height - 1) / height];
        workers.run(sums.length, piece -> {
            int end = Math.min(x.rows(), (piece + 1) * height);
            int rows;
            for (int row = piece * height; row < end; row += rows) {
                rows = Math.min(end - row, x.contiguousRows(row));
                DoubleBuffer values = x.at(row);
                sums[piece] += cblas_ddot(rows * x.cols(), values, 1, values, 1);
            }
        });
        return sum(sums);
    }

    /** The sum of all columns and values. */
    public static double of(CsrMatrix x, Workers workers) {
        int nonzeros = x.nonzeros();
        double[] sums = new double[(nonzeros + PIECE - 1) / PIECE];
        workers.run(sums.length, piece -> {
            int from = piece * PIECE;
            int end = Math.min(nonzeros, from + PIECE);
            sums[piece] = columns(x, from, end) + values(x, from, end);
        });
        return sum(sums);
    }

    /** A sum that the compiler vectorises. */
    private static int columns(CsrMatrix x, int from, int end) {
        int sum = 0;
        for (int i = from; i < end; i++) {
            sum += x.columnAt(i);
        }
        return sum;
    }

    /** Eight running sums, enough to hide the latency of additions. */
    private static double values(CsrMatrix x, int from, int end) {
        double a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;
        int i = from;
        for (; i < end - 7; i += 8) {
            a += x.valueAt(i);
            b += x.valueAt(i + 1);
            c += x.valueAt(i + 2);
            d += x.valueAt(i + 3);
            e += x.valueAt(i + 4);
            f += x.valueAt(i + 5);
            g += x.valueAt(i + 6);
            h += x.valueAt(i + 7);
        }
        for (; i < end; i++) {
            a += x.valueAt(i);
        }
        return ((a + b) + (c + d)) + ((e + f) + (g + h));
    }

    private static double sum(double[] numbers) {
        return Arrays.stream(numbers).sum();
    }
}
