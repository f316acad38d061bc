package stackelberg.solver.published.ltrsr;

import java.util.Optional;
import stackelberg.certificate.Certificate;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.solver.SphereSolver;
import stackelberg.sphere.SphereProblem;

/**
 * Nested Lanczos for the sphere problem (LTRSR).
 *
 * <p><b>Problem.</b> Any sphere problem, all three cases; designed for large ones with a positive multiplier.
 *
 * <p><b>Method.</b> Lanczos on H from g with full reorthogonalisation. Every step solves the sphere problem of the tridiagonal matrix, whose
 * residual ||e|| = beta |h_last| is known without a product ({@link TridiagonalSphere}). When the basis is full it is restarted within the space found so far:
 * the point, the point of the restart before and the smallest Ritz vectors are kept, and the residual starts the next Krylov space. If H is a Gram matrix and the
 * multiplier positive, that is all. Otherwise a second start vector is added, because the Krylov space of g has no part along eigenvectors orthogonal to g (the
 * hard case), and the smallest Ritz pair has to converge as well ({@link NestedLanczos}). If the certificate refutes the result, the run continues from the
 * better point.
 *
 * <p><b>Cost per iteration.</b> One product with H, and O(d k) with k basis vectors, each of which takes 2 d numbers of memory.
 *
 * <p><b>When it fails.</b> On hard and nearly hard cases with many eigenvalues close to the smallest and d far above the size of the basis: restarted
 * Lanczos then finds the smallest eigenvalue slowly, and the iteration limit ends the run.
 *
 * <p><b>Reference.</b> L.-H. Zhang and C. Shen, A nested Lanczos method for the trust-region subproblem, SIAM J. Sci. Comput. 40 (2018)
 * A2005-A2032, after Gould, Lucidi, Roma and Toint, SIAM J. Optim. 9 (1999) 504-525.
 */
public final class LtrsrSolver implements SphereSolver {
    /** The number of better points from the certificate from which a run is continued at most. */
    private static final int ESCAPES = 20;

    private final Options own;
    private final Workers workers;

    public LtrsrSolver(Options own, Workers workers) {
        this.own = own;
        this.workers = workers;
    }

    @Override
    public String name() {
        return "ltrsr";
    }

    @Override
    public boolean needsFactor() {
        return own.formed();
    }

    @Override
    public SphereResult solve(SphereProblem problem, SolverOptions options, ProgressListener listener) {
        HessianProducts hessian =
                own.formed() ? HessianProducts.formed(problem, workers) : HessianProducts.matrixFree(problem);
        NestedLanczos run = new NestedLanczos(problem, hessian, own.basis(), options, listener);
        SphereResult.Status status = run.fromGradient();
        if (status == null) {
            status = run.nested();
        }
        // only in hard cases, when both Krylov spaces missed an eigenvector
        for (int i = 0; i < ESCAPES && status == SphereResult.Status.CONVERGED && !run.isMultiplierEnough(); i++) {
            Optional<double[]> better = Certificate.of(problem, run.point()).better();
            if (better.isEmpty()) {
                break;
            }
            status = run.escapeTo(better.get());
        }
        var effort = new SphereResult.Effort(hessian.count(), hessian.count(), 0, hessian.formingSeconds());
        return new SphereResult(run.point(), status, effort, run.note());
    }

    /**
     * The options of the nested Lanczos method.
     *
     * @param formed whether H is formed first (variant 1 of the paper) or every product goes through the data (variant 2)
     * @param basis the number of vectors at which the basis is restarted, at least 12; each takes two vectors of memory
     */
    public record Options(boolean formed, int basis) {
        /** Matrix-free, with a basis ten times as large as the games of the paper need. */
        public static final Options DEFAULT = new Options(false, 250);

        /** Enough for the vectors that are kept at a restart and as many new ones. */
        private static final int SMALLEST_BASIS = 12;

        public Options {
            if (basis < SMALLEST_BASIS) {
                throw new IllegalArgumentException("The Lanczos basis may have " + basis
                        + " vectors; it needs at least " + SMALLEST_BASIS + " to keep some over a restart.");
            }
        }

        public Options withFormed(boolean newFormed) {
            return new Options(newFormed, basis);
        }

        public Options withBasis(int newBasis) {
            return new Options(formed, newBasis);
        }
    }
}
