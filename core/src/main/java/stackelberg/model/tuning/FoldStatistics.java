package stackelberg.model.tuning;

import java.nio.DoubleBuffer;
import java.util.Arrays;
import stackelberg.data.Scaling;
import stackelberg.estimate.Resampling.Folds;
import stackelberg.linalg.ColumnStatistics;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;

/**
 * What the training rows of every fold say about every column.
 *
 * <p>Dense columns are read once for count, sum, sum of squares, smallest and largest value in every fold; those of a fold's training rows are the
 * other folds' put together. Of sparse ones, where zeros cost nothing, means and deviations are put together instead of sums.
 */
final class FoldStatistics {
    /** A spread this small (squared) against the mean has lost half of its digits in the sums. */
    private static final double DOUBTFUL = 1e-8;

    private final Matrix columns;
    private final Folds folds;
    private final int[] missing;
    /** [fold][count, sum, squares, min, max][column], of dense columns. */
    private final double[][][] sums;

    /** By fold, of sparse columns; null if they are dense. */
    private final ColumnStatistics[] sparse;

    /**
     * @param missing for each column the column that is 1 where its value is missing, or -1
     */
    FoldStatistics(Matrix columns, Folds folds, int[] missing, Workers workers) {
        this.columns = columns;
        this.folds = folds;
        this.missing = missing;
        this.sparse = sparse(columns, folds, missing, workers);
        this.sums = sparse == null ? sums(workers) : null;
    }

    /** Null unless every fold's rows can be read by their nonzeros. */
    private static ColumnStatistics[] sparse(Matrix columns, Folds folds, int[] missing, Workers workers) {
        if (Arrays.stream(missing).anyMatch(column -> column >= 0)) {
            return null;
        }
        int[][] parts = new int[folds.count()][];
        Arrays.setAll(parts, folds::heldOut);
        return ColumnStatistics.ofSparseRowsBut(columns, parts, workers).orElse(null);
    }

    private double[][][] sums(Workers workers) {
        int m = columns.rows();
        int n = missing.length;
        int parts = (int) Math.max(1, Math.min(16, Math.min(m / 256, (1L << 22) / ((long) folds.count() * n + 1))));
        double[][][][] byPart = new double[parts][][][];
        workers.run(parts, part -> {
            byPart[part] = empty(n);
            double[] row = new double[columns.cols()];
            DoubleBuffer buffer = DoubleBuffer.wrap(row);
            for (int i = (int) ((long) m * part / parts); i < (int) ((long) m * (part + 1) / parts); i++) {
                columns.tile(i, 1, 0, row.length, buffer);
                add(row, byPart[part][folds.of(i)]);
            }
        });
        for (int part = 1; part < parts; part++) {
            for (int f = 0; f < folds.count(); f++) {
                merge(byPart[part][f], byPart[0][f]);
            }
        }
        return byPart[0];
    }

    private double[][][] empty(int n) {
        double[][][] result = new double[folds.count()][5][n];
        for (double[][] fold : result) {
            Arrays.fill(fold[3], Double.POSITIVE_INFINITY);
            Arrays.fill(fold[4], Double.NEGATIVE_INFINITY);
        }
        return result;
    }

    private void add(double[] row, double[][] to) {
        for (int j = 0; j < missing.length; j++) {
            if (missing[j] >= 0 && row[missing[j]] != 0) {
                continue;
            }
            double value = row[j];
            to[0][j]++;
            to[1][j] += value;
            to[2][j] += value * value;
            to[3][j] = Math.min(to[3][j], value);
            to[4][j] = Math.max(to[4][j], value);
        }
    }

    private static void merge(double[][] from, double[][] to) {
        for (int j = 0; j < from[0].length; j++) {
            for (int k = 0; k < 3; k++) {
                to[k][j] += from[k][j];
            }
            to[3][j] = Math.min(to[3][j], from[3][j]);
            to[4][j] = Math.max(to[4][j], from[4][j]);
        }
    }

    /** Of column j in the training rows of a fold; missing values count as rows but have no deviation. */
    Scaling.Spread training(int fold, int j) {
        if (sparse != null) {
            ColumnStatistics of = sparse[fold];
            double rows = folds.rows() - folds.size(fold);
            return new Scaling.Spread(rows, of.mean()[j], of.sd()[j], of.min()[j], of.max()[j] - of.min()[j]);
        }
        double[] total = {0, 0, 0, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
        double rows = 0;
        for (int f = 0; f < folds.count(); f++) {
            if (f != fold) {
                for (int k = 0; k < 3; k++) {
                    total[k] += sums[f][k][j];
                }
                total[3] = Math.min(total[3], sums[f][3][j]);
                total[4] = Math.max(total[4], sums[f][4][j]);
                rows += folds.size(f);
            }
        }
        double mean = total[1] / total[0];
        double square = total[2] / total[0] - mean * mean;
        if (square < DOUBTFUL * mean * mean && total[3] < total[4]) {
            square = squareAround(mean, fold, j);
        }
        return new Scaling.Spread(total[0], mean, Math.sqrt(square * total[0] / rows), total[3], total[4] - total[3]);
    }

    /** The mean square of x - mean over the training rows, read again, less what rounding left in the mean. */
    private double squareAround(double mean, int fold, int j) {
        double[] value = new double[1];
        double[] flag = new double[1];
        double count = 0;
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < columns.rows(); i++) {
            if (folds.of(i) == fold) {
                continue;
            }
            if (missing[j] >= 0) {
                columns.tile(i, 1, missing[j], 1, DoubleBuffer.wrap(flag));
            }
            if (flag[0] == 0) {
                columns.tile(i, 1, j, 1, DoubleBuffer.wrap(value));
                count++;
                sum += value[0] - mean;
                squares += (value[0] - mean) * (value[0] - mean);
            }
        }
        return squares / count - sum / count * (sum / count);
    }
}
