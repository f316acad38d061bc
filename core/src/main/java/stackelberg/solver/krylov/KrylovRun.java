package stackelberg.solver.krylov;

import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.sphere.SphereProblem.Evaluation;
import stackelberg.sphere.SphereProblem.Stationarity;

/**
 * One run of {@link KrylovSolver}: the space and the state of each problem.
 *
 * <p>The loop of {@link #solve}: build the small problems (not in every step), report to the listener, add the probe if a multiplier asks for it, verify on the
 * data when all problems seem solved, and take one more step.
 */
final class KrylovRun {
    /** A residual below this multiple of the problem's rounding scale may be all rounding. */
    private static final double ROUNDING = 0x1p-52;

    /** The factor by which the residual of the recurrence is enlarged, because in floating point it is smaller than the true one. */
    private static final double SAFETY = 2;

    /** If the tolerance is met even with residual and rounding enlarged by this factor, the problem is accepted without a pass over the data. */
    private static final double WIDE_MARGIN = 10;

    /** The number of steps before a multiplier that is not positive leads to a probe: in the first steps its sign is often wrong. */
    private static final int STEPS_BEFORE_PROBE = 3;

    /** The number of steps with the probe before the smallest Ritz value is used as an estimate of the smallest eigenvalue. */
    private static final int STEPS_WITH_PROBE = 4;

    /** The number of verifications without progress after which a problem is given up. */
    private static final int MAX_FAILURES = 3;

    /** The number of corrections of a small problem per verification. Each gains the digits that the small problem has; more than two were never needed. */
    private static final int CORRECTIONS = 2;

    /** The number of points per vector of the basis from which a pass with the basis is cheaper than one with the points. */
    private static final int POINTS_PER_VECTOR = 2;

    private final ProblemSet problems;
    private final SolverOptions options;
    private final ProgressListener listener;
    private final long maxVectors;
    private final Workers workers;
    private final BlockLanczos lanczos;
    private final State[] states;

    private Ritz ritz;
    private int steps;
    private int passes;
    /** The step at which the small problems were last solved; -1 before the first time. */
    private int projectedAt = -1;
    /** The step before which no verification is made, so that failing ones stay rare. */
    private int nextVerification;

    /** The state of one problem. */
    private static final class State {
        /** The latest minimiser within the space; null before the first look. */
        @Nullable
        Projected now;
        /** The decrease of the smallest Ritz value since the small problem was last solved. */
        double drift = Double.POSITIVE_INFINITY;
        /** The best verified point, or the accepted one; null before. */
        double @Nullable [] r;
        /** The gap of r according to the data. */
        double verifiedGap = Double.POSITIVE_INFINITY;
        /** Verifications since the last progress. */
        int failures;
        /** Whether the rounding allowance at r alone exceeds the tolerance, so that no further step could prove more. */
        boolean limitedByRounding;
        /** The reason why the problem ended; null while it is pending. */
        SphereResult.@Nullable Status status;

        String note = "";

        /** Returns the latest minimiser within the space; only called after the first look. */
        Projected now() {
            return Objects.requireNonNull(now);
        }
    }

    KrylovRun(
            ProblemSet problems,
            KrylovSolver.Options own,
            SolverOptions options,
            ProgressListener listener,
            Workers workers) {
        this.problems = problems;
        this.options = options;
        this.listener = listener;
        this.maxVectors = Math.max(8, own.basisBytes() / 8 / Math.max(1, problems.order()));
        this.workers = workers;
        this.lanczos = new BlockLanczos(problems.family(), problems.starts(), problems.startNorms(), workers);
        this.states = new State[problems.count()];
        Arrays.setAll(states, i -> new State());
        // replaced when the small problems are solved for the first time
        this.ritz = new Ritz(new double[0], new double[0][], new double[0][], new double[0][]);
    }

