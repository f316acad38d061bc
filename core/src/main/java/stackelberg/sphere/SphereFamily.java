package stackelberg.sphere;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import stackelberg.linalg.CsrMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;
import stackelberg.sphere.SphereProblem.Evaluation;

/**
 * The sphere problems of one game for every gamma at once: X'PX as an operator, X'Py, X'Pz and three scalars.
 *
 * <p>With G = [X, z] and D = diag(sqrt(gamma)/2, ..., 1/2) the problem at gamma has H = D G'PG D, so gamma only rescales what is held here.
 */
public interface SphereFamily {
    /** X'Py, X'Pz and the scalars that every gamma shares. */
    Sums sums();

    /** What the rounding of the sums and of P grows with. */
    Rounding rounding();

    /** Whether X'PX, and with it every H, is a Gram matrix and every f a residual; otherwise it is only symmetric. */
    default boolean isGram() {
        return true;
    }

    /** The sizes that the rounding of X'Py and of X'Pz is relative to. */
    default double[] startSizes() {
        return new double[] {Math.sqrt(squaredNorm() * yy()), Math.sqrt(squaredNorm() * zz())};
    }

    /** The threads that products run on, and whoever factors a problem of this family. */
    Workers workers();

    /** n, the number of manipulable features; the sphere problems have dimension n + 1. */
    default int features() {
        return sums().features();
    }

    /** out = X'PX V for several vectors at once: one pass over the data. */
    void gramTimes(DenseMatrix v, DenseMatrix out);

    /** X'PX itself, newly formed, order n. */
    DenseMatrix gram();

    /** The same in place of the zeros of out, which may be a part of a larger matrix: for an X'PX that fits into memory only once. */
    default void gram(DenseMatrix out) {
        out.setAll(gram());
    }

    /** The same spectrum from the side of the rows, when there are fewer rows than features. */
    Optional<Dual> dual();

    /** X'PX as a sparse matrix and a few dense columns, where X is sparse. */
    default Optional<Sparse> sparse() {
        return Optional.empty();
    }

    /** An upper bound of the rank of X'PX from the shape of the data alone, at most n. */
    int rankBound();

    /** X'Py. */
    default double[] xy() {
        return sums().xy();
    }

    /** X'Pz. */
    default double[] xz() {
        return sums().xz();
    }

    /** y'Py. */
    default double yy() {
        return sums().yy();
    }

    /** y'Pz. */
    default double yz() {
        return sums().yz();
    }

    /** z'Pz + s^2, with s^2 the summed variance of the wish noise. */
    default double zz() {
        return sums().zz();
    }

    /** p0 = ||Py||^2, the loss of the best rule that nobody can game (w = 0), which relative gaps fall back on; 0 if the immutable columns explain y. */
    default double ungameableLoss() {
        return yy();
    }

    /** ||P(y - z/2)||^2 + s^2/4, which is p without a ridge, the same for every gamma. */
    default double p() {
        return sums().p();
    }

    /** ||P(z - y)||^2 + s^2: the loss of believing everybody, the same for every gamma; f(0, ..., 0, 1) without a ridge. */
    default double believeEverybodyLoss() {
        return sums().believeEverybodyLoss();
    }

    /** An upper bound of ||X||_F^2 as it is used in the products, for rounding allowances. */
    default double squaredNorm() {
        return rounding().squaredNorm();
    }

    /** ||y - Py|| + ||z - Pz||, the size of what P takes away: its rounding stays in Py and Pz. */
    default double removedNorm() {
        return rounding().removedNorm();
    }

    /** By how much the rounding of sums over the rows exceeds that of a sum of a few. */
    default double roundingGrowth() {
        return rounding().growth();
    }

    /** By how many roundings P itself may be off, where immutable columns nearly depend on each other; 1 or more. */
    default double projectionGrowth() {
        return rounding().projectionGrowth();
    }

    /** f and its half gradient at one point for each gamma, all from one pass over the data. */
    Evaluation[] evaluate(double[] gammas, double[][] r);

    /** mu, the ridge of every member: mu (||u||^2 + gamma t^2) = mu gamma t is added to f, u = w/(1 + alpha); H does not change. */
    default double ridge() {
        return 0;
    }

    /** The same data with another ridge; whatever is computed from the data alone is shared. */
    default SphereFamily withRidge(double mu) {
        return mu == 0 ? this : new RidgedFamily(this, mu);
    }

