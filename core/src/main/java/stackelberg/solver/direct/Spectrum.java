package stackelberg.solver.direct;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.SymmetricEigen;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.solver.secular.ArrowSphere;
import stackelberg.sphere.SphereFamily;
import stackelberg.sphere.SphereProblem;

/**
 * The eigendecomposition X'PX = Q diag(h) Q', computed from the smaller side of X. After it the problem at every gamma has an arrow matrix, O(n) per evaluation.
 *
 * <p>Two cases. With at least as many rows as features, X'PX itself is decomposed ("features' side"). With fewer rows, K = PXX'P = U diag(h) U' ("rows' side") and Q
 * = X'U diag(h)^{-1/2}: the coordinates of X'Py on Q are sqrt(h) U'Py, and Q times a vector of the form sqrt(h) a is X'(U a), so that no solution is ever
 * divided by a small singular value.
 */
final class Spectrum implements DirectSolver.Decomposition {
    /** The number of values of solutions that are mapped back to the features together, 64 MB: from the rows' side that is a pass over the data. */
    private static final int MAX_VALUES = 1 << 23;

    private final SphereFamily family;
    private final double[] h;
    /** Coordinates of X'Py on Q. */
    private final double[] y;
    /** Coordinates of X'Pz on Q. */
    private final double[] z;
    /** Q on the features' side, U on the rows' side. */
    private final DenseMatrix basis;
    /** The quantities of the rows' side; null on the features' side. */
    private final @Nullable RowSide rowSide;
    /** A unit null vector of PX; absent until it is needed. */
    private double @Nullable [] nullVector;

    /**
     * The quantities of the rows' side.
     *
     * @param dual products with PX and its transpose
     * @param uy U'Py
     * @param uz U'Pz
     */
    private record RowSide(SphereFamily.Dual dual, double[] uy, double[] uz) {}

    private Spectrum(
            SphereFamily family, double[] h, double[] y, double[] z, DenseMatrix basis, @Nullable RowSide rowSide) {
        this.family = family;
        this.h = h;
        this.y = y;
        this.z = z;
        this.basis = basis;
        this.rowSide = rowSide;
    }

    /**
     * The target v = y, or y - X beta/2 with effects, in the coordinates of the decomposition, and the other parts of g.
     *
     * @param onQ the coordinates of X'Pv on Q
     * @param onU U'Pv; empty on the features' side
     * @param stretch the factor by which effects enlarge the sphere
     * @param border the last entry of g
     * @param tilt what a ridge adds to the first n entries of g if there are effects; null otherwise
     */
    private record Target(
            double[] onQ,
            double[] onU,
            double stretch,
            double border,
            @Nullable Tilt tilt) {}

    /**
     * A multiple of beta.
     *
     * @param onQ its coordinates on Q
     * @param over these divided by sqrt(h); empty on the features' side
     * @param outside its part in the null space of PX, on the features; empty on the features' side, where Q spans everything
     */
    private record Tilt(double[] onQ, double[] over, double[] outside) {}

    /** The latest effects and their coordinates: beta on Q on the features' side, U'PX beta on the rows' side. */
    private record EffectCoordinates(double[] effects, double[] coordinates) {}

    private @Nullable EffectCoordinates effectCoordinates;

    /** Returns the coordinates of effects; computed once for consecutive problems with the same effects. */
    private synchronized double[] coordinatesOf(double[] effects, Workers workers) {
        EffectCoordinates known = effectCoordinates;
        if (known == null || !Arrays.equals(known.effects, effects)) {
            double[] vector = effects;
            if (rowSide != null) {
                DenseMatrix moved = DenseMatrix.zeros(basis.rows(), 1);
                rowSide.dual.times(DenseMatrix.column(effects), moved);
                vector = moved.column(0);
            }
            known = new EffectCoordinates(effects, coordinates(basis, vector, workers));
            effectCoordinates = known;
        }
        return known.coordinates;
    }