    /** Runs until every problem is solved, or the run has to stop; returns one result per problem. */
    List<SphereResult> solve() {
        if (!problems.isGram()) {
            // without H >= 0 every bound needs the smallest eigenvalue, so the probe joins at once
            lanczos.addProbe();
        }
        int nextProjection = 1;
        while (true) {
            boolean exhausted = lanczos.exhausted();
            boolean projecting = exhausted || steps >= nextProjection;
            if (projecting) {
                projectPending();
                // this costs O(j^3): rare enough to add little, frequent enough to waste at most one step in 16
                nextProjection = steps + Math.max(1, steps / 16);
            }
            if (steps > 0 && report() == ProgressListener.Decision.STOP) {
                return finish(SphereResult.Status.STOPPED_BY_LISTENER, "");
            }
            if (projecting) {
                boolean probed = (exhausted || steps >= STEPS_BEFORE_PROBE) && needsProbe() && lanczos.addProbe();
                if (exhausted && !probed) {
                    return finishExhausted();
                }
                // the points are verified together, when the last of them is ready: one pass serves all
                if (steps >= nextVerification && pending().stream().allMatch(this::isReady)) {
                    accept(pending().stream().filter(this::isReadyByWideMargin).toList());
                    verify(pending());
                    if (pending().isEmpty()) {
                        return results();
                    }
                }
            }
            if (steps >= options.maxIterations()) {
                return finishAtLimit(SphereResult.Status.ITERATION_LIMIT, "");
            }
            if (lanczos.size() + lanczos.frontier() > maxVectors) {
                return finishAtLimit(
                        SphereResult.Status.STALLED,
                        "the memory for the basis is used up by " + lanczos.size() + " vectors after " + steps
                                + " steps; more of it, or another solver, would go on");
            }
            lanczos.step();
            steps++;
            passes++;
        }
    }

    /** Solves the small problems of all that are pending, unless that was done at this step already. */
    private void projectPending() {
        if (projectedAt == steps) {
            return;
        }
        projectedAt = steps;
        ritz = lanczos.ritz();
        for (int i : pending()) {
            State state = states[i];
            Projected before = state.now;
            Projected now = problems.project(i, ritz, new double[ritz.order() + 1]);
            state.now = now;
            if (before != null) {
                state.drift = Math.max(0, before.smallest() - now.smallest());
            }
        }
    }

    /** Returns whether a multiplier is not positive. Such a multiplier is right only if no eigenvalue outside the space is smaller, which the probe finds out. */
    private boolean needsProbe() {
        return lanczos.stepsWithProbe() < 0
                && pending().stream().anyMatch(i -> states[i].now().multiplier() <= 0);
    }

    /**
     * Returns a lower bound on the smallest eigenvalue of H + lambda I. It is proven if H is a Gram matrix and lambda > 0; otherwise it is an estimate from the
     * smallest Ritz value, less its residual and its latest change.
     */
    private double curvature(State state, double lambda) {
        double free = problems.isGram() ? lambda : Double.NEGATIVE_INFINITY;
        Projected now = state.now();
        if (lanczos.seesEveryEigenvalue()) {
            return Math.max(free, now.smallest() + lambda);
        }
        if (lanczos.stepsWithProbe() < STEPS_WITH_PROBE) {
            return free;
        }
        return Math.max(free, now.smallest() + lambda - now.smallestResidual() - state.drift);
    }

    /** Returns whether, according to the recurrence, a problem is within the tolerance or its residual is at the level of rounding. */
    private boolean isReady(int i) {
        State state = states[i];
        Projected now = state.now();
        double size = problems.roundingScale(i, now);
        double curvature = curvature(state, now.multiplier());
        double tolerable = options.tolerance() * Stationarity.scale(now.objective(), problems.zeroRuleLoss());
        if (Stationarity.gap(SAFETY * now.residual(), curvature, size) <= tolerable) {
            return true;
        }
        return isAtRounding(i) && curvature >= -ROUNDING * problems.roundingScale(i);
    }

    /**
     * Returns whether a problem is within the tolerance by so wide a margin that rounding cannot explain a different result on the data. Of many gammas most are:
     * the last step was taken for the hardest of them only.
     */
    private boolean isReadyByWideMargin(int i) {
        Projected now = states[i].now();
        if (!problems.isGram() || !(now.multiplier() > 0)) {
            return false;
        }
        double gap = Stationarity.gap(
                WIDE_MARGIN * now.residual(), now.multiplier(), WIDE_MARGIN * problems.roundingScale(i, now));
        return gap <= options.tolerance() * Stationarity.scale(now.objective(), problems.zeroRuleLoss());
    }

    /** Makes the current points of some problems their results, without verifying them. */
    private void accept(List<Integer> solved) {
        if (solved.isEmpty()) {
            return;
        }
        int[] indices = solved.stream().mapToInt(Integer::intValue).toArray();
        double[][] r = points(indices);
        for (int c = 0; c < indices.length; c++) {
            states[indices[c]].r = r[c];
            states[indices[c]].status = SphereResult.Status.CONVERGED;
        }
    }

