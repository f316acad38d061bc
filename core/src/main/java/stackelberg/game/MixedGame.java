package stackelberg.game;

import stackelberg.linalg.Workers;

/**
 * The prediction game with a mixed population: the leader minimises sum_i s_i [S (p_i - y_i)^2 + (1 - S)((1 - t_i) p_i + t_i z_i - y_i)^2 + (1
 * - S) t_i^2 sigma_i^2] with t_i = omega / (gamma_i + omega) and S the share of the truthful.
 *
 * <p>With one gamma for all and S = 0 it is the {@link PredictionGame} at that gamma.
 *
 * @param game everything but who moves; its own gamma plays no part
 */
public record MixedGame(PredictionGame game, Population population) {
    public MixedGame {
        if (population.size() != game.x().rows()) {
            throw new IllegalArgumentException("The population has " + population.size() + " people, the game "
                    + game.x().rows() + " rows.");
        }
    }

    /** The leader's expected loss after those who move have moved. */
    public double leaderLoss(LinearRule rule, Workers workers) {
        double omega = rule.omega(game.costs());
        double share = population.truthfulShare();
        double[] p = game.predict(rule, workers);
        double[] y = game.y();
        double[] z = game.z();
        double[] weights = game.weights();
        double[] noise = game.wishNoise();
        double loss = 0;
        for (int i = 0; i < p.length; i++) {
            double t = population.pullThrough(i, omega);
            double plain = p[i] - y[i];
            double moved = population.remainder(i, omega) * p[i] + t * z[i] - y[i];
            double unknown = t * noise[i];
            loss += weights[i] * (share * plain * plain + (1 - share) * (moved * moved + unknown * unknown));
        }
        return loss;
    }

    /** The average over the people, by weight, of the fraction of the gap that they close. */
    public double pullThrough(double omega) {
        double[] weights = game.weights();
        double sum = 0;
        double total = 0;
        for (int i = 0; i < weights.length; i++) {
            sum += weights[i] * population.expectedPullThrough(i, omega);
            total += weights[i];
        }
        return sum / total;
    }
}
