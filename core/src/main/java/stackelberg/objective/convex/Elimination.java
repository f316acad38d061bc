package stackelberg.objective.convex;

import stackelberg.linalg.Cholesky;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;

/** (B'WB)^{-1}, with a little added where people's losses are too flat to tell: solved exactly it is only a better direction. */
final class Elimination {
    private static final double LITTLE = 1e-14;

    private final Cholesky factor;
    private final double size;

    private Elimination(Cholesky factor, double size) {
        this.factor = factor;
        this.size = size;
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
                double inverse = 0;
                DenseMatrix whole = factor.get().inverse();
                for (int i = 0; i < k; i++) {
                    for (int j = 0; j < k; j++) {
                        inverse += whole.get(i, j) * whole.get(i, j);
                    }
                }
                return new Elimination(factor.get(), Math.sqrt(inverse));
            }
        }
        throw new IllegalArgumentException("The curvature of the loss is not finite.\nMaybe the rule is not.");
    }

    /** (B'WB)^{-1} b. */
    double[] solve(double[] b) {
        double[] solution = b.clone();
        factor.solve(solution);
        return solution;
    }

    /** A bound of the norm of (B'WB)^{-1}. */
    double inverseNorm() {
        return size;
    }
}