    /** Returns the target and g of a problem in the coordinates of the decomposition. */
    private Target target(SphereProblem problem, Workers workers) {
        double[] uy = rowSide == null ? new double[0] : rowSide.uy;
        double[] effects = problem.family().effects();
        if (effects == null) {
            return new Target(y, uy, 1, family.gBorder() + problem.tilt() / 4, null);
        }
        double[] known = coordinatesOf(effects, workers);
        double[] onQ = y.clone();
        double[] onU = uy.clone();
        for (int i = 0; i < h.length; i++) {
            if (rowSide == null) {
                onQ[i] -= h[i] * known[i] / 2;
            } else {
                onU[i] -= known[i] / 2;
                onQ[i] = Math.sqrt(h[i]) * onU[i];
            }
        }
        double stretch = problem.geometry().stretch();
        double factor = problem.family().ridge() * stretch * Math.sqrt(problem.gamma()) / 4;
        double border = stretch * (problem.family().gBorder() + problem.tilt() / 4);
        return new Target(onQ, onU, stretch, border, factor == 0 ? null : tilt(effects, known, factor, workers));
    }

    /** Returns factor times beta, from its coordinates. */
    private Tilt tilt(double[] effects, double[] known, double factor, Workers workers) {
        double[] onQ = known.clone();
        Vectors.scale(factor, onQ);
        if (rowSide == null) {
            return new Tilt(onQ, new double[0], new double[0]);
        }
        double[] over = onQ.clone();
        for (int i = 0; i < h.length; i++) {
            onQ[i] /= Math.sqrt(h[i]);
            over[i] /= h[i];
        }
        double[] outside = effects.clone();
        Vectors.scale(factor, outside);
        Vectors.axpy(-1, transposeTimes(rowSide, product(basis, over, workers)), outside);
        return new Tilt(onQ, over, outside);
    }

    /** Computes the eigendecomposition of the smaller of X'PX and PXX'P. */
    static Spectrum of(SphereFamily family, Workers workers) {
        Optional<SphereFamily.Dual> dual = family.dual();
        if (dual.isPresent()) {
            SymmetricEigen eigen = SymmetricEigen.of(dual.get().gram(), workers);
            // eigenvalues at the level of rounding have eigenvectors of noise, which must not be multiplied by y or z;
            // they are treated as a part of the null space, which is not empty anyway since m < n
            int noise = noise(eigen.values(), family.features());
            double[] h = Arrays.copyOfRange(eigen.values(), noise, eigen.values().length);
            DenseMatrix u = DenseMatrix.zeros(eigen.vectors().rows(), h.length);
            for (int i = 0; i < h.length; i++) {
                u.setColumn(i, eigen.vectors().column(noise + i));
            }
            double[] uy = coordinates(u, dual.get().y(), workers);
            double[] uz = coordinates(u, dual.get().z(), workers);
            return new Spectrum(
                    family, h, scaledByRoot(h, uy), scaledByRoot(h, uz), u, new RowSide(dual.get(), uy, uz));
        }
        SymmetricEigen eigen = SymmetricEigen.of(family.gram(), workers);
        double[] y = coordinates(eigen.vectors(), family.xy(), workers);
        double[] z = coordinates(eigen.vectors(), family.xz(), workers);
        return new Spectrum(
                family, family.isGram() ? clipped(eigen.values()) : eigen.values(), y, z, eigen.vectors(), null);
    }

    @Override
    public double smallest() {
        return rowSide == null && h.length > 0 ? h[0] : 0;
    }

    @Override
    public double[] singularValues() {
        double floor = negligible();
        return Arrays.stream(h).filter(value -> value > floor).map(Math::sqrt).toArray();
    }

    /** {@inheritDoc} On the features' side, the coordinates of X'Py on Q divided by the singular values. */
    @Override
    public double[] leftPy() {
        return left(y, rowSide == null ? null : rowSide.uy);
    }

    @Override
    public double[] leftPz() {
        return left(z, rowSide == null ? null : rowSide.uz);
    }

