package stackelberg.solver.krylov;

import java.util.List;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.solver.SphereSolver;
import stackelberg.sphere.SphereProblem;

/**
 * One Krylov space for every gamma.
 *
 * <p><b>Problem.</b> The sphere problems of a game, any number of gammas at once, through products with X'PX only; also a single sphere
 * problem through products with H. All three cases: multiplier positive, negative, hard.
 *
 * <p><b>Method.</b> Block Lanczos on X'PX from [X'Py, X'Pz] ({@link BlockLanczos}); the solution for every gamma lies in that space, and within
 * it is an arrow problem in Ritz coordinates ({@link ProblemSet}). The recurrence gives each residual without touching the data; when all
 * gammas look certified, one pass evaluates those that are not so by far, and those that fail go on. A multiplier that is not positive makes a fixed pseudo-random
 * vector join the block, so that eigenvectors which the start vectors cannot see (a null space, the hard case) are found as well.
 *
 * <p><b>Cost per iteration.</b> One pass over the data with two or three vectors, whatever the number of gammas; for j vectors in the basis O(nj)
 * to orthogonalise, and O(j^3) at each of the iterations (all of the first 32, later one in every 16th part) that look at the small problems.
 *
 * <p><b>When it fails.</b> Ill-conditioned data with a small or negative multiplier needs as many steps as there are distinct eigenvalues; the
 * basis may then outgrow {@link Options#basisBytes}, and the solver stops with a note. That the smallest eigenvalue has been found is an
 * estimate unless the space is exhausted; the certificate decides.
 *
 * <p><b>Reference.</b> Golub and Underwood, The block Lanczos method for computing eigenvalues (1977); Gould, Lucidi, Roma and Toint, Solving
 * the trust-region subproblem using the Lanczos method (1999); math of the project, section 5.
 */
public final class KrylovSolver implements SphereSolver {
    private final Workers workers;
    private final Options own;

    public KrylovSolver(Workers workers) {
        this(workers, Options.DEFAULT);
    }

    public KrylovSolver(Workers workers, Options own) {
        this.workers = workers;
        this.own = own;
    }

    @Override
    public String name() {
        return "krylov";
    }

    @Override
    public boolean sharesGammas() {
        return true;
    }

    @Override
    public SphereResult solve(SphereProblem problem, SolverOptions options, ProgressListener listener) {
        return solveAll(List.of(problem), options, listener).get(0);
    }

    @Override
    public List<SphereResult> solveAll(List<SphereProblem> problems, SolverOptions options, ProgressListener listener) {
        if (problems.isEmpty()) {
            return List.of();
        }
        return new KrylovRun(new ProblemSet(problems), own, options, listener, workers).solve();
    }

    /**
     * What {@link KrylovSolver} understands beyond the options of every solver.
     *
     * @param basisBytes memory that the basis may take; when it is used up, the solver stops and says so
     */
    public record Options(long basisBytes) {
        /** 1 GiB: 134 vectors of a million features, more than any game measured so far has needed. */
        public static final Options DEFAULT = new Options(1L << 30);

        public Options {
            if (basisBytes < 1) {
                throw new IllegalArgumentException("The memory for the basis is " + basisBytes
                        + " bytes; it must be positive.\nMaybe it was given in the wrong unit.");
            }
        }

        public Options withBasisBytes(long newBasisBytes) {
            return new Options(newBasisBytes);
        }
    }
}
