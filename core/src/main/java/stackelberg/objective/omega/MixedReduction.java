package stackelberg.objective.omega;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import stackelberg.certificate.Certificate;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.AffineMatrix;
import stackelberg.linalg.ColumnStatistics;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.SymmetricEigen;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereFamily;

/**
 * Reduces a game with a mixed population to one sphere problem per omega = w'C^{-1}w, and recovers rules.
 *
 * <p>Rows with different gammas close different fractions of their gaps, so no single sphere represents them all. At a
 * fixed omega, however, every row is an ordinary least-squares row, and only the norm of w remains as a constraint.
 */
final class MixedReduction {
    /** The largest ratio between the sizes of features; beyond it, the smaller ones have lost too many digits. */
    private static final double DECADES = 1e5;

    /** The largest number of features whose dependence is examined; with more, dependence is assumed to be possible. */
    private static final int MOST_COMPARED = 2000;

    private final MixedRows rows;
    private final Matrix x;
    private final double[] rootCosts;
    private final double[][] immutable;
    /** The levels subtracted from the immutable columns, which the intercept compensates. */
    private final double[] levels;

    private final boolean intercept;
    private final LinearRule explained;
    private final Penalty penalty;
    private final Workers workers;
    /** X'PX if all rows have the same gamma, so that omega only scales it. */
    private @Nullable DenseMatrix commonGram;

    private MixedReduction(PredictionGame game, Workers workers) {
        this.penalty = Penalty.of(game);
        double[] costs = game.costs();
        this.rootCosts = Arrays.stream(costs).map(Math::sqrt).toArray();
        boolean equal = Arrays.stream(costs).allMatch(c -> c == 1);
        this.x = equal ? game.x() : new AffineMatrix(game.x(), null, rootCosts, false);
        this.levels = game.immutableLevels();
        this.immutable = game.immutableMinus(levels);
        this.intercept = game.hasIntercept();
        this.workers = workers;
        double[] weights = game.weights();
        // moving the part of y that the immutable columns explain into q changes no loss and keeps numbers small
        double[] y = game.y();
        Reduction ordinary = reduce(y, weights);
        double[] nothing = new double[x.cols()];
        this.explained = ordinary.naiveRule(nothing);
        double[] rest = ordinary.residuals(nothing).orElseThrow();
        Vectors.scale(-1, rest);
        double[] gap = game.z();
        Vectors.axpy(-1, y, gap);
        this.rows = new MixedRows(
                weights, game.population().truthfulShare(), game.population().gammas(), rest, gap, game.wishNoise());
    }

    static MixedReduction of(PredictionGame game, Workers workers) {
        if (game.bounds().isPresent() || game.effects().isPresent()) {
            throw new IllegalArgumentException(
                    "People who differ are searched for among moves without limits and effects.");
        }
        return new MixedReduction(game, workers);
    }

    /**
     * Returns the reduction of least squares of y on cost-scaled features and immutable columns with other weights: a
     * game whose wishes are all 0.
     */
    Reduction reduce(double[] y, double[] weights) {
        PredictionGame game = PredictionGame.of(x, y, new double[y.length], 1)
                .withImmutable(immutable)
                .withWeights(weights);
        return Reduction.of(intercept ? game.withIntercept() : game, workers);
    }

    /**
     * Returns the loss in the limit omega -> infinity if every row moves: each gets its wish plus the part of the
     * immutable columns, which grow with omega, that is subtracted again. So the residuals are those of the regression
     * of z - y on gamma_i v_i.
     */
    double limitPointLoss() {
        double[] gamma = rows.gamma();
        double largest = Arrays.stream(gamma).filter(Double::isFinite).max().orElse(1);
        double[] factors = Arrays.stream(gamma)
                .map(value -> Double.isInfinite(value) ? 0 : value / largest)
                .toArray();
        int first = intercept ? 1 : 0;
        double[][] scaled = new double[first + immutable.length][];
        for (int j = 0; j < scaled.length; j++) {
            scaled[j] = factors.clone();
            for (int i = 0; i < factors.length && j >= first; i++) {
                scaled[j][i] *= immutable[j - first][i];
            }
        }
        PredictionGame limit = PredictionGame.of(x, rows.gap(), new double[factors.length], 1)
                .withImmutable(scaled)
                .withWeights(rows.weight());
        double[] residuals =
                Reduction.of(limit, workers).residuals(new double[x.cols()]).orElseThrow();
        double sum = 0;
        for (int i = 0; i < residuals.length; i++) {
            double noise = rows.noise()[i];
            sum += rows.weight()[i] * (residuals[i] * residuals[i] + noise * noise);
        }
        return sum;
    }