    /** Returns U'v on the singular values above rounding, from U'v itself if it is known, else from the coordinates of X'Pv on Q. */
    private double[] left(double[] onQ, double @Nullable [] onU) {
        double floor = negligible();
        double[] all = new double[h.length];
        int kept = 0;
        for (int i = 0; i < h.length; i++) {
            if (h[i] > floor) {
                all[kept++] = onU == null ? onQ[i] / Math.sqrt(h[i]) : onU[i];
            }
        }
        return Arrays.copyOf(all, kept);
    }

    @Override
    public boolean hasNullVector() {
        return rank() < family.features();
    }

    @Override
    public double[] coefficients(double[] a, Workers workers) {
        double floor = negligible();
        double[] all = new double[h.length];
        int kept = 0;
        for (int i = 0; i < h.length; i++) {
            all[i] = h[i] > floor ? a[kept++] : 0;
        }
        double[] w = toFeatures(all, workers);
        if (kept < a.length && a[kept] != 0) {
            // eigenvalues ascend, so the first eigenvector is a null vector
            Vectors.axpy(a[kept], rowSide == null ? basis.column(0) : nullDirection(rowSide, workers), w);
        }
        return w;
    }

    @Override
    public double[] coordinates(double[] v, Workers workers) {
        double[] all = coordinatesOf(v, workers);
        double floor = negligible();
        double[] kept = new double[h.length];
        int count = 0;
        for (int i = 0; i < h.length; i++) {
            if (h[i] > floor) {
                kept[count++] = rowSide == null ? all[i] : all[i] / Math.sqrt(h[i]);
            }
        }
        return Arrays.copyOf(kept, count);
    }

    /** Returns whether this is the decomposition of the given family's data. */
    boolean isOf(SphereFamily other) {
        return family == other;
    }

    /**
     * Returns the global minimisers of problems of this data at any gammas, ridges and effects, in all three cases. On the rows' side, mapping solutions back to
     * the features is a pass over the data; one pass serves as many problems as fit into 64 MB.
     */
    double[][] solve(List<SphereProblem> problems, Workers workers) {
        int room = rowSide == null ? 1 : Math.max(1, MAX_VALUES / Math.max(1, family.features()));
        double[][] r = new double[problems.size()][];
        for (int first = 0; first < r.length; first += room) {
            int count = Math.min(room, r.length - first);
            ArrowSphere.Solution[] solutions = new ArrowSphere.Solution[count];
            Target[] targets = new Target[count];
            DenseMatrix coordinates = DenseMatrix.zeros(h.length, count);
            for (int c = 0; c < count; c++) {
                SphereProblem problem = problems.get(first + c);
                targets[c] = target(problem, workers);
                solutions[c] = arrow(problem, targets[c]);
                coordinates.setColumn(c, coordinates(solutions[c], targets[c], problem.gamma()));
            }
            DenseMatrix wTilde = DenseMatrix.zeros(basis.rows(), count);
            basis.times(coordinates, wTilde, workers);
            if (rowSide != null) {
                DenseMatrix rows = wTilde;
                wTilde = DenseMatrix.zeros(family.features(), count);
                rowSide.dual.transposeTimes(rows, wTilde);
            }
            for (int c = 0; c < count; c++) {
                r[first + c] = point(wTilde.column(c), solutions[c], targets[c].tilt, workers);
            }
        }
        return r;
    }

