package stackelberg.objective.program;

import java.nio.DoubleBuffer;
import java.util.Arrays;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;

/** Descents in (w, q, intercept) on what a rule really loses, with a dense inverse Hessian: no sphere, no ball, nothing of the library's linear algebra. */
final class Bfgs {
    private final PredictionGame game;
    private final double[][] rows;
    private final double[] y;
    private final double[] z;
    private final double[] weights;
    private final double[] costs;
    private final int n;

    Bfgs(PredictionGame game) {
        this.game = game;
        this.n = game.x().cols();
        this.y = game.y();
        this.z = game.z();
        this.weights = game.weights();
        this.costs = game.costs();
        double[][] fixed = game.immutable();
        int size = n + fixed.length + (game.hasIntercept() ? 1 : 0);
        this.rows = new double[y.length][size];
        for (int i = 0; i < rows.length; i++) {
            game.x().tile(i, 1, 0, n, DoubleBuffer.wrap(rows[i], 0, n));
            for (int j = 0; j < fixed.length; j++) {
                rows[i][n + j] = fixed[j][i];
            }
            if (game.hasIntercept()) {
                rows[i][size - 1] = 1;
            }
        }
    }

    int size() {
        return rows[0].length;
    }

    LinearRule rule(double[] theta) {
        int k = game.immutable().length;
        return new LinearRule(
                Arrays.copyOf(theta, n), Arrays.copyOfRange(theta, n, n + k), game.hasIntercept() ? theta[n + k] : 0);
    }

    double at(double[] theta, double[] gradient) {
        double gamma = game.gamma();
        double omega = 0;
        for (int j = 0; j < n; j++) {
            omega += theta[j] * theta[j] / costs[j];
        }
        double t = omega / (gamma + omega);
        double kept = gamma / (gamma + omega);
        Arrays.fill(gradient, 0);
        double value = game.ridge() * gamma * t;
        double byT = game.ridge() * gamma;
        for (int i = 0; i < rows.length; i++) {
            double p = 0;
            for (int j = 0; j < theta.length; j++) {
                p += theta[j] * rows[i][j];
            }
            double score = kept * p + t * z[i];
            value += weights[i] == 0 ? 0 : weights[i] * game.loss().value(score, y[i]);
            double push = weights[i] == 0 ? 0 : weights[i] * game.loss().slope(score, y[i]);
            byT += push * (z[i] - p);
            for (int j = 0; j < theta.length; j++) {
                gradient[j] += push * kept * rows[i][j];
            }
        }
        for (int j = 0; j < n; j++) {
            gradient[j] += byT * 2 * gamma * theta[j] / costs[j] / ((gamma + omega) * (gamma + omega));
        }
        return value;
    }

    /** The least loss reached. */
    double from(double[] start) {
        int size = start.length;
        double[] theta = start.clone();
        double[] gradient = new double[size];
        double value = at(theta, gradient);
        double[][] inverse = new double[size][size];
        boolean fresh = true;
        for (int step = 0; step < 400; step++) {
            if (fresh) {
                for (int j = 0; j < size; j++) {
                    Arrays.fill(inverse[j], 0);
                    inverse[j][j] = 1;
                }
            }
            double[] direction = new double[size];
            double slope = 0;
            for (int j = 0; j < size; j++) {
                for (int k = 0; k < size; k++) {
                    direction[j] -= inverse[j][k] * gradient[k];
                }
                slope += direction[j] * gradient[j];
            }
            if (!(slope < 0)) {
                if (fresh) {
                    return value;
                }
                fresh = true;
                continue;
            }
            double length = 1;
            double[] next = new double[size];
            double[] slopes = new double[size];
            double reached = value;
            boolean held = false;
            for (int k = 0; k < 60 && !held; k++, length /= held ? 1 : 2) {
                for (int j = 0; j < size; j++) {
                    next[j] = theta[j] + length * direction[j];
                }
                reached = at(next, slopes);
                held = reached <= value + 1e-4 * length * slope;
                if (held) {
                    break;
                }
            }
            if (!held) {
                if (fresh) {
                    return value;
                }
                fresh = true;
                continue;
            }
            double[] s = new double[size];
            double[] d = new double[size];
            double product = 0;
            double square = 0;
            for (int j = 0; j < size; j++) {
                s[j] = next[j] - theta[j];
                d[j] = slopes[j] - gradient[j];
                product += s[j] * d[j];
                square += d[j] * d[j];
            }
            if (product > 0) {
                update(inverse, s, d, product, fresh ? product / square : 0);
                fresh = false;
            }
            boolean idle = value - reached <= 1e-15 * Math.abs(value);
            theta = next;
            gradient = slopes;
            value = reached;
            if (idle && fresh) {
                return value;
            }
            fresh |= idle;
        }
        return value;
    }

    private static void update(double[][] inverse, double[] s, double[] d, double product, double first) {
        int size = s.length;
        for (int j = 0; j < size && first > 0; j++) {
            inverse[j][j] = first;
        }
        double[] hd = new double[size];
        double bend = 0;
        for (int j = 0; j < size; j++) {
            for (int k = 0; k < size; k++) {
                hd[j] += inverse[j][k] * d[k];
            }
            bend += d[j] * hd[j];
        }
        for (int j = 0; j < size; j++) {
            for (int k = 0; k < size; k++) {
                inverse[j][k] += (1 + bend / product) * s[j] * s[k] / product - (hd[j] * s[k] + s[j] * hd[k]) / product;
            }
        }
    }
}
