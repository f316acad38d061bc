package stackelberg.solver.krylov;

import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.SymmetricEigen;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.sphere.SphereFamily;

/**
 * The block Lanczos recurrence A V = V T + F B. V and the frontier F, the block to be multiplied next, are orthonormal; T = V'AV; B is nonzero in the columns
 * of the last block of V only.
 *
 * <p>Every step multiplies the frontier by A (one pass over the data) and orthogonalises the product twice, the second time against the whole basis. The
 * directions that remain above rounding become the next frontier; the others are dropped (deflation), so that the frontier may shrink, and is empty when the
 * space is exhausted. T keeps the coordinates on the whole basis and not only a band: what the second orthogonalisation removes is then part of T
 * and not of the residual.
 */
final class BlockLanczos {
    /** A remaining direction of norm below NOISE ||A||_F is rounding; the certificate's allowance for rounding is twice as much. */
    private static final double NOISE = 2 * 0x1p-52;

    /** If less than this share of a product remains outside the last two blocks, its rounding is a considerable part of the remainder. */
    private static final double CANCELS = 0.1;

    /**
     * If a round of Gram-Schmidt leaves less than this share of a vector, another round is needed: the usual criterion, 1/sqrt(2), for "twice is enough".
     */
    private static final double TWICE_IS_ENOUGH = 0.7;

    /** The seed of the probe vector; any fixed number makes runs reproducible. */
    private static final long PROBE_SEED = 20_240_229;

    private final SphereFamily family;
    private final Workers workers;
    /** V and then F. */
    private final Basis basis;
    /** The norm up to which a remaining direction is rounding. */
    private final double floor;
    /** Coordinates of the start vectors on the first frontier. */
    private final double[][] starts;

    private double[][] t = new double[0][];
    /** The index of the first vector of the last block of V. */
    private int lastStart;
    /** B, one row for each vector of the frontier, one column for each vector of the last block of V. */
    private double[][] b = new double[0][];

    private int steps;
    /** The step at which the probe joined; -1 before. */
    private int probedSince = -1;

    /**
     * Orthonormalises the start vectors, which become the first frontier. Needs no pass over the data.
     *
     * @param family whose X'PX is A
     * @param vectors the start vectors
     * @param sizes the size that the rounding error of each start vector is relative to
     */
    BlockLanczos(SphereFamily family, double[][] vectors, double[] sizes, Workers workers) {
        this.family = family;
        this.workers = workers;
        this.basis = new Basis(family.features(), workers);
        this.floor = NOISE * family.squaredNorm();
        double[] floors = sizes.clone();
        Vectors.scale(NOISE, floors);
        double[][] w = Arrays.stream(vectors).map(double[]::clone).toArray(double[][]::new);
        double[][] coordinates = appendDirections(w, floors, norms(w));
        this.starts = new double[vectors.length][coordinates.length];
        for (int c = 0; c < vectors.length; c++) {
            for (int i = 0; i < coordinates.length; i++) {
                starts[c][i] = coordinates[i][c];
            }
        }
    }

    /** Returns the order of T, the number of vectors of V. */
    int order() {
        return t.length;
    }

    /** Returns the number of vectors in memory, the frontier included. */
    int size() {
        return basis.size();
    }

    /** Returns the number of vectors of the frontier. */
    int frontier() {
        return basis.size() - t.length;
    }

    /** Returns whether V spans an invariant space, to rounding; the small problems are then equivalent to the full ones. */
    boolean exhausted() {
        return frontier() == 0;
    }

    /** Returns whether the space is invariant and contains an eigenvector of every eigenvalue, as it does, with probability 1, once the probe has joined. */
    boolean seesEveryEigenvalue() {
        return exhausted() && (probedSince >= 0 || order() == family.features());
    }

    /** Returns the number of steps since the probe joined; -1 before. */
    int stepsWithProbe() {
        return probedSince < 0 ? -1 : steps - probedSince;
    }

    /** Multiplies the frontier by A, one pass over the data, and makes the remainder of the product the next frontier. */
    void step() {
        int first = t.length;
        int count = frontier();
        int n = family.features();
        double[][] vectors = new double[count][];
        Arrays.setAll(vectors, c -> basis.vector(first + c));
        DenseMatrix block = workers.borrow(n, count);
        block.setColumns(0, vectors);
        DenseMatrix product = workers.borrow(n, count);
        family.gramTimes(block, product);
        workers.giveBack(block);
        double[][] w = product.columns();
        double[][] coordinates = new double[basis.size()][count];
        double[] once = orthogonalise(product, w, coordinates);
        workers.giveBack(product);
        extend(coordinates, first, count);
        double[] floors = new double[count];
        Arrays.fill(floors, floor);
        lastStart = first;
        b = appendDirections(w, floors, once);
        steps++;
    }

