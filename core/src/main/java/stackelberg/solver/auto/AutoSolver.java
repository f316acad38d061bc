package stackelberg.solver.auto;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.solver.SphereSolver;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.solver.krylov.KrylovSolver;
import stackelberg.sphere.SphereFamily;
import stackelberg.sphere.SphereProblem;

/**
 * Chooses between {@code direct} and {@code krylov}, and tries the other one if the first does not reach the tolerance.
 *
 * <p><b>Problem.</b> Any sphere problem, any number of gammas.
 *
 * <p><b>Method.</b> By k, the smaller number of X's rows and columns. Up to {@value #SMALL}: direct, because forming and decomposing the matrix costs no more
 * than some passes; if the data does not confirm a point, krylov solves that problem again. Up to {@value #DECOMPOSABLE}: krylov, for as many steps as direct would
 * cost, then direct for the problems that have not converged, unless their residuals are at the level of rounding. Beyond: krylov alone. Only sizes decide, no
 * clock, so that the same data always takes the same route. The note of the result says what was chosen and why.
 *
 * <p><b>Cost per iteration.</b> That of the chosen solver; a wrong first choice at most doubles the total.
 *
 * <p><b>When it fails.</b> When both solvers do: more than {@value #DECOMPOSABLE} rows and features, badly conditioned.
 *
 * <p><b>Reference.</b> Those of the two solvers; docs/decisions/05-how-auto-chooses.md.
 */
final class AutoSolver implements SphereSolver {
    /** The largest order for which direct is tried first: forming X'X takes as long as a dozen or two passes over X, and then serves all gammas. */
    static final int SMALL = 512;

    /** The largest order that is decomposed: X'X and its eigenvectors take 1 GB, and the decomposition well under a minute. */
    static final int DECOMPOSABLE = 8_000;

    /** Forming X'X of order k takes as long as k/40 passes: a pass is limited by memory bandwidth, forming by arithmetic. Measured on two cores. */
    private static final int ORDER_PER_PASS = 40;

    /** The smallest number of steps that krylov gets before direct takes over. */
    private static final int MIN_STEPS = 20;

    private final SphereSolver direct;
    private final SphereSolver krylov;

    /** Creates the solver as the command line uses it. */
    AutoSolver(Workers workers) {
        this(new DirectSolver(workers), new KrylovSolver(workers));
    }

    AutoSolver(SphereSolver direct, SphereSolver krylov) {
        this.direct = direct;
        this.krylov = krylov;
    }

    @Override
    public String name() {
        return Solvers.DEFAULT;
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
        SphereFamily family = problems.get(0).family();
        int side = family.dual().map(dual -> dual.y().length).orElse(family.features());
        String reason = ", because the smaller side is " + side;
        if (side > DECOMPOSABLE) {
            return noted(krylov.solveAll(problems, options, listener), krylov.name() + reason);
        }
        if (side <= SMALL) {
            List<SphereResult> first = direct.solveAll(problems, options, listener);
            int[] open = unconfirmed(problems, first, options.tolerance());
            return secondOpinion(problems, noted(first, direct.name() + reason), open, krylov, options, listener);
        }
        int steps = Math.min(options.maxIterations(), Math.max(MIN_STEPS, side / ORDER_PER_PASS));
        List<SphereResult> first = krylov.solveAll(problems, options.withMaxIterations(steps), listener);
        int[] open = improvable(problems, first, unsettled(first));
        return secondOpinion(problems, noted(first, krylov.name() + reason), open, direct, options, listener);
    }

    /** Returns the indices of the problems that the first solver left unfinished, other than because the listener stopped it. */
    private static int[] unsettled(List<SphereResult> results) {
        return IntStream.range(0, results.size())
                .filter(i -> results.get(i).status() == SphereResult.Status.ITERATION_LIMIT
                        || results.get(i).status() == SphereResult.Status.STALLED)
                .toArray();
    }

    /** Returns the problems that another solver may improve: all but those whose residual is of the size of rounding, which a decomposition cannot reduce. */
    private static int[] improvable(List<SphereProblem> problems, List<SphereResult> results, int[] open) {
        if (open.length == 0) {
            return open;
        }
        Measured[] measured = Measured.of(
                Arrays.stream(open).mapToObj(problems::get).toList(),
                Arrays.stream(open).mapToObj(results::get).toList());
        return IntStream.range(0, open.length)
                .filter(c -> !measured[c].atRounding())
                .map(c -> open[c])
                .toArray();
    }

    /**
     * Returns the indices of the problems whose point is not within the tolerance when evaluated on the data. That H + lambda I has no negative eigenvalue is
     * taken for granted here; the certificate checks it.
     */
    private static int[] unconfirmed(List<SphereProblem> problems, List<SphereResult> results, double tolerance) {
        if (results.stream().anyMatch(result -> result.status() == SphereResult.Status.STOPPED_BY_LISTENER)) {
            return new int[0];
        }
        Measured[] measured = Measured.of(problems, results);
        return IntStream.range(0, measured.length)
                .filter(i -> measured[i].relativeGap() > tolerance)
                .toArray();
    }

    /** Solves the given problems with the second solver as well and keeps the better of the two points of each. */
    private static List<SphereResult> secondOpinion(
            List<SphereProblem> problems,
            List<SphereResult> first,
            int[] open,
            SphereSolver second,
            SolverOptions options,
            ProgressListener listener) {
        if (open.length == 0) {
            return first;
        }
        List<SphereProblem> again = Arrays.stream(open).mapToObj(problems::get).toList();
        List<SphereResult> before = Arrays.stream(open).mapToObj(first::get).toList();
        List<SphereResult> after = second.solveAll(again, options, listener);
        Measured[] measuredBefore = Measured.of(again, before);
        Measured[] measuredAfter = Measured.of(again, after);
        List<SphereResult> results = new ArrayList<>(first);
        for (int c = 0; c < open.length; c++) {
            SphereResult old = before.get(c);
            boolean improved = measuredAfter[c].isBetterThan(measuredBefore[c]);
            SphereResult kept = improved ? after.get(c) : old;
            String note = improved
                    ? second.name() + ", because the point of the first choice (" + old.note() + ") had not settled"
                    : old.note() + "; " + second.name() + " was tried as well and found nothing better";
            SphereResult.Effort sum = sum(old.effort(), after.get(c).effort());
            results.set(open[c], new SphereResult(kept.r(), kept.status(), sum, note));
        }
        return results;
    }

    /** Returns the summed effort, with two passes more for comparing the points. */
    private static SphereResult.Effort sum(SphereResult.Effort a, SphereResult.Effort b) {
        return new SphereResult.Effort(
                a.iterations() + b.iterations(),
                a.passes() + b.passes() + 2,
                a.factorisations() + b.factorisations(),
                a.factorSeconds() + b.factorSeconds());
    }

    /** Returns the results with the reason for the choice in front of their notes. */
    private static List<SphereResult> noted(List<SphereResult> results, String reason) {
        return results.stream().map(result -> noted(result, reason)).toList();
    }

    private static SphereResult noted(SphereResult result, String reason) {
        String note = result.note().isEmpty() ? reason : reason + "; " + result.note();
        return result.withNote(note);
    }
}
