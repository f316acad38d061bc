package stackelberg.solver.direct;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.solver.SphereSolver;
import stackelberg.solver.secular.ArrowSphere;
import stackelberg.sphere.SphereFamily;
import stackelberg.sphere.SphereProblem;

/**
 * Solves by one eigendecomposition of the data and a secular equation per gamma.
 *
 * <p><b>Problem.</b> Any sphere problem, all three cases: positive multiplier, negative multiplier, hard case.
 *
 * <p><b>Method.</b> Eigendecomposition of the smaller of X'PX and PXX'P ({@link Spectrum}); in its coordinates the problem at each gamma has an arrow matrix
 * ({@link ArrowSphere}).
 *
 * <p><b>Cost per iteration.</b> There are no iterations. With k = min(m, n): O(m n k) to form the matrix, O(k^3) to decompose it, then per gamma O(k) for each
 * evaluation of the secular equation and O(n k) to return to the features.
 *
 * <p><b>When it fails.</b> With k beyond some ten thousand the matrix does not fit into memory. Forming it squares the condition number: singular values below
 * 1e-8 of the largest are lost, and the certificate shows whether that matters.
 *
 * <p><b>Reference.</b> Gander, Golub and von Matt, A constrained eigenvalue problem (1989); docs/theory.md, "Hard case" and "Paths".
 */
public final class DirectSolver implements SphereSolver {
    private final Workers workers;
    /** Holds the last decomposition; absent if this solver does not keep it. */
    private final @Nullable AtomicReference<@Nullable Spectrum> last;

    /** Creates a solver that decomposes again for every call. */
    public DirectSolver(Workers workers) {
        this(workers, null);
    }

    private DirectSolver(Workers workers, @Nullable AtomicReference<@Nullable Spectrum> last) {
        this.workers = workers;
        this.last = last;
    }

    /** Returns a solver that keeps the decomposition of the last family it was given, for callers that solve several problems of the same data. */
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

    /** Returns w = (X'PX)^+ X'Py, the least-squares coefficients of smallest norm, which are the best rule if no follower moves. */
    public double[] leastSquares(SphereFamily family) {
        return spectrum(family).leastSquares(workers);
    }

    /** Returns a = (X'PX)^+ X'Pz, the least-squares coefficients of the wishes: Pz = PXa if the wishes are linear in the features (docs/theory.md, "Ties"). */
    public double[] leastSquaresOfWishes(SphereFamily family) {
        return spectrum(family).leastSquaresOfWishes(workers);
    }

    /** Returns (X'PX)^+ X'PX beta, the part of effects in the row space of PX: the rest changes no row's prediction. */
    public double[] effectsInRowSpace(SphereFamily family, double[] effects) {
        return spectrum(family).effectsInRowSpace(effects, workers);
    }

    /**
     * Returns the index of the problem whose rule has the least expected loss on new rows, by generalised cross-validation; empty unless there are fewer rows
     * than features.
     *
     * @param problems at least one, all of the same data, at any gammas and ridges
     * @param rows the number of rows less the number of immutable columns
     */
    public OptionalInt leastExpected(List<SphereProblem> problems, int rows) {
        Spectrum spectrum = spectrum(problems.get(0).family());
        int best = -1;
        double least = Double.POSITIVE_INFINITY;
        for (int k = 0; k < problems.size(); k++) {
            // NaN from the side of the features, which is never less
            double error = spectrum.expectedError(problems.get(k), rows, workers);
            if (error < least) {
                best = k;
                least = error;
            }
        }
        return best < 0 ? OptionalInt.empty() : OptionalInt.of(best);
    }

    /** The singular value decomposition PX = U diag(s) Q' of a family's data, as far as other packages use it. */
    public interface Decomposition {
        /** Returns s, ascending, without singular values that are rounding of the largest. */
        double[] singularValues();

        /** Returns U'Py for the left singular vectors U that belong to {@link #singularValues}. */
        double[] leftPy();

        /** Returns U'Pz for the U of {@link #leftPy}. */
        double[] leftPz();

        /** Returns the smallest eigenvalue of X'PX as it was computed; 0 if the rows' side was decomposed. */
        double smallest();

        /** Returns whether PX has a null vector, to rounding: coefficients along it change no prediction. */
        boolean hasNullVector();

        /**
         * Returns Q a, coefficients on the features.
         *
         * @param a one coordinate for each of {@link #singularValues}, and one more for a null vector if there is one
         */
        double[] coefficients(double[] a, Workers workers);

        /** Returns Q'v for the columns of Q that belong to {@link #singularValues}. */
        double[] coordinates(double[] v, Workers workers);
    }

    /** Returns the decomposition of a family's data; the kept one if this solver keeps decompositions and the data is the same. */
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
