package stackelberg.model.response;

import java.util.Arrays;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.Workers;

/**
 * The followers in repeated retraining: in each round they respond to the rule in force, and the next rule is learned
 * from their features after that response.
 *
 * <p>If all followers move by the same multiple of their gap, sums over the rows suffice ({@link CrowdSums}). If limits
 * stop some of them or gammas differ, each round visits every row ({@link CrowdRows}), and for other losses than the
 * squared one it works on the moved rows themselves ({@link CrowdByLoss}).
 */
interface Crowd {
    /** Moves all followers by their best response to the rule. */
    void answer(LinearRule rule);

    /** Returns the loss of a rule at the current features. */
    double loss(LinearRule rule);

    /** Returns the rule learned from the current features. */
    LinearRule refit();

    /** Returns whether a round needs a pass over the rows. */
    boolean needsPass();

    /** Returns a copy in the initial state of the game. */
    Crowd initial();

    /**
     * Returns which manipulable columns the rules may use: all with a ridge; without one, only columns that are
     * linearly independent of the earlier ones.
     */
    static boolean[] usableColumns(PredictionGame game, PeopleSums start) {
        boolean[] all = new boolean[game.x().cols()];
        Arrays.fill(all, true);
        return game.ridge() > 0 ? all : start.independent(game.hasIntercept());
    }

    /** Returns the crowd in the initial state of the game. */
    static Crowd of(PredictionGame game, PeopleSums start, Retraining.Plan plan, Workers workers) {
        if (!game.loss().isSquared()) {
            return new CrowdByLoss(game, start, plan, workers);
        }
        boolean alike = game.bounds().isEmpty() && game.population().hasEqualGammas();
        return alike ? new CrowdSums(game, start, plan, workers) : new CrowdRows(game, start, plan, workers);
    }
}