    /**
     * Returns the unit vector r of a solution.
     *
     * @param wTilde its part in the range of X', on the features; overwritten
     */
    private double[] point(double[] wTilde, ArrowSphere.Solution solution, @Nullable Tilt tilt, Workers workers) {
        if (tilt != null && Vectors.norm(tilt.outside) > 0) {
            // in the null space H is 0, so (H + lambda I) r = -g is lambda r = -g there
            Vectors.axpy(-1 / solution.lambda(), tilt.outside, wTilde);
        }
        if (rowSide != null && solution.nullComponent() > 0) {
            Vectors.axpy(solution.nullComponent(), nullDirection(rowSide, workers), wTilde);
        }
        double[] r = Arrays.copyOf(wTilde, wTilde.length + 1);
        r[wTilde.length] = solution.r()[solution.r().length - 1];
        if (Vectors.norm(r) == 0) {
            // H and g are rounding (constant columns beside an intercept), and X' maps their coordinates to 0: all
            // points
            // are equally good, and w = 0 is the simplest
            r[wTilde.length] = -1;
        }
        Vectors.scale(1 / Vectors.norm(r), r);
        return r;
    }

    /** Solves the arrow problem of one sphere problem; the formulas are those of H and g of a family's problem, in the coordinates of the decomposition. */
    private ArrowSphere.Solution arrow(SphereProblem problem, Target target) {
        double stretch = target.stretch;
        double gamma = stretch * stretch * problem.gamma();
        double cross = stretch * stretch * Math.sqrt(problem.gamma());
        double root = stretch * Math.sqrt(problem.gamma());
        // with a ridge and effects g may have a part in the null space of X, which then is one more coordinate
        double outside = target.tilt == null ? 0 : Vectors.norm(target.tilt.outside);
        int k = h.length;
        double[] d = new double[k + (outside > 0 ? 1 : 0)];
        double[] c = new double[d.length];
        double[] g = new double[d.length];
        for (int i = 0; i < k; i++) {
            d[i] = gamma / 4 * h[i];
            c[i] = cross / 4 * z[i];
            g[i] = -root / 2 * (target.onQ[i] - z[i] / 2);
        }
        if (target.tilt != null) {
            Vectors.axpy(1, Arrays.copyOf(target.tilt.onQ, g.length), g);
        }
        if (outside > 0) {
            g[k] = outside;
        }
        boolean nullVector = rowSide != null;
        return ArrowSphere.solve(d, c, stretch * stretch * family.zz() / 4, g, target.border, nullVector);
    }

    /**
     * Returns the expected loss on new rows under a problem's rule, by generalised cross-validation; NaN on the features' side, where it is not needed.
     *
     * <p>With t fixed, the rule is the ridge regression of y - t z with the penalty 4 lambda/gamma, lambda the multiplier. Its degrees of freedom are sum_i
     * h_i/(h_i + penalty), and the estimate is residual sum of squares/(1 - degrees of freedom/rows)^2.
     *
     * @param rows the number of rows less the number of immutable columns
     */
    double expectedError(SphereProblem problem, int rows, Workers workers) {
        if (rowSide == null) {
            return Double.NaN;
        }
        SphereFamily.Dual dual = rowSide.dual;
        Target target = target(problem, workers);
        ArrowSphere.Solution solution = arrow(problem, target);
        double stretch = target.stretch;
        double last = solution.r()[solution.r().length - 1];
        double t = stretch == 1 ? Math.min(1, Math.max(0, (1 + last) / 2)) : (1 + stretch * last) / 2;
        double penalty = 4 * Math.max(0, solution.lambda()) / (stretch * stretch * problem.gamma());
        double[] y = target(dual, problem);
        double[] z = dual.z();
        // the part of y - t z outside the range of U stays in the residual
        double outside = 0;
        for (int i = 0; i < y.length; i++) {
            outside += (y[i] - t * z[i]) * (y[i] - t * z[i]);
        }
        double residual = 0;
        double freedom = 0;
        for (int i = 0; i < h.length; i++) {
            double e = target.onU[i] - t * rowSide.uz[i];
            double shrinkage = penalty / (h[i] + penalty);
            outside -= e * e;
            residual += shrinkage * shrinkage * e * e;
            freedom += 1 - shrinkage;
        }
        double remaining = 1 - freedom / rows;
        // the noise of the wishes adds the same on new rows as on those of the data
        double noise = Math.max(0, family.zz() - Vectors.dot(z, z));
        return (residual + Math.max(0, outside)) / (remaining * remaining) + t * t * noise;
    }

