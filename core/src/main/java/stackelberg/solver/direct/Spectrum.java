package stackelberg.solver.direct;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.SymmetricEigen;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.solver.secular.ArrowSphere;
import stackelberg.sphere.SphereFamily;
import stackelberg.sphere.SphereProblem;

/**
 * X'PX = Q diag(h) Q' from the smaller side of X: after one decomposition every gamma is an arrow problem, O(n) per evaluation.
 *
 * <p>From the side of the rows (m < n): K = PXX'P = U diag(h) U', Q = X'U diag(h)^{-1/2}. The coordinates of X'Py on Q are sqrt(h) U'Py, and
 * Q times anything of the form sqrt(h) a is X'(U a), so nothing is ever divided by a small singular value.
 */
final class Spectrum implements DirectSolver.Decomposition {
    /** Numbers of rules that are taken back to the features at once: 64 MB. */
    private static final int TOGETHER = 1 << 23;

    private final SphereFamily family;
    private final double[] h;
    /** Coordinates of X'Py and X'Pz on Q. */
    private final double[] y;

    private final double[] z;
    /** U'Py and U'Pz (dual only). */
    private final double[] uy;

    private final double[] uz;
    /** Q itself (primal), or U (dual). */
    private final DenseMatrix basis;

    private final SphereFamily.Dual dual;
    /** Null until it is asked for. */
    private double[] nullVector;

    private Spectrum(
            SphereFamily family,
            double[] h,
            double[] y,
            double[] z,
            double[] uy,
            double[] uz,
            DenseMatrix basis,
            SphereFamily.Dual dual) {
        this.family = family;
        this.h = h;
        this.y = y;
        this.z = z;
        this.uy = uy;
        this.uz = uz;
        this.basis = basis;
        this.dual = dual;
    }

    /**
     * What X'P is multiplied by in the top of g, y or y - X beta/2, in the coordinates of the decomposition.
     *
     * @param onQ coordinates of X'P of it on Q
     * @param onU U'P of it (dual only)
     * @param stretch by how much effects make the sphere larger
     * @param border the last entry of g
     * @param tilt what a ridge adds to the top of g where moves are real; null else
     */
    private record Target(double[] onQ, double[] onU, double stretch, double border, Tilt tilt) {}

    /**
     * A multiple of beta.
     *
     * @param onQ its coordinates on Q
     * @param over the same over sqrt(h) (dual only)
     * @param outside its part in the null space of X (dual only)
     */
    private record Tilt(double[] onQ, double[] over, double[] outside) {}

    /** beta on Q, or U'PX beta (dual); computed once for one beta. */
    private record Real(double[] effects, double[] coordinates) {}

    private Real real;

    private synchronized Real real(double[] effects, Workers workers) {
        if (real == null || !Arrays.equals(real.effects, effects)) {
            if (dual == null) {
                real = new Real(effects, coordinates(basis, effects, workers));
            } else {
                DenseMatrix moved = DenseMatrix.zeros(basis.rows(), 1);
                dual.times(DenseMatrix.column(effects), moved);
                real = new Real(effects, coordinates(basis, moved.column(0), workers));
            }
        }
        return real;
    }

