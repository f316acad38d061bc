package stackelberg.model.tuning;

import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.function.DoubleConsumer;
import stackelberg.linalg.Workers;

/**
 * Reads the rows in order, a stretch of them at a time, so that mapped data streams; within a stretch each fold is one task on one thread, so that
 * threads change nothing.
 */
final class FoldRows {
    /** Numbers in a stretch. */
    private static final int STRETCH = 1 << 22;

    private FoldRows() {}

    /** What is done with a row: values are [columns, 1, room for more], to be used and overwritten. */
    interface Task {
        void take(int fold, int row, double[] values);
    }

    /**
     * @param width the length of values
     * @param progress told the fraction of the rows in each stretch that is done
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
