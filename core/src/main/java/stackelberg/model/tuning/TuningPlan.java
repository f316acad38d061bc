package stackelberg.model.tuning;

/**
 * What is to be cross-validated.
 *
 * @param gammas the model gammas to choose from: how hard the rule believes it is to move
 * @param folds how many parts the rows are cut into
 * @param seed of the permutation that cuts them
 * @param group a column whose equal values stay in one fold, or null
 */
public record TuningPlan(double[] gammas, int folds, long seed, String group) {
    public TuningPlan {
        gammas = gammas.clone();
        if (gammas.length == 0) {
            throw new IllegalArgumentException("There is no model gamma to choose from.\nMaybe give a range of them.");
        }
        for (double gamma : gammas) {
            if (!(gamma > 0) || Double.isInfinite(gamma)) {
                throw new IllegalArgumentException("A model gamma is " + gamma + "; it must be positive and finite.");
            }
        }
        if (folds < 2) {
            throw new IllegalArgumentException("The number of folds is " + folds + "; it must be at least 2.");
        }
    }

    /** Ten folds, seed 0, no groups. */
    public static TuningPlan of(double... gammas) {
        return new TuningPlan(gammas, 10, 0, null);
    }

    @Override
    public double[] gammas() {
        return gammas.clone();
    }

    public TuningPlan withFolds(int newFolds) {
        return new TuningPlan(gammas, newFolds, seed, group);
    }

    public TuningPlan withSeed(long newSeed) {
        return new TuningPlan(gammas, folds, newSeed, group);
    }

    /** Rows with the same value of the column are held out together; the column is not a feature. */
    public TuningPlan withGroup(String column) {
        return new TuningPlan(gammas, folds, seed, column);
    }
}