    /**
     * Evaluates the points of some problems on the data, in one pass for all, because the recurrence understates residuals.
     *
     * <p>Where the recurrence's residual is at the level of rounding, the true gradient corrects the small problem, which is then solved again: X'P(residual) has
     * correct digits along small singular values, where T = V'X'PX V, which holds their squares, has lost them.
     */
    private void verify(List<Integer> open) {
        Map<Integer, double[]> shifts = new TreeMap<>();
        if (lanczos.order() > 0 && POINTS_PER_VECTOR * lanczos.order() <= open.size()) {
            confirmFromImages(open);
        }
        for (int i : open) {
            if (states[i].status == null) {
                shifts.put(i, new double[ritz.order() + 1]);
                states[i].failures++;
            }
        }
        for (int round = 0; round <= CORRECTIONS && !shifts.isEmpty(); round++) {
            int[] indices = shifts.keySet().stream().mapToInt(Integer::intValue).toArray();
            double[][] r = points(indices);
            Evaluation[] evaluations = problems.evaluate(indices, r);
            passes++;
            for (int c = 0; c < indices.length; c++) {
                int i = indices[c];
                boolean improved = judge(i, r[c], evaluations[c]);
                if (states[i].status == null && improved && isAtRounding(i)) {
                    correct(i, Objects.requireNonNull(shifts.get(i)), evaluations[c]);
                } else {
                    shifts.remove(i);
                }
            }
        }
        for (int i : pending()) {
            if (states[i].failures >= MAX_FAILURES || states[i].limitedByRounding) {
                giveUp(states[i]);
            }
        }
        // a verification costs a pass: after a failure the next one waits for a quarter more steps
        nextVerification = steps + Math.max(2, steps / 4);
    }

    /** Ends a problem whose residual no longer falls. */
    private static void giveUp(State state) {
        state.status = SphereResult.Status.STALLED;
        state.note = "the residual no longer falls: the rounding of the data is reached";
    }

    /**
     * Accepts those points that a pass with the basis instead of the points confirms. For many gammas it is cheaper; it is accurate enough unless f is much smaller
     * than p, and what it does not confirm is evaluated by {@link #verify}.
     */
    private void confirmFromImages(List<Integer> open) {
        int[] indices = open.stream().mapToInt(Integer::intValue).toArray();
        double[][] r = points(indices);
        DenseMatrix images = lanczos.images(ritz, tops(indices));
        passes++;
        for (int c = 0; c < indices.length; c++) {
            int i = indices[c];
            Evaluation at = problems.evaluateFromImage(i, r[c], images.column(c));
            if (gap(i, r[c], at) <= options.tolerance() * Stationarity.scale(at.objective(), problems.zeroRuleLoss())) {
                states[i].r = r[c];
                states[i].status = SphereResult.Status.CONVERGED;
            }
        }
    }

    /** Returns a bound on f(r) - f* from an evaluation on the data, with the curvature of {@link #curvature}. */
    private double gap(int i, double[] r, Evaluation at) {
        Stationarity here = Stationarity.of(r, at);
        double curvature = curvature(states[i], here.multiplier());
        return Stationarity.gap(here.residual() + problems.gradientRounding(i, r), curvature);
    }

    /** Keeps r if its gap is the smallest so far, and ends the problem if it is within the tolerance; returns whether the gap has at least halved. */
    private boolean judge(int i, double[] r, Evaluation at) {
        State state = states[i];
        double gap = gap(i, r, at);
        if (problems.isGram()) {
            gap = Math.min(gap, at.objective() + problems.objectiveRounding(i, r, at.objective()));
        }
        boolean improved = gap < state.verifiedGap / 2;
        if (improved) {
            state.failures = 0;
        }
        double tolerable = options.tolerance() * Stationarity.scale(at.objective(), problems.zeroRuleLoss());
        if (gap < state.verifiedGap || state.r == null) {
            state.verifiedGap = gap;
            state.r = r;
            state.limitedByRounding = isLimitedByRounding(i, r, at, tolerable);
        }
        if (gap <= tolerable) {
            state.status = SphereResult.Status.CONVERGED;
        }
        return improved;
    }

    /** Returns whether the residual at r is below its rounding allowance, and that allowance alone exceeds the tolerance: further steps cannot prove more. */
    private boolean isLimitedByRounding(int i, double[] r, Evaluation at, double tolerable) {
        Stationarity here = Stationarity.of(r, at);
        double rounding = problems.gradientRounding(i, r);
        return problems.isGram()
                && here.multiplier() > 0
                && here.residual() <= rounding
                && Stationarity.gap(rounding, here.multiplier()) > tolerable;
    }

