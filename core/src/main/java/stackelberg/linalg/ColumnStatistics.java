package stackelberg.linalg;

import java.nio.DoubleBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The smallest and largest value, mean and standard deviation of every column of a matrix. Computing them reads a dense matrix once, and the stored entries of a
 * sparse one twice.
 *
 * @param min the smallest value of each column
 * @param max the largest value of each column
 * @param mean the mean of each column
 * @param sd sqrt(sum (x - mean)^2 / rows) of each column
 */
public record ColumnStatistics(double[] min, double[] max, double[] mean, double[] sd) {
    /** The statistics of all rows. Each part of the rows has its own sums, merged in order, so the result does not depend on the number of threads. */
    public static ColumnStatistics of(Matrix x, Workers workers) {
        if (x instanceof CsrMatrix sparse) {
            return sparse.statistics();
        }
        int m = x.rows();
        int n = x.cols();
        int height = Math.max(1, Math.min(Math.max(m, 1), (1 << 16) / Math.max(1, n)));
        int parts = Math.max(1, Math.min(16, m / height));
        ColumnSums[] sums = new ColumnSums[parts];
        workers.run(parts, part -> {
            int from = (int) ((long) m * part / parts);
            int to = (int) ((long) m * (part + 1) / parts);
            double[] tile = new double[height * n];
            sums[part] = new ColumnSums(n);
            for (int first = from; first < to; first += height) {
                int count = Math.min(height, to - first);
                x.tile(first, count, 0, n, DoubleBuffer.wrap(tile));
                sums[part].add(tile, count);
            }
        });
        for (int part = 1; part < parts; part++) {
            sums[0].merge(sums[part]);
        }
        return sums[0].statistics();
    }

    /**
     * For each part of the rows, the statistics of the rows in all other parts, as cross-validation needs them. Every part is read once.
     *
     * @param parts the row indices of each part, in ascending order
     */
    public static ColumnStatistics[] ofRowsBut(Matrix x, int[][] parts, Workers workers) {
        if (x instanceof AffineMatrix affine
                && affine.inner() instanceof CsrMatrix sparse
                && affine.cols() == sparse.cols()) {
            return Arrays.stream(ofRowsBut(sparse, parts, workers))
                    .map(each -> each.moved(affine.shift(), affine.scale()))
                    .toArray(ColumnStatistics[]::new);
        }
        ColumnSums[] sums = new ColumnSums[parts.length];
        if (x instanceof CsrMatrix sparse) {
            workers.run(parts.length, part -> sums[part] = sumsOfNonzeros(sparse, parts[part]));
        } else {
            Arrays.setAll(sums, part -> new ColumnSums(x.cols()));
            x.readParts(parts, workers, fraction -> {}, (part, rows, values) -> sums[part].add(values, rows.length));
        }
        // after[k] are the sums of parts k, k + 1, ...: merging them with those of the parts before avoids
        // subtraction, which would lose digits.
        ColumnSums[] after = new ColumnSums[parts.length + 1];
        after[parts.length] = new ColumnSums(x.cols());
        for (int part = parts.length; part > 0; part--) {
            after[part - 1] = sums[part - 1].and(after[part]);
        }
        ColumnStatistics[] others = new ColumnStatistics[parts.length];
        ColumnSums before = new ColumnSums(x.cols());
        for (int part = 0; part < parts.length; part++) {
            others[part] = before.and(after[part + 1]).statistics();
            before.merge(sums[part]);
        }
        return others;
    }

    static ColumnStatistics ofNonzeros(CsrMatrix x, int[] rows) {
        return sumsOfNonzeros(x, rows).statistics();
    }

