package stackelberg.solver.mixed;

import java.util.Arrays;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.sphere.Reduction;

/**
 * The few people who stand for all of them where everybody has one gamma: with PX = U diag(s) Q', person k has the one feature s_k, and truth and gap U'Py
 * and U'P(z - y); three more have none, for what is left of the two, and for what the immutable columns take of the gap.
 *
 * <p>Every loss of a rule w = Q a, whoever is truthful, is the same sum of squares for them as for all the people, so that one decomposition serves every
 * share, omega and gamma.
 */
final class Condensed {
    private final PredictionGame game;
    private final DirectSolver.Decomposition spectrum;
    private final Workers workers;

    private Condensed(PredictionGame game, DirectSolver.Decomposition spectrum, Workers workers) {
        this.game = game;
        this.spectrum = spectrum;
        this.workers = workers;
    }

    /**
     * Those who stand for the people of a game.
     *
     * @param mixed the same game, any share
     * @param ordinary the same game, reduced
     * @param spectrum of the same data
     */
    static Condensed of(
            PredictionGame game,
            MixedReduction mixed,
            Reduction ordinary,
            DirectSolver.Decomposition spectrum,
            Workers workers) {
        double[] s = spectrum.singularValues();
        double[] y = spectrum.leftPy();
        double[] gap = spectrum.leftPz();
        Vectors.axpy(-1, y, gap);
        int k = s.length;
        int n = spectrum.hasNullVector() ? k + 1 : k;
        double[] truths = Arrays.copyOf(y, k + 3);
        double[] wishes = Arrays.copyOf(gap, k + 3);
        double[] weights = game.weights();
        double[] gaps = game.z();
        Vectors.axpy(-1, game.y(), gaps);
        Reduction ofGap = mixed.reduce(gaps, weights);
        double[] restOfY =
                ordinary.residuals(explaining(y, s, n, spectrum, workers)).orElseThrow();
        double[] restOfGap =
                ofGap.residuals(explaining(gap, s, n, spectrum, workers)).orElseThrow();
        double[] taken = ofGap.residuals(new double[mixed.features()]).orElseThrow();
        Vectors.axpy(1, gaps, taken);
        // residuals are less what they are of
        double yy = Math.sqrt(dot(weights, restOfY, restOfY));
        double yg = yy == 0 ? 0 : dot(weights, restOfY, restOfGap) / yy;
        double[] orthogonal = restOfGap.clone();
        if (yy > 0) {
            Vectors.axpy(-yg / yy, restOfY, orthogonal);
        }
        truths[k] = yy;
        wishes[k] = yg;
        wishes[k + 1] = Math.sqrt(dot(weights, orthogonal, orthogonal));
        wishes[k + 2] = Math.sqrt(dot(weights, taken, taken));
        Vectors.axpy(1, truths, wishes);
        DenseMatrix x = DenseMatrix.zeros(k + 3, n);
        for (int i = 0; i < k; i++) {
            x.set(i, i, s[i]);
        }
        double[] immutable = new double[k + 3];
        immutable[k + 2] = 1;
        double[] noise = new double[k + 3];
        noise[k + 2] = Math.sqrt(game.wishNoiseVariance());
        PredictionGame condensed = PredictionGame.of(x, truths, wishes, game.gamma())
                .withImmutable(immutable)
                .withWishNoise(noise);
        return new Condensed(condensed, spectrum, workers);
    }

    /** The coefficients that explain what the features can explain. */
    private static double[] explaining(
            double[] left, double[] s, int n, DirectSolver.Decomposition spectrum, Workers workers) {
        double[] a = new double[n];
        for (int i = 0; i < left.length; i++) {
            a[i] = left[i] / s[i];
        }
        return spectrum.coefficients(a, workers);
    }

    private static double dot(double[] weights, double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += weights[i] * a[i] * b[i];
        }
        return sum;
    }

    /** The game of the few, in which everybody moves. */
    PredictionGame game() {
        return game;
    }

    /** The coefficients on the cost-scaled features of all the people. */
    double[] coefficients(double[] a) {
        return spectrum.coefficients(a, workers);
    }
}
