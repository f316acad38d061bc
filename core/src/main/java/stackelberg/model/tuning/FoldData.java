package stackelberg.model.tuning;

import java.util.Arrays;
import java.util.List;
import stackelberg.data.Message;
import stackelberg.estimate.Resampling.Folds;
import stackelberg.game.GameSpec;
import stackelberg.game.LinearRule;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;

/**
 * The training sets of all folds in one matrix: the columns of all rows, encoded once, and for every fold a linear map
 * that turns them into the columns that an encoding of its training rows alone would give. Scaling and filling in
 * missing values are linear in [columns, indicators of missing values, 1], so nothing of the size of the data is stored
 * twice. The arrays are shared, not copied.
 *
 * @param spec the declared game
 * @param columns the shared columns, without the ones column that follows them
 * @param wishes by fold, the wishes of all rows by the rule of the fold's training rows; folds with equal rules share
 *     an array
 * @param weights the sample weights, 1 if none were given
 * @param intercept whether there is an immutable intercept
 * @param wishNoise the standard deviation of the noise of a wish
 * @param omega omega of today's rule of all rows; NaN if gammas are numbers
 * @param stretch by fold, the factor on gammas: with gammas as shares, omega of the fold's own today's rule over that
 *     of all rows, otherwise 1
 * @param games one for each fold
 */
record FoldData(
        GameSpec spec,
        Folds folds,
        Matrix columns,
        double[] y,
        double[][] wishes,
        double[] weights,
        boolean intercept,
        double wishNoise,
        double omega,
        double[] stretch,
        List<FoldGame> games,
        List<Message> warnings) {
    /**
     * The columns of one fold as combinations of the shared columns and the ones column: first the intercept and the
     * immutable columns, then the manipulable ones, then a manipulable intercept.
     *
     * @param columns the linear map that makes them
     * @param fixed the number of immutable columns
     * @param costs the costs of the manipulable columns
     * @param effects the effects of the manipulable columns on the target; null without effects
     */
    record FoldGame(ColumnMap columns, int fixed, double[] costs, double[] effects) {
        /** Returns a rule's coefficients in the order of these columns. */
        double[] inOrder(LinearRule rule) {
            double[] q = rule.q();
            double[] own = new double[columns.outputs()];
            if (q.length < fixed) {
                own[0] = rule.intercept();
            }
            System.arraycopy(q, 0, own, fixed - q.length, q.length);
            System.arraycopy(rule.w(), 0, own, fixed, costs.length);
            return own;
        }
    }

    /** Returns the wishes of all rows by the rule of the fold's training rows. */
    double[] z(int fold) {
        return wishes[fold];
    }

    FoldGame game(int fold) {
        return games.get(fold);
    }

    /** Returns the measured cost per value of making these data, in units of one multiplication in a matrix product. */
    double preparation() {
        return columns instanceof DenseMatrix ? 600 : 200;
    }

    /**
     * Returns sum_i s_i l(m_i, y_i) / sum_i s_i, where m_i is the score of the mean over the training rows of the fold
     * that holds out row i. For squared loss it is about the variance.
     */
    double meanLoss() {
        double[] held = foldWeights();
        double weight = Arrays.stream(held).sum();
        double[] sums = new double[held.length];
        for (int i = 0; i < y.length; i++) {
            sums[folds.of(i)] += weights[i] * y[i];
        }
        double[] means = new double[held.length];
        Arrays.setAll(means, f -> withoutFold(sums, f) / withoutFold(held, f));
        double loss = 0;
        for (int i = 0; i < y.length; i++) {
            double mean = spec.loss().score(means[folds.of(i)]);
            loss += weights[i] == 0 ? 0 : weights[i] * spec.loss().value(mean, y[i]);
        }
        return loss / weight;
    }

    /**
     * Returns the sum over all folds but one. Subtracting that fold from the total would lose digits if one row has far
     * more weight than the others.
     */
    static double withoutFold(double[] sums, int fold) {
        double sum = 0;
        for (int f = 0; f < sums.length; f++) {
            sum += f == fold ? 0 : sums[f];
        }
        return sum;
    }

    /** Returns the sum of the sample weights of a fold's training rows. */
    double trainingWeight(int fold) {
        double weight = 0;
        for (int i = 0; i < weights.length; i++) {
            weight += folds.of(i) == fold ? 0 : weights[i];
        }
        return weight;
    }

    /** Returns the sums of the sample weights of the held-out rows. */
    double[] foldWeights() {
        double[] sums = new double[folds.count()];
        for (int i = 0; i < weights.length; i++) {
            sums[folds.of(i)] += weights[i];
        }
        return sums;
    }
}
