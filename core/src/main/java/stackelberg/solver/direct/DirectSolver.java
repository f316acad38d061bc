package stackelberg.solver.direct;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicReference;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.solver.SphereSolver;
import stackelberg.solver.secular.ArrowSphere;
import stackelberg.sphere.SphereFamily;
import stackelberg.sphere.SphereProblem;

/**
 * The direct route: one eigendecomposition, then a secular equation per gamma.
 *
 * <p><b>Problem.</b> Any sphere problem, all three cases: multiplier positive, negative, hard.
 *
 * <p><b>Method.</b> Eigendecomposition of the smaller of X'PX and PXX'P ({@link Spectrum}), then an arrow matrix per gamma ({@link
 * ArrowSphere}).
 *
 * <p><b>Cost.</b> With k = min(m, n): forming O(m n k), decomposing O(k^3), then O(k) per evaluation and O(n k) per gamma for the way back.
 *
 * <p><b>When it fails.</b> k beyond some ten thousand does not fit. Forming the Gram matrix squares the condition number: singular values
 * below 1e-8 of the largest are lost to it, and the certificate then says how much that matters.
 *
 * <p><b>Reference.</b> Gander, Golub and von Matt, A constrained eigenvalue problem (1989); math of the project, section 5.
 */
public final class DirectSolver implements SphereSolver {
    private final Workers workers;
    /** The last decomposition; null if none is to be kept. */
    private final AtomicReference<Spectrum> last;

    public DirectSolver(Workers workers) {
        this(workers, null);
    }

    private DirectSolver(Workers workers, AtomicReference<Spectrum> last) {
        this.workers = workers;
        this.last = last;
    }

    /** A solver that keeps the decomposition of the last family it met, for whoever has many questions to the same data. */
    public static DirectSolver remembering(Workers workers) {
        return new DirectSolver(workers, new AtomicReference<>());
    }

    @Override
    public String name() {
        return "direct";
    }

    @Override
    public boolean sharesGammas() {
        return true;
    }

    @Override
    public boolean needsFactor() {
        return true;
    }

    @Override
    public SphereResult solve(SphereProblem problem, SolverOptions options, ProgressListener listener) {
        return solveAll(List.of(problem), options, listener).get(0);
    }

    @Override
    public List<SphereResult> solveAll(List<SphereProblem> problems, SolverOptions options, ProgressListener listener) {
        long start = System.nanoTime();
        if (problems.isEmpty()) {
            return List.of();
        }
        Spectrum spectrum = spectrum(problems.get(0).family());
        double seconds = (System.nanoTime() - start) * 1e-9;
        List<SphereResult> results = new ArrayList<>();
        for (double[] r : spectrum.solve(problems, workers)) {
            results.add(result(r, listener, seconds));
        }
        return results;
    }

    /** w = (X'PX)^+ X'Py: least squares of smallest norm, the rule of somebody who thinks that nobody moves. */
    public double[] leastSquares(SphereFamily family) {
        return spectrum(family).leastSquares(workers);
    }

    /** a = (X'PX)^+ X'Pz: the same for the wishes, with Pz = PXa where they are linear in the features. */
    public double[] leastSquaresOfWishes(SphereFamily family) {
        return spectrum(family).leastSquaresOfWishes(workers);
    }

    /** (X'PX)^+ X'PX beta: the part of effects that some person shows. */
    public double[] shown(SphereFamily family, double[] effects) {
        return spectrum(family).shown(effects, workers);
    }

    /**
     * The problem whose rule people not seen are expected to lose least under, by generalised cross-validation; empty where there are more people than features.
     *
     * @param problems of one data, at any gammas and ridges
     * @param people how many there are to learn from, less the columns that nobody can change
     */
    public OptionalInt leastExpected(List<SphereProblem> problems, int people) {
        Spectrum spectrum = spectrum(problems.get(0).family());
        int best = -1;
        double least = Double.POSITIVE_INFINITY;
        for (int k = 0; k < problems.size(); k++) {
            double error = spectrum.expectedError(problems.get(k), people, workers);
            if (error < least) {
                best = k;
                least = error;
            }
        }
        return best < 0 ? OptionalInt.empty() : OptionalInt.of(best);
    }

    /** What others may know of a family's data: PX = U diag(s) Q'. */
    public interface Decomposition {
        /** s, as far as it stands out of the rounding of the largest. */
        double[] singularValues();

        /** U'Py for the left singular vectors U that belong to {@link #singularValues}. */
        double[] leftPy();

        /** U'Pz. */
        double[] leftPz();

        /** The smallest eigenvalue of X'PX as it was computed; 0 from the side of the rows. */
        double smallest();

        /** Whether some coefficients change no prediction beyond rounding. */
        boolean hasNullVector();

        /**
         * Q a, for coordinates that belong to {@link #singularValues}.
         *
         * @param a one more than there are singular values where there is a null vector, whose coordinate is the last
         */
        double[] coefficients(double[] a, Workers workers);
    }

    /** The decomposition of a family's data, the one at hand where this solver remembers it. */
    public Decomposition decomposition(SphereFamily family) {
        return spectrum(family);
    }

    private Spectrum spectrum(SphereFamily family) {
        Spectrum known = last == null ? null : last.get();
        if (known != null && known.isOf(family.plain())) {
            return known;
        }
        Spectrum spectrum = Spectrum.of(family.plain(), workers);
        if (last != null) {
            last.set(spectrum);
        }
        return spectrum;
    }

    private static SphereResult result(double[] r, ProgressListener listener, double factorSeconds) {
        var progress = new ProgressListener.Progress(1, Double.NaN, Double.NaN, Double.NaN, Double.NaN);
        boolean stopped = listener.onIteration(progress) == ProgressListener.Decision.STOP;
        var effort = new SphereResult.Effort(1, 1, 1, factorSeconds);
        return new SphereResult(
                r, stopped ? SphereResult.Status.STOPPED_BY_LISTENER : SphereResult.Status.CONVERGED, effort, "");
    }
}
