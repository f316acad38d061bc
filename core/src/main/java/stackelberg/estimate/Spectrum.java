package stackelberg.estimate;

import java.util.Arrays;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.SymmetricEigen;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;

/**
 * A symmetric positive semidefinite matrix A and a vector b in the eigenvectors of A, from which (A + lambda I)^{-1} b
 * follows for every lambda.
 *
 * @param values the eigenvalues, ascending, not negative
 * @param coordinates of b in the eigenvectors
 */
record Spectrum(SymmetricEigen eigen, double[] values, double[] coordinates) {
    static Spectrum of(DenseMatrix a, double[] b, Workers workers) {
        SymmetricEigen eigen = SymmetricEigen.of(a, workers);
        double[] values = Arrays.stream(eigen.values()).map(v -> Math.max(v, 0)).toArray();
        double[] coordinates = new double[b.length];
        Arrays.setAll(coordinates, k -> Vectors.dot(eigen.vectors().column(k), b));
        return new Spectrum(eigen, values, coordinates);
    }

    double largest() {
        return values.length == 0 ? 0 : values[values.length - 1];
    }

    /** Returns whether the smallest eigenvalue is at least this fraction of the largest. */
    boolean isWellPosed(double least) {
        return values.length == 0 || values[0] >= least * largest();
    }

    /** Returns (A + lambda I)^{-1} b; the coordinate of an eigenvalue with values + lambda = 0 is left out. */
    double[] solve(double lambda) {
        return solve(lambda, 0);
    }

    /** Returns A^+ b, the solution of smallest norm, in which eigenvalues up to this fraction of the largest count as 0. */
    double[] smallest(double floor) {
        return solve(0, floor * largest());
    }

    private double[] solve(double lambda, double floor) {
        double[] x = new double[values.length];
        for (int k = 0; k < x.length; k++) {
            double shifted = values[k] + lambda;
            if (shifted > floor) {
                Vectors.axpy(coordinates[k] / shifted, eigen.vectors().column(k), x);
            }
        }
        return x;
    }
}
