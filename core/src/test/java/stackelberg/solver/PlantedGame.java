package stackelberg.solver;

import java.util.Random;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.DenseMatrix;

/**
 * A game whose global optimum is known by construction: L from chosen singular values, y = z/2 + L(r* + lambda H^{-1} r*) + noise orthogonal to
 * the range of L, so that r* is a global minimiser with multiplier lambda >= -lambda_min(H) and f* = lambda^2 r*'H^{-1}r* + ||noise||^2.
 */
public record PlantedGame(PredictionGame game, double[] r, double lambda, double objective, double[] singularValues) {
    /** The multiplier to plant. */
    public enum Case {
        POSITIVE,
        NEGATIVE,
        NEARLY_HARD,
        HARD
    }

    /**
     * A planted game with n features and m >= n + 1 rows.
     *
     * @param condition the condition number of H
     * @param noise the norm of what is added to y outside the range of L
     */
    public static PlantedGame of(Random random, int m, int n, double condition, double gamma, Case kind, double noise) {
        int d = n + 1;
        double[] sigma = new double[d];
        for (int k = 0; k < d; k++) {
            sigma[k] = Math.pow(condition, -0.5 * (d == 1 ? 0 : (double) k / (d - 1)));
        }
        double[][] u = orthonormal(random, m, Math.min(m, d + 1));
        double[][] v = orthonormal(random, d, d);
        double smallest = sigma[d - 1] * sigma[d - 1];
        double lambda =
                switch (kind) {
                    case POSITIVE -> Math.pow(10, -3 + 4 * random.nextDouble());
                    case NEGATIVE -> -smallest * random.nextDouble();
                    case NEARLY_HARD -> -smallest * (1 - 1e-9);
                    case HARD -> -smallest;
                };
        double[] r = unit(random, d);
        double[] rHat = transposeTimes(v, r);
        // L (r + lambda H^{-1} r) = U diag(sigma + lambda/sigma) V'r
        double[] b = new double[m];
        double objective = noise * noise;
        for (int k = 0; k < d; k++) {
            double coefficient = (sigma[k] + lambda / sigma[k]) * rHat[k];
            objective += Math.pow(lambda * rHat[k] / sigma[k], 2);
            for (int i = 0; i < m; i++) {
                b[i] += coefficient * u[i][k];
            }
        }
        if (m > d) {
            for (int i = 0; i < m; i++) {
                b[i] += noise * u[i][d];
            }
        } else {
            objective -= noise * noise;
        }
        double[][] x = new double[m][n];
        double[] y = new double[m];
        double[] z = new double[m];
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < d; j++) {
                double entry = 0;
                for (int k = 0; k < d; k++) {
                    entry += u[i][k] * sigma[k] * v[j][k];
                }
                if (j < n) {
                    x[i][j] = 2 / Math.sqrt(gamma) * entry;
                } else {
                    z[i] = 2 * entry;
                }
            }
            y[i] = b[i] + z[i] / 2;
        }
        return new PlantedGame(PredictionGame.of(DenseMatrix.of(x), y, z, gamma), r, lambda, objective, sigma);
    }

    /** rows x cols with orthonormal columns, by Gram-Schmidt of a normal matrix, twice. */
    private static double[][] orthonormal(Random random, int rows, int cols) {
        double[][] q = new double[rows][cols];
        for (int k = 0; k < cols; k++) {
            double[] column = unit(random, rows);
            for (int round = 0; round < 2; round++) {
                for (int l = 0; l < k; l++) {
                    double dot = 0;
                    for (int i = 0; i < rows; i++) {
                        dot += q[i][l] * column[i];
                    }
                    for (int i = 0; i < rows; i++) {
                        column[i] -= dot * q[i][l];
                    }
                }
                normalise(column);
            }
            for (int i = 0; i < rows; i++) {
                q[i][k] = column[i];
            }
        }
        return q;
    }

    private static double[] unit(Random random, int length) {
        double[] v = random.doubles(length).map(x -> random.nextGaussian()).toArray();
        normalise(v);
        return v;
    }

    private static void normalise(double[] v) {
        double norm = 0;
        for (double value : v) {
            norm += value * value;
        }
        norm = Math.sqrt(norm);
        for (int i = 0; i < v.length; i++) {
            v[i] /= norm;
        }
    }

    private static double[] transposeTimes(double[][] a, double[] v) {
        double[] result = new double[a[0].length];
        for (int i = 0; i < a.length; i++) {
            for (int j = 0; j < result.length; j++) {
                result[j] += a[i][j] * v[i];
            }
        }
        return result;
    }
}