    /** Returns Py, or P(y - X beta/2) with effects, in the coordinates of the rows. */
    private static double[] target(SphereFamily.Dual dual, SphereProblem problem) {
        double[] effects = problem.family().effects();
        double[] y = dual.y();
        if (effects == null) {
            return y;
        }
        DenseMatrix moved = DenseMatrix.zeros(y.length, 1);
        dual.times(DenseMatrix.column(effects), moved);
        double[] target = y.clone();
        Vectors.axpy(-0.5, moved.column(0), target);
        return target;
    }

    /** Returns {@link DirectSolver#leastSquares}. */
    double[] leastSquares(Workers workers) {
        return leastSquares(y, workers);
    }

    /** Returns {@link DirectSolver#leastSquaresOfWishes}. */
    double[] leastSquaresOfWishes(Workers workers) {
        return leastSquares(z, workers);
    }

    /** Returns {@link DirectSolver#effectsInRowSpace}. */
    double[] effectsInRowSpace(double[] effects, Workers workers) {
        double[] onQ = coordinatesOf(effects, workers).clone();
        double floor = negligible();
        for (int i = 0; i < onQ.length; i++) {
            onQ[i] = h[i] > floor ? rowSide == null ? onQ[i] : onQ[i] / Math.sqrt(h[i]) : 0;
        }
        return toFeatures(onQ, workers);
    }

    /**
     * Returns (X'PX)^+ v.
     *
     * @param right the coordinates of v on Q
     */
    private double[] leastSquares(double[] right, Workers workers) {
        double[] a = new double[h.length];
        double floor = negligible();
        for (int i = 0; i < a.length; i++) {
            a[i] = h[i] > floor ? right[i] / h[i] : 0;
        }
        return toFeatures(a, workers);
    }

    /** Returns the number of eigenvalues above the rounding of the largest. */
    int rank() {
        double floor = negligible();
        return (int) Arrays.stream(h).filter(value -> value > floor).count();
    }

    /** Returns the size up to which an eigenvalue is rounding: max(order, n) eps times the largest, the usual rule for a numerical rank. */
    private double negligible() {
        double largest = Arrays.stream(h).max().orElse(0);
        return Math.max(h.length, family.features()) * 0x1p-52 * largest;
    }

    /** Returns Q a. */
    private double[] toFeatures(double[] a, Workers workers) {
        if (rowSide == null) {
            return product(basis, a, workers);
        }
        double[] overRoot = a.clone();
        double floor = negligible();
        for (int i = 0; i < a.length; i++) {
            overRoot[i] = h[i] > floor ? a[i] / Math.sqrt(h[i]) : 0;
        }
        return transposeTimes(rowSide, product(basis, overRoot, workers));
    }

    /**
     * Returns the vector that the basis must be multiplied by to get wTilde.
     *
     * <p>On the features' side that is the solution itself. On the rows' side wTilde = X'(U b), since Q diag(sqrt(h)) = X'U, with b_i = (sqrt(gamma)/2 U'P(y - z/2)
     * - sqrt(gamma)/4 alphaTilde U'Pz)_i/(gamma/4 h_i + lambda): computed without a division by sqrt(h_i). There lambda >= 0, because X has a null space.
     */
    private double[] coordinates(ArrowSphere.Solution solution, Target target, double plainGamma) {
        int k = h.length;
        if (rowSide == null) {
            return Arrays.copyOf(solution.r(), k);
        }
        double stretch = target.stretch;
        double gamma = stretch * stretch * plainGamma;
        double cross = stretch * stretch * Math.sqrt(plainGamma);
        double root = stretch * Math.sqrt(plainGamma);
        double border = solution.r()[solution.r().length - 1];
        double lambda = Math.max(0, solution.lambda());
        double[] b = new double[k];
        for (int i = 0; i < k; i++) {
            double right = root / 2 * (target.onU[i] - rowSide.uz[i] / 2) - cross / 4 * border * rowSide.uz[i];
            right -= target.tilt == null ? 0 : target.tilt.over[i];
            b[i] = right / (gamma / 4 * h[i] + lambda);
        }
        return b;
    }

