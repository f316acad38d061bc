package stackelberg.linalg;

import java.nio.DoubleBuffer;
import java.util.Arrays;

/** Reads the rows of one part of a matrix for {@link Matrix#readParts}. */
final class PartRows {
    /** The number of values between the first and the last row that are read at a time, over all parts: 32 MB. */
    static final int STRETCH = 1 << 22;

    /** The largest number of rows, and of values, handed over at a time: few enough to stay in cache for narrow matrices. */
    static final int HEIGHT = 128;

    static final int VALUES = 1 << 20;

    private PartRows() {}

    /** Reads the rows from index {@code next} of a part up to row {@code end} of the matrix; returns the next index. */
    static int read(Matrix x, int part, int[] rows, int next, int end, int height, Matrix.PartReader reader) {
        int last = next;
        while (last < rows.length && rows[last] < end) {
            last++;
        }
        int cols = x.cols();
        double[] values = new double[Math.min(height, last - next) * cols];
        double[] row = new double[cols];
        DoubleBuffer buffer = DoubleBuffer.wrap(row);
        for (int from = next; from < last; from += height) {
            int[] some = Arrays.copyOfRange(rows, from, Math.min(last, from + height));
            for (int i = 0; i < some.length; i++) {
                x.tile(some[i], 1, 0, cols, buffer);
                System.arraycopy(row, 0, values, i * cols, cols);
            }
            reader.take(part, some, values);
        }
        return last;
    }
}
