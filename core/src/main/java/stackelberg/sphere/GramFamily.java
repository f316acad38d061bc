package stackelberg.sphere;

import java.util.Arrays;
import java.util.Optional;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.sphere.SphereProblem.Evaluation;

/**
 * The family of a game of which only sums over the rows are known: the Gram matrix of P[X, y, z - y].
 *
 * <p>No row is read again: an evaluation costs O(n^2) whatever the number of rows, and sums of different rows can be added. The price is accuracy: f is a
 * difference of sums and has an error of a few eps times their size, the part that P removed included. That error is added to f, so that f is never
 * understated, and reported as {@link Evaluation#overstated}. The half gradient is as accurate as the sums; the certificate's rounding allowance
 * covers it, because {@link #squaredNorm} is that of X before the projection.
 */
final class GramFamily implements SphereFamily {
    /** The error of f, relative to the summed size of its terms. */
    private static final double ROUNDINGS = 4 * 0x1p-52;

    private final DenseMatrix gram;
    private final Sums sums;
    private final Rounding rounding;
    private final Workers workers;

    /** Splits the sums of products of X, y and z - y into X'PX, X'Py, X'Pz and the scalars. */
    private GramFamily(DenseMatrix formed, double noise, Rounding rounding, Workers workers) {
        int n = formed.rows() - 2;
        this.gram = DenseMatrix.zeros(n, n);
        for (int i = 0; i < n; i++) {
            gram.setRow(i, Arrays.copyOf(formed.row(i), n));
        }
        double[] xy = Arrays.copyOf(formed.row(n), n);
        double[] xz = Arrays.copyOf(formed.row(n + 1), n);
        Vectors.axpy(1, xy, xz);
        // from y and gap = z - y: z = y + gap, y - z/2 = (y - gap)/2
        double yy = formed.get(n, n);
        double yGap = formed.get(n + 1, n);
        double gapGap = formed.get(n + 1, n + 1);
        double zz = Math.max(0, yy + 2 * yGap + gapGap) + noise;
        double p = Math.max(0, (yy - 2 * yGap + gapGap + noise) / 4);
        this.sums = new Sums(xy, xz, yy, yy + yGap, zz, p, gapGap + noise);
        this.rounding = rounding;
        this.workers = workers;
        Magnitude.require("the features", rounding.squaredNorm(), rounding.squaredNorm() > 0);
        Magnitude.require("the target and the wish", yy + zz, false);
    }

    /**
     * Returns the family of the given sums, which are copied.
     *
     * @param formed the symmetric Gram matrix of P[X, y, z - y], weights included, of order n + 2; z - y in place of z, because it may be small
     *     compared with both
     * @param noise s^2, the summed variance of the wishes
     * @param rounding sizes of X before the projection; its number of rows is less the rank of V, an upper bound on the rank of PX
     */
    static GramFamily of(DenseMatrix formed, double noise, Rounding rounding, Workers workers) {
        if (formed.rows() != formed.cols() || formed.rows() < 2) {
            throw new IllegalArgumentException("The sums are " + formed.rows() + " x " + formed.cols()
                    + "; they must be square, with two rows for y and z - y.");
        }
        return new GramFamily(formed, noise, rounding, workers);
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
        return workers;
    }

    @Override
    public int rankBound() {
        return (int) Math.max(0, Math.min(features(), rounding.rows()));
    }

    @Override
    public void gramTimes(DenseMatrix v, DenseMatrix out) {
        gram.times(v, out, workers);
    }

    @Override
    public DenseMatrix gram() {
        return gram.copy();
    }

    /** Empty: the rows are not known. */
    @Override
    public Optional<Dual> dual() {
        return Optional.empty();
    }

    @Override
    public Evaluation[] evaluate(double[] gammas, double[][] r) {
        sums.requirePoints(r);
        int n = features();
        DenseMatrix v = DenseMatrix.zeros(n, gammas.length);
        for (int c = 0; c < gammas.length; c++) {
            double[] column = Arrays.copyOf(r[c], n);
            Vectors.scale(Math.sqrt(gammas[c]) / 2, column);
            v.setColumn(c, column);
        }
        DenseMatrix product = DenseMatrix.zeros(n, gammas.length);
        gramTimes(v, product);
        double[] xy = sums.xy();
        double[] xz = sums.xz();
        Evaluation[] result = new Evaluation[gammas.length];
        for (int c = 0; c < gammas.length; c++) {
            // with v = sqrt(gamma)/2 wTilde and wish = t: ||P(X v + t z - y)||^2 and the products of that residual with
            // X and z
            double wish = (1 + r[c][n]) / 2;
            double[] column = v.column(c);
            double[] withX = product.column(c);
            Vectors.axpy(wish, xz, withX);
            Vectors.axpy(-1, xy, withX);
            double withZ = Vectors.dot(column, xz) + wish * sums.zz() - sums.yz();
            double withY = Vectors.dot(column, xy) + wish * sums.yz() - sums.yy();
            double objective = Vectors.dot(column, withX) + wish * withZ - withY;
            double[] halfGradient = Arrays.copyOf(withX, n + 1);
            Vectors.scale(Math.sqrt(gammas[c]) / 2, halfGradient);
            halfGradient[n] = withZ / 2;
            double projected = removedNorm() * removedNorm() + squaredNorm() * Vectors.dot(column, column);
            // the rule w = 0 and Py = 0: every term is exactly 0
            boolean allZero = sums.yy() == 0 && wish == 0;
            double lost = allZero ? 0 : ROUNDINGS * (sums.yy() + sums.zz() + projectionGrowth() * projected);
            result[c] = new Evaluation(Math.max(objective, 0) + lost, halfGradient, 0, 2 * lost);
        }
        return result;
    }
}
