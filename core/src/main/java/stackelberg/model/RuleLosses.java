package stackelberg.model;

import java.util.List;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.game.Sample;
import stackelberg.linalg.Workers;

/**
 * Computes the losses of several rules and of today's rule. The predictions of as many rules as fit into memory come
 * from one product with the data.
 */
final class RuleLosses {
    /** The largest number of predictions held at once. */
    private static final long MAX_VALUES = 1 << 23;

    private final PredictionGame game;
    private final Naive naive;
    private final double[] honest;
    private final double[] meanGap;
    /** The predictions of the latest rules. */
    private double[][] predictions;

    private final double totalWeight;
    private final Workers workers;

    /**
     * Today's rule, which does not anticipate moves.
     *
     * @param predictions its prediction for each row
     * @param omega w'C^{-1}w
     * @param w its coefficients of the manipulable features
     */
    record Naive(double[] predictions, double omega, double[] w) {
        /** Returns the loss of today's rule after the move. */
        double attacked(PredictionGame game, Workers workers) {
            return game.leaderLoss(w, omega, predictions, workers);
        }
    }

    /**
     * @param naive today's rule; may be null if it was not computed
     */
    RuleLosses(PredictionGame game, List<LinearRule> rules, Naive naive, Workers workers) {
        this(game, rules, naive, null, workers);
    }

    /**
     * @param leaving counts the moves out of range in the same pass, for a single rule; may be null
     */
    RuleLosses(PredictionGame game, List<LinearRule> rules, Naive naive, Sample.RangeCounter leaving, Workers workers) {
        this.game = game;
        this.naive = naive;
        this.workers = workers;
        this.totalWeight = game.totalWeight();
        this.honest = new double[rules.size()];
        this.meanGap = new double[rules.size()];
        int together =
                (int) Math.max(1, Math.min(rules.size(), MAX_VALUES / game.x().rows()));
        for (int first = 0; first < honest.length; first += together) {
            List<LinearRule> block = rules.subList(first, Math.min(honest.length, first + together));
            predictions = game.predict(block, leaving, workers);
            for (int k = 0; k < predictions.length; k++) {
                honest[first + k] = game.lossOf(predictions[k]);
                meanGap[first + k] = meanGap(predictions[k]);
            }
        }
    }

    /** Returns the predictions of the last rule. */
    double[] predictions() {
        return predictions[predictions.length - 1];
    }

    private double meanGap(double[] predictions) {
        if (game.effects().isEmpty()) {
            return Double.NaN;
        }
        double sum = 0;
        for (int i = 0; i < predictions.length; i++) {
            sum += game.weight(i) * (game.z(i) - predictions[i]);
        }
        return sum / totalWeight;
    }

    /**
     * Returns the losses of the rule with the given index.
     *
     * @param played the game at the rule's gamma, with its population and limits
     * @param anticipated the rule's loss after the move in that game
     */
    StackelbergModel.Losses of(int rule, PredictionGame played, double anticipated) {
        return new StackelbergModel.Losses(
                totalWeight,
                anticipated,
                honest[rule],
                naive == null ? null : game.lossOf(naive.predictions),
                naive == null ? null : naive.attacked(played, workers),
                played.bounds().isEmpty() && Double.isFinite(meanGap[rule]) ? meanGap[rule] : null);
    }
}
