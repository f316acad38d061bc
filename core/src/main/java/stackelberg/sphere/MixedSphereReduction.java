package stackelberg.sphere;

import java.util.Arrays;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.game.Response;
import stackelberg.linalg.AffineMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;

/**
 * The way from a game with a mixed population to one sphere problem per omega = w'C^{-1}w, and back.
 *
 * <p>People who differ in gamma close different fractions of their gaps, so no single sphere holds them all; once omega is fixed, every row is
 * an ordinary least-squares row and only the norm of w is left as a constraint.
 */
public final class MixedSphereReduction {
    private final MixedRows rows;
    private final Matrix x;
    private final double[] rootCosts;
    private final double[][] columns;
    private final double[] explained;
    private final boolean intercept;
    private final Workers workers;
    /** X'PX where everybody responds alike: then every omega only scales it. */
    private DenseMatrix commonGram;

    private MixedSphereReduction(
            MixedRows rows,
            Matrix x,
            double[] rootCosts,
            double[][] columns,
            double[] explained,
            boolean intercept,
            Workers workers) {
        this.rows = rows;
        this.x = x;
        this.rootCosts = rootCosts;
        this.columns = columns;
        this.explained = explained;
        this.intercept = intercept;
        this.workers = workers;
    }

    public static MixedSphereReduction of(PredictionGame game, Workers workers) {
        double[] costs = game.costs();
        double[] rootCosts = Arrays.stream(costs).map(Math::sqrt).toArray();
        boolean equal = Arrays.stream(costs).allMatch(c -> c == 1);
        Matrix x = equal ? game.x() : new AffineMatrix(game.x(), null, rootCosts, false);
        double[][] columns = RowReduction.fixedColumns(game);
        double[] weights = game.weights();
        // moving the part of y that the immutable columns explain into q changes no loss, and keeps numbers small
        RowProjection fixed = RowProjection.of(columns, weights);
        double[] y = game.y();
        double[] z = game.z();
        double[] coordinates = fixed.coordinates(y);
        double[] gap = new double[y.length];
        for (int i = 0; i < gap.length; i++) {
            gap[i] = z[i] - y[i];
        }
        MixedRows rows = new MixedRows(
                weights,
                game.population().truthfulShare(),
                game.population().gammas(),
                fixed.remove(y, coordinates),
                gap,
                game.wishNoise());
        return new MixedSphereReduction(
                rows, x, rootCosts, columns, fixed.coefficients(coordinates), game.hasIntercept(), workers);
    }

    public MixedRows rows() {
        return rows;
    }

    public int features() {
        return x.cols();
    }

    /** t_i at one omega, of every row. */
    double[] pullThroughs(double omega) {
        return Arrays.stream(rows.gamma())
                .map(gamma -> Response.pullThrough(omega, gamma))
                .toArray();
    }

    /** 1 - t_i at one omega, of every row. */
    double[] remainders(double omega) {
        return Arrays.stream(rows.gamma()).map(gamma -> remainder(omega, gamma)).toArray();
    }

    /** 1 - t = gamma/(gamma + omega) of somebody who moves. */
    public static double remainder(double omega, double gamma) {
        return Response.remainder(omega, gamma);
    }

    /** The sphere problem of all rules with w'C^{-1}w = omega. */
    public MixedSlice at(double omega) {
        if (!(omega >= 0) || Double.isInfinite(omega)) {
            throw new IllegalArgumentException("omega is " + omega + "; it must be finite and not negative.");
        }
        return new MixedSlice(this, omega);
    }

    /** The rule whose coefficients on cost-scaled features are w, with the best immutable part. */
    public LinearRule recover(double[] w) {
        double[] q = at(Vectors.dot(w, w)).immutableCoefficients(w);
        Vectors.axpy(1, explained, q);
        double[] scaled = w.clone();
        for (int j = 0; j < scaled.length; j++) {
            scaled[j] *= rootCosts[j];
        }
        return intercept
                ? new LinearRule(scaled, Arrays.copyOfRange(q, 1, q.length), q[0])
                : new LinearRule(scaled, q, 0);
    }

    /** Coefficients on cost-scaled features of a rule on the features themselves. */
    public double[] scaled(LinearRule rule) {
        double[] w = rule.w();
        for (int j = 0; j < w.length; j++) {
            w[j] /= rootCosts[j];
        }
        return w;
    }

    /** The point r = (wTilde, alphaTilde) of the ordinary sphere at gamma that stands for w: how a model keeps it. */
    public double[] pointOf(double[] w, double gamma) {
        return SphereGeometry.pointOf(w, gamma);
    }

    /** The inverse of {@link #pointOf}. */
    public double[] coefficientsOf(double[] r, double gamma) {
        return SphereGeometry.coefficients(r, gamma);
    }

    /** The rows of those who never move, and their loss alone: what no omega can buy. */
    public TruthfulPart truthful() {
        double[] weights = new double[rows.count()];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = rows.weight()[i] * (Double.isInfinite(rows.gamma()[i]) ? 1 : rows.share());
        }
        return TruthfulPart.of(x, columns, weights, rows.y(), workers);
    }

    /** The limit omega -> infinity for those who move: what everybody's wish costs, and how fast the limit is approached. */
    public LimitPart limit(double gamma0) {
        return LimitPart.of(this, gamma0);
    }

    Matrix x() {
        return x;
    }

    double[][] columns() {
        return columns;
    }

    Workers workers() {
        return workers;
    }

    double[] times(double[] w) {
        DenseMatrix out = DenseMatrix.zeros(x.rows(), 1);
        x.times(DenseMatrix.column(w), out, workers);
        return out.column(0);
    }

    /** X'v. */
    double[] transposeTimes(double[] v) {
        DenseMatrix out = DenseMatrix.zeros(x.cols(), 1);
        x.transposeTimes(DenseMatrix.column(v), out, null, workers);
        return out.column(0);
    }

    /** X'PX of a slice with row factors w: formed anew only where the rows differ. */
    DenseMatrix gramOf(DataFamily family, double[] w) {
        boolean alike = Arrays.stream(rows.gamma()).allMatch(gamma -> gamma == rows.gamma()[0]);
        if (!alike) {
            return family.gram();
        }
        synchronized (this) {
            if (commonGram == null) {
                commonGram = family.gram();
                scale(commonGram, 1 / w[0]);
            }
        }
        DenseMatrix copy = DenseMatrix.zeros(x.cols(), x.cols());
        for (int i = 0; i < x.cols(); i++) {
            copy.setRow(i, commonGram.row(i));
        }
        scale(copy, w[0]);
        return copy;
    }

    private static void scale(DenseMatrix matrix, double factor) {
        for (int i = 0; i < matrix.rows(); i++) {
            double[] row = matrix.row(i);
            Vectors.scale(factor, row);
            matrix.setRow(i, row);
        }
    }
}
