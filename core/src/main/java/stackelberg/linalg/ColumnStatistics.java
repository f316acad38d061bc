package stackelberg.linalg;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.util.Arrays;

/**
 * Smallest and largest value, mean and (population) standard deviation of every column, from one read of the matrix.
 *
 * @param min the smallest value of each column
 * @param max the largest
 * @param mean the mean
 * @param sd sqrt(sum (x - mean)^2 / rows)
 */
public record ColumnStatistics(double[] min, double[] max, double[] mean, double[] sd) {
    /** Reads the matrix tile by tile; each part of the rows has its own sums, merged in order, so threads do not matter. */
    public static ColumnStatistics of(Matrix x, Workers workers) {
        int m = x.rows();
        int n = x.cols();
        int height = Math.max(1, Math.min(Math.max(m, 1), (1 << 16) / Math.max(1, n)));
        int parts = Math.max(1, Math.min(16, m / height));
        ColumnSums[] sums = new ColumnSums[parts];
        workers.run(parts, part -> {
            int from = (int) ((long) m * part / parts);
            int to = (int) ((long) m * (part + 1) / parts);
            DoubleBuffer tile = ByteBuffer.allocateDirect(8 * height * n)
                    .order(ByteOrder.nativeOrder())
                    .asDoubleBuffer();
            double[] row = new double[n];
            sums[part] = new ColumnSums(n);
            for (int first = from; first < to; first += height) {
                int count = Math.min(height, to - first);
                x.tile(first, count, 0, n, tile);
                for (int i = 0; i < count; i++) {
                    tile.get(i * n, row);
                    sums[part].add(row);
                }
            }
        });
        for (int part = 1; part < parts; part++) {
            sums[0].merge(sums[part]);
        }
        return sums[0].statistics();
    }

    /** Running mean and squared deviation (Welford; merged by Chan's formula): no cancellation for columns far from 0. */
    private static final class ColumnSums {
        private final double[] min;
        private final double[] max;
        private final double[] mean;
        private final double[] squares;
        private long count;

        ColumnSums(int n) {
            min = new double[n];
            max = new double[n];
            mean = new double[n];
            squares = new double[n];
            Arrays.fill(min, Double.POSITIVE_INFINITY);
            Arrays.fill(max, Double.NEGATIVE_INFINITY);
        }

        void add(double[] row) {
            count++;
            for (int j = 0; j < row.length; j++) {
                double value = row[j];
                min[j] = Math.min(min[j], value);
                max[j] = Math.max(max[j], value);
                double delta = value - mean[j];
                mean[j] += delta / count;
                squares[j] += delta * (value - mean[j]);
            }
        }

        void merge(ColumnSums other) {
            long total = count + other.count;
            if (other.count == 0) {
                return;
            }
            for (int j = 0; j < mean.length; j++) {
                min[j] = Math.min(min[j], other.min[j]);
                max[j] = Math.max(max[j], other.max[j]);
                double delta = other.mean[j] - mean[j];
                mean[j] += delta * other.count / total;
                squares[j] += other.squares[j] + delta * delta * count * other.count / total;
            }
            count = total;
        }

        ColumnStatistics statistics() {
            double[] sd = new double[mean.length];
            for (int j = 0; j < sd.length; j++) {
                sd[j] = count == 0 ? 0 : Math.sqrt(squares[j] / count);
            }
            return new ColumnStatistics(min, max, mean, sd);
        }
    }
}
