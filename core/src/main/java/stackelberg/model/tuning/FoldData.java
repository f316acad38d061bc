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
 * All training sets in one matrix: the columns of all rows, encoded once, and for every fold the linear map that makes of them what an encoding of
 * its training rows alone would have made. Scaling and filling in missing values are linear in [columns, where a value is missing, 1], so nothing
 * of the size of the data is held twice; the arrays are not copied either.
 *
 * @param spec what is declared of the game
 * @param columns the shared columns, without the ones that follow them
 * @param wishes by fold everybody's wish by the rule of its training rows; one array where rules are the same
 * @param weights of the rows, 1 where none were given
 * @param intercept whether there is one that nobody can change
 * @param wishNoise the standard deviation of a wish
 * @param omega of today's rule of all rows; not a number where gammas are numbers
 * @param stretch by fold what gammas are multiplied by: where they are shares, omega of its own today's rule over that of all rows, otherwise 1
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
     * One fold's columns, as combinations of the shared ones and of the column of ones that follows them: the immutable columns first, the intercept
     * before them, then those people can change, a manipulable intercept after them.
     *
     * @param columns how they are made
     * @param fixed how many of them are immutable
     * @param costs one for each of the others
     * @param effects of a move by one of each of the others on the target; null where moves do nothing to it
     */
    record FoldGame(ColumnMap columns, int fixed, double[] costs, double[] effects) {
        /** A rule's coefficients in the order of these columns. */
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

    /** Everybody's wish by the rule of a fold's training rows. */
    double[] z(int fold) {
        return wishes[fold];
    }

    FoldGame game(int fold) {
        return games.get(fold);
    }

    /** What making this has cost per value, in units of a multiplication in a product: measured. */
    double preparation() {
        return columns instanceof DenseMatrix ? 600 : 200;
    }

    /** sum_i s_i l(m_i, y_i) / sum_i s_i, with m_i the score of the mean of the rows that are in training while i is held out: for squared loss the variance. */
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

    /** The sum of all folds but one: taking it from the total would lose the others' digits where one row counts far more than they do. */
    static double withoutFold(double[] sums, int fold) {
        double sum = 0;
        for (int f = 0; f < sums.length; f++) {
            sum += f == fold ? 0 : sums[f];
        }
        return sum;
    }

    /** How much the people count that a fold is learned from. */
    double trainingWeight(int fold) {
        double weight = 0;
        for (int i = 0; i < weights.length; i++) {
            weight += folds.of(i) == fold ? 0 : weights[i];
        }
        return weight;
    }

    /** The weight of the people held out in each fold. */
    double[] foldWeights() {
        double[] sums = new double[folds.count()];
        for (int i = 0; i < weights.length; i++) {
            sums[folds.of(i)] += weights[i];
        }
        return sums;
    }
}
