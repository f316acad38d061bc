package stackelberg.solver.published.admm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import stackelberg.RealFamilies;
import stackelberg.certificate.Certificate;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.objective.Pipeline;
import stackelberg.objective.Solution;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.ProgressListener.Progress;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.solver.SphereSolver;
import stackelberg.solver.published.riemannian.RtrNewtonSolver;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereProblem;

/** The algorithms as published, where they work and where they do not. */
class PlainAdmmTest {
    private static final Workers ONE = Workers.of(1);

    /** X = (-1, 3)', y = (0, 2)', z = (2, 1)', gamma = 4: the global minimum has f = 0.16469 and a negative multiplier. */
    static SphereProblem counterexample() {
        double[][] x = {{-1}, {3}};
        var game = PredictionGame.of(DenseMatrix.of(x), new double[] {0, 2}, new double[] {2, 1}, 4);
        return Reduction.of(game, ONE).family().at(4);
    }

    @ParameterizedTest
    @CsvSource({"0.5, 5718", "5, 579", "50, 65", "1000, 438"})
    void takesTheKnownNumberOfIterationsOnWineModest(double rho, int iterations) {
        SphereProblem wine = RealFamilies.named("wine modest").at(0.1);
        var result = AdmmSolver.cholesky(AdmmSolver.Options.plain(rho), ONE)
                .solve(wine, SolverOptions.DEFAULT, ProgressListener.NONE);

        assertThat(result.status()).isEqualTo(SphereResult.Status.CONVERGED);
        assertThat(result.effort().iterations()).isCloseTo(iterations, within(iterations / 50));
        assertThat(result.effort().factorisations()).isEqualTo(1);
        Certificate proof = Certificate.of(wine, result.r());
        assertThat(proof.certified(1e-9)).isTrue();
        assertThat(proof.objective()).isCloseTo(571.16830272, within(1e-7));
    }

    @Test
    void stopsAtANonGlobalPointThatTheCertificateRefutes() {
        SphereProblem problem = counterexample();
        var result = AdmmSolver.cholesky(AdmmSolver.Options.plain(10).withEps(1e-10), ONE)
                .solve(problem, SolverOptions.DEFAULT, ProgressListener.NONE);
        Certificate proof = Certificate.of(problem, result.r());

        assertThat(result.status()).isEqualTo(SphereResult.Status.CONVERGED);
        assertThat(result.effort().iterations()).isBetween(30, 100);
        assertThat(proof.objective()).isCloseTo(1.91993, within(1e-5));
        assertThat(proof.multiplier()).isCloseTo(-1.98977, within(1e-5));
        assertThat(proof.proof()).isEqualTo(Certificate.Proof.REFUTED);
        assertThat(proof.better()).isPresent();
    }

    @Test
    void doesNotConvergeWithASmallerRho() {
        SphereProblem problem = counterexample();
        List<Progress> trace = new ArrayList<>();
        var result = AdmmSolver.cholesky(AdmmSolver.Options.plain(1), ONE)
                .solve(problem, SolverOptions.DEFAULT, progress -> {
                    trace.add(progress);
                    return ProgressListener.Decision.CONTINUE;
                });

        assertThat(result.status()).isEqualTo(SphereResult.Status.ITERATION_LIMIT);
        assertThat(trace).hasSize(SolverOptions.DEFAULT.maxIterations());
        // no residual of the last thousand iterations is small
        assertThat(trace.subList(9_000, 10_000)).allMatch(p -> Math.max(p.primalResidual(), p.dualResidual()) > 1e-3);
        assertThat(Certificate.of(problem, result.r()).certified(1e-9)).isFalse();
    }

