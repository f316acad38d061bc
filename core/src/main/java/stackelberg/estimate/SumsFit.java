package stackelberg.estimate;

import java.util.Arrays;
import stackelberg.estimate.LinearEstimator.Fit;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;

/**
 * Least squares and ridge from the sums of products of the columns (x - shift) factors, y - level and 1: one
 * eigendecomposition of the correlations serves all lambdas. A column that is constant up to rounding gets the
 * coefficient 0.
 */
final class SumsFit {
    /** A variance this small, relative to the mean square, is the rounding error of a constant column. */
    private static final double CONSTANT = 1e-12;

    /** Per column and relative to the largest eigenvalue, the size of eigenvalues that are rounding of 0. */
    static final double ROUNDING = 0x1p-46;

    private final Columns columns;
    private final boolean intercept;
    private final long rows;
    /** The means of the columns, then of y; 0 without an intercept. */
    private final double[] mean;

    private final double yy;
    private final NormalEquations equations;
    private final Spectrum spectrum;

    /**
     * The columns whose products are summed.
     *
     * @param shift what is subtracted from the columns of x; 0 without an intercept
     * @param factors what they are multiplied by after that
     * @param level what is subtracted from y; 0 without an intercept
     */
    record Columns(double[] shift, double[] factors, double level) {}

    SumsFit(Moments sums, Columns columns, boolean intercept, Workers workers) {
        int n = columns.factors.length;
        DenseMatrix s = sums.products();
        double total = sums.weight();
        this.columns = columns;
        this.intercept = intercept;
        this.rows = sums.rows();
        this.mean = new double[n + 1];
        for (int j = 0; j <= n && intercept; j++) {
            mean[j] = s.get(n + 1, j) / total;
        }
        double[] sd = new double[n];
        for (int j = 0; j < n; j++) {
            double variance = s.get(j, j) / total - mean[j] * mean[j];
            sd[j] = variance <= CONSTANT * s.get(j, j) / total ? 0 : Math.sqrt(variance);
        }
        this.yy = s.get(n, n) / total - mean[n] * mean[n];
        this.equations = NormalEquations.of(sd, n, (i, j) -> s.get(i, j) / total - mean[i] * mean[j]);
        this.spectrum = equations.spectrum(workers);
    }

    /** Returns least squares or, if it is ill-posed, ridge with lambda by generalised cross-validation. */
    Fit fit(double wellPosed) {
        double[] values = spectrum.values();
        boolean least = values.length == 0 || 2L * values.length < rows && spectrum.isWellPosed(wellPosed * wellPosed);
        double lambda = least ? 0 : validation().best(0);
        return fit(spectrum.solve(lambda), LinearEstimator.source(least, lambda));
    }

    /**
     * Generalised cross-validation from the eigenvalues v of the correlations: an eigenvector uses v/(v + lambda)
     * degrees of freedom, the intercept one.
     */
    private GeneralisedCrossValidation validation() {
        double[] values = spectrum.values();
        long free = rows - (intercept ? 1 : 0);
        double[] roots = Arrays.stream(values).map(Math::sqrt).toArray();
        boolean wide = values.length >= free;
        return new GeneralisedCrossValidation(
                GeneralisedCrossValidation.Left.of(yy, spectrum.coordinates(), values, wide, 2),
                GeneralisedCrossValidation.Left.of(free, roots, values, wide, 1));
    }

    /** Returns ridge with this lambda; least squares of smallest norm for 0. */
    Fit ridge(double lambda) {
        return fit(ofLambda(lambda), lambda > 0 ? LinearEstimator.RIDGE : LinearEstimator.LEAST_SQUARES);
    }

    private double[] ofLambda(double lambda) {
        return lambda > 0 ? spectrum.solve(lambda) : spectrum.smallest(spectrum.values().length * ROUNDING);
    }

    private Fit fit(double[] solution, String source) {
        double[] w = equations.unscaled(solution);
        double constant = columns.level + mean[w.length];
        for (int j = 0; j < w.length; j++) {
            constant -= w[j] * mean[j];
            w[j] *= columns.factors[j];
            constant -= w[j] * columns.shift[j];
        }
        return new Fit(w, intercept ? constant : 0, source);
    }

    /**
     * Returns the squared error of ridge on other rows from their sums alone: v'(sums of (x, y, 1)(x, y, 1)')v with v =
     * (w, -1, b).
     */
    double squaredError(Moments held, double lambda) {
        double[] w = equations.unscaled(ofLambda(lambda));
        double[] v = Arrays.copyOf(w, w.length + 2);
        v[w.length] = -1;
        v[w.length + 1] = mean[w.length] - Vectors.dot(w, Arrays.copyOf(mean, w.length));
        double sum = 0;
        for (int i = 0; i < v.length; i++) {
            double row = held.products().get(i, i) * v[i] / 2;
            for (int j = 0; j < i; j++) {
                row += held.products().get(i, j) * v[j];
            }
            sum += 2 * v[i] * row;
        }
        return sum;
    }
}
