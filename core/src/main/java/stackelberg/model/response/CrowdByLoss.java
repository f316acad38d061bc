package stackelberg.model.response;

import java.nio.DoubleBuffer;
import stackelberg.data.DataException;
import stackelberg.estimate.Loss;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.game.Response;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;

/**
 * A crowd for other losses than the squared one, for which sums over the rows do not suffice: the current features of
 * all rows are held in memory. Moves are by scores (log-odds for logistic loss), and every follower moves by the same
 * multiple of the gap.
 */
final class CrowdByLoss implements Crowd {
    /** The largest number of values held, 2 GB. */
    private static final long MOST_VALUES = 1L << 28;

    private final PredictionGame game;
    private final PeopleSums start;
    private final Retraining.Plan plan;
    private final Workers workers;
    private final boolean[] usable;
    private final double[] y;
    private final double[] z;
    private final double[] weights;
    /** The current manipulable features of all rows, followed by the immutable columns. */
    private final DenseMatrix now;

    CrowdByLoss(PredictionGame game, PeopleSums start, Retraining.Plan plan, Workers workers) {
        requireAlike(game);
        this.game = game;
        this.start = start;
        this.plan = plan;
        this.workers = workers;
        this.usable = Crowd.usableColumns(game, start);
        this.y = game.y();
        this.z = game.z();
        this.weights = game.weights();
        int n = game.x().cols();
        double[][] fixed = game.immutable();
        if ((long) y.length * (n + fixed.length) > MOST_VALUES) {
            throw DataException.of(
                    "too-many-values",
                    "With the loss {}, retraining would hold {} values in memory, but at most {} are possible.\n"
                            + "Maybe retrain on fewer people.",
                    game.loss(),
                    (long) y.length * (n + fixed.length),
                    MOST_VALUES);
        }
        this.now = DenseMatrix.zeros(y.length, n + fixed.length);
        double[] row = new double[n];
        for (int i = 0; i < y.length; i++) {
            game.x().tile(i, 1, 0, n, DoubleBuffer.wrap(row));
            for (int j = 0; j < now.cols(); j++) {
                now.set(i, j, j < n ? row[j] : fixed[j - n][i]);
            }
        }
    }

    /**
     * Refuses games with settings that are not supported for these losses: limits, effects, noise of wishes, individual
     * gammas, truthful rows.
     */
    private static void requireAlike(PredictionGame game) {
        boolean noisy = game.wishNoiseVariance() > 0;
        if (noisy
                || !game.population().uniform()
                || game.bounds().isPresent()
                || game.effects().isPresent()) {
            throw new IllegalArgumentException("With the loss " + game.loss()
                    + ", retraining needs people who respond alike and do not change the target: no limits, effects,"
                    + " noise of wishes, gammas per row or truthful share.");
        }
    }

    @Override
    public Crowd initial() {
        return new CrowdByLoss(game, start, plan, workers);
    }

    @Override
    public boolean needsPass() {
        return true;
    }

    @Override
    public void answer(LinearRule rule) {
        double[] w = rule.w();
        double[] costs = game.costs();
        Response response = Response.of(rule.omega(costs), game.population().gamma(0));
        boolean anew = plan.memory() == Retraining.Memory.ORIGINAL;
        double[] scores = anew ? game.predict(rule, workers) : scores(rule);
        double[] from = new double[w.length];
        for (int i = 0; i < y.length; i++) {
            (anew ? game.x() : now).tile(i, 1, 0, from.length, DoubleBuffer.wrap(from));
            double step = (1 - plan.inertia()) * response.step(scores[i], z[i]);
            for (int j = 0; j < from.length; j++) {
                now.set(i, j, from[j] + step * w[j] / costs[j]);
            }
        }
    }

    /** Returns the scores of a rule at the current features. */
    private double[] scores(LinearRule rule) {
        double[] w = rule.w();
        double[] q = rule.q();
        DenseMatrix all = DenseMatrix.zeros(now.cols(), 1);
        for (int j = 0; j < now.cols(); j++) {
            all.set(j, 0, j < w.length ? w[j] : q[j - w.length]);
        }
        DenseMatrix out = DenseMatrix.zeros(y.length, 1);
        now.times(all, out, workers);
        double[] scores = out.column(0);
        for (int i = 0; i < scores.length; i++) {
            scores[i] += rule.intercept();
        }
        return scores;
    }

    @Override
    public double loss(LinearRule rule) {
        Loss loss = game.loss();
        double[] scores = scores(rule);
        double sum = 0;
        for (int i = 0; i < scores.length; i++) {
            sum += weights[i] == 0 ? 0 : weights[i] * loss.value(scores[i], y[i]);
        }
        return sum;
    }

    @Override
    public LinearRule refit() {
        return game.refit(now, usable, workers);
    }
}