    /** The sums of some rows of a sparse matrix: of the stored entries of each column, merged with its zeros, which have mean 0 and no deviation. */
    private static ColumnSums sumsOfNonzeros(CsrMatrix x, int[] rows) {
        int n = x.cols();
        ColumnSums sums = new ColumnSums(n);
        double[] first = new double[n];
        int[] stored = new int[n];
        for (int row : rows) {
            for (int entry = x.rowBegin(row); entry < x.rowEnd(row); entry++) {
                int j = x.columnAt(entry);
                double value = x.valueAt(entry);
                first[j] = stored[j]++ == 0 ? value : first[j];
                sums.min[j] = Math.min(sums.min[j], value);
                sums.max[j] = Math.max(sums.max[j], value);
                sums.mean[j] += value - first[j];
            }
        }
        double[] left = new double[n];
        for (int j = 0; j < n; j++) {
            sums.mean[j] = stored[j] == 0 ? 0 : first[j] + sums.mean[j] / stored[j];
        }
        for (int row : rows) {
            for (int entry = x.rowBegin(row); entry < x.rowEnd(row); entry++) {
                int j = x.columnAt(entry);
                double d = x.valueAt(entry) - sums.mean[j];
                left[j] += d;
                sums.squares[j] += d * d;
            }
        }
        for (int j = 0; j < n; j++) {
            sums.squares[j] = stored[j] == 0 ? 0 : ColumnSums.withoutRounding(sums.squares[j], left[j], stored[j]);
        }
        for (int j = 0; j < n; j++) {
            int zeros = rows.length - stored[j];
            if (zeros > 0) {
                sums.merge(j, stored[j], zeros, 0, 0);
                sums.min[j] = Math.min(sums.min[j], 0);
                sums.max[j] = Math.max(sums.max[j], 0);
            }
        }
        sums.count = rows.length;
        return sums;
    }

    /** The statistics of (x - shift) scale instead of x; a negative scale exchanges minimum and maximum. */
    private ColumnStatistics moved(double[] shift, double[] scale) {
        int n = mean.length;
        double[][] to = new double[4][n];
        for (int j = 0; j < n; j++) {
            double a = (min[j] - shift[j]) * scale[j];
            double b = (max[j] - shift[j]) * scale[j];
            to[0][j] = Math.min(a, b);
            to[1][j] = Math.max(a, b);
            to[2][j] = (mean[j] - shift[j]) * scale[j];
            to[3][j] = sd[j] * Math.abs(scale[j]);
        }
        return new ColumnStatistics(to[0], to[1], to[2], to[3]);
    }

    /**
     * Collects the smallest and largest value of every column while a matrix is read for another purpose; NaN if a column contains NaN.
     *
     * <p>The columns are divided into strips with separate arrays: a short loop that is called often is compiled after a few rows instead of hundreds, and because
     * its index is the same in all arrays, the compiler can vectorise it.
     */
    public static final class Ranges {
        /** The columns of a strip: a row of it and both extremes fit in the first-level cache. */
        private static final int STRIP = 512;

        private final int columns;
        private final double[][] min;
        private final double[][] max;
        private final double[] row = new double[STRIP];

        /** Extremes of no rows yet: infinity and minus infinity. */
        public Ranges(int columns) {
            this.columns = columns;
            int strips = (columns + STRIP - 1) / STRIP;
            min = new double[strips][STRIP];
            max = new double[strips][STRIP];
            for (int s = 0; s < strips; s++) {
                Arrays.fill(min[s], Double.POSITIVE_INFINITY);
                Arrays.fill(max[s], Double.NEGATIVE_INFINITY);
            }
        }

        /** The smallest value of each column. */
        public double[] min() {
            return joined(min);
        }

        /** The largest value of each column. */
        public double[] max() {
            return joined(max);
        }

        private double[] joined(double[][] strips) {
            double[] all = new double[columns];
            for (int s = 0; s < strips.length; s++) {
                System.arraycopy(strips[s], 0, all, s * STRIP, width(s));
            }
            return all;
        }

        private int width(int strip) {
            return Math.min(STRIP, columns - strip * STRIP);
        }

        /** Includes {@code count} rows of a block, the first of which begins at the block's position. */
        void addRows(DoubleBuffer block, int stride, int count) {
            for (int s = 0; s < min.length; s++) {
                int first = block.position() + s * STRIP;
                for (int i = 0; i < count; i++) {
                    block.get(first + i * stride, row, 0, width(s));
                    merge(min[s], max[s], row, row, width(s));
                }
            }
        }

        void merge(Ranges other) {
            for (int s = 0; s < min.length; s++) {
                merge(min[s], max[s], other.min[s], other.max[s], width(s));
            }
        }

