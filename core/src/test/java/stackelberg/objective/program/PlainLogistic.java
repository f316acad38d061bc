package stackelberg.objective.program;

import java.nio.DoubleBuffer;
import java.util.Arrays;
import stackelberg.game.PredictionGame;

/** Logistic regression with a bound on the norm of what people can change, by Newton on every penalty and a bisection over penalties: no game, no ball. */
final class PlainLogistic {
    private final double[][] rows;
    private final double[] y;
    private final double[] weights;
    private final int n;

    /** Columns are the features times the roots of their costs, the immutable ones, and ones. */
    PlainLogistic(PredictionGame game) {
        this.n = game.x().cols();
        this.y = game.y();
        this.weights = game.weights();
        double[][] fixed = game.immutable();
        double[] costs = game.costs();
        this.rows = new double[y.length][n + fixed.length + 1];
        for (int i = 0; i < rows.length; i++) {
            game.x().tile(i, 1, 0, n, DoubleBuffer.wrap(rows[i], 0, n));
            for (int j = 0; j < n; j++) {
                rows[i][j] *= Math.sqrt(costs[j]);
            }
            for (int j = 0; j < fixed.length; j++) {
                rows[i][n + j] = fixed[j][i];
            }
            rows[i][n + fixed.length] = 1;
        }
    }

    /** The coefficients; the penalty is what makes the norm. */
    double[] withNormAtMost(double most) {
        double[] free = penalised(0, new double[rows[0].length]);
        if (norm(free) <= most) {
            return free;
        }
        double low = 0;
        double high = 1;
        double[] theta = penalised(high, new double[free.length]);
        while (norm(theta) > most) {
            low = high;
            high *= 4;
            theta = penalised(high, theta);
        }
        for (int k = 0; k < 200 && high - low > 1e-15 * high; k++) {
            double middle = (low + high) / 2;
            theta = penalised(middle, theta);
            if (norm(theta) > most) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return theta;
    }

    private double norm(double[] theta) {
        return Math.sqrt(Arrays.stream(theta).limit(n).map(v -> v * v).sum());
    }

    /** Newton for sum s l + penalty ||theta_n||^2/2, as far as it goes; a classes' separation shows as a norm without end. */
    private double[] penalised(double penalty, double[] start) {
        double[] theta = start.clone();
        for (int step = 0; step < 100 && norm(theta) < 1e6; step++) {
            int size = theta.length;
            double[][] h = new double[size][size + 1];
            for (int i = 0; i < rows.length; i++) {
                double s = dot(rows[i], theta);
                double p = 1 / (1 + Math.exp(-s));
                double curvature = weights[i] * p * (1 - p);
                for (int j = 0; j < size; j++) {
                    for (int k = 0; k < size; k++) {
                        h[j][k] += curvature * rows[i][j] * rows[i][k];
                    }
                    h[j][size] -= weights[i] * (p - y[i]) * rows[i][j];
                }
            }
            for (int j = 0; j < n; j++) {
                h[j][j] += penalty;
                h[j][size] -= penalty * theta[j];
            }
            double[] change = solved(h);
            double length = 1;
            double before = value(theta, penalty);
            double[] next = theta;
            for (int k = 0; k < 40; k++) {
                double share = length;
                double[] from = theta;
                next = new double[size];
                double[] to = next;
                Arrays.setAll(to, j -> from[j] + share * change[j]);
                if (value(next, penalty) <= before + 1e-14 * Math.abs(before)) {
                    break;
                }
                length /= 2;
            }
            theta = next;
            if (Math.sqrt(dot(change, change)) < 1e-14 * (1 + norm(theta))) {
                break;
            }
        }
        return theta;
    }

    private double value(double[] theta, double penalty) {
        double sum = penalty * norm(theta) * norm(theta) / 2;
        for (int i = 0; i < rows.length; i++) {
            double s = dot(rows[i], theta);
            sum += weights[i] * (Math.log1p(Math.exp(-Math.abs(s))) + Math.max(s, 0) - y[i] * s);
        }
        return sum;
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int j = 0; j < a.length; j++) {
            sum += a[j] * b[j];
        }
        return sum;
    }

    /** Gauss with pivots. */
    private static double[] solved(double[][] a) {
        int size = a.length;
        for (int c = 0; c < size; c++) {
            int pivot = c;
            for (int r = c + 1; r < size; r++) {
                pivot = Math.abs(a[r][c]) > Math.abs(a[pivot][c]) ? r : pivot;
            }
            double[] swap = a[c];
            a[c] = a[pivot];
            a[pivot] = swap;
            for (int r = 0; r < size; r++) {
                double factor = r == c ? 0 : a[r][c] / a[c][c];
                for (int k = c; k <= size && factor != 0; k++) {
                    a[r][k] -= factor * a[c][k];
                }
            }
        }
        double[] x = new double[size];
        Arrays.setAll(x, j -> a[j][size] / a[j][j]);
        return x;
    }
}
