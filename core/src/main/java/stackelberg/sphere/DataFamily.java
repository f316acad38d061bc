package stackelberg.sphere;

import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import stackelberg.linalg.ColumnStatistics;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Gram;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.sphere.SphereProblem.Evaluation;

/**
 * The family of a game whose rows are in memory or in a mapped file: every product and every evaluation is one pass over them.
 *
 * <p>Two results are cached, because a solver and the certificate after it ask for the same: a small Gram matrix X'PX, and the evaluations at the points
 * of the latest call.
 */
final class DataFamily implements SphereFamily {
    /** The largest number of columns for which X'PX is cached; 512 columns are 2 MB. */
    private static final int MAX_CACHED_GRAM_COLUMNS = 512;

    private final ProjectedRows rows;
    private final double[] py;
    private final double[] pz;
    private final Sums sums;
    private final Rounding rounding;
    private final RowResiduals residuals;
    private @Nullable DenseMatrix gram;
    private volatile @Nullable CachedEvaluations last;

    /** The largest number of coordinates of cached points: forty gammas with 25,000 features each. */
    private static final long MAX_CACHED_COORDINATES = 1 << 20;

    /** The points of one call of {@link #evaluate} and their evaluations: the certificate evaluates the very points that a solver has just evaluated. */
    private record CachedEvaluations(double[] gammas, double[][] r, Evaluation[] at) {
        boolean isAt(double[] otherGammas, double[][] other) {
            return Arrays.equals(otherGammas, gammas) && Arrays.deepEquals(other, r);
        }
    }

    /**
     * Reads the data once.
     *
     * @param x the manipulable features, costs already applied
     * @param weights the sample weights; an array of one number if all rows have that weight
     * @param fixed the projection P
     * @param py P y
     * @param pz P z
     * @param removedNorm ||y - Py|| + ||z - Pz||
     * @param noise s^2, the summed variance of the wishes
     * @param ranges if not null, receives the smallest and largest value of every column, at no extra read
     * @throws IllegalArgumentException if a value is not finite or too large to square
     */
    DataFamily(
            Matrix x,
            double[] weights,
            RowProjection fixed,
            double[] py,
            double[] pz,
            double removedNorm,
            double noise,
            ColumnStatistics.@Nullable Ranges ranges,
            Workers workers) {
        int m = x.rows();
        int k = fixed.rank();
        // one product X'S[E, Py, Pz] gives F = X'SE, X'Py and X'Pz together
        double[][] side = new double[k + 2][];
        for (int j = 0; j < k; j++) {
            side[j] = fixed.basis(j);
        }
        side[k] = py;
        side[k + 1] = pz;
        DenseMatrix products = DenseMatrix.zeros(x.cols(), k + 2);
        // if the sum of squares is known from reading the file and finite, every value is finite: no need to square the
        // rows again
        OptionalDouble known = Vectors.isOnes(weights) ? Gram.knownSquares(x) : OptionalDouble.empty();
        double[] rowSquares = Double.isFinite(known.orElse(Double.NaN)) ? null : new double[m];
        x.transposeTimes(new Matrix.RowVectors(m, weights, side), products, rowSquares, ranges, workers);
        double[][] f = new double[k][];
        for (int j = 0; j < k; j++) {
            f[j] = products.column(j);
        }
        double yy = Vectors.dot(py, py, weights);
        double yz = Vectors.dot(py, pz, weights);
        double zz = Vectors.dot(pz, pz, weights);
        // summed from the differences themselves: yy - 2 yz + zz would cancel where z is close to y
        double bb = 0;
        double gapGap = 0;
        for (int i = 0; i < m; i++) {
            double s = Vectors.at(weights, i);
            double b = py[i] - pz[i] / 2;
            double gap = pz[i] - py[i];
            bb += s * b * b;
            gapGap += s * gap * gap;
        }
        double norm = rowSquares == null ? known.getAsDouble() : 0;
        for (int i = 0; i < m && rowSquares != null; i++) {
            norm += Vectors.at(weights, i) * rowSquares[i];
            if (!Double.isFinite(rowSquares[i])) {
                throw new IllegalArgumentException("The features of row " + (i + 1)
                        + " have a value that is not a number, not finite, or too large to square.");
            }
        }
        double[] xy = products.column(k);
        double[] xz = products.column(k + 1);
        this.rows = new ProjectedRows(x, weights, fixed, f, workers);
        this.py = py;
        this.pz = pz;
        this.sums = new Sums(xy, xz, yy, yz, zz + noise, bb + noise / 4, gapGap + noise);
        this.rounding = new Rounding(norm, removedNorm, fixed.conditioning(), m);
        this.residuals = new RowResiduals(rows, py, pz, noise, sums, norm);
        Magnitude.require("the features", norm, norm > 0 || Magnitude.hasNonzero(xy) || Magnitude.hasNonzero(xz));
        Magnitude.require(
                "the target and the wish", yy + sums.zz(), Magnitude.hasNonzero(py) || Magnitude.hasNonzero(pz));
    }

