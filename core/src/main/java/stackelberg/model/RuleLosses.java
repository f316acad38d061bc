package stackelberg.model;

import java.util.List;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.game.Sample;
import stackelberg.linalg.Workers;

/** What many rules and their naive rival lose: the predictions of as many rules as fit come from one product with the data. */
final class RuleLosses {
    /** Predictions held at once. */
    private static final long MAX_VALUES = 1 << 23;

    private final PredictionGame game;
    private final Naive naive;
    private final double[] honest;
    private final double[] meanGap;
    /** Those of the last rules. */
    private double[][] predictions;

    private final double totalWeight;
    private final Workers workers;

    /**
     * The rule that does not expect anybody to move.
     *
     * @param predictions what it predicts everybody
     * @param omega what people gain by it
     * @param w its coefficients of the features people can change
     */
    record Naive(double[] predictions, double omega, double[] w) {
        /** After everybody of a game has moved. */
        double attacked(PredictionGame game, Workers workers) {
            return game.leaderLoss(w, omega, predictions, workers);
        }
    }

    /** @param naive may be null, where it was not computed */
    RuleLosses(PredictionGame game, List<LinearRule> rules, Naive naive, Workers workers) {
        this(game, rules, naive, null, workers);
    }

    /** @param leaving sees what a single rule does to everybody in the same read; null where nobody wants to */
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

    /** What the last rule predicts everybody. */
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
     * The losses of the rule with that index.
     *
     * @param played the game at the gamma of the rule, with its population and limits
     * @param anticipated what the rule loses in it after the move
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
