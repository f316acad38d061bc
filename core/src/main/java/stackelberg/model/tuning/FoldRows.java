package stackelberg.model.tuning;

import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.function.DoubleConsumer;
import stackelberg.linalg.Workers;

/**
 * Reads the rows in order, one stretch at a time, so that mapped files are read sequentially. Within a stretch each
 * fold is one task on one thread, so that the results do not depend on the number of threads.
 */
final class FoldRows {
    /** The number of values in a stretch. */
    private static final int STRETCH = 1 << 22;

    private FoldRows() {}

    /** Processes one row. The values are [columns, 1, additional space]; the task may overwrite them. */
    interface Task {
        void take(int fold, int row, double[] values);
    }

    /**
     * @param width the length of the values
     * @param progress receives the fraction of all rows that was read in each stretch
     */
    static void each(FoldData data, int width, Workers workers, DoubleConsumer progress, Task task) {
        int m = data.columns().rows();
        int count = data.folds().count();
        int ones = data.columns().cols();
        int stretch = Math.max(64 * count, STRETCH / width);
        int[][] rows = new int[count][];
        int[] next = new int[count];
        Arrays.setAll(rows, data.folds()::heldOut);
        for (int first = 0; first < m; first += stretch) {
            int end = Math.min(m, first + stretch);
            workers.run(count, f -> {
                double[] values = new double[width];
                DoubleBuffer buffer = DoubleBuffer.wrap(values);
                int i = next[f];
                for (; i < rows[f].length && rows[f][i] < end; i++) {
                    data.columns().tile(rows[f][i], 1, 0, ones, buffer);
                    values[ones] = 1;
                    task.take(f, rows[f][i], values);
                }
                next[f] = i;
            });
            progress.accept((double) (end - first) / m);
        }
    }
}
