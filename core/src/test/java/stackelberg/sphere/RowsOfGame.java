package stackelberg.sphere;

import java.util.Arrays;
import stackelberg.estimate.Moments;
import stackelberg.game.PredictionGame;
import stackelberg.game.RandomGame;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;
import stackelberg.sphere.Reduction.RemoteRows;

/** The rows M = [1, V, X, y, z - y] of a game as if they were kept elsewhere, each sum by its definition. */
final class RowsOfGame implements RemoteRows {
    private static final Workers ALONE = Workers.of(1);

    private final PredictionGame game;
    private final int fixed;
    private final double[][] rows;
    private int reads;

    RowsOfGame(PredictionGame game) {
        this.game = game;
        double[][] immutable = game.immutable();
        int ones = game.hasIntercept() ? 1 : 0;
        this.fixed = immutable.length + ones;
        this.rows = RandomGame.rows(game);
        double[] y = game.y();
        double[] z = game.z();
        for (int i = 0; i < rows.length; i++) {
            double[] row = new double[fixed + game.x().cols() + 2];
            row[0] = 1;
            for (int k = 0; k < immutable.length; k++) {
                row[ones + k] = immutable[k][i];
            }
            System.arraycopy(rows[i], 0, row, fixed, rows[i].length);
            row[row.length - 2] = y[i];
            row[row.length - 1] = z[i] - y[i];
            rows[i] = row;
        }
    }

    /** The game reduced through these rows. */
    Reduction remotely() {
        return Reduction.ofRemote(
                this,
                game.costs(),
                game.wishNoiseVariance(),
                game.ridge(),
                game.effects().orElse(null),
                game.hasIntercept(),
                ALONE);
    }

    /** The game reduced from its sums alone. */
    Reduction bySums() {
        return Reduction.ofSums(
                sums(),
                game.costs(),
                game.wishNoiseVariance(),
                game.ridge(),
                game.effects().orElse(null),
                game.hasIntercept(),
                ALONE);
    }

    /** How many products have been asked for. */
    int reads() {
        return reads;
    }

    @Override
    public int fixed() {
        return fixed;
    }

    @Override
    public int features() {
        return game.x().cols();
    }

    @Override
    public Totals totals() {
        double[] weights = game.weights();
        double[] squares = new double[features()];
        for (int i = 0; i < rows.length; i++) {
            for (int j = 0; j < squares.length; j++) {
                squares[j] += weights[i] * rows[i][fixed + j] * rows[i][fixed + j];
            }
        }
        return new Totals(rows.length, Arrays.stream(weights).sum(), squares);
    }

    @Override
    public Product times(DenseMatrix c) {
        reads++;
        double[] weights = game.weights();
        DenseMatrix image = DenseMatrix.zeros(c.rows(), c.cols());
        double[] squares = new double[c.cols()];
        for (int i = 0; i < rows.length; i++) {
            for (int k = 0; k < c.cols(); k++) {
                double u = 0;
                for (int j = 0; j < rows[i].length; j++) {
                    u += rows[i][j] * c.get(j, k);
                }
                squares[k] += weights[i] * u * u;
                for (int j = 0; j < rows[i].length; j++) {
                    image.set(j, k, image.get(j, k) + weights[i] * u * rows[i][j]);
                }
            }
        }
        return new Product(image, squares);
    }

    @Override
    public Moments sums() {
        int order = fixed + features() + 2;
        DenseMatrix sums = DenseMatrix.zeros(order, order);
        for (int i = 0; i < rows.length; i++) {
            for (int a = 0; a < order; a++) {
                for (int b = 0; b < order; b++) {
                    sums.set(a, b, sums.get(a, b) + game.weights()[i] * (rows[i][a] * rows[i][b]));
                }
            }
        }
        Totals totals = totals();
        return new Moments(sums, totals.rows(), totals.weight());
    }
}
