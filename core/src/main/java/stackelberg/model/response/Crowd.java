package stackelberg.model.response;

import java.util.Arrays;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.Workers;

/**
 * People round after round: they answer the rule in force, and the next one is learned from them as they then are.
 *
 * <p>Where everybody answers with the same multiple of a gap, their sums are enough ({@link CrowdSums}); where limits stop some, or gammas differ, they are
 * walked over one by one ({@link CrowdRows}), and so they are where rules are learned by another loss than squares ({@link CrowdByLoss}).
 */
interface Crowd {
    /** Everybody answers the rule. */
    void answer(LinearRule rule);

    /** What a rule loses on people as they now are. */
    double loss(LinearRule rule);

    /** The rule that is learned from people as they now are. */
    LinearRule refit();

    /** Whether a round takes a pass over the people. */
    boolean walks();

    /** The same people as the game found them. */
    Crowd again();

    /** The columns that rules are learned from, of those which people can move: with a ridge all, without it none that depends on others. */
    static boolean[] kept(PredictionGame game, PeopleSums start) {
        boolean[] all = new boolean[game.x().cols()];
        Arrays.fill(all, true);
        return game.ridge() > 0 ? all : start.independent(game.hasIntercept());
    }

    /** As the game found them. */
    static Crowd of(PredictionGame game, PeopleSums start, Retraining.Plan plan, Workers workers) {
        if (!game.loss().isSquared()) {
            return new CrowdByLoss(game, start, plan, workers);
        }
        boolean alike = game.bounds().isEmpty() && game.population().hasEqualGammas();
        return alike ? new CrowdSums(game, start, plan, workers) : new CrowdRows(game, start, plan, workers);
    }
}
