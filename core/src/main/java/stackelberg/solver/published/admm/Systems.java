package stackelberg.solver.published.admm;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.DoubleFunction;
import stackelberg.linalg.Cholesky;
import stackelberg.linalg.CsrMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.sphere.SphereFamily;
import stackelberg.sphere.SphereProblem;

/** Chooses how H + sigma I is factored: sparse where X is, on the side of the rows where they are fewer, dense otherwise. */
final class Systems {
    /** A Gram matrix with more than this share of nonzeros is treated as dense. */
    private static final double DENSE_SHARE = 0.1;

    /** Beyond this order a dense matrix is not in one piece of memory. */
    private static final int MAX_DENSE_ORDER = 16_383;

    private Systems() {}

    static ShiftedSystem of(SphereProblem problem, boolean explicitInverse, Workers workers) {
        if (!explicitInverse) {
            SphereFamily family = problem.family();
            Optional<SphereFamily.Sparse> sparse = family.sparse().filter(Systems::staysSparse);
            if (sparse.isPresent()) {
                return sparse(problem, sparse.get(), workers);
            }
            Optional<SphereFamily.Dual> dual = family.dual();
            if (dual.isPresent()) {
                return wide(problem, dual.get(), workers);
            }
        }
        requireDenseFits(problem.dimension(), "H");
        return new DenseSystem(problem.hessian(), explicitInverse, workers);
    }

    private static boolean staysSparse(SphereFamily.Sparse gram) {
        CsrMatrix core = gram.core();
        double order = Math.min(core.rows(), core.cols());
        CsrMatrix tall = core.rows() < core.cols() ? core.transpose() : core;
        return tall.gramNonzerosBound() <= DENSE_SHARE * order * order;
    }

    private static void requireDenseFits(int order, String what) {
        double bytes = 16.0 * order * order;
        if (order > MAX_DENSE_ORDER || bytes > Memory.directLimit()) {
            throw new IllegalArgumentException(String.format(
                    "%s of order %,d and its factor take %.1f GB as dense matrices; at most order %,d and %.1f GB are possible"
                            + " here.%nMaybe use the solver krylov, which factors nothing.",
                    what, order, bytes / 1e9, MAX_DENSE_ORDER, Memory.directLimit() / 1e9));
        }
    }

    private static ShiftedSystem wide(SphereProblem problem, SphereFamily.Dual dual, Workers workers) {
        double stretch = problem.geometry().stretch();
        double root = stretch * Math.sqrt(problem.gamma()) / 2;
        DenseMatrix k = scaledGram(dual, stretch * stretch * problem.gamma() / 4);
        int m = k.rows();
        int n = problem.dimension() - 1;
        DoubleFunction<Optional<ShiftedSolve>> rows =
                sigma -> Cholesky.of(k, sigma, workers).map(cholesky -> cholesky::solve);
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
                rows,
                problem.hessianNorm());
        return bordered(problem, core, n, new double[0][], new double[0][]);
    }

    private static DenseMatrix scaledGram(SphereFamily.Dual dual, double factor) {
        int m = dual.y().length;
        requireDenseFits(m, "The matrix of the rows");
        DenseMatrix k = dual.gram();
        for (int i = 0; i < m; i++) {
            k.setRow(i, times(factor, k.row(i)));
        }
        return k;
    }

    private static ShiftedSystem sparse(SphereProblem problem, SphereFamily.Sparse gram, Workers workers) {
        double root = problem.geometry().stretch() * Math.sqrt(problem.gamma()) / 2;
        double[] scale = new double[gram.features()];
        Arrays.fill(scale, root);
        CsrMatrix y = gram.core().scaled(null, scale);
        boolean dual = y.rows() < y.cols();
        var symbolic = SparseCholesky.Symbolic.of((dual ? y.transpose() : y).gram());
        symbolic.obstacle().ifPresent(why -> {
            throw new IllegalArgumentException("The sparse matrix of order " + Math.min(y.rows(), y.cols())
                    + " cannot be factored. " + why + "\nMaybe use the solver krylov, which factors nothing.");
        });
        DoubleFunction<Optional<ShiftedSolve>> factor =
                sigma -> symbolic.factor(sigma, workers).map(cholesky -> cholesky::solve);
        ShiftedSystem core =
                dual ? new WideSystem(y::times, y::transposeTimes, factor, problem.hessianNorm()) : factor::apply;
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