    /**
     * Returns whether the bounds over omega can be trusted. They do not account for the rounding of features whose
     * sizes differ by many decades, of features that are nearly constant if there is no intercept, and of features that
     * are nearly dependent if every row is truthful: rules that fit only the rounding errors are then not limited.
     */
    boolean resolved() {
        ColumnStatistics statistics = ColumnStatistics.of(x, workers);
        double least = Double.POSITIVE_INFINITY;
        double most = 0;
        boolean constants = false;
        for (int j = 0; j < x.cols(); j++) {
            double mean = Math.abs(statistics.mean()[j]);
            double sd = statistics.sd()[j];
            double size = Math.hypot(mean, sd);
            least = size > 0 ? Math.min(least, size) : least;
            most = Math.max(most, size);
            constants |= !intercept && sd > 0 && mean > DECADES * sd;
        }
        return !constants && (most == 0 || most <= DECADES * least) && (rows.share() < 1 || independent());
    }

    /**
     * Returns whether every feature has a component of its own above rounding: the eigenvalues of the matrix of cosines
     * are at least 1e-10 of the largest.
     */
    private boolean independent() {
        int n = x.cols();
        if (n > MOST_COMPARED) {
            return false;
        }
        DenseMatrix unit = DenseMatrix.zeros(n, n);
        for (int j = 0; j < n; j++) {
            unit.set(j, j, 1);
        }
        DenseMatrix products = DenseMatrix.zeros(n, n);
        Matrix.RowStep[] steps = new Matrix.RowStep[x.parts(n)];
        Arrays.fill(steps, (Matrix.RowStep) (first, count, u) -> {});
        x.pass(unit, steps, products, workers);
        DenseMatrix cosines = DenseMatrix.zeros(n, n);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                double size = Math.sqrt(products.get(i, i) * products.get(j, j));
                cosines.set(i, j, size > 0 ? products.get(i, j) / size : i == j ? 1 : 0);
            }
        }
        double[] values = SymmetricEigen.valuesOf(cosines, workers);
        return n == 0 || values[0] > 1e-10 * values[n - 1];
    }

    MixedRows rows() {
        return rows;
    }

    /** Returns the ridge's penalty as a function of omega. */
    Penalty penalty() {
        return penalty;
    }

    int features() {
        return x.cols();
    }

    /** Returns the sphere problem of all rules with w'C^{-1}w = omega. */
    MixedSlice at(double omega) {
        if (!(omega >= 0) || Double.isInfinite(omega)) {
            throw new IllegalArgumentException("omega is " + omega + "; it must be finite and not negative.");
        }
        return new MixedSlice(this, omega);
    }

    /**
     * Returns what is proven of coefficients on cost-scaled features among rules with the same omega; empty at w = 0,
     * the only rule there.
     */
    Optional<Certificate> slice(double[] w) {
        double omega = Vectors.dot(w, w);
        if (omega == 0) {
            return Optional.empty();
        }
        double[] unit = w.clone();
        Vectors.scale(1 / Math.sqrt(omega), unit);
        return Optional.of(Certificate.of(at(omega).problem(), unit));
    }

    /** Returns the rule with coefficients w on cost-scaled features and the best immutable part. */
    LinearRule recover(double[] w) {
        return completed(at(Vectors.dot(w, w)).bestRule(w), w);
    }

    /** Returns the rule whose immutable part is best for y - s (z - y) before any move. */
    LinearRule recover(double[] w, double s) {
        double[] target = rows.y().clone();
        Vectors.axpy(-s, rows.gap(), target);
        return completed(reduce(target, rows.weight()).naiveRule(w), w);
    }

    private LinearRule completed(LinearRule rest, double[] w) {
        double[] q = rest.q();
        Vectors.axpy(1, explained.q(), q);
        double[] scaled = w.clone();
        for (int j = 0; j < scaled.length; j++) {
            scaled[j] *= rootCosts[j];
        }
        double constant = rest.intercept() + explained.intercept();
        return new LinearRule(scaled, q, constant - Vectors.dot(levels, q));
    }

    /** Returns X'v. */
    double[] transposeTimes(double[] v) {
        DenseMatrix out = DenseMatrix.zeros(x.cols(), 1);
        x.transposeTimes(DenseMatrix.column(v), out, null, workers);
        return out.column(0);
    }

    /** Returns X'PX of a slice with row factors w; it is formed again only if the factors differ between rows. */
    synchronized DenseMatrix gramOf(SphereFamily family, double[] w) {
        boolean alike = Arrays.stream(rows.gamma()).allMatch(gamma -> gamma == rows.gamma()[0]);
        if (!alike) {
            return family.gram();
        }
        DenseMatrix common = commonGram;
        if (common == null) {
            common = family.gram();
            scale(common, 1 / w[0]);
            commonGram = common;
        }
        DenseMatrix copy = common.copy();
        scale(copy, w[0]);
        return copy;
    }

    /** Scales A by a factor. */
    static void scale(DenseMatrix matrix, double factor) {
        for (int i = 0; i < matrix.rows(); i++) {
            double[] row = matrix.row(i);
            Vectors.scale(factor, row);
            matrix.setRow(i, row);
        }
    }
}