    /**
     * Returns a unit vector of the null space of PX: the projection of that coordinate vector which lies most in it. Any unit null vector gives the same loss; this
     * choice makes the result reproducible.
     */
    private synchronized double[] nullDirection(RowSide side, Workers workers) {
        double[] u = nullVector;
        if (u == null) {
            u = newNullDirection(side, workers);
            nullVector = u;
        }
        return u;
    }

    /** Computes the null vector on the rows' side. */
    private double[] newNullDirection(RowSide side, Workers workers) {
        int n = family.features();
        double floor = negligible();
        int kept = rank();
        // the squared norm of row j of Q is the share of coordinate vector j in the range of X'P
        DenseMatrix scaled = DenseMatrix.zeros(basis.rows(), kept);
        for (int i = 0, k = 0; i < h.length; i++) {
            if (h[i] > floor) {
                double[] column = basis.column(i);
                Vectors.scale(1 / Math.sqrt(h[i]), column);
                scaled.setColumn(k++, column);
            }
        }
        DenseMatrix q = DenseMatrix.zeros(n, kept);
        side.dual.transposeTimes(scaled, q);
        int best = 0;
        double bestSquare = Double.POSITIVE_INFINITY;
        for (int j = 0; j < n; j++) {
            double[] row = q.row(j);
            double square = Vectors.dot(row, row);
            if (square < bestSquare) {
                bestSquare = square;
                best = j;
            }
        }
        double[] u = new double[n];
        u[best] = 1;
        // u - Q Q'u, twice for orthogonality to rounding
        for (int round = 0; round < 2; round++) {
            double[] coordinates = new double[kept];
            for (int j = 0; j < n; j++) {
                if (u[j] != 0) {
                    Vectors.axpy(u[j], q.row(j), coordinates);
                }
            }
            Vectors.axpy(-1, product(q, coordinates, workers), u);
        }
        Vectors.scale(1 / Vectors.norm(u), u);
        return u;
    }

    /** Returns X'P u for u in the coordinates of the rows. */
    private double[] transposeTimes(RowSide side, double[] u) {
        DenseMatrix out = DenseMatrix.zeros(family.features(), 1);
        side.dual.transposeTimes(DenseMatrix.column(u), out);
        return out.column(0);
    }

    /** Returns A v. */
    private static double[] product(DenseMatrix a, double[] v, Workers workers) {
        DenseMatrix out = DenseMatrix.zeros(a.rows(), 1);
        a.times(DenseMatrix.column(v), out, workers);
        return out.column(0);
    }

    /** Returns B'v for an orthonormal basis B. */
    private static double[] coordinates(DenseMatrix basis, double[] v, Workers workers) {
        DenseMatrix out = DenseMatrix.zeros(basis.cols(), 1);
        basis.transposeTimes(DenseMatrix.column(v), out, null, workers);
        return out.column(0);
    }

    /** Returns the eigenvalues with negative ones, which are rounding of a Gram matrix, set to 0. */
    private static double[] clipped(double[] values) {
        return Arrays.stream(values).map(value -> Math.max(0, value)).toArray();
    }

    /** Returns how many of the ascending eigenvalues are rounding of the largest. */
    private static int noise(double[] values, int features) {
        double largest = values.length == 0 ? 0 : values[values.length - 1];
        double floor = Math.max(values.length, features) * 0x1p-52 * largest;
        return (int) Arrays.stream(values).filter(value -> value <= floor).count();
    }

    /** Returns sqrt(h_i) a_i. */
    private static double[] scaledByRoot(double[] h, double[] a) {
        double[] result = a.clone();
        for (int i = 0; i < a.length; i++) {
            result[i] *= Math.sqrt(h[i]);
        }
        return result;
    }
}