    /** Returns whether the recurrence's residual of a problem is at the level of rounding. */
    private boolean isAtRounding(int i) {
        Projected now = states[i].now();
        return now.residual() <= ROUNDING * problems.roundingScale(i, now);
    }

    /**
     * Solves the small problem again with g shifted so that its gradient at the last point agrees with the true one.
     *
     * @param shift the shift so far; the difference of the two gradients is added
     */
    private void correct(int i, double[] shift, Evaluation at) {
        Projected now = states[i].now();
        double[] gradient = at.halfGradient();
        // at the small problem's minimiser its own half gradient is -lambda r
        double[] top = lanczos.coordinates(ritz, Arrays.copyOf(gradient, problems.order()));
        Vectors.axpy(1, withBorder(top, gradient[gradient.length - 1]), shift);
        Vectors.axpy(now.multiplier(), withBorder(now.top(), now.border()), shift);
        states[i].now = problems.project(i, ritz, shift);
    }

    /** Returns Ritz coordinates followed by the border's. */
    private static double[] withBorder(double[] top, double border) {
        double[] result = Arrays.copyOf(top, top.length + 1);
        result[top.length] = border;
        return result;
    }

    /** Returns the current minimisers of some problems as unit vectors of the sphere. */
    private double[][] points(int[] indices) {
        int n = problems.order();
        DenseMatrix combined = lanczos.combine(ritz, tops(indices));
        double[][] r = new double[indices.length][n + 1];
        for (int c = 0; c < r.length; c++) {
            combined.tile(c, 1, 0, n, DoubleBuffer.wrap(r[c]));
            r[c][n] = states[indices[c]].now().border();
            Vectors.scale(1 / Vectors.norm(r[c]), r[c]);
        }
        workers.giveBack(combined);
        return r;
    }

    /** Returns the Ritz coordinates of wTilde of some problems. */
    private List<double[]> tops(int[] indices) {
        return Arrays.stream(indices).mapToObj(i -> states[i].now().top()).toList();
    }

    /** Returns the problems without a result. */
    private List<Integer> pending() {
        List<Integer> pending = new ArrayList<>();
        for (int i = 0; i < states.length; i++) {
            if (states[i].status == null) {
                pending.add(i);
            }
        }
        return pending;
    }

    /** Reports the pending problem with the largest residual to the listener. */
    private ProgressListener.Decision report() {
        Projected worst = null;
        for (int i : pending()) {
            Projected now = states[i].now();
            if (worst == null || now.residual() > worst.residual()) {
                worst = now;
            }
        }
        Projected shown = Objects.requireNonNull(worst);
        return listener.onIteration(new ProgressListener.Progress(
                steps, shown.objective(), shown.residual(), Double.NaN, shown.multiplier()));
    }

    /** Ends all pending problems at their minimisers within the space. */
    private List<SphereResult> finish(SphereResult.Status status, String note) {
        projectPending();
        int[] open = pending().stream().mapToInt(Integer::intValue).toArray();
        double[][] r = points(open);
        for (int c = 0; c < open.length; c++) {
            states[open[c]].r = r[c];
            states[open[c]].status = status;
            states[open[c]].note = note;
        }
        return results();
    }

    /** Ends the run at a limit; first verifies the problems that are ready and were only waiting for the others. */
    private List<SphereResult> finishAtLimit(SphereResult.Status status, String note) {
        projectPending();
        List<Integer> ready = pending().stream().filter(this::isReady).toList();
        if (!ready.isEmpty()) {
            verify(ready);
        }
        return finish(status, note);
    }

    /**
     * Ends the run when the space is invariant: the small problems are equivalent to the full ones, so what the data does not confirm is their rounding error.
     * A solver with other roundings may do better, which is what the status STALLED says.
     */
    private List<SphereResult> finishExhausted() {
        verify(pending());
        for (int i : pending()) {
            giveUp(states[i]);
        }
        return results();
    }

    /** Returns the results of all problems; every one has a point and a status now. */
    private List<SphereResult> results() {
        var effort = new SphereResult.Effort(steps, passes, 0, 0);
        return Arrays.stream(states)
                .map(s ->
                        new SphereResult(Objects.requireNonNull(s.r), Objects.requireNonNull(s.status), effort, s.note))
                .toList();
    }
}
