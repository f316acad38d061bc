package stackelberg.model.tuning;

/**
 * Every model gamma in every world, and the one that is never far from the best: the choice when nobody knows what moving costs.
 *
 * @param gammas the model gammas
 * @param worldGammas what moving may cost
 * @param loss the mean loss of a person held out, by model and world
 * @param regret loss less the smallest loss in that world
 * @param worstRegret the largest regret of each model
 * @param worstWorld the index of the world where that is
 * @param choice the index of the model with the smallest worst regret
 */
public record RegretTable(
        double[] gammas,
        double[] worldGammas,
        double[][] loss,
        double[][] regret,
        double[] worstRegret,
        int[] worstWorld,
        int choice) {
    static RegretTable of(double[] gammas, double[] worldGammas, double[][] loss) {
        int models = gammas.length;
        int worlds = worldGammas.length;
        double[][] regret = new double[models][worlds];
        double[] worstRegret = new double[models];
        int[] worstWorld = new int[models];
        for (int k = 0; k < worlds; k++) {
            double best = Double.POSITIVE_INFINITY;
            for (int j = 0; j < models; j++) {
                best = Math.min(best, loss[j][k]);
            }
            for (int j = 0; j < models; j++) {
                regret[j][k] = loss[j][k] - best;
                if (regret[j][k] > worstRegret[j]) {
                    worstRegret[j] = regret[j][k];
                    worstWorld[j] = k;
                }
            }
        }
        int choice = 0;
        for (int j = 1; j < models; j++) {
            choice = worstRegret[j] < worstRegret[choice] ? j : choice;
        }
        return new RegretTable(gammas.clone(), worldGammas.clone(), loss, regret, worstRegret, worstWorld, choice);
    }
}