    @Override
    public Sums sums() {
        return sums;
    }

    @Override
    public Rounding rounding() {
        return rounding;
    }

    @Override
    public Workers workers() {
        return rows.workers();
    }

    @Override
    public int rankBound() {
        // PX has rank at most m less the rank of V, because P removes the range of V
        return Math.max(
                0, Math.min(rows.x().cols(), rows.x().rows() - rows.fixed().rank()));
    }

    @Override
    public void gramTimes(DenseMatrix v, DenseMatrix out) {
        rows.gramTimes(v, out);
    }

    /** {@inheritDoc} The results at the latest points are cached: a second call with bitwise the same points returns them without a pass. */
    @Override
    public Evaluation[] evaluate(double[] gammas, double[][] r) {
        if ((long) gammas.length * (rows.x().cols() + 1) > MAX_CACHED_COORDINATES) {
            return residuals.evaluate(gammas, r);
        }
        CachedEvaluations cached = last;
        if (cached == null || !cached.isAt(gammas, r)) {
            double[][] points = Arrays.stream(r).map(double[]::clone).toArray(double[][]::new);
            cached = new CachedEvaluations(gammas.clone(), points, residuals.evaluate(gammas, r));
            last = cached;
        }
        // copies, because callers may overwrite the gradient
        return Arrays.stream(cached.at)
                .map(at -> new Evaluation(at.objective(), at.halfGradient().clone(), at.neglected(), at.overstated()))
                .toArray(Evaluation[]::new);
    }

    /** {@inheritDoc} A small one is formed once; every call returns a copy. */
    @Override
    public synchronized DenseMatrix gram() {
        if (rows.x().cols() > MAX_CACHED_GRAM_COLUMNS) {
            return rows.gram();
        }
        gram = gram == null ? rows.gram() : gram;
        return gram.copy();
    }

    @Override
    public void gram(DenseMatrix out) {
        if (rows.x().cols() <= MAX_CACHED_GRAM_COLUMNS) {
            out.setAll(gram());
        } else {
            rows.gram(out);
        }
    }

    @Override
    public Optional<Sparse> sparse() {
        return Optional.ofNullable(SparseGram.of(rows.x(), rows.weights(), rows.fixed()));
    }

    @Override
    public Optional<Dual> dual() {
        return rows.x().rows() < rows.x().cols() ? Optional.of(new RowDual(rows, py, pz)) : Optional.empty();
    }

    /** Returns X w, one value per row. */
    double[] times(double[] w) {
        DenseMatrix out = DenseMatrix.zeros(rows.x().rows(), 1);
        rows.x().times(DenseMatrix.column(w), out, rows.workers());
        return out.column(0);
    }

    /** Returns -F'v = -E'S X v, the coordinates on E that the immutable columns must have to cancel X v; the reduction adds the parts of z and y. */
    double[] fixedCoordinates(double[] v) {
        double[][] f = rows.f();
        double[] c = new double[f.length];
        for (int k = 0; k < c.length; k++) {
            for (int j = 0; j < v.length; j++) {
                c[k] += f[k][j] * v[j];
            }
        }
        Vectors.scale(-1, c);
        return c;
    }
}
