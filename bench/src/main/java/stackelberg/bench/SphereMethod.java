package stackelberg.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import stackelberg.certificate.Certificate;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.Workers;
import stackelberg.objective.Pipeline;
import stackelberg.objective.Solution;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.ProgressListener.Decision;
import stackelberg.solver.ProgressListener.Progress;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.solver.SphereSolver;
import stackelberg.sphere.Reduction;

/**
 * Times a sphere solver on a game: reduce, solve, certify, recover.
 *
 * @param gammas the gammas to solve for; the game's own if empty. For several gammas, the row holds the first objective and the largest gap
 * @param traceLength how many iterations to record
 */
record SphereMethod(Function<Workers, SphereSolver> solver, double[] gammas, int traceLength) implements Method {
    /** The certified relative gap at which a game counts as solved. */
    private static final double TOLERANCE = 1e-9;

    private static final int MOST_ITERATIONS = 20_000;

    static SphereMethod of(Function<Workers, SphereSolver> solver) {
        return new SphereMethod(solver, new double[0], 0);
    }

    SphereMethod onPath(double... newGammas) {
        return new SphereMethod(solver, newGammas, traceLength);
    }

    SphereMethod traced(int length) {
        return new SphereMethod(solver, gammas, length);
    }

    @Override
    public Played run(PredictionGame game, Workers workers, double limit) {
        double[] asked = gammas.length == 0 ? new double[] {game.gamma()} : gammas;
        SolverOptions options = new SolverOptions(TOLERANCE, MOST_ITERATIONS);
        List<Progress> trace = new ArrayList<>();
        long start = System.nanoTime();
        long deadline = start + (long) (1e9 * limit);
        ProgressListener watch = now -> {
            if (trace.size() < traceLength) {
                trace.add(now);
            }
            return System.nanoTime() > deadline ? Decision.STOP : Decision.CONTINUE;
        };
        Reduction reduction = Pipeline.reduce(game, workers, asked);
        double assembled = (System.nanoTime() - start) * 1e-9;
        Solution.Run run = new Pipeline(solver.apply(workers), options, watch).run(reduction, asked);
        List<Certificate> proofs =
                run.solutions().stream().map(Solution::certificate).toList();
        SphereResult first = run.solutions().get(0).result();
        double factor = first.effort().factorSeconds();
        double recovered =
                run.solutions().stream().mapToDouble(Solution::recoverSeconds).sum();
        Row.Seconds seconds =
                new Row.Seconds(assembled, factor, run.solveSeconds() - factor, run.certifySeconds(), recovered);
        Row.Proof proof = new Row.Proof(
                proofs.get(0).objective(),
                proofs.stream().mapToDouble(Certificate::gapBound).max().orElseThrow(),
                proofs.stream().mapToDouble(Certificate::relativeGap).max().orElseThrow());
        boolean certified = proofs.stream().allMatch(one -> one.certified(TOLERANCE));
        int iterations = first.effort().iterations();
        int passes = first.effort().passes();
        return new Played(
                new Row.Outcome(first.status().name(), certified, seconds, iterations, passes, proof), trace, "");
    }
}
