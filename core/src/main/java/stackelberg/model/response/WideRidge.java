package stackelberg.model.response;

import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import stackelberg.data.Encoding;
import stackelberg.data.Encoding.EncodedColumn;
import stackelberg.data.Table;
import stackelberg.estimate.Resampling;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.game.PublishedRule;
import stackelberg.linalg.AffineMatrix;
import stackelberg.linalg.CsrMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.objective.Pipeline;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereSolver;
import stackelberg.solver.auto.Solvers;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereProblem;

/**
 * {@link Ridge} for more features than products of them can be kept of: the game in which nobody moves. With gamma so large that the pull-through t
 * vanishes the game's ridge mu (||u||^2 + gamma t^2) is mu ||w||^2, so that all lambdas of a fold come from one basis, or one decomposition of the
 * smaller side, and sparse data stay as they are.
 *
 * <p>Features are scaled by the variance of all rows, also in folds. A lambda so small that its rule has not settled after {@value #STEPS} passes is judged as far as it came.
 */
final class WideRidge {
    /** The pull-through of any rule that is worth something for a target of variance 1 is below 1e-9 then. */
    private static final double NEVER = 1e10;

    private static final int STEPS = 150;

    /** Values of the bases that are held at once where folds are learned side by side: 1 GB. */
    private static final long MOST_VALUES = 1 << 27;

    /** Up to here a decomposition costs no more than some passes. */
    private static final int SMALL = 512;

    private final Encoding encoding;
    /** Standardised, but for what an intercept takes. */
    private final Matrix x;
    /** Subtracted from the columns as they are kept, and what they are multiplied by then. */
    private final double[] shift;

    private final double[] factor;
    /** Whether the columns are kept as the data have them, instead of encoded. */
    private final boolean raw;

    private final double[] y;
    private final double meanY;
    private final double sdY;
    private final double[] weights;
    private final boolean intercept;
    private final Workers workers;

    /** @param intercept whether there is a b; without one it is 0 in encoded units, as everywhere */
    WideRidge(Encoding encoding, Table rows, double[] y, double[] weights, boolean intercept, Workers workers) {
        this.encoding = encoding;
        this.weights = weights;
        this.intercept = intercept;
        this.workers = workers;
        Optional<CsrMatrix> sparse = sparse(encoding, rows);
        this.raw = sparse.isPresent();
        Matrix kept = raw ? sparse.get() : encoding.apply(rows);
        this.shift = new double[kept.cols()];
        if (raw && !intercept) {
            Arrays.setAll(shift, j -> encoding.columns().get(j).shift());
        }
        this.factor = factors(kept);
        this.x = new AffineMatrix(kept, raw && !intercept ? shift : null, factor, false);
        double total = Arrays.stream(weights).sum();
        this.meanY = intercept ? Vectors.dot(weights, y) / total : 0;
        this.y = Arrays.stream(y).map(value -> value - meanY).toArray();
        double squares = 0;
        for (int i = 0; i < y.length; i++) {
            squares += weights[i] * this.y[i] * this.y[i];
        }
        this.sdY = squares > 0 ? Math.sqrt(squares / total) : 1;
        Vectors.scale(1 / sdY, this.y);
    }

    /** The rows as they are kept, where they are sparse and all of their columns are features. */
    static Optional<CsrMatrix> sparse(Encoding encoding, Table rows) {
        return encoding.sparse(rows, Encoding.UnknownLevel.ERROR)
                .filter(matrix -> encoding.names().equals(Table.positions(matrix.cols())));
    }

    /** 1 over the standard deviation of every column, around the shift where there is no intercept; 0 for a constant one. */
    private double[] factors(Matrix kept) {
        int n = kept.cols();
        double total = Arrays.stream(weights).sum();
        double[] sums = new double[n];
        double[] squares = new double[n];
        if (kept instanceof CsrMatrix sparse) {
            for (int i = 0; i < sparse.rows(); i++) {
                for (int entry = sparse.rowBegin(i); entry < sparse.rowEnd(i); entry++) {
                    add(weights[i], sparse.columnAt(entry), sparse.valueAt(entry), sums, squares);
                }
            }
        } else {
            double[] row = new double[n];
            DoubleBuffer buffer = DoubleBuffer.wrap(row);
            for (int i = 0; i < kept.rows(); i++) {
                kept.tile(i, 1, 0, n, buffer);
                for (int j = 0; j < n; j++) {
                    add(weights[i], j, row[j], sums, squares);
                }
            }
        }
        double[] factors = new double[n];
        for (int j = 0; j < n; j++) {
            double mean = sums[j] / total;
            double square = squares[j] / total;
            double variance = intercept ? square - mean * mean : square - 2 * mean * shift[j] + shift[j] * shift[j];
            // what is left of a feature that is constant is rounding
            factors[j] = variance <= 1e-12 * square ? 0 : 1 / Math.sqrt(variance);
        }
        return factors;
    }