    /** At rho = 1 it ends at f(s) = 1.4808, where the point that takes the wish away again has 0.17556; with y = 0 w = 0 is optimal. */
    @ParameterizedTest
    @CsvSource({"0, 2", "1, 3", "0, 0"})
    void thePipelineLeavesTheLastPointOfAPublishedRunAsItIs(double first, double second) {
        double[][] x = {{-1}, {3}};
        var game = PredictionGame.of(DenseMatrix.of(x), new double[] {first, second}, new double[] {2, 1}, 4);
        Reduction reduction = Reduction.of(game, ONE);
        SphereProblem problem = reduction.family().at(4);
        for (SphereSolver solver : List.of(
                AdmmSolver.cholesky(AdmmSolver.Options.plain(1), ONE),
                AdmmSolver.explicitInverse(AdmmSolver.Options.plain(10), ONE),
                new RtrNewtonSolver(RtrNewtonSolver.Options.PLAIN))) {
            SphereResult own = solver.solve(problem, SolverOptions.DEFAULT, ProgressListener.NONE);
            Pipeline pipeline = new Pipeline(solver, SolverOptions.DEFAULT);
            Solution solution = pipeline.run(reduction, 4).solutions().get(0);

            assertThat(solution.result().r()).as(solver.name()).containsExactly(own.r());
            assertThat(solution.result().note()).isEqualTo(own.note());
            assertThat(solution.certificate().objective())
                    .isEqualTo(Certificate.of(problem, own.r()).objective());
            assertThat(pipeline.solve(List.of(problem)).get(0).r()).containsExactly(own.r());
        }
    }

    @Test
    void bothAlgorithmsMakeTheSameSteps() {
        SphereProblem problem = RealFamilies.named("wine modest").at(0.1);
        List<Progress> inverse = trace(AdmmSolver.explicitInverse(AdmmSolver.Options.plain(20), ONE), problem);
        List<Progress> cholesky = trace(AdmmSolver.cholesky(AdmmSolver.Options.plain(20), ONE), problem);

        assertThat(inverse).hasSameSizeAs(cholesky);
        for (int k = 0; k < inverse.size(); k++) {
            double size = cholesky.get(k).objective();
            assertThat(inverse.get(k).objective()).isCloseTo(size, within(1e-9 * size));
            assertThat(inverse.get(k).multiplier()).isCloseTo(cholesky.get(k).multiplier(), within(1e-8));
        }
    }

    /** v = -(2 lambda/rho) r at a fixed point, so that -rho v's/2 ends at the multiplier of the certificate. */
    @Test
    void theDualVariableEstimatesTheMultiplier() {
        SphereProblem problem = RealFamilies.named("wine modest").at(0.1);
        List<Progress> trace = trace(AdmmSolver.cholesky(AdmmSolver.Options.plain(50), ONE), problem);
        assertThat(trace.get(trace.size() - 1).multiplier()).isCloseTo(25.8533, within(1e-3));
    }

    @Test
    void theListenerStopsTheSolver() {
        SphereProblem problem = counterexample();
        var result = AdmmSolver.cholesky(AdmmSolver.Options.plain(10), ONE)
                .solve(
                        problem,
                        SolverOptions.DEFAULT,
                        progress -> progress.iteration() == 7
                                ? ProgressListener.Decision.STOP
                                : ProgressListener.Decision.CONTINUE);
        assertThat(result.status()).isEqualTo(SphereResult.Status.STOPPED_BY_LISTENER);
        assertThat(result.effort().iterations()).isEqualTo(7);
        assertThat(Vectors.norm(result.r())).isCloseTo(1, within(1e-14));
    }

    @Test
    void optionsAreChecked() {
        assertThatThrownBy(() -> AdmmSolver.Options.plain(-1)).hasMessageContaining("rho is -1.0");
        assertThatThrownBy(() -> AdmmSolver.Options.DEFAULT.withEps(0)).hasMessageContaining("eps is 0.0");
        assertThatThrownBy(() -> AdmmSolver.Options.DEFAULT.withStart(new double[] {1, 1}))
                .hasMessageContaining("has norm 1.41");
    }

    private static List<Progress> trace(AdmmSolver solver, SphereProblem problem) {
        List<Progress> trace = new ArrayList<>();
        solver.solve(problem, SolverOptions.DEFAULT, progress -> {
            trace.add(progress);
            return ProgressListener.Decision.CONTINUE;
        });
        return trace;
    }
}
