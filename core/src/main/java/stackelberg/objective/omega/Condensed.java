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
 * A few pseudo-rows with the same losses as all rows of a game in which every follower has the same gamma. With PX = U
 * diag(s) Q', pseudo-row k has a single feature, s_k, with the truth and the gap from U'Py and U'P(z - y). Three more
 * pseudo-rows have no features: they hold the remainders of the truth and of the gap, and the part of the gap that the
 * immutable columns explain.
 *
 * <p>Every loss of a rule w = Q a, with any truthful share, is the same sum of squares for the pseudo-rows as for all
 * rows. So one decomposition serves every share, omega and gamma.
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
     * Makes the pseudo-rows of a game.
     *
     * @param mixed the game with any truthful share
     * @param ordinary the reduction of the game
     * @param spectrum the decomposition of its data
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
        // the remainders are smaller than the vectors from which they remain
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

    /** Returns the smallest eigenvalue minus the error of the decomposition. */
    private static double smallest(DirectSolver.Decomposition spectrum, SphereFamily family) {
        double roundings = Math.sqrt(family.features()) + 10 + 4 * (family.projectionGrowth() - 1);
        return Math.max(0, spectrum.smallest() - roundings * 0x1p-52 * family.squaredNorm());
    }

    /** Returns the coefficients that explain everything that the features can explain. */
    private static double[] explaining(
            double[] left, double[] s, int n, DirectSolver.Decomposition spectrum, Workers workers) {
        double[] a = new double[n];
        for (int i = 0; i < left.length; i++) {
            a[i] = left[i] / s[i];
        }
        return spectrum.coefficients(a, workers);
    }

    /** Returns the game of the pseudo-rows without truthful rows. */
    PredictionGame game() {
        return game;
    }

    /**
     * The pseudo-rows as plain numbers.
     *
     * @param squares s_k^2; a single 0 is included if some rule changes no score
     * @param y the truths: U'Py, the norm of the remainder of Py, 0 and 0
     * @param gap wishes minus truths: U'P(z - y), its part along the remainder of Py, the rest of it, and what the
     *     immutable columns explain of it
     * @param noise the noise of all wishes
     */
    record Few(double[] squares, double[] y, double[] gap, double noise) {}

    Few few() {
        double[] gap = game.z();
        Vectors.axpy(-1, game.y(), gap);
        double[] squares = Arrays.copyOf(spectrum.singularValues(), game.x().cols());
        Arrays.setAll(squares, k -> squares[k] * squares[k]);
        return new Few(squares, game.y(), gap, game.wishNoiseVariance());
    }

    /** Returns a lower bound of the smallest eigenvalue of X'PX. */
    double smallest() {
        return smallest;
    }

    /** Returns the coefficients on the cost-scaled features of all rows. */
    double[] coefficients(double[] a) {
        return spectrum.coefficients(a, workers);
    }
}
