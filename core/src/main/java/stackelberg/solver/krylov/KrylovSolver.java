package stackelberg.solver.krylov;

import java.util.List;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.solver.SphereSolver;
import stackelberg.sphere.SphereFamily;
import stackelberg.sphere.SphereProblem;

/**
 * Solves for all gammas within one Krylov space.
 *
 * <p><b>Problem.</b> The sphere problems of a game at any number of gammas, through products with X'PX only; also a single sphere problem, through products
 * with H. All three cases: positive multiplier, negative multiplier, hard case.
 *
 * <p><b>Method.</b> Block Lanczos on X'PX from [X'Py, X'Pz] ({@link BlockLanczos}). The solution for every gamma lies in that space, where it is the solution of
 * an arrow problem in Ritz coordinates ({@link ProblemSet}). The recurrence gives the residual of each without a pass over the data. When all gammas seem to be
 * within the tolerance, one pass evaluates those for which that is not clear by a wide margin; those that fail continue. If a multiplier is not positive, a
 * fixed pseudo-random vector is added to the block: it has a part along eigenvectors that are orthogonal to the start vectors (a null space, the hard case).
 *
 * <p><b>Cost per iteration.</b> One pass over the data with two or three vectors, whatever the number of gammas. With j vectors in the basis, O(nj) to
 * orthogonalise, and O(j^3) to solve the small problems, in each of the first 32 iterations and then whenever their number has grown by a sixteenth.
 *
 * <p><b>When it fails.</b> Ill-conditioned data with a small or negative multiplier needs as many steps as there are distinct eigenvalues. The basis may
 * then exceed {@link Options#basisBytes}, and the solver stops with a note. Unless the space is exhausted, the smallest eigenvalue is an estimate; the
 * certificate decides.
 *
 * <p><b>Reference.</b> Golub and Underwood, The block Lanczos method for computing eigenvalues (1977); Gould, Lucidi, Roma and Toint, Solving
 * the trust-region subproblem using the Lanczos method (1999); docs/theory.md, "Paths".
 */
public final class KrylovSolver implements SphereSolver {
    private final Workers workers;
    private final Options own;

    /** Creates a solver with the default memory for the basis. */
    public KrylovSolver(Workers workers) {
        this(workers, Options.DEFAULT);
    }

    /** Creates a solver that uses the given threads. */
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
     * The options of {@link KrylovSolver} beside those of every solver.
     *
     * @param basisBytes the memory that the basis may take, positive; when it is used up, the solver stops with a note
     */
    public record Options(long basisBytes) {
        /** 1 GiB: 134 vectors of a million features each, more than any game measured so far has needed. */
        public static final Options DEFAULT = new Options(1L << 30);

        public Options {
            if (basisBytes < 1) {
                throw new IllegalArgumentException("The memory for the basis is " + basisBytes
                        + " bytes; it must be positive.\nMaybe it was given in the wrong unit.");
            }
        }

        /** Returns a copy with another limit. */
        public Options withBasisBytes(long newBasisBytes) {
            return new Options(newBasisBytes);
        }
    }

    /**
     * A growing Krylov space of X'PX, for callers that solve many related problems within it. A step is one pass over the data; in Ritz coordinates X'PX is
     * diagonal within the space.
     *
     * <p>The space that starts from X'Py and X'Pz contains the solutions for every gamma, every ridge and every weight of a loss on honest rows (docs/theory.md,
     * "The program"). With effects and a ridge, beta is a third start vector.
     */
    public static final class Space {
        private final BlockLanczos lanczos;
        private final Workers workers;
        private int steps;

        /**
         * Creates the space that the start vectors span.
         *
         * @param sizes the size that the rounding error of each start vector is relative to
         */
        public Space(SphereFamily family, double[][] starts, double[] sizes, Workers workers) {
            this.lanczos = new BlockLanczos(family, starts, sizes, workers);
            this.workers = workers;
        }

        /** Extends the space by one block: one pass over the data. */
        public void step() {
            lanczos.step();
            steps++;
        }

        /** Returns the number of passes so far. */
        public int steps() {
            return steps;
        }

        /** Returns whether the space is invariant, to rounding, so that a further step would add nothing. */
        public boolean exhausted() {
            return lanczos.exhausted();
        }

        /** Returns the number of basis vectors in memory. */
        public int size() {
            return lanczos.size();
        }

        /** Adds a pseudo-random direction, which eigenvectors orthogonal to the start vectors need; returns false if one was added before, or none is left. */
        public boolean addProbe() {
            return lanczos.stepsWithProbe() < 0 && lanczos.addProbe();
        }

        /** Returns coordinates in which X'PX is diagonal on the current space; valid until the next step. */
        public Coordinates coordinates() {
            return new Coordinates(lanczos, lanczos.ritz(), workers);
        }

        /** Ritz coordinates of one state of a space. */
        public static final class Coordinates {
            private final BlockLanczos lanczos;
            private final Ritz ritz;
            private final Workers workers;

            private Coordinates(BlockLanczos lanczos, Ritz ritz, Workers workers) {
                this.lanczos = lanczos;
                this.ritz = ritz;
                this.workers = workers;
            }

            /** Returns the diagonal of X'PX, the Ritz values, ascending. */
            public double[] values() {
                return ritz.theta().clone();
            }

            /** Returns a start vector in these coordinates. */
            public double[] start(int index) {
                return ritz.starts()[index].clone();
            }

            /** Returns the norm of the part of X'PX a outside the space. */
            public double outside(double[] a) {
                return ritz.outside(a);
            }

            /** Returns the vector on the features that has these coordinates. */
            public double[] lift(double[] a) {
                DenseMatrix combined = lanczos.combine(ritz, List.of(a));
                double[] v = combined.row(0);
                workers.giveBack(combined);
                return v;
            }
        }
    }
}
