package stackelberg.solver.published.admm;

import java.util.Arrays;
import java.util.Optional;
import stackelberg.linalg.CsrMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.SparseCholesky;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.solver.SphereSolver;
import stackelberg.sphere.SphereFamily;
import stackelberg.sphere.SphereProblem;

/**
 * Chooses how H + sigma I is factorised: sparse if X is sparse, of the order of the rows if they are fewer than the
 * features, dense otherwise.
 */
final class Systems {
    /** The share of nonzeros above which a Gram matrix is treated as dense. */
    private static final double DENSE_SHARE = 0.1;
    /** The largest order of an explicit inverse: a larger matrix exceeds one buffer of 2 GB. */
    private static final int MAX_INVERSE_ORDER = 16_383;

    private Systems() {}

    static ShiftedSystem of(SphereProblem problem, boolean explicitInverse, Workers workers) {
        return of(problem, explicitInverse, Memory.directLimit(), workers);
    }

    /** Chooses a system like {@link #of}, for a given amount of memory in bytes. */
    static ShiftedSystem of(SphereProblem problem, boolean explicitInverse, double memory, Workers workers) {
        if (!explicitInverse) {
            SphereFamily family = problem.family();
            Optional<SphereFamily.Sparse> sparse = family.sparse().filter(Systems::staysSparse);
            if (sparse.isPresent()) {
                return sparse(problem, sparse.get(), memory, workers);
            }
            Optional<SphereFamily.Dual> dual = family.dual();
            if (dual.isPresent()) {
                return wide(problem, dual.get(), memory, workers);
            }
        }
        requireFits(problem.dimension(), "H", explicitInverse, memory);
        return new DenseSystem(problem.hessian(), explicitInverse, workers);
    }

    /** Returns whether the Gram matrix of the smaller side is sparse enough. */
    private static boolean staysSparse(SphereFamily.Sparse gram) {
        CsrMatrix core = gram.core();
        double order = Math.min(core.rows(), core.cols());
        CsrMatrix tall = core.rows() < core.cols() ? core.transpose() : core;
        return tall.gramNonzerosBound() <= DENSE_SHARE * order * order;
    }

    /**
     * Throws a refusal if a dense matrix does not fit into memory. It is factorised in place; an inverse needs its size
     * again.
     */
    private static void requireFits(int order, String what, boolean inverse, double memory) {
        double bytes = (inverse ? 16.0 : 8.0) * order * order;
        if (bytes > memory) {
            throw new SphereSolver.Refusal(String.format(
                    "%s of order %,d %s %.1f GB as a dense matrix; at most %.1f GB are possible here.%nMaybe use the solver krylov,"
                            + " which factors nothing.",
                    what, order, inverse ? "and its inverse take" : "takes", bytes / 1e9, memory / 1e9));
        }
        if (inverse && order > MAX_INVERSE_ORDER) {
            throw new SphereSolver.Refusal(String.format(
                    "%s of order %,d cannot be inverted; at most order %,d is possible.%nMaybe use the solver cd-admm, which factors it,"
                            + " or krylov, which factors nothing.",
                    what, order, MAX_INVERSE_ORDER));
        }
    }

    /** Returns the system through the m x m matrix of the rows, for dense data with fewer rows than features. */
    private static ShiftedSystem wide(SphereProblem problem, SphereFamily.Dual dual, double memory, Workers workers) {
        double stretch = problem.geometry().stretch();
        double root = stretch * Math.sqrt(problem.gamma()) / 2;
        DenseMatrix k = scaledGram(dual, stretch * stretch * problem.gamma() / 4, memory);
        int m = k.rows();
        int n = problem.dimension() - 1;
        var core = new WideSystem(
                v -> {
                    DenseMatrix out = DenseMatrix.zeros(m, 1);
                    dual.times(DenseMatrix.column(v), out);
                    return times(root, out.column(0));
                },
                u -> {
                    DenseMatrix out = DenseMatrix.zeros(n, 1);
                    dual.transposeTimes(DenseMatrix.column(u), out);
                    return times(root, out.column(0));
                },
                new DenseSystem(k, false, workers),
                problem.hessianNorm());
        return bordered(problem, core, n, new double[0][], new double[0][]);
    }

    /** Returns factor times PXX'P. */
    private static DenseMatrix scaledGram(SphereFamily.Dual dual, double factor, double memory) {
        int m = dual.y().length;
        requireFits(m, "The matrix of the rows", false, memory);
        DenseMatrix k = dual.gram();
        for (int i = 0; i < m; i++) {
            k.setRow(i, times(factor, k.row(i)));
        }
        return k;
    }

    private static ShiftedSystem sparse(
            SphereProblem problem, SphereFamily.Sparse gram, double memory, Workers workers) {
        double root = problem.geometry().stretch() * Math.sqrt(problem.gamma()) / 2;
        double[] scale = new double[gram.features()];
        Arrays.fill(scale, root);
        CsrMatrix y = gram.core().scaled(null, scale);
        boolean dual = y.rows() < y.cols();
        var symbolic = SparseCholesky.Symbolic.of((dual ? y.transpose() : y).gram());
        if (symbolic.bytes() > memory) {
            throw new SphereSolver.Refusal(String.format(
                    "The sparse matrix of order %,d cannot be factored. Its factor fills in to a dense block of order %,d and takes"
                            + " %.1f GB; at most %.1f GB are possible here.%nMaybe use the solver krylov, which factors nothing.",
                    Math.min(y.rows(), y.cols()), symbolic.denseOrder(), symbolic.bytes() / 1e9, memory / 1e9));
        }
        ShiftedSystem factor = sigma -> symbolic.factor(sigma, workers).map(cholesky -> cholesky::solve);
        ShiftedSystem core = dual ? new WideSystem(y::times, y::transposeTimes, factor, problem.hessianNorm()) : factor;
        double[][] low = Arrays.stream(gram.low()).map(w -> times(root, w)).toArray(double[][]::new);
        return bordered(problem, core, gram.features(), low, gram.t());
    }

    /** The core of order n inside H: around it the rows of the remaining features and of z, and the low-rank terms. */
    private static ShiftedSystem bordered(
            SphereProblem problem, ShiftedSystem core, int n, double[][] low, double[][] lowT) {
        int d = problem.dimension();
        int variables = d - n;
        int k = variables + low.length;
        double[][] b = new double[k][];
        double[][] t = new double[k][k];
        DenseMatrix units = DenseMatrix.zeros(d, variables);
        for (int c = 0; c < variables; c++) {
            units.set(n + c, c, 1);
        }
        DenseMatrix columns = DenseMatrix.zeros(d, variables);
        problem.hessianTimes(units, columns);
        for (int c = 0; c < variables; c++) {
            double[] column = columns.column(c);
            b[c] = Arrays.copyOf(column, n);
            System.arraycopy(column, n, t[c], 0, variables);
        }
        for (int c = 0; c < low.length; c++) {
            b[variables + c] = low[c];
            System.arraycopy(lowT[c], 0, t[variables + c], variables, low.length);
        }
        return new BorderedSystem(core, n, b, t, variables);
    }

    private static double[] times(double factor, double[] v) {
        double[] result = v.clone();
        Vectors.scale(factor, result);
        return result;
    }
}
