package stackelberg.solver.krylov;

import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.sphere.SphereProblem.Evaluation;
import stackelberg.sphere.SphereProblem.Stationarity;

/** One run of {@link KrylovSolver}: the space, and where each problem stands. */
final class KrylovRun {
    /** Below this many roundings of the problem's size a residual cannot be told from 0. */
    private static final double ROUNDING = 0x1p-52;

    /** The recurrence is taken for too small by this factor. */
    private static final double SAFETY = 2;

    /** With residual and rounding so many times as large still within the tolerance, a problem needs no look at the data. */
    private static final double DOUBT = 10;

    /** Steps before a multiplier that is not positive is taken seriously. */
    private static final int EARLY = 3;

    /** Steps with the probe before the smallest Ritz value is taken for the smallest eigenvalue. */
    private static final int PROBING = 4;

    /** Verifications without progress before a problem is given up. */
    private static final int PATIENCE = 3;

    /** Each gains as many digits as the small problem has; more than two are never needed. */
    private static final int CORRECTIONS = 2;

    /** From this many points for each vector of the basis on, a pass with the basis is the cheaper one. */
    private static final int MANY = 2;

    private final ProblemSet problems;
    private final SolverOptions options;
    private final ProgressListener listener;
    private final long maxVectors;
    private final Workers workers;
    private final BlockLanczos lanczos;
    private final Standing[] standings;

    private Ritz ritz;
    private int steps;
    private int passes;
    private int lookedAt = -1;
    private int nextVerification;

    /** Where one problem stands. */
    private static final class Standing {
        Projected now;
        /** How far the smallest Ritz value fell since the last look. */
        double drift = Double.POSITIVE_INFINITY;

        double[] r;
        double verifiedGap = Double.POSITIVE_INFINITY;
        int failures;
        /** Whether what rounding may hide at the best point is by itself beyond the tolerance, and more than the residual there. */
        boolean hidden;

        SphereResult.Status status;
        String note = "";
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
        this.lanczos = new BlockLanczos(problems, workers);
        this.standings = new Standing[problems.count()];
        Arrays.setAll(standings, i -> new Standing());
    }

