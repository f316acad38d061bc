package stackelberg.solver.published.admm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.certificate.Certificate;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereFamily;
import stackelberg.sphere.SphereProblem;

/** The theorem of docs/solvers.md: over the ball, with a proven shift, ADMM ends at the global minimum for every rho and from every start. */
class EveryRhoTest {
    private static final Workers ONE = Workers.of(1);
    private static final AdmmSolver.Options BARE =
            AdmmSolver.Options.DEFAULT.withMemory(0).withLanczosSteps(0);

    /** Where the published algorithm stops above the minimum, or never. */
    @ParameterizedTest
    @ValueSource(doubles = {0.1, 1, 10, 100})
    void theCounterexampleIsNoneAnyMore(double rho) {
        SphereProblem problem = PlainAdmmTest.counterexample();
        double[] start = {Math.sqrt(0.5), Math.sqrt(0.5)};
        AdmmSolver.Options options =
                BARE.withPenalty(AdmmSolver.Penalty.fixed(rho)).withStart(start).withDualStart(new double[2]);
        var result = AdmmSolver.cholesky(options, ONE).solve(problem, SolverOptions.DEFAULT, ProgressListener.NONE);

        assertThat(result.status()).as(result.note()).isEqualTo(SphereResult.Status.CONVERGED);
        Certificate proof = Certificate.of(problem, result.r());
        assertThat(proof.certified(1e-9)).as(proof.toString()).isTrue();
        assertThat(proof.objective()).isCloseTo(0.164688594760854, within(1e-9));
        assertThat(result.note()).contains("H shifted by -1.2215");
    }

    @Test
    void randomGamesWithANegativeMultiplierFromAnyStart() {
        run(Integer.getInteger("stackelberg.long", 400), 51_001);
    }

    private static void run(int count, long seed) {
        Random random = new Random(seed);
        java.util.List<Integer> its = new java.util.ArrayList<>();
        int stopped = 0;
        int most = 0;
        int hard = 0;
        for (int trial = 0; trial < count; ) {
            SphereProblem problem = problem(random, trial);
            double[] best = new DirectSolver(ONE)
                    .solve(problem, SolverOptions.DEFAULT, ProgressListener.NONE)
                    .r();
            Certificate optimum = Certificate.of(problem, best);
            if (!(optimum.multiplier() < -1e-9 * problem.hessianNorm())
                    || optimum.proof() != Certificate.Proof.PROVEN
                    || optimum.relativeGap() > 1e-9) {
                continue;
            }
            double scale = trial % 2 == 0 ? 2 * -optimum.multiplier() : problem.hessianNorm() / problem.dimension();
            double rho = scale * Math.pow(10, 6 * random.nextDouble() - 3);
            double[] s0 = unit(random, problem.dimension());
            double[] v0 = unit(random, problem.dimension());
            Vectors.scale(Math.pow(10, 4 * random.nextDouble() - 2), v0);
            AdmmSolver.Options options = AdmmSolver.Options.DEFAULT
                    .withPenalty(AdmmSolver.Penalty.fixed(rho))
                    .withStart(s0)
                    .withDualStart(v0)
                    .withLanczosSteps(trial % 3 == 0 ? 8 : 0);
            var result = AdmmSolver.cholesky(options, ONE)
                    .solve(problem, SolverOptions.DEFAULT.withMaxIterations(100_000), ProgressListener.NONE);
            Certificate proof = Certificate.of(problem, result.r());
            String what =
                    "trial " + trial + ", rho " + rho + " = " + rho / scale + " times the scale: " + result.status()
                            + " after " + result.effort() + " " + result.note() + ", " + proof + ", minimum "
                            + optimum.objective();
            if (result.status() != SphereResult.Status.CONVERGED)
                System.out.println("trial " + trial + " d " + problem.dimension() + " ratio " + rho / scale + " curv "
                        + (optimum.curvature() / rho) + " f " + proof.objective() + " of " + optimum.objective());
            its.add(result.effort().iterations());
            stopped += result.status() == SphereResult.Status.CONVERGED ? 1 : 0;
            most = Math.max(most, result.effort().iterations());
            trial++;
        }
        java.util.Collections.sort(its);
        for (double q : new double[] {.5, .9, .95, .98, .99}) System.out.print(its.get((int) (q * count)) + " ");
        System.out.println(stopped + " of " + count + " stopped, most iterations " + most);
    }

    private static SphereProblem problem(Random random, int trial) {
        int n = 1 + random.nextInt(6);
        int m = n + 1 + random.nextInt(12);
        double[] w = random.doubles(n).map(u -> 2 * u - 1).toArray();
        double signal = Math.pow(10, 3 * random.nextDouble() - 2);
        double[][] x = new double[m][n];
        double[] y = new double[m];
        double[] z = new double[m];
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < n; j++) {
                x[i][j] = random.nextGaussian();
                y[i] += signal * w[j] * x[i][j];
            }
            y[i] += random.nextGaussian();
            z[i] = random.nextBoolean() ? random.nextGaussian() : y[i] + 2 * random.nextGaussian();
        }
        double gamma = Math.pow(10, 4 * random.nextDouble() - 1);
        PredictionGame game = PredictionGame.of(DenseMatrix.of(x), y, z, gamma);
        game = trial % 5 == 1 ? game.withIntercept() : game;
        SphereFamily family = Reduction.of(game, ONE).family();
        if (trial % 5 == 2) {
            family = family.withEffects(random.doubles(n).map(u -> u - 0.5).toArray());
        }
        return family.at(gamma);
    }

    private static double[] unit(Random random, int d) {
        double[] v =
                IntStream.range(0, d).mapToDouble(i -> random.nextGaussian()).toArray();
        Vectors.scale(1 / Vectors.norm(v), v);
        return v;
    }
}
