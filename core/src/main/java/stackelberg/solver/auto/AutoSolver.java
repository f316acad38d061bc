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
 * Chooses between {@code direct} and {@code krylov}, and falls back from one to the other.
 *
 * <p><b>Problem.</b> Any sphere problem, any number of gammas.
 *
 * <p><b>Method.</b> With k the smaller side of X: up to {@value #SMALL} direct, because forming and decomposing cost no more than some passes; up to
 * {@value #DECOMPOSABLE} krylov for as many steps as direct would cost, then direct for the gammas that have not settled, unless only rounding is left; beyond, krylov alone.
 * A direct answer that the data does not confirm is tried again by krylov. Sizes decide, never a clock, so the same data takes the same way
 * every time. The note of the result says what was chosen and why.
 *
 * <p><b>Cost per iteration.</b> That of the solver chosen; a wrong first choice at most doubles it.
 *
 * <p><b>When it fails.</b> When both do: more than {@value #DECOMPOSABLE} rows and features, badly conditioned.
 *
 * <p><b>Reference.</b> The two solvers' own.
 */
final class AutoSolver implements SphereSolver {
    /** Forming X'X of this order takes as long as a dozen or two passes over X, and every gamma is then exact to rounding. */
    static final int SMALL = 512;

    /** X'X of this order and its eigenvectors take 1 GB, and decomposing it well under a minute. */
    static final int DECOMPOSABLE = 8_000;

    /** Forming X'X takes as long as one pass for every 40 of its order: a pass is bound by memory, forming by arithmetic. */
    private static final int ORDER_PER_PASS = 40;

    private static final int MIN_STEPS = 20;

    private final SphereSolver direct;
    private final SphereSolver krylov;

    AutoSolver(Workers workers) {
        this(new DirectSolver(workers), new KrylovSolver(workers));
    }

    AutoSolver(SphereSolver direct, SphereSolver krylov) {
        this.direct = direct;
        this.krylov = krylov;
    }

    @Override
    public String name() {
        return "auto";
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

    /** The gammas at which the first solver stopped short by itself. */
    private static int[] unsettled(List<SphereResult> results) {
        return IntStream.range(0, results.size())
                .filter(i -> results.get(i).status() == SphereResult.Status.ITERATION_LIMIT
                        || results.get(i).status() == SphereResult.Status.STALLED)
                .toArray();
    }

    /** Of these gammas those that another solver may bring nearer: where only rounding is left, a decomposition is left with no less. */
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

    /** The gammas at which the data does not confirm the point; whether H + lambda I has a negative eigenvalue, the certificate judges. */
    private static int[] unconfirmed(List<SphereProblem> problems, List<SphereResult> results, double tolerance) {
        if (results.stream().anyMatch(result -> result.status() == SphereResult.Status.STOPPED_BY_LISTENER)) {
            return new int[0];
        }
        Measured[] measured = Measured.of(problems, results);
        return IntStream.range(0, measured.length)
                .filter(i -> measured[i].relativeGap() > tolerance)
                .toArray();
    }

    /** Solves again where the first solver left off, and keeps the better point of the two. */
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

    private static SphereResult.Effort sum(SphereResult.Effort a, SphereResult.Effort b) {
        return new SphereResult.Effort(
                a.iterations() + b.iterations(),
                a.passes() + b.passes() + 2,
                a.factorisations() + b.factorisations(),
                a.factorSeconds() + b.factorSeconds());
    }

    private static List<SphereResult> noted(List<SphereResult> results, String reason) {
        return results.stream().map(result -> noted(result, reason)).toList();
    }

    private static SphereResult noted(SphereResult result, String reason) {
        String note = result.note().isEmpty() ? reason : reason + "; " + result.note();
        return result.withNote(note);
    }
}
