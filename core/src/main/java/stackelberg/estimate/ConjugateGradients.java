package stackelberg.estimate;

import java.util.Arrays;
import java.util.function.BiConsumer;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;

/**
 * The conjugate gradients of one right-hand side of A x = b, A symmetric positive semidefinite, from 0, which gives the
 * solution of smallest norm.
 */
final class ConjugateGradients {
    private final double[] x;
    private final double[] residual;
    private final double[] direction;
    private final double enough;
    private final int patience;
    private double[] best;
    private double square;
    private double least;
    private int waited;

    private ConjugateGradients(double[] right, double tolerance, int patience) {
        this.x = new double[right.length];
        this.best = x;
        this.residual = right.clone();
        this.direction = right.clone();
        this.square = Vectors.dot(right, right);
        this.least = square;
        this.enough = tolerance * tolerance * square;
        this.patience = patience;
    }

    /**
     * Solves A x = b for each right-hand side, sharing the products.
     *
     * @param times (v, out) -> out = A v, for one column per right-hand side
     * @param tolerance the relative residual at which a solution is accepted
     * @param mostPasses the largest number of products
     * @param patience a solution is accepted too after this many products in which its residual has not halved
     * @return the iterate with the smallest residual; 0 if A has no positive curvature along b
     */
    static double[][] solve(
            BiConsumer<DenseMatrix, DenseMatrix> times,
            double tolerance,
            int mostPasses,
            int patience,
            double[]... right) {
        ConjugateGradients[] all = Arrays.stream(right)
                .map(b -> new ConjugateGradients(b, tolerance, patience))
                .toArray(ConjugateGradients[]::new);
        DenseMatrix directions = DenseMatrix.zeros(right[0].length, right.length);
        DenseMatrix images = DenseMatrix.zeros(right[0].length, right.length);
        for (int pass = 0; pass < mostPasses && Arrays.stream(all).anyMatch(ConjugateGradients::open); pass++) {
            for (int c = 0; c < all.length; c++) {
                directions.setColumn(c, all[c].direction);
            }
            times.accept(directions, images);
            for (int c = 0; c < all.length; c++) {
                all[c].step(images.column(c));
            }
        }
        return Arrays.stream(all).map(column -> column.best).toArray(double[][]::new);
    }

    private boolean open() {
        return square > enough && waited < patience;
    }

    /** Makes one step, given the product of A with the current direction. */
    private void step(double[] image) {
        double curvature = Vectors.dot(direction, image);
        if (!open() || !(curvature > 0)) {
            waited = patience;
            return;
        }
        double length = square / curvature;
        Vectors.axpy(length, direction, x);
        Vectors.axpy(-length, image, residual);
        double next = Vectors.dot(residual, residual);
        Vectors.scale(next / square, direction);
        Vectors.axpy(1, residual, direction);
        square = next;
        waited = next < least / 4 ? 0 : waited + 1;
        if (next < least) {
            least = next;
            best = x.clone();
        }
    }
}