    /** The same data without a ridge: families with the same one share X'PX, X'Py and X'Pz. */
    default SphereFamily data() {
        return this;
    }

    /** beta on cost-scaled features, what moves really do to the target: y in the sums is then y - X beta/2; null where they do nothing. */
    default double[] effects() {
        return null;
    }

    /** The same rows without a ridge and without effects: y in the sums is y itself. */
    default SphereFamily plain() {
        return data();
    }

    /** The same data where moves really change the target; costs a pass. */
    default SphereFamily withEffects(double[] beta) {
        return new EffectsFamily(this, beta);
    }

    /** The last entry of g without a ridge and effects: -(y'Pz - z'Pz/2)/2, the same for every gamma. */
    default double gBorder() {
        return -(yz() - zz() / 2) / 2;
    }

    /** f and its half gradient at one point for each problem, all of this data, whatever their ridges: one pass. */
    default Evaluation[] evaluate(List<SphereProblem> problems, double[][] r) {
        double[] gammas = problems.stream().mapToDouble(SphereProblem::gamma).toArray();
        Evaluation[] evaluations = data().evaluate(gammas, r);
        for (int c = 0; c < gammas.length; c++) {
            evaluations[c] = problems.get(c).tilted(evaluations[c], r[c]);
        }
        return evaluations;
    }

    /** The sphere problem at each gamma. */
    default List<SphereProblem> at(double[] gammas) {
        return Arrays.stream(gammas).mapToObj(this::at).toList();
    }

    /** The sphere problem at one gamma. */
    default SphereProblem at(double gamma) {
        return new FamilyProblem(this, gamma);
    }

    /** X with fewer rows than features, seen from the rows: K = PXX'P, and the way back. */
    interface Dual {
        /** K = PXX'P, newly formed, order m. */
        DenseMatrix gram();

        /** Py in the coordinates of K. */
        double[] y();

        /** Pz in the coordinates of K. */
        double[] z();

        /** out = PX V in the coordinates of K, with several columns. */
        void times(DenseMatrix v, DenseMatrix out);

        /** out = X'P U for U in the coordinates of K, with several columns. */
        void transposeTimes(DenseMatrix u, DenseMatrix out);
    }

    /**
     * The sums over the rows that every gamma of a {@link SphereFamily} shares, by the names they have there.
     *
     * @param zz wish noise included, as in p and believeEverybodyLoss
     */
    record Sums(double[] xy, double[] xz, double yy, double yz, double zz, double p, double believeEverybodyLoss) {
        public Sums {
            xy = xy.clone();
            xz = xz.clone();
        }

        @Override
        public double[] xy() {
            return xy.clone();
        }

        @Override
        public double[] xz() {
            return xz.clone();
        }

        /** n, the length of X'Py. */
        int features() {
            return xy.length;
        }

        /** Refuses points of another sphere. */
        void requirePoints(double[][] r) {
            for (double[] point : r) {
                if (point.length != features() + 1) {
                    throw new IllegalArgumentException("A point of this sphere has " + (features() + 1)
                            + " coordinates, not " + point.length + ".");
                }
            }
        }
    }

    /**
     * How large the terms of the sums of a {@link SphereFamily} are and how many, which is what their rounding grows with.
     *
     * @param squaredNorm an upper bound of ||X||_F^2 as it is used in the products
     * @param removedNorm ||y - Py|| + ||z - Pz||
     * @param projectionGrowth by how many roundings P may be off; 1 or more
     * @param rows how many rows were summed
     */
    record Rounding(double squaredNorm, double removedNorm, double projectionGrowth, long rows) {
        /** Sums over m rows: measured up to 3.1 times the rounding of short ones at m = 100,000, so the fourth root, with room. */
        double growth() {
            return 1 + Math.sqrt(Math.sqrt(Math.max(0, rows) / 1000.0));
        }
    }

    /**
     * X'PX = C'C - W T^{-1} W' on the first features, with a sparse C and a handful of columns W; the other features, if any, are dense.
     *
     * @param core C
     * @param low the columns of W
     * @param t T, symmetric, of the order of the number of columns
     */
    record Sparse(CsrMatrix core, double[][] low, double[][] t) {
        /** How many features are sparse; they come first. */
        public int features() {
            return core.cols();
        }
    }
}