    List<SphereResult> solve() {
        if (!problems.isGram()) {
            // nothing is known of the spectrum
            lanczos.addProbe();
        }
        int nextLook = 1;
        while (true) {
            boolean exhausted = lanczos.exhausted();
            boolean looking = exhausted || steps >= nextLook;
            if (looking) {
                look();
                // looking costs the cube of the order: rarely enough to add little, often enough to waste no more than
                // a step in 16
                nextLook = steps + Math.max(1, steps / 16);
            }
            if (steps > 0 && report() == ProgressListener.Decision.STOP) {
                return finish(SphereResult.Status.STOPPED_BY_LISTENER, "");
            }
            if (looking) {
                boolean probed = (exhausted || steps >= EARLY) && needsProbe() && lanczos.addProbe();
                if (exhausted && !probed) {
                    return finishExhausted();
                }
                if (steps >= nextVerification && pending().stream().allMatch(this::isReady)) {
                    accept(pending().stream().filter(this::isBeyondDoubt).toList());
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

    /** The small problems of all that are pending. */
    private void look() {
        if (lookedAt == steps) {
            return;
        }
        lookedAt = steps;
        ritz = lanczos.ritz();
        for (int i : pending()) {
            Standing standing = standings[i];
            Projected before = standing.now;
            standing.now = problems.project(i, ritz, new double[ritz.order() + 1]);
            if (before != null) {
                standing.drift = Math.max(0, before.smallest() - standing.now.smallest());
            }
        }
    }

    /** A multiplier that is not positive is right only if nothing outside the space has a smaller eigenvalue. */
    private boolean needsProbe() {
        return lanczos.stepsWithProbe() < 0 && pending().stream().anyMatch(i -> standings[i].now.multiplier() <= 0);
    }

    /** A lower bound of the smallest eigenvalue of H + lambda I: proven if H is a Gram matrix and lambda > 0, else as far as the probe saw. */
    private double curvature(Standing standing, double lambda) {
        double free = problems.isGram() ? lambda : Double.NEGATIVE_INFINITY;
        Projected now = standing.now;
        if (lanczos.seesEveryEigenvalue()) {
            return Math.max(free, now.smallest() + lambda);
        }
        if (lanczos.stepsWithProbe() < PROBING) {
            return free;
        }
        return Math.max(free, now.smallest() + lambda - now.smallestResidual() - standing.drift);
    }

    /** Whether the recurrence says that the tolerance is reached, or that only rounding is left. */
    private boolean isReady(int i) {
        Standing standing = standings[i];
        Projected now = standing.now;
        double size = problems.roundingScale(i, now);
        double curvature = curvature(standing, now.multiplier());
        double tolerable = options.tolerance() * Stationarity.scale(now.objective(), problems.ungameableLoss());
        if (Stationarity.gap(SAFETY * now.residual(), curvature, size) <= tolerable) {
            return true;
        }
        return isAtRounding(i) && curvature >= -ROUNDING * problems.roundingScale(i);
    }

    /**
     * Whether the recurrence would have to be wrong by far more than rounding explains for the data to disagree. The last step, which the
     * hardest of many gammas asks for, usually leaves all of them there.
     */
    private boolean isBeyondDoubt(int i) {
        Projected now = standings[i].now;
        if (!problems.isGram() || !(now.multiplier() > 0)) {
            return false;
        }
        double gap = Stationarity.gap(DOUBT * now.residual(), now.multiplier(), DOUBT * problems.roundingScale(i, now));
        return gap <= options.tolerance() * Stationarity.scale(now.objective(), problems.ungameableLoss());
    }

    /** Takes the points of the last look for the answers. */
    private void accept(List<Integer> settled) {
        if (settled.isEmpty()) {
            return;
        }
        int[] indices = settled.stream().mapToInt(Integer::intValue).toArray();
        double[][] r = points(indices);
        for (int c = 0; c < indices.length; c++) {
            standings[indices[c]].r = r[c];
            standings[indices[c]].status = SphereResult.Status.CONVERGED;
        }
    }

    /**
     * Asks the data, in one pass for all: the recurrence understates. Where only rounding is left, the true gradient corrects the small
     * problem: X'P(residual) keeps digits on small singular values that T = V'X'PX V, which squares them, has lost.
     */
    private void verify(List<Integer> open) {
        Map<Integer, double[]> shifts = new TreeMap<>();
        if (lanczos.order() > 0 && MANY * lanczos.order() <= open.size()) {
            confirmFromImages(open);
        }
        for (int i : open) {
            if (standings[i].status == null) {
                shifts.put(i, new double[ritz.order() + 1]);
                standings[i].failures++;
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
                if (standings[i].status == null && improved && isAtRounding(i)) {
                    correct(i, shifts.get(i), evaluations[c]);
                } else {
                    shifts.remove(i);
                }
            }
        }
        for (int i : pending()) {
            if (standings[i].failures >= PATIENCE || standings[i].hidden) {
                giveUp(standings[i]);
            }
        }
        nextVerification = steps + Math.max(2, steps / 4);
    }

    private static void giveUp(Standing standing) {
        standing.status = SphereResult.Status.STALLED;
        standing.note = "the residual no longer falls: the rounding of the data is reached";
    }

    /** A pass with the basis instead of the points: cheaper for many gammas, and enough where f does not vanish beside p. */
    private void confirmFromImages(List<Integer> open) {
        int[] indices = open.stream().mapToInt(Integer::intValue).toArray();
        double[][] r = points(indices);
        DenseMatrix images = lanczos.images(ritz, tops(indices));
        passes++;
        for (int c = 0; c < indices.length; c++) {
            int i = indices[c];
            Evaluation at = problems.evaluateFromImage(i, r[c], images.column(c));
            if (gap(i, r[c], at)
                    <= options.tolerance() * Stationarity.scale(at.objective(), problems.ungameableLoss())) {
                standings[i].r = r[c];
                standings[i].status = SphereResult.Status.CONVERGED;
            }
        }
    }

    /** What the gradient at r says about f(r) - f*. */
    private double gap(int i, double[] r, Evaluation at) {
        Stationarity here = Stationarity.of(r, at);
        double curvature = curvature(standings[i], here.multiplier());
        return Stationarity.gap(here.residual() + problems.gradientRounding(i, r), curvature);
    }

    /** Keeps the better point; returns whether this one is better by more than a little. */
    private boolean judge(int i, double[] r, Evaluation at) {
        Standing standing = standings[i];
        double gap = gap(i, r, at);
        if (problems.isGram()) {
            gap = Math.min(gap, at.objective() + problems.objectiveRounding(i, r, at.objective()));
        }
        boolean improved = gap < standing.verifiedGap / 2;
        if (improved) {
            standing.failures = 0;
        }
        double tolerable = options.tolerance() * Stationarity.scale(at.objective(), problems.ungameableLoss());
        if (gap < standing.verifiedGap || standing.r == null) {
            standing.verifiedGap = gap;
            standing.r = r;
            standing.hidden = isHidden(i, r, at, tolerable);
        }
        if (gap <= tolerable) {
            standing.status = SphereResult.Status.CONVERGED;
        }
        return improved;
    }

    /** Whether no further step could prove this point better than it is proven. */
    private boolean isHidden(int i, double[] r, Evaluation at, double tolerable) {
        Stationarity here = Stationarity.of(r, at);
        double rounding = problems.gradientRounding(i, r);
        return problems.isGram()
                && here.multiplier() > 0
                && here.residual() <= rounding
                && Stationarity.gap(rounding, here.multiplier()) > tolerable;
    }

    private boolean isAtRounding(int i) {
        Projected now = standings[i].now;
        return now.residual() <= ROUNDING * problems.roundingScale(i, now);
    }

    /** Solves the small problem again with a gradient that agrees with the true one at the last point. */
    private void correct(int i, double[] shift, Evaluation at) {
        Projected now = standings[i].now;
        double[] gradient = at.halfGradient();
        // the small problem's own gradient is -lambda r
        double[] top = lanczos.coordinates(ritz, Arrays.copyOf(gradient, problems.order()));
        Vectors.axpy(1, withBorder(top, gradient[gradient.length - 1]), shift);
        Vectors.axpy(now.multiplier(), withBorder(now.top(), now.border()), shift);
        standings[i].now = problems.project(i, ritz, shift);
    }

    /** Ritz coordinates, followed by the border's. */
    private static double[] withBorder(double[] top, double border) {
        double[] result = Arrays.copyOf(top, top.length + 1);
        result[top.length] = border;
        return result;
    }

    /** The points of the last look. */
    private double[][] points(int[] indices) {
        int n = problems.order();
        DenseMatrix combined = lanczos.combine(ritz, tops(indices));
        double[][] r = new double[indices.length][n + 1];
        for (int c = 0; c < r.length; c++) {
            combined.tile(c, 1, 0, n, DoubleBuffer.wrap(r[c]));
            r[c][n] = standings[indices[c]].now.border();
            Vectors.scale(1 / Vectors.norm(r[c]), r[c]);
        }
        workers.giveBack(combined);
        return r;
    }

    private List<double[]> tops(int[] indices) {
        return Arrays.stream(indices).mapToObj(i -> standings[i].now.top()).toList();
    }

    private List<Integer> pending() {
        List<Integer> pending = new ArrayList<>();
        for (int i = 0; i < standings.length; i++) {
            if (standings[i].status == null) {
                pending.add(i);
            }
        }
        return pending;
    }

    /** Tells the listener of the pending problem with the largest residual. */
    private ProgressListener.Decision report() {
        Projected worst = null;
        for (int i : pending()) {
            Projected now = standings[i].now;
            if (worst == null || now != null && now.residual() > worst.residual()) {
                worst = now;
            }
        }
        return listener.onIteration(new ProgressListener.Progress(
                steps, worst.objective(), worst.residual(), Double.NaN, worst.multiplier()));
    }

    /** Whatever is pending ends here, at the best point of the space. */
    private List<SphereResult> finish(SphereResult.Status status, String note) {
        look();
        int[] open = pending().stream().mapToInt(Integer::intValue).toArray();
        double[][] r = points(open);
        for (int c = 0; c < open.length; c++) {
            standings[open[c]].r = r[c];
            standings[open[c]].status = status;
            standings[open[c]].note = note;
        }
        return results();
    }

    /** Some problems may be done and only have waited for the others. */
    private List<SphereResult> finishAtLimit(SphereResult.Status status, String note) {
        look();
        List<Integer> ready = pending().stream().filter(this::isReady).toList();
        if (!ready.isEmpty()) {
            verify(ready);
        }
        return finish(status, note);
    }

    /** The small problems are the problems themselves, and what the data does not confirm is their rounding: another solver may have less of it. */
    private List<SphereResult> finishExhausted() {
        verify(pending());
        for (int i : pending()) {
            giveUp(standings[i]);
        }
        return results();
    }

    private List<SphereResult> results() {
        var effort = new SphereResult.Effort(steps, passes, 0, 0);
        return Arrays.stream(standings)
                .map(s -> new SphereResult(s.r, s.status, effort, s.note))
                .toList();
    }
}