    private Target target(SphereProblem problem, Workers workers) {
        if (!problem.geometry().hasEffects()) {
            return new Target(y, uy, 1, family.gBorder() + problem.tilt() / 4, null);
        }
        double[] effects = problem.family().effects();
        double[] known = real(effects, workers).coordinates;
        double[] onQ = y.clone();
        double[] onU = dual == null ? null : uy.clone();
        for (int i = 0; i < h.length; i++) {
            if (dual == null) {
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

    private Tilt tilt(double[] effects, double[] known, double factor, Workers workers) {
        double[] onQ = known.clone();
        Vectors.scale(factor, onQ);
        if (dual == null) {
            return new Tilt(onQ, null, null);
        }
        double[] over = onQ.clone();
        for (int i = 0; i < h.length; i++) {
            onQ[i] /= Math.sqrt(h[i]);
            over[i] /= h[i];
        }
        double[] outside = effects.clone();
        Vectors.scale(factor, outside);
        Vectors.axpy(-1, transposeTimes(product(basis, over, workers)), outside);
        return new Tilt(onQ, over, outside);
    }

    /** One eigendecomposition of the smaller of X'PX and PXX'P. */
    static Spectrum of(SphereFamily family, Workers workers) {
        Optional<SphereFamily.Dual> dual = family.dual();
        if (dual.isPresent()) {
            SymmetricEigen eigen = SymmetricEigen.of(dual.get().gram(), workers);
            // squaring hides singular values below sqrt(eps): what is left of them is noise and must not meet y or z.
            // They join the null space of X, which m < n makes non-empty anyway, and the arrow is the rest.
            int noise = noise(eigen.values(), family.features());
            double[] h = Arrays.copyOfRange(eigen.values(), noise, eigen.values().length);
            DenseMatrix u = DenseMatrix.zeros(eigen.vectors().rows(), h.length);
            for (int i = 0; i < h.length; i++) {
                u.setColumn(i, eigen.vectors().column(noise + i));
            }
            double[] uy = coordinates(u, dual.get().y(), workers);
            double[] uz = coordinates(u, dual.get().z(), workers);
            return new Spectrum(family, h, scaledByRoot(h, uy), scaledByRoot(h, uz), uy, uz, u, dual.get());
        }
        SymmetricEigen eigen = SymmetricEigen.of(family.gram(), workers);
        double[] y = coordinates(eigen.vectors(), family.xy(), workers);
        double[] z = coordinates(eigen.vectors(), family.xz(), workers);
        return new Spectrum(
                family,
                family.isGram() ? clipped(eigen.values()) : eigen.values(),
                y,
                z,
                null,
                null,
                eigen.vectors(),
                null);
    }

    /** The smallest eigenvalue of X'PX as it was computed; 0 from the side of the rows. */
    @Override
    public double smallest() {
        return dual == null && h.length > 0 ? h[0] : 0;
    }

    /** The eigenvalues that stand out of the rounding of the largest, as singular values sqrt(h) of PX. */
    @Override
    public double[] singularValues() {
        double floor = negligible();
        return Arrays.stream(h).filter(value -> value > floor).map(Math::sqrt).toArray();
    }

    /** U'Py for the left singular vectors U that belong to {@link #singularValues}: X'Py on Q, divided by them. */
    @Override
    public double[] leftPy() {
        return left(y, uy);
    }

    /** U'Pz. */
    @Override
    public double[] leftPz() {
        return left(z, uz);
    }

    private double[] left(double[] onQ, double[] onU) {
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

    /** Whether some coefficients change no prediction beyond rounding. */
    @Override
    public boolean hasNullVector() {
        return rank() < family.features();
    }

    /**
     * Q a, for coordinates that belong to {@link #singularValues}.
     *
     * @param a one more than there are singular values where there is a null vector, whose coordinate is the last
     */
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
            // eigenvalues ascend
            Vectors.axpy(a[kept], dual == null ? basis.column(0) : nullDirection(workers), w);
        }
        return w;
    }

    boolean isOf(SphereFamily other) {
        return family == other;
    }

    /**
     * The global minimisers of problems of this data at any gammas, ridges and effects, all three cases. From the rows the way back to the features is a pass over the data, one for
     * as many of them as there is room for.
     */
    double[][] solve(List<SphereProblem> problems, Workers workers) {
        int room = dual == null ? 1 : Math.max(1, TOGETHER / Math.max(1, family.features()));
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
            if (dual != null) {
                DenseMatrix rows = wTilde;
                wTilde = DenseMatrix.zeros(family.features(), count);
                dual.transposeTimes(rows, wTilde);
            }
            for (int c = 0; c < count; c++) {
                r[first + c] = point(wTilde.column(c), solutions[c], targets[c].tilt, workers);
            }
        }
        return r;
    }

    private double[] point(double[] wTilde, ArrowSphere.Solution solution, Tilt tilt, Workers workers) {
        if (tilt != null && tilt.outside != null && Vectors.norm(tilt.outside) > 0) {
            // H is 0 there
            Vectors.axpy(-1 / solution.lambda(), tilt.outside, wTilde);
        }
        if (solution.nullComponent() > 0) {
            Vectors.axpy(solution.nullComponent(), nullDirection(workers), wTilde);
        }
        double[] r = Arrays.copyOf(wTilde, wTilde.length + 1);
        r[wTilde.length] = solution.r()[solution.r().length - 1];
        if (Vectors.norm(r) == 0) {
            // H and g are rounding, as those of constant columns beside an intercept, and X' takes their coordinates to
            // 0: every point is as good
            r[wTilde.length] = -1;
        }
        Vectors.scale(1 / Vectors.norm(r), r);
        return r;
    }

    private ArrowSphere.Solution arrow(SphereProblem problem, Target target) {
        double stretch = target.stretch;
        double gamma = stretch * stretch * problem.gamma();
        double cross = stretch * stretch * Math.sqrt(problem.gamma());
        double root = stretch * Math.sqrt(problem.gamma());
        // one more coordinate where g has a part in the null space of X, which only a ridge on moves that are real
        // gives it
        double outside = target.tilt == null || dual == null ? 0 : Vectors.norm(target.tilt.outside);
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
        boolean nullVector = dual != null;
        return ArrowSphere.solve(d, c, stretch * stretch * family.zz() / 4, g, target.border, nullVector);
    }

    /**
     * The error that people not seen are expected to have under the rule at gamma, by generalised cross-validation: the rule is the ridge
     * regression of y - t z with the penalty 4 lambda/gamma, lambda the multiplier, so that its degrees of freedom are known. NaN from the side of the features, where no
     * rule fits all people.
     *
     * @param people how many there are to learn from, less the columns that nobody can change
     */
    double expectedError(SphereProblem problem, int people, Workers workers) {
        if (dual == null) {
            return Double.NaN;
        }
        Target target = target(problem, workers);
        ArrowSphere.Solution solution = arrow(problem, target);
        double stretch = target.stretch;
        double last = solution.r()[solution.r().length - 1];
        double t = stretch == 1 ? Math.min(1, Math.max(0, (1 + last) / 2)) : (1 + stretch * last) / 2;
        double penalty = 4 * Math.max(0, solution.lambda()) / (stretch * stretch * problem.gamma());
        double[] y = target(dual.y(), problem);
        double[] z = dual.z();
        double outside = 0;
        for (int i = 0; i < y.length; i++) {
            outside += (y[i] - t * z[i]) * (y[i] - t * z[i]);
        }
        double residual = 0;
        double freedom = 0;
        for (int i = 0; i < h.length; i++) {
            double e = target.onU[i] - t * uz[i];
            double kept = penalty / (h[i] + penalty);
            outside -= e * e;
            residual += kept * kept * e * e;
            freedom += 1 - kept;
        }
        double left = 1 - freedom / people;
        // wishes that are not known exactly cost the same whatever was learned
        double noise = Math.max(0, family.zz() - Vectors.dot(z, z));
        return (residual + Math.max(0, outside)) / (left * left) + t * t * noise;
    }

    /** P(y - X beta/2) in the coordinates of the rows. */
    private double[] target(double[] y, SphereProblem problem) {
        if (!problem.geometry().hasEffects()) {
            return y;
        }
        DenseMatrix moved = DenseMatrix.zeros(y.length, 1);
        dual.times(DenseMatrix.column(problem.family().effects()), moved);
        double[] target = y.clone();
        Vectors.axpy(-0.5, moved.column(0), target);
        return target;
    }

    /** w = (X'PX)^+ X'Py: least squares of smallest norm, the rule of somebody who thinks that nobody moves. */
    double[] leastSquares(Workers workers) {
        return leastSquares(y, workers);
    }

    /** a = (X'PX)^+ X'Pz: the same for the wishes. */
    double[] leastSquaresOfWishes(Workers workers) {
        return leastSquares(z, workers);
    }

    /** (X'PX)^+ X'PX beta: the part of effects that some person shows. */
    double[] shown(double[] effects, Workers workers) {
        double[] onQ = real(effects, workers).coordinates.clone();
        double floor = negligible();
        for (int i = 0; i < onQ.length; i++) {
            onQ[i] = h[i] > floor ? dual == null ? onQ[i] : onQ[i] / Math.sqrt(h[i]) : 0;
        }
        return toFeatures(onQ, workers);
    }

    /** @param right coordinates of a right side on Q */
    private double[] leastSquares(double[] right, Workers workers) {
        double[] a = new double[h.length];
        double floor = negligible();
        for (int i = 0; i < a.length; i++) {
            a[i] = h[i] > floor ? right[i] / h[i] : 0;
        }
        return toFeatures(a, workers);
    }

    /** How many eigenvalues stand out of the rounding of the largest. */
    int rank() {
        double floor = negligible();
        return (int) Arrays.stream(h).filter(value -> value > floor).count();
    }

    private double negligible() {
        double largest = Arrays.stream(h).max().orElse(0);
        return Math.max(h.length, family.features()) * 0x1p-52 * largest;
    }

    /** Q a. */
    private double[] toFeatures(double[] a, Workers workers) {
        if (dual == null) {
            return product(basis, a, workers);
        }
        double[] overRoot = a.clone();
        double floor = negligible();
        for (int i = 0; i < a.length; i++) {
            overRoot[i] = h[i] > floor ? a[i] / Math.sqrt(h[i]) : 0;
        }
        return transposeTimes(product(basis, overRoot, workers));
    }

    /**
     * What the basis is to be multiplied by: the solution, or, from the rows, b with r_i = sqrt(h_i) b_i and b_i = (sqrt(gamma)/2 U'P(y - z/2) -
     * sqrt(gamma)/4 border U'Pz)_i / (gamma/4 h_i + lambda), because Q diag(sqrt(h)) = X'U. Here lambda >= 0, because the null space of X is not empty.
     */
    private double[] coordinates(ArrowSphere.Solution solution, Target target, double plainGamma) {
        int k = h.length;
        if (dual == null) {
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
            double right = root / 2 * (target.onU[i] - uz[i] / 2) - cross / 4 * border * uz[i];
            right -= target.tilt == null ? 0 : target.tilt.over[i];
            b[i] = right / (gamma / 4 * h[i] + lambda);
        }
        return b;
    }

    /** A unit vector of the null space of PX: the coordinate vector that lies most in it, projected. Deterministic. */
    private synchronized double[] nullDirection(Workers workers) {
        if (nullVector == null) {
            nullVector = newNullDirection(workers);
        }
        return nullVector;
    }

    private double[] newNullDirection(Workers workers) {
        int n = family.features();
        double floor = negligible();
        int kept = rank();
        // the row norms of Q tell how much of each coordinate vector lies in the range
        DenseMatrix scaled = DenseMatrix.zeros(basis.rows(), kept);
        for (int i = 0, k = 0; i < h.length; i++) {
            if (h[i] > floor) {
                double[] column = basis.column(i);
                Vectors.scale(1 / Math.sqrt(h[i]), column);
                scaled.setColumn(k++, column);
            }
        }
        DenseMatrix q = DenseMatrix.zeros(n, kept);
        dual.transposeTimes(scaled, q);
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

    private double[] transposeTimes(double[] u) {
        DenseMatrix out = DenseMatrix.zeros(family.features(), 1);
        dual.transposeTimes(DenseMatrix.column(u), out);
        return out.column(0);
    }

    private static double[] product(DenseMatrix a, double[] v, Workers workers) {
        DenseMatrix out = DenseMatrix.zeros(a.rows(), 1);
        a.times(DenseMatrix.column(v), out, workers);
        return out.column(0);
    }

    private static double[] coordinates(DenseMatrix basis, double[] v, Workers workers) {
        DenseMatrix out = DenseMatrix.zeros(basis.cols(), 1);
        basis.transposeTimes(DenseMatrix.column(v), out, null, workers);
        return out.column(0);
    }

    private static double[] clipped(double[] values) {
        return Arrays.stream(values).map(value -> Math.max(0, value)).toArray();
    }

    /** How many of the ascending eigenvalues are rounding of the largest. */
    private static int noise(double[] values, int features) {
        double largest = values.length == 0 ? 0 : values[values.length - 1];
        double floor = Math.max(values.length, features) * 0x1p-52 * largest;
        return (int) Arrays.stream(values).filter(value -> value <= floor).count();
    }

    private static double[] scaledByRoot(double[] h, double[] a) {
        double[] result = a.clone();
        for (int i = 0; i < a.length; i++) {
            result[i] *= Math.sqrt(h[i]);
        }
        return result;
    }
}