        private static void merge(double[] min, double[] max, double[] low, double[] high, int count) {
            for (int j = 0; j < count; j++) {
                min[j] = Math.min(min[j], low[j]);
                max[j] = Math.max(max[j], high[j]);
            }
        }

        /** Includes all rows of a matrix, by a separate read. */
        void read(Matrix x, Workers workers) {
            ColumnStatistics all = ColumnStatistics.of(x, workers);
            for (int s = 0; s < min.length; s++) {
                int first = s * STRIP;
                int end = first + width(s);
                merge(
                        min[s],
                        max[s],
                        Arrays.copyOfRange(all.min, first, end),
                        Arrays.copyOfRange(all.max, first, end),
                        width(s));
            }
        }
    }

    /**
     * The running mean and sum of squared deviations of each column. Each tile of rows has its own mean and deviations, which are merged by the formula of Chan,
     * Golub and LeVeque: unlike sum x^2 - m mean^2 it loses no digits for columns far from 0.
     */
    private static final class ColumnSums {
        private final double[] min;
        private final double[] max;
        private final double[] mean;
        /** sum (x - mean)^2. */
        private final double[] squares;
        /** Three work arrays, created when the first tile is added. */
        private double @Nullable [][] work;

        private long count;

        ColumnSums(int n) {
            min = new double[n];
            max = new double[n];
            mean = new double[n];
            squares = new double[n];
            Arrays.fill(min, Double.POSITIVE_INFINITY);
            Arrays.fill(max, Double.NEGATIVE_INFINITY);
        }

        /** Adds the rows of a tile, which is read twice while it is in cache: for the means, then for the deviations from them. */
        void add(double[] tile, int rows) {
            int n = mean.length;
            work = work == null ? new double[3][n] : work;
            double[] centre = work[0];
            double[] left = work[1];
            double[] deviations = work[2];
            for (double[] array : work) {
                Arrays.fill(array, 0);
            }
            for (int i = 0; i < rows; i++) {
                for (int j = 0, k = i * n; j < n; j++, k++) {
                    double value = tile[k];
                    min[j] = Math.min(min[j], value);
                    max[j] = Math.max(max[j], value);
                    centre[j] += value - tile[j];
                }
            }
            for (int j = 0; j < n; j++) {
                centre[j] = tile[j] + centre[j] / rows;
            }
            for (int i = 0; i < rows; i++) {
                for (int j = 0, k = i * n; j < n; j++, k++) {
                    double d = tile[k] - centre[j];
                    left[j] += d;
                    deviations[j] += d * d;
                }
            }
            for (int j = 0; j < n; j++) {
                merge(j, count, rows, centre[j], withoutRounding(deviations[j], left[j], rows));
            }
            count += rows;
        }

        /** The sum of squared deviations from the exact mean: {@code left}, the sum of deviations, is not 0 because the mean was rounded. */
        private static double withoutRounding(double deviations, double left, long rows) {
            return Math.max(0, deviations - left * left / rows);
        }

        /** The sums of the rows of both. */
        ColumnSums and(ColumnSums other) {
            ColumnSums both = new ColumnSums(mean.length);
            both.merge(this);
            both.merge(other);
            return both;
        }

        /** Adds the rows of the other sums to these. */
        void merge(ColumnSums other) {
            if (other.count == 0) {
                return;
            }
            for (int j = 0; j < mean.length; j++) {
                min[j] = Math.min(min[j], other.min[j]);
                max[j] = Math.max(max[j], other.max[j]);
                merge(j, count, other.count, other.mean[j], other.squares[j]);
            }
            count += other.count;
        }

        /** Chan's formula for column j: with delta the difference of the means, delta^2 own others / (own + others) is added to the squares. */
        private void merge(int j, long own, long others, double otherMean, double otherSquares) {
            if (own == 0) {
                // Copied without rounding, so that a constant column keeps a deviation of exactly 0.
                mean[j] = otherMean;
                squares[j] = otherSquares;
                return;
            }
            double delta = otherMean - mean[j];
            double total = (double) own + others;
            mean[j] += delta * others / total;
            squares[j] += otherSquares + delta * delta * own * others / total;
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
