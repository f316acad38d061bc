package stackelberg.sphere;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import stackelberg.linalg.CsrMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;
import stackelberg.sphere.SphereProblem.Evaluation;

/**
 * The sphere problems of one game at every gamma: X'PX as an operator, the vectors X'Py and X'Pz, and a few scalars.
 *
 * <p>With G = [X, z] and D = diag(sqrt(gamma)/2, ..., sqrt(gamma)/2, 1/2) the problem at gamma has H = D G'PG D: gamma only rescales what a family holds, so
 * one read of the data, one Krylov basis or one decomposition serves a whole path of gammas.
 */
public interface SphereFamily {
    /** Returns X'Py, X'Pz and the scalars that all gammas share. */
    Sums sums();

    /** Returns the sizes that the rounding errors of the sums and of P are proportional to. */
    Rounding rounding();

    /** Returns whether X'PX, and with it every H, is a Gram matrix and every f a sum of squares; otherwise H is only symmetric. */
    default boolean isGram() {
        return true;
    }

    /** Returns two numbers, the sizes that the rounding errors of X'Py and of X'Pz are relative to: ||X||_F ||Py|| and ||X||_F ||Pz||. */
    default double[] startSizes() {
        return new double[] {Math.sqrt(squaredNorm() * yy()), Math.sqrt(squaredNorm() * zz())};
    }

    /** Returns the threads for products with the data and for factorisations of problems of this family. */
    Workers workers();

    /** Returns n, the number of manipulable features; the sphere problems have dimension n + 1. */
    default int features() {
        return sums().features();
    }

    /**
     * Writes X'PX V to out: one pass over the data, whatever the number of columns of V.
     *
     * @param v n rows; not modified
     * @param out of the size of v; overwritten
     */
    void gramTimes(DenseMatrix v, DenseMatrix out);

    /** Returns X'PX, newly formed, of order n. */
    DenseMatrix gram();

    /**
     * Writes X'PX to out, for an X'PX so large that it fits into memory only once.
     *
     * @param out all zero, of order n; may be a part of a larger matrix
     */
    default void gram(DenseMatrix out) {
        out.setAll(gram());
    }

    /** Returns the rows' side K = PXX'P, which has the same nonzero eigenvalues as X'PX; empty unless there are fewer rows than features. */
    Optional<Dual> dual();

    /** Returns X'PX as a sparse matrix minus a matrix of low rank; empty if X is not sparse. */
    default Optional<Sparse> sparse() {
        return Optional.empty();
    }

    /** Returns an upper bound on the rank of X'PX that follows from the number of rows, immutable columns and features; at most n. */
    int rankBound();

    /** Returns X'Py. */
    default double[] xy() {
        return sums().xy();
    }

    /** Returns X'Pz. */
    default double[] xz() {
        return sums().xz();
    }

    /** Returns y'Py. */
    default double yy() {
        return sums().yy();
    }

    /** Returns y'Pz. */
    default double yz() {
        return sums().yz();
    }

    /** Returns z'Pz + s^2, with s^2 the summed variance of the wish noise. */
    default double zz() {
        return sums().zz();
    }

    /** Returns p0 = ||Py||^2, the loss of the rule w = 0, which makes no one move; relative gaps divide by at least 1e-9 p0. */
    default double zeroRuleLoss() {
        return yy();
    }

    /** Returns ||P(y - z/2)||^2 + s^2/4, which is p without a ridge, the same for every gamma. */
    default double p() {
        return sums().p();
    }

    /** Returns ||P(z - y)||^2 + s^2, the loss of the limit point (pull-through 1): f(0, ..., 0, 1) without a ridge, the same for every gamma. */
    default double limitPointLoss() {
        return sums().limitPointLoss();
    }

    /** Returns an upper bound on ||X||_F^2, for rounding allowances. */
    default double squaredNorm() {
        return rounding().squaredNorm();
    }

    /** Returns ||y - Py|| + ||z - Pz||: the rounding error of what P removes stays in Py and Pz. */
    default double removedNorm() {
        return rounding().removedNorm();
    }

    /** Returns the factor by which the rounding error of sums over all rows exceeds that of a short sum; 1 or more. */
    default double roundingGrowth() {
        return rounding().growth();
    }

    /** Returns by how many roundings P itself may be off; 1 or more, large if immutable columns nearly depend on each other. */
    default double projectionGrowth() {
        return rounding().projectionGrowth();
    }

    /**
     * Returns f and its half gradient at one point for each gamma, all from one pass over the data.
     *
     * @param gammas positive
     * @param r one point of n + 1 coordinates for each gamma; need not be on the sphere
     */
    Evaluation[] evaluate(double[] gammas, double[][] r);