    private static void add(double weight, int j, double value, double[] sums, double[] squares) {
        sums[j] += weight * value;
        squares[j] += weight * value * value;
    }

    /** One rule for each lambda, on standardised features and target. */
    private List<LinearRule> rules(
            double[] counted, double[] lambdas, SphereSolver solver, SolverOptions options, Workers those) {
        // whoever would be believed says nothing but the mean, and not even that exactly: it does not pay to be pulled
        PredictionGame pulled = PredictionGame.of(x, y, new double[y.length], NEVER)
                .withWeights(counted)
                .withWishNoise(1);
        Reduction reduction = Pipeline.reduce(intercept ? pulled.withIntercept() : pulled, those);
        double total = Arrays.stream(counted).sum();
        List<SphereProblem> problems = Arrays.stream(lambdas)
                .mapToObj(lambda -> reduction.family().withRidge(lambda * total).at(NEVER))
                .toList();
        return new Pipeline(solver, options)
                .solve(problems).stream()
                        .map(result -> reduction.recover(result.r(), NEVER))
                        .toList();
    }

    /** The rule of each lambda, least squares for 0, all from one basis. */
    List<PublishedRule> rules(double... lambdas) {
        List<LinearRule> found =
                rules(weights, lambdas, Solvers.named("auto", workers), SolverOptions.DEFAULT, workers);
        return IntStream.range(0, lambdas.length)
                .mapToObj(k -> published(lambdas[k] == 0 ? "least squares" : "ridge", found.get(k)))
                .toList();
    }

    /** The same choice of lambda as {@link Ridge#crossValidated}. */
    double crossValidated(long seed) {
        Resampling.Folds folds = Resampling.of(weights, seed).foldsAtMost(Ridge.FOLDS);
        double[] grid = Ridge.grid();
        double[][] errors = new double[folds.count()][];
        long room = MOST_VALUES / (2L * STEPS * Math.max(1, x.cols()));
        int together = (int) Math.max(1, Math.min(Math.min(workers.threads(), folds.count()), room));
        if (together == 1) {
            Arrays.setAll(errors, f -> heldOutErrors(folds.heldOut(f), grid, workers));
        } else {
            workers.run(together, first -> {
                Workers one = Workers.of(1);
                for (int f = first; f < errors.length; f += together) {
                    errors[f] = heldOutErrors(folds.heldOut(f), grid, one);
                }
            });
        }
        double[] sums = new double[grid.length];
        for (double[] ofFold : errors) {
            Vectors.axpy(1, ofFold, sums);
        }
        return grid[Ridge.best(sums)];
    }

    /** The squared errors of some people, for each lambda, under the rule that is learned from all others. */
    private double[] heldOutErrors(int[] heldOut, double[] grid, Workers those) {
        Workers.throwIfInterrupted();
        double[] counted = weights.clone();
        for (int i : heldOut) {
            counted[i] = 0;
        }
        boolean small = Math.min(x.rows(), x.cols()) <= SMALL;
        SphereSolver solver = Solvers.named(small ? "auto" : "krylov", those);
        List<LinearRule> rules = rules(counted, grid, solver, SolverOptions.DEFAULT.withMaxIterations(STEPS), those);
        DenseMatrix w = DenseMatrix.zeros(x.cols(), grid.length);
        for (int k = 0; k < grid.length; k++) {
            w.setColumn(k, rules.get(k).w());
        }
        DenseMatrix predictions = DenseMatrix.zeros(x.rows(), grid.length);
        x.times(w, predictions, those);
        double[] errors = new double[grid.length];
        for (int i : heldOut) {
            for (int k = 0; k < grid.length; k++) {
                double error = predictions.get(i, k) + rules.get(k).intercept() - y[i];
                errors[k] += weights[i] * error * error;
            }
        }
        return errors;
    }

    private PublishedRule published(String name, LinearRule found) {
        List<EncodedColumn> columns = encoding.columns();
        Map<String, Double> coefficients = new LinkedHashMap<>();
        double constant = meanY + sdY * found.intercept();
        double[] w = found.w();
        for (int j = 0; j < columns.size(); j++) {
            EncodedColumn column = columns.get(j);
            double kept = sdY * w[j] * factor[j];
            double coefficient = raw ? kept : kept / column.scale();
            coefficients.put(column.name(), coefficient);
            constant -= raw ? kept * shift[j] : coefficient * column.shift();
        }
        return new PublishedRule(name, constant, coefficients);
    }
}
