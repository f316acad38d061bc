package stackelberg.solver.published.admm;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import stackelberg.linalg.Cholesky;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;

/**
 * A dense H, formed once: one Cholesky factorisation per sigma, then two triangular solves per iteration, or one product with the explicit inverse.
 *
 * <p>H and one factor share the memory of a single square matrix. If an earlier factor is used again, it is recomputed.
 */
final class DenseSystem implements ShiftedSystem {
    private final Cholesky.InPlace h;
    private final boolean explicitInverse;
    private final Workers workers;
    /** The solve whose factor is in memory, if there is one. */
    private @Nullable TriangularSolve latest;

    /** Takes over the memory of h, which the caller must not use afterwards. */
    DenseSystem(DenseMatrix h, boolean explicitInverse, Workers workers) {
        this.h = Cholesky.InPlace.of(h, workers);
        this.explicitInverse = explicitInverse;
        this.workers = workers;
    }

    @Override
    public Optional<ShiftedSolve> factor(double sigma) {
        latest = null;
        Optional<Cholesky> factor = h.factor(sigma);
        if (explicitInverse) {
            return factor.map(cholesky -> new InverseSolve(cholesky.inverse(), workers));
        }
        return factor.map(cholesky -> {
            TriangularSolve solve = new TriangularSolve(sigma, cholesky);
            latest = solve;
            return solve;
        });
    }

    /** Algorithm 2: r = L^{-T} L^{-1} q. */
    private final class TriangularSolve implements ShiftedSolve {
        private final double sigma;
        private final Cholesky cholesky;

        TriangularSolve(double sigma, Cholesky cholesky) {
            this.sigma = sigma;
            this.cholesky = cholesky;
        }

        @Override
        public void solve(double[] q) {
            if (latest != this) {
                h.factor(sigma).orElseThrow();
                latest = this;
            }
            cholesky.solve(q);
        }
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
