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
 * {@link Ridge} for so many features that their products do not fit into memory. It solves the game with a gamma so
 * large that the pull-through t vanishes: the game's ridge mu (||u||^2 + gamma t^2) is then mu ||w||^2, so that one
 * basis, or one decomposition of the smaller side of X, serves all lambdas of a fold, and sparse data stay sparse.
 *
 * <p>Features are scaled by the variance over all rows, in folds too. A lambda so small that its rule has not converged
 * after {@value #STEPS} passes is evaluated at the last iterate.
 */
final class WideRidge {
    /** The gamma: for a target of variance 1 the pull-through of any useful rule is then below 1e-9. */
    private static final double NEVER = 1e10;

    private static final int STEPS = 150;

    /** The largest number of values held by the bases of folds that are solved in parallel, 1 GB. */
    private static final long MOST_VALUES = 1 << 27;

    /** Up to this size of the smaller side, a decomposition costs no more than a few passes. */
    private static final int SMALL = 512;

    private final Encoding encoding;
    /** The standardised features, not centred if there is an intercept. */
    private final Matrix x;
    /** The shift that is subtracted from the stored columns, and the factors by which they are then multiplied. */
    private final double[] shift;

    private final double[] factor;
    /** Whether the stored columns are the raw data instead of the encoded columns. */
    private final boolean raw;

    private final double[] y;
    private final double meanY;
    private final double sdY;
    private final double[] weights;
    private final boolean intercept;
    private final Workers workers;

    /**
     * @param intercept whether there is a b; without one, b is 0 in encoded units, as everywhere
     */
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

    /** Returns the rows as a sparse matrix if they are stored as one and all of its columns are features. */
    static Optional<CsrMatrix> sparse(Encoding encoding, Table rows) {
        return encoding.sparse(rows, Encoding.UnknownLevel.ERROR)
                .filter(matrix -> encoding.names().equals(Table.positions(matrix.cols())));
    }

    /**
     * Returns 1 over the standard deviation of every column, taken around the shift if there is no intercept; 0 for a
     * constant column.
     */
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
            // the variance of a constant column is rounding
            factors[j] = variance <= 1e-12 * square ? 0 : 1 / Math.sqrt(variance);
        }
        return factors;
    }

    private static void add(double weight, int j, double value, double[] sums, double[] squares) {
        sums[j] += weight * value;
        squares[j] += weight * value * value;
    }

    /** Returns one rule per lambda, on the standardised features and target. */
    private List<LinearRule> rules(
            double[] counted, double[] lambdas, SphereSolver solver, SolverOptions options, Workers those) {
        // the wish 0 with noise 1 makes the limit point as bad as predicting the mean, with an error on top: no rule is
        // pulled towards it
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

    /** Returns one published rule per lambda (least squares for 0), all from one basis. */
    List<PublishedRule> rules(double... lambdas) {
        List<LinearRule> found =
                rules(weights, lambdas, Solvers.named("auto", workers), SolverOptions.DEFAULT, workers);
        return IntStream.range(0, lambdas.length)
                .mapToObj(k -> published(lambdas[k] == 0 ? "least squares" : "ridge", found.get(k)))
                .toList();
    }

    /** Returns the lambda that {@link Ridge#crossValidated} would choose. */
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

    /** Returns, for each lambda, the squared error on the held-out rows of the rule learned from the others. */
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
