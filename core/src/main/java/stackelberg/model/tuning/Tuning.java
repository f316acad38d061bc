package stackelberg.model.tuning;

import java.util.ArrayList;
import java.util.List;

/**
 * How cautious the rule should be: the held-out losses of every model gamma, for people who respond with any gamma of the world.
 *
 * <p>The model's gamma is a choice (small: the rule fears that everybody moves), the world's is a fact. If people held out responded with the
 * model's own gamma, a larger one would always look better, because it makes them move less; so each rule is judged in a given world ({@link
 * #curve}) or, when that is unknown, by its regret over many worlds ({@link #regret}). Per rule and fold the loss is a quadratic in the
 * world's pull-through, so any number of worlds costs nothing.
 */
public final class Tuning {
    private final double[] gammas;
    private final Folds folds;
    /** By fold and model gamma. */
    private final HeldOut[][] heldOut;

    private final double[] foldWeights;
    private final double meanLoss;
    private final String method;
    private final boolean settled;
    private final List<String> warnings;

    Tuning(
            double[] gammas,
            Folds folds,
            HeldOut[][] heldOut,
            double[] foldWeights,
            double meanLoss,
            String method,
            boolean settled,
            List<String> warnings) {
        this.gammas = gammas.clone();
        this.folds = folds;
        this.heldOut = heldOut;
        this.foldWeights = foldWeights;
        this.meanLoss = meanLoss;
        this.method = method;
        this.settled = settled;
        this.warnings = List.copyOf(warnings);
    }

    /** The model gammas. */
    public double[] gammas() {
        return gammas.clone();
    }

    public Folds folds() {
        return folds;
    }

    /** How the folds were computed and why, for people. */
    public String method() {
        return method;
    }

    /**
     * Whether every rule of every fold is finite and its solver has converged to the tolerance (by its own account; the rule that is chosen in the
     * end is fitted and certified); if not, the warnings say how many are not.
     */
    public boolean settled() {
        return settled;
    }

    public List<String> warnings() {
        return warnings;
    }

    /** The summed loss of the people held out in one fold under the rule of one model gamma, in a world where moving costs worldGamma. */
    public double foldLoss(int fold, int model, double worldGamma) {
        requirePositive(worldGamma);
        return heldOut[fold][model].loss(worldGamma);
    }

    /** The loss of a person held out, weights respected: the sum over all folds, divided by the sum of the weights. */
    public double loss(int model, double worldGamma) {
        double sum = 0;
        double weight = 0;
        for (int f = 0; f < heldOut.length; f++) {
            sum += foldLoss(f, model, worldGamma);
            weight += foldWeights[f];
        }
        return sum / weight;
    }

    /** The loss of a person held out, weights respected, if everybody is predicted the mean of the training rows: a rule nobody can pull. */
    public double meanLoss() {
        return meanLoss;
    }

    /** The curve over the model gammas in one world, its minimum and the one-standard-error choice. */
    public WorldCurve curve(double worldGamma) {
        List<WorldCurve.Point> points = new ArrayList<>();
        for (int j = 0; j < gammas.length; j++) {
            double pullThrough = 0;
            for (HeldOut[] fold : heldOut) {
                pullThrough += fold[j].pullThrough(worldGamma) / heldOut.length;
            }
            double loss = loss(j, worldGamma);
            points.add(new WorldCurve.Point(gammas[j], loss, standardError(j, worldGamma, loss), pullThrough));
        }
        return WorldCurve.of(worldGamma, points);
    }

    /** All model gammas in all these worlds, and the choice of least worst-case regret. */
    public RegretTable regret(double... worldGammas) {
        if (worldGammas.length == 0) {
            throw new IllegalArgumentException("There is no world gamma to compare in.\nMaybe give a range of them.");
        }
        double[][] loss = new double[gammas.length][worldGammas.length];
        for (int j = 0; j < gammas.length; j++) {
            for (int k = 0; k < worldGammas.length; k++) {
                loss[j][k] = loss(j, worldGammas[k]);
            }
        }
        return RegretTable.of(gammas, worldGammas, loss);
    }

    /** Of the ratio of sums over folds: sqrt(K/(K - 1) sum_f (L_f - mean W_f)^2)/W, which for folds of one size is sd/sqrt(K). */
    private double standardError(int model, double worldGamma, double mean) {
        double squares = 0;
        double weight = 0;
        for (int f = 0; f < heldOut.length; f++) {
            double deviation = heldOut[f][model].loss(worldGamma) - mean * foldWeights[f];
            squares += deviation * deviation;
            weight += foldWeights[f];
        }
        int count = heldOut.length;
        return Math.sqrt(squares * count / (count - 1)) / weight;
    }

    private static void requirePositive(double worldGamma) {
        if (!(worldGamma > 0) || Double.isInfinite(worldGamma)) {
            throw new IllegalArgumentException(
                    "The world's gamma is " + worldGamma + "; it must be positive and finite.");
        }
    }
}
