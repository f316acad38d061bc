package stackelberg.objective.program;

import stackelberg.linalg.Cholesky;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;

/** (C'WC)^{-1} of columns C, with a little added where people's losses are too flat to tell: solved exactly it is only a better direction. */
final class Elimination {
    private static final double LITTLE = 1e-14;

    private final Cholesky factor;

    private Elimination(Cholesky factor) {
        this.factor = factor;
    }

    static Elimination of(double[][] gram) {
        int k = gram.length;
        DenseMatrix matrix = DenseMatrix.of(gram);
        double largest = Double.MIN_NORMAL;
        for (int j = 0; j < k; j++) {
            largest = Math.max(largest, gram[j][j]);
        }
        Workers one = Workers.of(1);
        for (double more = k * LITTLE; more < Double.POSITIVE_INFINITY; more *= 100) {
            var factor = Cholesky.of(matrix, more * largest, one);
            if (factor.isPresent()) {
                return new Elimination(factor.get());
            }
        }
        throw new IllegalArgumentException("The curvature of the loss is not finite.\nMaybe the rule is not.");
    }

    /** (C'WC)^{-1} b. */
    double[] solve(double[] b) {
        double[] solution = b.clone();
        factor.solve(solution);
        return solution;
    }

    /** A bound of the norm of (C'WC)^{-1}. */
    double inverseNorm() {
        DenseMatrix inverse = factor.inverse();
        double square = 0;
        for (int i = 0; i < inverse.rows(); i++) {
            for (int j = 0; j < inverse.cols(); j++) {
                square += inverse.get(i, j) * inverse.get(i, j);
            }
        }
        return Math.sqrt(square);
    }
}
