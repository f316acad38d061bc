package stackelberg.solver.krylov;

import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.SymmetricEigen;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;

/**
 * The recurrence A V = V T + F B: V and the frontier F orthonormal, T = V'AV, B nonzero for the last block of V only.
 *
 * <p>Every step multiplies the frontier by A, one pass over the data, and orthogonalises the product twice, the second time against everything before. What is
 * left of it and is more than rounding becomes the next frontier; a direction that is not is dropped, so the frontier may shrink, down to
 * nothing when the space is exhausted. T keeps the coordinates on the whole basis and not only its band: what the second
 * orthogonalisation moves is then part of T and does not count as residual.
 */
final class BlockLanczos {
    /** A product of this many roundings of ||A||_F is noise; the certificate allows twice as much. */
    private static final double NOISE = 2 * 0x1p-52;

    /** What is left of a product beside the last two blocks is little below this part of it. */
    private static final double LITTLE = 0.1;

    /** A round that leaves less than this part took much. */
    private static final double MUCH = 0.7;

    private static final long PROBE_SEED = 20_240_229;

    private final ProblemSet problems;
    private final Workers workers;
    private final Basis basis;
    private final double floor;
    /** Coordinates of the start vectors on the first frontier. */
    private final double[][] starts;

    private double[][] t = new double[0][];
    private int lastStart;
    /** One row for each vector of the frontier, one column for each of the last block. */
    private double[][] b = new double[0][];

    private int steps;
    private int probedSince = -1;

    BlockLanczos(ProblemSet problems, Workers workers) {
        this.problems = problems;
        this.workers = workers;
        this.basis = new Basis(problems.order(), workers);
        this.floor = NOISE * problems.operatorNorm();
        double[][] vectors = problems.starts();
        double[] floors = problems.startNorms();
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

    /** The order of T. */
    int order() {
        return t.length;
    }

    /** Vectors held, the frontier included. */
    int size() {
        return basis.size();
    }

    int frontier() {
        return basis.size() - t.length;
    }

    /** Whether V spans an invariant space, to rounding: the small problems are then exact. */
    boolean exhausted() {
        return frontier() == 0;
    }

    /** Whether the space is exhausted and holds whatever eigenvalue a generic vector can see. */
    boolean seesEveryEigenvalue() {
        return exhausted() && (probedSince >= 0 || order() == problems.order());
    }

    /** Steps since the probe joined, or -1. */
    int stepsWithProbe() {
        return probedSince < 0 ? -1 : steps - probedSince;
    }

    /** One pass over the data: A times the frontier. */
    void step() {
        int first = t.length;
        int count = frontier();
        int n = problems.order();
        double[][] vectors = new double[count][];
        Arrays.setAll(vectors, c -> basis.vector(first + c));
        DenseMatrix block = workers.borrow(n, count);
        block.setColumns(0, vectors);
        DenseMatrix product = workers.borrow(n, count);
        problems.times(block, product);
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
     * Takes the basis out of products W with the frontier, where nearly all of them lies in the last two blocks: once these are gone, one round against all of
     * it leaves no more of it than rounding. Not where little else is left: what is rounding of the product is then much of that, and two rounds against all keep to
     * the product itself.
     *
     * @return the lengths before the last round
     */
    private double[] orthogonalise(DenseMatrix product, double[][] w, double[][] coordinates) {
        double[] whole = norms(w);
        basis.project(lastStart, w, coordinates);
        double[] once = norms(w);
        if (anyBelow(LITTLE, once, whole)) {
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
        if (anyBelow(MUCH, now, once)) {
            project(w, coordinates);
            once = now;
        }
        return once;
    }

    /** One round against all of the basis. */
    private void project(double[][] w, double[][] coordinates) {
        DenseMatrix rows = workers.borrow(w.length, problems.order());
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

    private static boolean anyBelow(double part, double[] now, double[] before) {
        boolean below = false;
        for (int c = 0; c < now.length; c++) {
            below |= !(now[c] >= part * before[c]);
        }
        return below;
    }

    /** T grows by the columns of the block that was just multiplied. */
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
     * A direction that owes nothing to the start vectors joins the frontier: their space may not see the smallest eigenvectors of A at all.
     *
     * @return false if there is no direction left
     */
    boolean addProbe() {
        SplittableRandom random = new SplittableRandom(PROBE_SEED);
        double[] v = new double[problems.order()];
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
     * Appends an orthonormal basis of some vectors, the longest first, and drops what is not longer than its floor.
     *
     * @param vectors of which nothing is left then
     * @param once the lengths before the last round of orthogonalisation
     * @return their coordinates, one row for each new vector
     */
    private double[][] appendDirections(double[][] vectors, double[] floors, double[] once) {
        boolean[] open = new boolean[vectors.length];
        Arrays.fill(open, true);
        List<double[]> coordinates = new ArrayList<>();
        while (basis.size() < problems.order()) {
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
            if (norm < 0.1 * once[longest]) {
                // much was taken away since it was last orthogonal to all: what is left may lean on the basis again
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

    /** The unit vector v made orthogonal to the basis, or null if less than {@code least} of it remains. */
    private double[] polished(double[] v, double least) {
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
            if (norm > 0.7) {
                return u;
            }
        }
        return null;
    }

    private static double[] norms(double[][] vectors) {
        return Arrays.stream(vectors).mapToDouble(Vectors::norm).toArray();
    }

    /** T = Q diag(theta) Q' as it stands, decomposed by one thread so that threads change nothing. */
    Ritz ritz() {
        int order = t.length;
        SymmetricEigen eigen = SymmetricEigen.of(DenseMatrix.of(t), Workers.of(1));
        double[] theta = eigen.values().clone();
        double[][] q = new double[order][];
        for (int i = 0; i < order; i++) {
            q[i] = eigen.vectors().row(i);
            if (problems.isGram()) {
                // A >= 0: less is rounding
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

    /** Q'V'w: Ritz coordinates of a vector. */
    double[] coordinates(Ritz ritz, double[] w) {
        double[][] v = basis.coordinates(DenseMatrix.of(new double[][] {w}));
        double[] a = new double[order()];
        for (int i = 0; i < a.length; i++) {
            Vectors.axpy(v[i][0], ritz.q()[i], a);
        }
        return a;
    }

    /** V Q a, borrowed, a row for each of the given Ritz coordinates a. */
    DenseMatrix combine(Ritz ritz, List<double[]> a) {
        return basis.combine(basisCoordinates(ritz, a), a.size());
    }

    /** A V Q a, a column for each of the given Ritz coordinates a, from one pass over the data with V: for more combinations than vectors. */
    DenseMatrix images(Ritz ritz, List<double[]> a) {
        int n = problems.order();
        int order = order();
        DenseMatrix v = DenseMatrix.zeros(n, order);
        for (int i = 0; i < order; i++) {
            v.setColumn(i, basis.vector(i));
        }
        DenseMatrix av = DenseMatrix.zeros(n, order);
        problems.times(v, av);
        DenseMatrix images = DenseMatrix.zeros(n, a.size());
        av.times(DenseMatrix.of(basisCoordinates(ritz, a)), images, workers);
        return images;
    }

    /** Q a, row i for basis vector i. */
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
