package stackelberg.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import stackelberg.certificate.Certificate;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.ProgressListener.Decision;
import stackelberg.solver.ProgressListener.Progress;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.solver.SphereSolver;
import stackelberg.sphere.Reduction;

/**
 * A sphere solver on the game's gamma, or on a list of them: reduce, solve, certify, recover.
 *
 * @param gammas the game's own if empty; the row then holds the first objective and the worst gap
 * @param traceLength how many iterations to keep
 */
record SphereMethod(Function<Workers, SphereSolver> solver, double[] gammas, int maxIterations, int traceLength)
        implements Method {
    static final double TOLERANCE = 1e-9;

    static SphereMethod of(Function<Workers, SphereSolver> solver) {
        return new SphereMethod(solver, new double[0], 20_000, 0);
    }

    SphereMethod onPath(double... newGammas) {
        return new SphereMethod(solver, newGammas, maxIterations, traceLength);
    }

    SphereMethod traced(int length) {
        return new SphereMethod(solver, gammas, maxIterations, length);
    }

    @Override
    public Outcome run(PredictionGame game, Workers workers, double limit) {
        double[] asked = gammas.length == 0 ? new double[] {game.gamma()} : gammas;
        SolverOptions options = new SolverOptions(TOLERANCE, maxIterations);
        List<Progress> trace = new ArrayList<>();
        long start = System.nanoTime();
        long deadline = start + (long) (1e9 * limit);
        ProgressListener watch = now -> {
            if (trace.size() < traceLength) {
                trace.add(now);
            }
            return System.nanoTime() > deadline ? Decision.STOP : Decision.CONTINUE;
        };
        Reduction reduction = Reduction.of(game, workers);
        long assembled = System.nanoTime();
        List<SphereResult> results = solver.apply(workers).solvePath(reduction.family(), asked, options, watch);
        long solved = System.nanoTime();
        double[][] points = results.stream().map(SphereResult::r).toArray(double[][]::new);
        Certificate[] proofs = Certificate.ofPath(reduction.family(), asked, points);
        long certified = System.nanoTime();
        for (int k = 0; k < asked.length; k++) {
            reduction.recover(points[k], asked[k]);
        }
        long recovered = System.nanoTime();
        SphereResult first = results.get(0);
        double factor = first.effort().factorSeconds();
        Row.Seconds seconds = new Row.Seconds(
                (assembled - start) * 1e-9,
                factor,
                (solved - assembled) * 1e-9 - factor,
                (certified - solved) * 1e-9,
                (recovered - certified) * 1e-9);
        return new Outcome(
                first.status().name(),
                Arrays.stream(proofs).allMatch(proof -> proof.certified(TOLERANCE)),
                seconds,
                first.effort().iterations(),
                first.effort().passes(),
                proofs[0].objective(),
                Arrays.stream(proofs).mapToDouble(Certificate::gapBound).max().orElseThrow(),
                Arrays.stream(proofs)
                        .mapToDouble(Certificate::relativeGap)
                        .max()
                        .orElseThrow(),
                "",
                trace);
    }
}
