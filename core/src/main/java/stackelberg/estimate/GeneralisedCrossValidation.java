package stackelberg.estimate;

import java.util.Arrays;

/**
 * Generalised cross-validation of ridge: RSS(lambda) / (1 - (1 + trace(lambda))/m)^2, an estimate of the error on
 * left-out rows up to a factor. Numerator and denominator are sums of remainders, because differences cancel for rules
 * that nearly interpolate.
 *
 * @param truth the residual sum of squares as a function of lambda
 * @param freedom the remaining degrees of freedom as a function of lambda
 */
record GeneralisedCrossValidation(Left truth, Left freedom) {
    /**
     * The function rest + sum_k parts_k (lambda/(values_k + lambda))^power of lambda.
     *
     * @param rest the part that no rule explains
     * @param parts the parts that least squares explains, by eigenvector
     */
    record Left(double rest, double[] parts, double[] values, int power) {
        /**
         * The function for a vector with this squared norm, from its coordinates and the eigenvalues of the
         * covariances. Eigenvalues of the size of rounding explain nothing.
         */
        static Left of(double square, double[] coordinates, double[] values, boolean wide, int power) {
            double floor = 1e-13 * Arrays.stream(values).max().orElse(0);
            double[] parts = new double[values.length];
            double explained = 0;
            for (int k = 0; k < parts.length; k++) {
                parts[k] = values[k] > floor ? coordinates[k] * coordinates[k] / values[k] : 0;
                explained += parts[k];
            }
            return new Left(wide ? 0 : Math.max(0, square - explained), parts, values, power);
        }

        double at(double lambda) {
            double sum = rest;
            for (int k = 0; k < parts.length; k++) {
                sum += parts[k] * Math.pow(lambda / (values[k] + lambda), power);
            }
            return sum;
        }
    }

    /**
     * Returns the best lambda on a grid: the largest one whose estimated error does not differ from the smallest by
     * more than its accuracy.
     *
     * @param known the relative accuracy of the estimated errors
     */
    double best(double known) {
        double largest = Arrays.stream(truth.values).max().orElse(1);
        // nine decades below the largest eigenvalue to one above it, in steps of the fourth root of 10
        double[] lambdas = new double[41];
        Arrays.setAll(lambdas, k -> largest * Math.pow(10, -9 + k / 4.0));
        double[] errors = Arrays.stream(lambdas).map(this::error).toArray();
        double most = (1 + known) * Arrays.stream(errors).min().orElseThrow();
        int best = lambdas.length - 1;
        while (best > 0 && !(errors[best] <= most)) {
            best--;
        }
        return lambdas[best] > 0 ? lambdas[best] : 1;
    }

    private double error(double lambda) {
        double free = freedom.at(lambda);
        return free > 0 ? truth.at(lambda) / (free * free) : Double.POSITIVE_INFINITY;
    }
}
