package stackelberg.solver.krylov;

import stackelberg.linalg.Vectors;

/**
 * T = Q diag(theta) Q': the space in the coordinates of its Ritz vectors, in which every small problem is an arrow.
 *
 * @param theta Ritz values, ascending
 * @param q Q, row i for basis vector i
 * @param starts the start vectors in Ritz coordinates
 * @param coupling B Q, one row for each vector of the frontier: where A leads out of the space
 */
record Ritz(double[] theta, double[][] q, double[][] starts, double[][] coupling) {
    int order() {
        return theta.length;
    }

    /** How much of A V Q a lies outside the space: known without touching the data. */
    double outside(double[] a) {
        double square = 0;
        for (double[] row : coupling) {
            double value = Vectors.dot(row, a);
            square += value * value;
        }
        return Math.sqrt(square);
    }
}
