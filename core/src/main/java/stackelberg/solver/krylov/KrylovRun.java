package stackelberg.solver.krylov;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.solver.Status;
import stackelberg.sphere.Evaluation;

/** One run of {@link KrylovSolver}: the space, and where each problem stands. */
final class KrylovRun {
    /** Below this many roundings of the problem's size a residual cannot be told from 0. */
    private static final double ROUNDING = 0x1p-52;

    /** The recurrence is taken for too small by this factor. */
    private static final double SAFETY = 2;

    /** Steps before a multiplier that is not positive is taken seriously. */
    private static final int EARLY = 3;

    /** Steps with the probe before the smallest Ritz value is taken for the smallest eigenvalue. */
    private static final int PROBING = 4;

    /** Verifications without progress before a problem is given up. */
    private static final int PATIENCE = 3;

    private final ProblemSet problems;
    private final SolverOptions options;
    private final ProgressListener listener;
    private final long maxVectors;
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
        Status status;
        String note = "";
    }

    KrylovRun(
            ProblemSet problems, KrylovOptions own, SolverOptions options, ProgressListener listener, Workers workers) {
        this.problems = problems;
        this.options = options;
        this.listener = listener;
        this.maxVectors = Math.max(8, own.basisBytes() / 8 / Math.max(1, problems.order()));
        this.lanczos = new BlockLanczos(problems, workers);
        this.standings = new Standing[problems.count()];
        Arrays.setAll(standings, i -> new Standing());
    }

    List<SphereResult> solve() {
        if (!problems.hasBorder()) {
            // nothing is known of the spectrum, and the start vector may be 0
            lanczos.addProbe();
        }
        int nextLook = 1;
        while (true) {
            boolean exhausted = lanczos.exhausted();
            if (exhausted || steps >= nextLook) {
                look();
                // looking costs the cube of the order: rarely enough to add little, often enough to waste no more than
                // a step in 16
                nextLook = steps + Math.max(1, steps / 16);
                boolean probed = (exhausted || steps >= EARLY) && needsProbe() && lanczos.addProbe();
                if (exhausted && !probed) {
                    return finish(Status.CONVERGED, "");
                }
                if (steps >= nextVerification && pending().stream().allMatch(this::isReady)) {
                    verify();
                    if (pending().isEmpty()) {
                        return results();
                    }
                }
            }
            if (steps > 0 && report() == ProgressListener.Decision.STOP) {
                return finish(Status.STOPPED_BY_LISTENER, "");
            }
            if (steps >= options.maxIterations()) {
                return finish(Status.ITERATION_LIMIT, "");
            }
            if (lanczos.size() + lanczos.frontier() > maxVectors) {
                return finish(
                        Status.STALLED,
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
            standing.now = problems.project(i, ritz);
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
        if (lanczos.stepsWithProbe() < PROBING) {
            return free;
        }
        Projected now = standing.now;
        return Math.max(free, now.smallest() + lambda - now.smallestResidual() - standing.drift);
    }

    /** Whether the recurrence says that the tolerance is reached, or that only rounding is left. */
    private boolean isReady(int i) {
        Standing standing = standings[i];
        Projected now = standing.now;
        double size = problems.roundingScale(i);
        double curvature = curvature(standing, now.multiplier());
        double tolerable = options.tolerance() * GapEstimate.scale(now.objective(), problems.p());
        if (GapEstimate.of(SAFETY * now.residual(), curvature, size) <= tolerable) {
            return true;
        }
        return now.residual() <= ROUNDING * size && curvature >= -ROUNDING * size;
    }

    /** Asks the data, in one pass for all: the recurrence understates. */
    private void verify() {
        List<Integer> open = pending();
        place(open);
        int[] indices = open.stream().mapToInt(Integer::intValue).toArray();
        double[][] r = open.stream().map(i -> standings[i].r).toArray(double[][]::new);
        Evaluation[] evaluations = problems.evaluate(indices, r);
        passes++;
        for (int c = 0; c < indices.length; c++) {
            judge(standings[indices[c]], evaluations[c], problems.roundingScale(indices[c]));
        }
        nextVerification = steps + Math.max(2, steps / 4);
    }

    private void judge(Standing standing, Evaluation at, double size) {
        double lambda = -Vectors.dot(standing.r, at.halfGradient());
        double[] e = at.halfGradient().clone();
        Vectors.axpy(lambda, standing.r, e);
        double gap = GapEstimate.of(Vectors.norm(e), curvature(standing, lambda), size);
        if (problems.isGram()) {
            gap = Math.min(gap, at.objective());
        }
        if (gap <= options.tolerance() * GapEstimate.scale(at.objective(), problems.p())) {
            standing.status = Status.CONVERGED;
            return;
        }
        standing.failures = gap < standing.verifiedGap / 2 ? 0 : standing.failures + 1;
        standing.verifiedGap = Math.min(gap, standing.verifiedGap);
        if (standing.failures >= PATIENCE) {
            standing.status = Status.STALLED;
            standing.note = "the residual " + Vectors.norm(e) + " no longer falls: the rounding of the data is reached";
        }
    }

    /** Forms the points of the last look. */
    private void place(List<Integer> indices) {
        List<double[]> tops = indices.stream().map(i -> standings[i].now.top()).toList();
        DenseMatrix points = lanczos.combine(ritz, tops);
        for (int c = 0; c < tops.size(); c++) {
            Standing standing = standings[indices.get(c)];
            standing.r = problems.point(points.column(c), standing.now.border());
        }
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
    private List<SphereResult> finish(Status status, String note) {
        look();
        List<Integer> open = pending();
        place(open);
        for (int i : open) {
            standings[i].status = status;
            standings[i].note = note;
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
