package stackelberg.solver.published.admm;

import java.util.Optional;
import stackelberg.linalg.Cholesky;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;

/** H formed and dense: one Cholesky factorisation per sigma, then two triangular solves, or one product with the explicit inverse. */
final class DenseSystem implements ShiftedSystem {
    private final DenseMatrix h;
    private final boolean explicitInverse;
    private final Workers workers;

    DenseSystem(DenseMatrix h, boolean explicitInverse, Workers workers) {
        this.h = h;
        this.explicitInverse = explicitInverse;
        this.workers = workers;
    }

    @Override
    public Optional<ShiftedSolve> factor(double sigma) {
        return Cholesky.of(h, sigma, workers)
                .map(cholesky -> explicitInverse ? new InverseSolve(cholesky.inverse(), workers) : cholesky::solve);
    }

    /** Algorithm 1: r = E q. */
    private static final class InverseSolve implements ShiftedSolve {
        private final DenseMatrix inverse;
        private final Workers workers;
        private final DenseMatrix product;

        InverseSolve(DenseMatrix inverse, Workers workers) {
            this.inverse = inverse;
            this.workers = workers;
            this.product = DenseMatrix.zeros(inverse.rows(), 1);
        }

        @Override
        public void solve(double[] q) {
            inverse.times(DenseMatrix.column(q), product, workers);
            System.arraycopy(product.column(0), 0, q, 0, q.length);
        }
    }
}
