package stackelberg.estimate;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;
import stackelberg.linalg.Cholesky;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;

/**
 * The normal equations of least squares from sums of products, on scaled columns, so that the diagonal is 1.
 *
 * @param used the columns that are used: those with a positive scale
 * @param scale what each column is divided by; 0 for a column that is left out
 * @param gram the products of the used columns
 * @param right their products with the target
 */
record NormalEquations(int[] used, double[] scale, DenseMatrix gram, double[] right) {
    /**
     * Equations with a smaller 1 - R^2 of a column on the columns before it, or a smaller relative eigenvalue, are
     * singular.
     */
    private static final double WELL_POSED = 1e-12;

    static NormalEquations of(double[] scale, int target, LinearEstimator.Products products) {
        int[] used = IntStream.range(0, scale.length).filter(j -> scale[j] > 0).toArray();
        DenseMatrix gram = DenseMatrix.zeros(used.length, used.length);
        double[] right = new double[used.length];
        for (int a = 0; a < used.length; a++) {
            int i = used[a];
            right[a] = products.of(target, i) / scale[i];
            for (int b = 0; b < a; b++) {
                double value = products.of(i, used[b]) / (scale[i] * scale[used[b]]);
                gram.set(a, b, value);
                gram.set(b, a, value);
            }
            gram.set(a, a, 1);
        }
        return new NormalEquations(used, scale, gram, right);
    }

    Spectrum spectrum(Workers workers) {
        return Spectrum.of(gram, right, workers);
    }

    /**
     * Returns one coefficient per column, 0 for those left out; of singular equations the solution of smallest norm,
     * without the directions of the null space. All are NaN if a product is not finite.
     */
    double[] solve(Workers workers) {
        for (int i = 0; i < right.length; i++) {
            if (!Double.isFinite(right[i]) || Arrays.stream(gram.row(i)).anyMatch(v -> !Double.isFinite(v))) {
                double[] unknown = new double[right.length];
                Arrays.fill(unknown, Double.NaN);
                return unscaled(unknown);
            }
        }
        Optional<Cholesky> factor = Cholesky.of(gram, 0, workers).filter(NormalEquations::isWellPosed);
        if (factor.isEmpty()) {
            return unscaled(spectrum(workers).smallest(WELL_POSED));
        }
        double[] solution = right.clone();
        factor.get().solve(solution);
        return unscaled(solution);
    }

    private static boolean isWellPosed(Cholesky factor) {
        DenseMatrix lower = factor.lower();
        return IntStream.range(0, lower.rows()).allMatch(j -> lower.get(j, j) * lower.get(j, j) >= WELL_POSED);
    }

    /** Returns the coefficients of all columns from those of the used columns as they are scaled here. */
    double[] unscaled(double[] solution) {
        double[] all = new double[scale.length];
        for (int a = 0; a < used.length; a++) {
            all[used[a]] = solution[a] / scale[used[a]];
        }
        return all;
    }
}