    /**
     * Orthogonalises products W = A F against the basis.
     *
     * <p>In exact arithmetic all but the next frontier lies in the last two blocks. These are subtracted first; one round against the whole basis then removes
     * what rounding left. If little remains after the first subtraction, the rounding of the product is a considerable part of the remainder, and the product is
     * orthogonalised twice against the whole basis instead.
     *
     * @param product W, kept for the second case
     * @param w the columns of W; overwritten with the remainders
     * @param coordinates receives V'W, one row for each vector of the basis
     * @return the norms before the last round
     */
    private double[] orthogonalise(DenseMatrix product, double[][] w, double[][] coordinates) {
        double[] whole = norms(w);
        basis.project(lastStart, w, coordinates);
        double[] once = norms(w);
        if (anyBelow(CANCELS, once, whole)) {
            System.arraycopy(product.columns(), 0, w, 0, w.length);
            for (double[] row : coordinates) {
                Arrays.fill(row, 0);
            }
            project(w, coordinates);
            once = norms(w);
            project(w, coordinates);
            return once;
        }
        project(w, coordinates);
        double[] now = norms(w);
        if (anyBelow(TWICE_IS_ENOUGH, now, once)) {
            project(w, coordinates);
            once = now;
        }
        return once;
    }

    /** Subtracts from W its projection onto the whole basis and adds the coordinates: one round of Gram-Schmidt. */
    private void project(double[][] w, double[][] coordinates) {
        DenseMatrix rows = workers.borrow(w.length, family.features());
        for (int c = 0; c < w.length; c++) {
            rows.setRow(c, w[c]);
        }
        double[][] more = basis.project(rows);
        for (int i = 0; i < coordinates.length; i++) {
            Vectors.axpy(1, more[i], coordinates[i]);
        }
        for (int c = 0; c < w.length; c++) {
            rows.tile(c, 1, 0, w[c].length, DoubleBuffer.wrap(w[c]));
        }
        workers.giveBack(rows);
    }

    /** Returns whether any norm is now below this share of what it was, or NaN. */
    private static boolean anyBelow(double part, double[] now, double[] before) {
        boolean below = false;
        for (int c = 0; c < now.length; c++) {
            below |= !(now[c] >= part * before[c]);
        }
        return below;
    }

    /** Extends T by the columns of the block that was just multiplied, and by symmetry their rows; the diagonal block is symmetrised. */
    private void extend(double[][] coordinates, int first, int count) {
        int order = first + count;
        for (int i = 0; i < first; i++) {
            t[i] = Arrays.copyOf(t[i], order);
        }
        t = Arrays.copyOf(t, order);
        for (int i = first; i < order; i++) {
            t[i] = new double[order];
        }
        for (int c = 0; c < count; c++) {
            for (int i = 0; i < first; i++) {
                t[i][first + c] = coordinates[i][c];
                t[first + c][i] = coordinates[i][c];
            }
            for (int k = 0; k < count; k++) {
                t[first + k][first + c] = (coordinates[first + k][c] + coordinates[first + c][k]) / 2;
            }
        }
    }

    /**
     * Adds a pseudo-random vector, orthogonalised, to the frontier. The Krylov space of the start vectors may be orthogonal to the smallest eigenvectors of A;
     * that of a random vector is not, with probability 1.
     *
     * @return false if the basis spans the whole space already
     */
    boolean addProbe() {
        SplittableRandom random = new SplittableRandom(PROBE_SEED);
        double[] v = new double[family.features()];
        for (int i = 0; i < v.length; i++) {
            v[i] = 2 * random.nextDouble() - 1;
        }
        double norm = Vectors.norm(v);
        if (norm == 0 || basis.size() >= v.length) {
            return false;
        }
        Vectors.scale(1 / norm, v);
        probedSince = steps;
        double[] direction = polished(v, 1e-10);
        if (direction == null) {
            return false;
        }
        basis.append(direction);
        b = Arrays.copyOf(b, b.length + 1);
        b[b.length - 1] = new double[t.length - lastStart];
        return true;
    }

