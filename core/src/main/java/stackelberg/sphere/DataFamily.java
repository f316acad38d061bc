package stackelberg.sphere;

import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;
import stackelberg.linalg.ColumnStatistics;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Gram;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.sphere.SphereProblem.Evaluation;

/** The family of a game whose rows are at hand: every product and every evaluation is a pass over them. */
final class DataFamily implements SphereFamily {
    /** A Gram matrix of more columns, 2 MB and more, is not kept. */
    private static final int MOST_KEPT = 512;

    private final ProjectedRows rows;
    private final double[] py;
    private final double[] pz;
    private final Sums sums;
    private final Rounding rounding;
    private final RowResiduals residuals;
    private DenseMatrix gram;
    private volatile Known last;

    /** Numbers of points that are remembered: forty gammas of 25,000 features. */
    private static final long MOST_KNOWN = 1 << 20;

    /** What was found at points: a certificate asks for it where a solver did just before. */
    private record Known(double[] gammas, double[][] r, Evaluation[] at) {
        boolean isAt(double[] otherGammas, double[][] other) {
            return Arrays.equals(otherGammas, gammas) && Arrays.deepEquals(other, r);
        }
    }

    /**
     * Reads the data once.
     *
     * @param x the manipulable features, costs already applied
     * @param weights one number where it is everybody's
     * @param py P y
     * @param pz P z
     * @param removedNorm ||y - Py|| + ||z - Pz||
     * @param noise s^2, the summed variance of the wishes
     * @param ranges receives those of the columns in the same read; may be null
     */
    DataFamily(
            Matrix x,
            double[] weights,
            RowProjection fixed,
            double[] py,
            double[] pz,
            double removedNorm,
            double noise,
            ColumnStatistics.Ranges ranges,
            Workers workers) {
        int m = x.rows();
        int k = fixed.rank();
        double[][] side = new double[k + 2][];
        for (int j = 0; j < k; j++) {
            side[j] = fixed.basis(j);
        }
        side[k] = py;
        side[k + 1] = pz;
        DenseMatrix products = DenseMatrix.zeros(x.cols(), k + 2);
        // a finite sum of squares is one of finite values, and nobody has to look at the rows for them
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
        Magnitude.require("the features", norm, norm > 0 || Magnitude.isPresent(xy) || Magnitude.isPresent(xz));
        Magnitude.require(
                "the target and the wish", yy + sums.zz(), Magnitude.isPresent(py) || Magnitude.isPresent(pz));
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
        return Math.max(
                0, Math.min(rows.x().cols(), rows.x().rows() - rows.fixed().rank()));
    }

    @Override
    public void gramTimes(DenseMatrix v, DenseMatrix out) {
        rows.gramTimes(v, out);
    }

    /** {@inheritDoc} The points asked about last are remembered, to the bit: who asks for them again gets what a pass would give, without one. */
    @Override
    public Evaluation[] evaluate(double[] gammas, double[][] r) {
        if ((long) gammas.length * (rows.x().cols() + 1) > MOST_KNOWN) {
            return residuals.evaluate(gammas, r);
        }
        Known known = last;
        if (known == null || !known.isAt(gammas, r)) {
            double[][] points = Arrays.stream(r).map(double[]::clone).toArray(double[][]::new);
            known = new Known(gammas.clone(), points, residuals.evaluate(gammas, r));
            last = known;
        }
        return Arrays.stream(known.at)
                .map(at -> new Evaluation(at.objective(), at.halfGradient().clone(), at.neglected(), at.overstated()))
                .toArray(Evaluation[]::new);
    }

    /** {@inheritDoc} A small one is formed once, and copied for whoever asks. */
    @Override
    public synchronized DenseMatrix gram() {
        if (rows.x().cols() > MOST_KEPT) {
            return rows.gram();
        }
        gram = gram == null ? rows.gram() : gram;
        return gram.copy();
    }

    @Override
    public void gram(DenseMatrix out) {
        if (rows.x().cols() <= MOST_KEPT) {
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

    /** X w. */
    double[] times(double[] w) {
        DenseMatrix out = DenseMatrix.zeros(rows.x().rows(), 1);
        rows.x().times(DenseMatrix.column(w), out, rows.workers());
        return out.column(0);
    }

    /** -E'S(L r - b) without the part of z and y, which the reduction adds: -F'v. */
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
