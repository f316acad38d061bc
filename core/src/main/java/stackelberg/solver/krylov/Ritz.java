package stackelberg.solver.krylov;

import stackelberg.linalg.Vectors;

/**
 * The eigendecomposition T = Q diag(theta) Q'. In the coordinates of the Ritz vectors V Q, every small problem has an arrow matrix.
 *
 * @param theta the Ritz values, ascending
 * @param q Q, row i for basis vector i
 * @param starts the start vectors in Ritz coordinates
 * @param coupling B Q, one row for each vector of the frontier: the part of A V Q outside the space
 */
record Ritz(double[] theta, double[][] q, double[][] starts, double[][] coupling) {
    /** Returns the dimension of the space. */
    int order() {
        return theta.length;
    }

    /** Returns the norm of the part of A V Q a outside the space, ||B Q a||, without a product with the data. */
    double outside(double[] a) {
        double square = 0;
        for (double[] row : coupling) {
            double value = Vectors.dot(row, a);
            square += value * value;
        }
        return Math.sqrt(square);
    }
}
