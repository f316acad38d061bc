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
 * <p><b>Problem.</b> Any sphere problem, all three cases; made for large ones whose multiplier is positive.
 *
 * <p><b>Method.</b> Lanczos on H from g with full reorthogonalisation; at every step the sphere problem of the tridiagonal matrix, whose
 * residual ||e|| = beta |h_last| is known without a product ({@link TridiagonalSphere}). When the basis is full it is restarted inside the
 * space it has found: the point, the point before and the smallest Ritz vectors stay, and the residual starts the next Krylov space. Where the
 * multiplier of a Gram matrix is positive, that is all. Otherwise, since a Krylov space of g never sees eigenvectors orthogonal to g (the
 * hard case), a second start vector is taken in and the smallest Ritz pair has to settle as well ({@link NestedLanczos}).
 *
 * <p><b>Cost.</b> One product with H per iteration, and O(d k) for k basis vectors, of which each takes 2 d numbers.
 *
 * <p><b>When it fails.</b> Hard and nearly hard cases with a crowded lower end of the spectrum and d far above the basis size: restarted
 * Lanczos then resolves the smallest eigenvalue slowly, and the iteration limit ends it. Where the multiplier is not positive the certificate
 * is asked, and a refuted point is left for the better one.
 *
 * <p><b>Reference.</b> L.-H. Zhang and C. Shen, A nested Lanczos method for the trust-region subproblem, SIAM J. Sci. Comput. 40 (2018)
 * A2005-A2032, after Gould, Lucidi, Roma and Toint, SIAM J. Optim. 9 (1999) 504-525.
 */
public final class LtrsrSolver implements SphereSolver {
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
        // hard cases only: an eigenvector that two Krylov spaces have missed
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
     * How the nested Lanczos method works.
     *
     * @param formed whether H is formed first (variant 1 of the paper) or every product goes through the data (variant 2)
     * @param basis how many vectors the basis may have before it is restarted; each costs two vectors of memory
     */
    public record Options(boolean formed, int basis) {
        /** Matrix-free; the games of the paper need a tenth of this basis. */
        public static final Options DEFAULT = new Options(false, 250);

        /** Vectors kept at a restart, and room for as many new ones. */
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