    /** Returns mu, the ridge of every member: f includes mu (||u||^2 + gamma t^2) = mu gamma t with u = w/(1 + alpha). H does not depend on it. */
    default double ridge() {
        return 0;
    }

    /** Returns the family of the same data with another ridge; it shares all that is computed from the data. */
    default SphereFamily withRidge(double mu) {
        return mu == 0 ? this : new RidgedFamily(this, mu);
    }

    /** Returns the family of the same data without a ridge. Two families with the same data() share X'PX, X'Py and X'Pz. */
    default SphereFamily data() {
        return this;
    }

    /** Returns beta on cost-scaled features, what a unit move of each feature adds to the target (the sums are then those of y - X beta/2); null without effects. */
    default double @Nullable [] effects() {
        return null;
    }

    /** Returns the family of the same rows without a ridge and without effects, whose sums are those of y itself. */
    default SphereFamily plain() {
        return data();
    }

    /** Returns the family of the same data in which moves change the target by beta; costs one pass. */
    default SphereFamily withEffects(double[] beta) {
        return new EffectsFamily(this, beta);
    }

    /** Returns the last entry of g without a ridge and without effects, -(y'Pz - z'Pz/2)/2, the same for every gamma. */
    default double gBorder() {
        return -(yz() - zz() / 2) / 2;
    }

    /** Returns f and its half gradient at one point for each problem, from one pass; the problems share this data and may differ in gamma and ridge. */
    default Evaluation[] evaluate(List<SphereProblem> problems, double[][] r) {
        double[] gammas = problems.stream().mapToDouble(SphereProblem::gamma).toArray();
        Evaluation[] evaluations = data().evaluate(gammas, r);
        for (int c = 0; c < gammas.length; c++) {
            evaluations[c] = problems.get(c).tilted(evaluations[c], r[c]);
        }
        return evaluations;
    }

    /** Returns the sphere problem at each gamma. */
    default List<SphereProblem> at(double[] gammas) {
        return Arrays.stream(gammas).mapToObj(this::at).toList();
    }

    /** Returns the sphere problem at one gamma, positive and finite. */
    default SphereProblem at(double gamma) {
        return new FamilyProblem(this, gamma);
    }

    /**
     * The rows' side of data with fewer rows m than features: K = PXX'P of order m, which has the nonzero eigenvalues of X'PX, and products with PX and its
     * transpose to go from one side to the other.
     */
    interface Dual {
        /** Returns K = PXX'P, newly formed, of order m. */
        DenseMatrix gram();

        /** Returns Py in the coordinates of K. */
        double[] y();

        /** Returns Pz in the coordinates of K. */
        double[] z();

        /** Writes PX V, in the coordinates of K, to out; V has n rows and any number of columns. */
        void times(DenseMatrix v, DenseMatrix out);

        /** Writes X'P U to out; U has m rows, in the coordinates of K, and any number of columns. */
        void transposeTimes(DenseMatrix u, DenseMatrix out);
    }

    /**
     * The sums over the rows that all gammas of a {@link SphereFamily} share.
     *
     * @param xy X'Py
     * @param xz X'Pz
     * @param yy y'Py
     * @param yz y'Pz
     * @param zz z'Pz + s^2, wish noise included
     * @param p ||P(y - z/2)||^2 + s^2/4
     * @param limitPointLoss ||P(z - y)||^2 + s^2
     */
    record Sums(double[] xy, double[] xz, double yy, double yz, double zz, double p, double limitPointLoss) {
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

        /** Returns n, the length of X'Py. */
        int features() {
            return xy.length;
        }

        /** Throws if a point does not have n + 1 coordinates. */
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
     * The sizes and the number of the terms of a family's sums, from which bounds on their rounding errors are computed.
     *
     * @param squaredNorm an upper bound on ||X||_F^2
     * @param removedNorm ||y - Py|| + ||z - Pz||
     * @param projectionGrowth by how many roundings P may be off; 1 or more
     * @param rows the number of rows that were summed
     */
    record Rounding(double squaredNorm, double removedNorm, double projectionGrowth, long rows) {
        /**
         * Returns the factor by which the error of a sum over all rows exceeds that of a short sum. Measured: at most 3.1 at 100,000 rows; this formula
         * gives 4.2 there and grows with the fourth root.
         */
        double growth() {
            return 1 + Math.sqrt(Math.sqrt(Math.max(0, rows) / 1000.0));
        }
    }

    /**
     * X'PX = C'C - W T^{-1} W' on the first features, with a sparse C and a W of few columns; the remaining features, if any, are dense.
     *
     * @param core C, one column for each sparse feature
     * @param low the columns of W
     * @param t T, symmetric, of order W's number of columns
     */
    record Sparse(CsrMatrix core, double[][] low, double[][] t) {
        /** Returns the number of sparse features; they come first. */
        public int features() {
            return core.cols();
        }
    }
}
