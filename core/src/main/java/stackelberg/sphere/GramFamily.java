package stackelberg.sphere;

import java.util.Arrays;
import java.util.Optional;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;

/**
 * The family of a game of which only the formed sums are at hand: the Gram matrix of P[X, y, z - y].
 *
 * <p>Nothing is read again, so that a point costs O(n^2) whatever the number of rows, and sums of different rows may simply be added. The price:
 * f is a difference of sums and loses eps of their size, what P takes away included; it is reported that much too large rather than too small. The half gradient is as accurate as the sums, which
 * is what the rounding allowance of a certificate covers, because {@link #squaredNorm} is that of X before the projection.
 */
public final class GramFamily implements SphereFamily {
    /** f has this many roundings of the size of its terms. */
    private static final double ROUNDINGS = 4 * 0x1p-52;

    private final DenseMatrix gram;
    private final double[] xy;
    private final double[] xz;
    private final double yy;
    private final double yz;
    private final double zz;
    private final double p;
    private final double believeEverybodyLoss;
    private final double squaredNorm;
    private final double removedNorm;
    private final double projectionGrowth;
    private final int rows;
    private final Workers workers;

    private GramFamily(
            DenseMatrix sums,
            double noise,
            double squaredNorm,
            double removedNorm,
            double projectionGrowth,
            int rows,
            Workers workers) {
        int n = sums.rows() - 2;
        this.gram = DenseMatrix.zeros(n, n);
        this.xy = Arrays.copyOf(sums.row(n), n);
        this.xz = Arrays.copyOf(sums.row(n + 1), n);
        Vectors.axpy(1, xy, xz);
        for (int i = 0; i < n; i++) {
            gram.setRow(i, Arrays.copyOf(sums.row(i), n));
        }
        double yGap = sums.get(n + 1, n);
        double gapGap = sums.get(n + 1, n + 1);
        this.yy = sums.get(n, n);
        this.yz = yy + yGap;
        this.zz = yy + 2 * yGap + gapGap + noise;
        this.p = Math.max(0, (yy - 2 * yGap + gapGap + noise) / 4);
        this.believeEverybodyLoss = gapGap + noise;
        this.squaredNorm = squaredNorm;
        this.removedNorm = removedNorm;
        this.projectionGrowth = projectionGrowth;
        this.rows = rows;
        this.workers = workers;
        Magnitude.require("the features", squaredNorm, squaredNorm > 0);
        Magnitude.require("the target and the wish", yy + zz, false);
    }

    /**
     * A copy of the formed sums as a family.
     *
     * @param sums the symmetric Gram matrix of P[X, y, z - y], weights included, of order n + 2; the difference, because z - y may be small against
     *     both
     * @param noise s^2, the summed variance of the wishes
     * @param squaredNorm an upper bound of ||X||_F^2 before the projection, for rounding allowances
     * @param removedNorm ||y - Py|| + ||z - Pz||, for the same
     * @param projectionGrowth by how many roundings P may be off, for the same
     * @param rows an upper bound of the rank of P: the number of rows less that of independent immutable columns
     */
    public static GramFamily of(
            DenseMatrix sums,
            double noise,
            double squaredNorm,
            double removedNorm,
            double projectionGrowth,
            int rows,
            Workers workers) {
        if (sums.rows() != sums.cols() || sums.rows() < 2) {
            throw new IllegalArgumentException("The sums are " + sums.rows() + " x " + sums.cols()
                    + "; they must be square, with two rows for y and z - y.");
        }
        return new GramFamily(sums, noise, squaredNorm, removedNorm, projectionGrowth, rows, workers);
    }

    @Override
    public int features() {
        return xy.length;
    }

    @Override
    public int rankBound() {
        return Math.max(0, Math.min(xy.length, rows));
    }

    @Override
    public void gramTimes(DenseMatrix v, DenseMatrix out) {
        gram.times(v, out, workers);
    }

    @Override
    public DenseMatrix gram() {
        DenseMatrix copy = DenseMatrix.zeros(xy.length, xy.length);
        copy.setAll(gram);
        return copy;
    }

    /** Empty: the rows are gone. */
    @Override
    public Optional<Dual> dual() {
        return Optional.empty();
    }

    @Override
    public Evaluation[] evaluate(double[] gammas, double[][] r) {
        int n = xy.length;
        DenseMatrix v = DenseMatrix.zeros(n, gammas.length);
        for (int c = 0; c < gammas.length; c++) {
            if (r[c].length != n + 1) {
                throw new IllegalArgumentException(
                        "A point of this sphere has " + (n + 1) + " coordinates, not " + r[c].length + ".");
            }
            double[] column = Arrays.copyOf(r[c], n);
            Vectors.scale(Math.sqrt(gammas[c]) / 2, column);
            v.setColumn(c, column);
        }
        DenseMatrix product = DenseMatrix.zeros(n, gammas.length);
        gramTimes(v, product);
        Evaluation[] result = new Evaluation[gammas.length];
        for (int c = 0; c < gammas.length; c++) {
            // ||P(X v + wish z - y)||^2 and its products with X and z
            double wish = (1 + r[c][n]) / 2;
            double[] column = v.column(c);
            double[] withX = product.column(c);
            Vectors.axpy(wish, xz, withX);
            Vectors.axpy(-1, xy, withX);
            double withZ = Vectors.dot(column, xz) + wish * zz - yz;
            double withY = Vectors.dot(column, xy) + wish * yz - yy;
            double objective = Vectors.dot(column, withX) + wish * withZ - withY;
            double[] halfGradient = Arrays.copyOf(withX, n + 1);
            Vectors.scale(Math.sqrt(gammas[c]) / 2, halfGradient);
            halfGradient[n] = withZ / 2;
            double projected = removedNorm * removedNorm + squaredNorm * Vectors.dot(column, column);
            double lost = ROUNDINGS * (yy + zz + projectionGrowth * projected);
            result[c] = new Evaluation(Math.max(objective, 0) + lost, halfGradient);
        }
        return result;
    }

    @Override
    public double[] xy() {
        return xy.clone();
    }

    @Override
    public double[] xz() {
        return xz.clone();
    }

    @Override
    public double yy() {
        return yy;
    }

    @Override
    public double yz() {
        return yz;
    }

    @Override
    public double zz() {
        return zz;
    }

    @Override
    public double p() {
        return p;
    }

    @Override
    public double believeEverybodyLoss() {
        return believeEverybodyLoss;
    }

    @Override
    public double squaredNorm() {
        return squaredNorm;
    }

    /** As for rows at hand: the sums are over as many. */
    @Override
    public double roundingGrowth() {
        return DataFamily.roundingGrowth(rows);
    }

    @Override
    public double projectionGrowth() {
        return projectionGrowth;
    }

    @Override
    public double removedNorm() {
        return removedNorm;
    }
}
