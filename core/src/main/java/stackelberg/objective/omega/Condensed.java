package stackelberg.objective.omega;

import java.util.Arrays;
import java.util.stream.IntStream;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.CsrMatrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereFamily;

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
    private final double smallest;
    private final Workers workers;

    private Condensed(PredictionGame game, DirectSolver.Decomposition spectrum, double smallest, Workers workers) {
        this.game = game;
        this.spectrum = spectrum;
        this.smallest = smallest;
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
        double yy = Math.sqrt(Vectors.dot(restOfY, restOfY, weights));
        double yg = yy == 0 ? 0 : Vectors.dot(restOfY, restOfGap, weights) / yy;
        double[] orthogonal = restOfGap.clone();
        if (yy > 0) {
            Vectors.axpy(-yg / yy, restOfY, orthogonal);
        }
        truths[k] = yy;
        wishes[k] = yg;
        wishes[k + 1] = Math.sqrt(Vectors.dot(orthogonal, orthogonal, weights));
        wishes[k + 2] = Math.sqrt(Vectors.dot(taken, taken, weights));
        Vectors.axpy(1, truths, wishes);
        int[] diagonal = IntStream.range(0, k).toArray();
        CsrMatrix x = CsrMatrix.ofTriplets(k + 3, n, diagonal, diagonal, s);
        double[] immutable = new double[k + 3];
        immutable[k + 2] = 1;
        double[] noise = new double[k + 3];
        noise[k + 2] = Math.sqrt(game.wishNoiseVariance());
        PredictionGame condensed = PredictionGame.of(x, truths, wishes, game.gamma())
                .withImmutable(immutable)
                .withWishNoise(noise)
                .withRidge(game.ridge());
        return new Condensed(condensed, spectrum, smallest(spectrum, ordinary.family()), workers);
    }

    /** Less what the decomposition may be off. */
    private static double smallest(DirectSolver.Decomposition spectrum, SphereFamily family) {
        double roundings = Math.sqrt(family.features()) + 10 + 4 * (family.projectionGrowth() - 1);
        return Math.max(0, spectrum.smallest() - roundings * 0x1p-52 * family.squaredNorm());
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

    /** The game of the few, in which everybody moves. */
    PredictionGame game() {
        return game;
    }

    /**
     * The few as they are.
     *
     * @param squares s_k^2, and 0 where some rule changes nobody's score
     * @param y truths: U'Py, what is left of Py, 0 and 0
     * @param gap wishes less truths: U'P(z - y), its part along what is left of Py, the rest of it, and what the immutable columns take of it
     * @param noise of all wishes
     */
    record Few(double[] squares, double[] y, double[] gap, double noise) {}

    Few few() {
        double[] gap = game.z();
        Vectors.axpy(-1, game.y(), gap);
        double[] squares = Arrays.copyOf(spectrum.singularValues(), game.x().cols());
        Arrays.setAll(squares, k -> squares[k] * squares[k]);
        return new Few(squares, game.y(), gap, game.wishNoiseVariance());
    }

    /** A lower bound of the smallest eigenvalue of X'PX. */
    double smallest() {
        return smallest;
    }

    /** The coefficients on the cost-scaled features of all the people. */
    double[] coefficients(double[] a) {
        return spectrum.coefficients(a, workers);
    }
}