    /**
     * Appends an orthonormal basis of some vectors to the basis, the longest first, and drops remainders that are not longer than their floor.
     *
     * @param vectors orthogonal to the basis up to rounding; overwritten
     * @param floors for each vector, the norm at or below which its remainder counts as rounding error and is dropped
     * @param normsBefore the norms before the last round of orthogonalisation
     * @return the coordinates of the vectors, one row for each new basis vector
     */
    private double[][] appendDirections(double[][] vectors, double[] floors, double[] normsBefore) {
        boolean[] open = new boolean[vectors.length];
        Arrays.fill(open, true);
        List<double[]> coordinates = new ArrayList<>();
        while (basis.size() < family.features()) {
            int longest = -1;
            double norm = 0;
            for (int c = 0; c < vectors.length; c++) {
                double candidate = open[c] ? Vectors.norm(vectors[c]) : 0;
                if (candidate > floors[c] && candidate > norm) {
                    longest = c;
                    norm = candidate;
                }
            }
            if (longest < 0) {
                break;
            }
            open[longest] = false;
            double[] v = vectors[longest].clone();
            Vectors.scale(1 / norm, v);
            if (norm < 0.1 * normsBefore[longest]) {
                // most of it was subtracted since it was last orthogonalised, so the rounding of what remains may not
                // be orthogonal
                v = polished(v, floors[longest] / norm);
                if (v == null) {
                    continue;
                }
            }
            basis.append(v);
            double[] row = new double[vectors.length];
            for (int c = 0; c < vectors.length; c++) {
                if (open[c] || c == longest) {
                    row[c] = Vectors.dot(v, vectors[c]);
                    Vectors.axpy(-row[c], v, vectors[c]);
                }
            }
            coordinates.add(row);
        }
        return coordinates.toArray(double[][]::new);
    }

    /** Returns the unit vector v orthogonalised against the basis and normalised; absent if at most {@code least} of its length remains, or after five rounds. */
    private double @Nullable [] polished(double[] v, double least) {
        double remaining = 1;
        double[] u = v;
        for (int round = 0; round < 5; round++) {
            DenseMatrix w = workers.borrow(1, u.length);
            w.setRow(0, u);
            basis.project(w);
            u = w.row(0);
            workers.giveBack(w);
            double norm = Vectors.norm(u);
            remaining *= norm;
            if (!(remaining > least)) {
                return null;
            }
            Vectors.scale(1 / norm, u);
            if (norm > TWICE_IS_ENOUGH) {
                return u;
            }
        }
        return null;
    }

    /** Returns the norm of each vector. */
    private static double[] norms(double[][] vectors) {
        return Arrays.stream(vectors).mapToDouble(Vectors::norm).toArray();
    }

    /** Returns the eigendecomposition of the current T, computed by one thread so that the result does not depend on the number of threads. */
    Ritz ritz() {
        int order = t.length;
        SymmetricEigen eigen = SymmetricEigen.of(DenseMatrix.of(t), Workers.of(1));
        double[] theta = eigen.values().clone();
        double[][] q = new double[order][];
        for (int i = 0; i < order; i++) {
            q[i] = eigen.vectors().row(i);
            if (family.isGram()) {
                // A is positive semidefinite, so a negative Ritz value is rounding
                theta[i] = Math.max(0, theta[i]);
            }
        }
        double[][] projectedStarts = new double[starts.length][order];
        for (int s = 0; s < starts.length; s++) {
            for (int i = 0; i < Math.min(order, starts[s].length); i++) {
                Vectors.axpy(starts[s][i], q[i], projectedStarts[s]);
            }
        }
        double[][] coupling = new double[b.length][order];
        for (int k = 0; k < b.length; k++) {
            for (int i = lastStart; i < order; i++) {
                Vectors.axpy(b[k][i - lastStart], q[i], coupling[k]);
            }
        }
        return new Ritz(theta, q, projectedStarts, coupling);
    }

    /** Returns Q'V'w, the Ritz coordinates of a vector. */
    double[] coordinates(Ritz ritz, double[] w) {
        double[][] v = basis.coordinates(DenseMatrix.of(new double[][] {w}));
        double[] a = new double[order()];
        for (int i = 0; i < a.length; i++) {
            Vectors.axpy(v[i][0], ritz.q()[i], a);
        }
        return a;
    }

    /** Returns V Q a, one row for each of the given Ritz coordinates a, in a matrix borrowed from the workers. */
    DenseMatrix combine(Ritz ritz, List<double[]> a) {
        return basis.combine(basisCoordinates(ritz, a), a.size());
    }

    /** Returns A V Q a, one column for each of the given Ritz coordinates a, by one pass over the data with V. That is cheaper than a pass with the vectors V Q a if there are more of them than columns of V. */
    DenseMatrix images(Ritz ritz, List<double[]> a) {
        int n = family.features();
        int order = order();
        DenseMatrix v = DenseMatrix.zeros(n, order);
        for (int i = 0; i < order; i++) {
            v.setColumn(i, basis.vector(i));
        }
        DenseMatrix av = DenseMatrix.zeros(n, order);
        family.gramTimes(v, av);
        DenseMatrix images = DenseMatrix.zeros(n, a.size());
        av.times(DenseMatrix.of(basisCoordinates(ritz, a)), images, workers);
        return images;
    }

    /** Returns Q a, row i for basis vector i. */
    private double[][] basisCoordinates(Ritz ritz, List<double[]> a) {
        double[][] h = new double[order()][a.size()];
        for (int i = 0; i < h.length; i++) {
            for (int c = 0; c < a.size(); c++) {
                h[i][c] = Vectors.dot(ritz.q()[i], a.get(c));
            }
        }
        return h;
    }
}
