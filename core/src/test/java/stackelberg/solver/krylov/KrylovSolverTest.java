package stackelberg.solver.krylov;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import stackelberg.certificate.Certificate;
import stackelberg.linalg.Workers;
import stackelberg.solver.KnownProblem;
import stackelberg.solver.PaperGame;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereFamily;

class KrylovSolverTest {
    private static final Workers ONE = Workers.of(1);
    private static final KrylovSolver KRYLOV = new KrylovSolver(ONE);
    private static final SolverOptions OPTIONS = SolverOptions.DEFAULT;

    static List<KnownProblem> problems() {
        return KnownProblem.all();
    }

    @ParameterizedTest
    @MethodSource("problems")
    void findsTheKnownMinimum(KnownProblem known) {
        var problem = known.problem();
        var result = KRYLOV.solve(problem, OPTIONS, ProgressListener.NONE);
        var proof = Certificate.of(problem, result.r());

        double scale = Math.abs(known.minimum());
        assertThat(result.status()).isEqualTo(SphereResult.Status.CONVERGED);
        assertThat(proof.objective()).isCloseTo(known.minimum(), within(1e-9 * scale));
        assertThat(proof.proof()).isEqualTo(Certificate.Proof.PROVEN);
        assertThat(proof.relativeGap()).isLessThan(1e-9);
        assertThat(proof.unique()).isEqualTo(known.unique());
    }

    @Test
    void aPathEqualsItsSingleSolvesAndTakesThePassesOfTheSlowest() {
        SphereFamily family = scaledDown(ONE);
        double[] gammas = logarithmic(1e-3, 1e3, 40);
        List<SphereResult> path = KRYLOV.solvePath(family, gammas, OPTIONS, ProgressListener.NONE);
        int worst = 0;
        for (int i = 0; i < gammas.length; i++) {
            var problem = family.at(gammas[i]);
            SphereResult single = KRYLOV.solve(problem, OPTIONS, ProgressListener.NONE);
            worst = Math.max(worst, single.effort().passes());
            Certificate one = Certificate.of(problem, single.r());
            Certificate ofPath = Certificate.of(problem, path.get(i).r());
            assertThat(ofPath.certified(1e-9)).as("gamma " + gammas[i]).isTrue();
            assertThat(one.certified(1e-9)).as("gamma " + gammas[i]).isTrue();
            assertThat(ofPath.objective()).isCloseTo(one.objective(), within(1e-9 * one.objective()));
        }
        assertThat(path.get(0).effort().passes()).isEqualTo(worst);
    }

    @Test
    void manyGammasOfThePapersGameShareEightPasses() {
        SphereFamily family = Reduction.of(PaperGame.dense(new Random(41_002), 400, 200, 1), ONE)
                .family();
        double[] gammas = logarithmic(1e-3, 1e2, 40);
        List<SphereResult> path = KRYLOV.solvePath(family, gammas, OPTIONS, ProgressListener.NONE);
        Certificate[] proofs = Certificate.ofPath(
                family, gammas, path.stream().map(SphereResult::r).toArray(double[][]::new));
        assertThat(path.get(0).effort().passes()).isLessThanOrEqualTo(8);
        assertThat(path).allMatch(result -> result.status() == SphereResult.Status.CONVERGED);
        assertThat(proofs).allMatch(proof -> proof.certified(1e-9));
    }

    @Test
    void onlyPointsCloseToTheToleranceAreEvaluatedOnTheData() {
        SphereFamily family = Reduction.of(PaperGame.dense(new Random(41_003), 400, 200, 1), ONE)
                .family();
        double[] gammas = logarithmic(1e-3, 1e2, 40);
        SphereResult loose =
                KRYLOV.solvePath(family, gammas, OPTIONS, ProgressListener.NONE).get(39);
        SphereResult tight = KRYLOV.solvePath(family, gammas, OPTIONS.withTolerance(1e-24), ProgressListener.NONE)
                .get(39);
        assertThat(loose.effort().passes()).isEqualTo(loose.effort().iterations());
        assertThat(tight.effort().passes()).isGreaterThan(tight.effort().iterations());
        assertThat(Certificate.of(family.at(gammas[39]), loose.r()).certified(1e-11))
                .isTrue();
    }

    @Test
    void threadsDoNotChangeABit() {
        double[] gammas = {0.01, 1, 100};
        List<SphereResult> one = KRYLOV.solvePath(scaledDown(ONE), gammas, OPTIONS, ProgressListener.NONE);
        Workers many = Workers.of(5);
        List<SphereResult> five =
                new KrylovSolver(many).solvePath(scaledDown(many), gammas, OPTIONS, ProgressListener.NONE);
        for (int i = 0; i < gammas.length; i++) {
            assertThat(five.get(i).r()).isEqualTo(one.get(i).r());
            assertThat(five.get(i).effort()).isEqualTo(one.get(i).effort());
        }
    }

    @Test
    void oneInstanceServesEightThreads() {
        SphereFamily family = scaledDown(ONE);
        double[] gammas = logarithmic(1e-2, 1e2, 8);
        double[][] alone = Arrays.stream(gammas)
                .mapToObj(gamma -> KRYLOV.solve(family.at(gamma), OPTIONS, ProgressListener.NONE)
                        .r())
                .toArray(double[][]::new);
        double[][] together = new double[8][];
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            int index = i;
            Thread thread = new Thread(
                    () -> together[index] = KRYLOV.solve(family.at(gammas[index]), OPTIONS, ProgressListener.NONE)
                            .r());
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
        assertThat(together).isDeepEqualTo(alone);
    }

    @Test
    void stopsAtTheIterationLimitWithItsBestPoint() {
        SphereFamily family = scaledDown(ONE);
        var result = KRYLOV.solve(family.at(1), OPTIONS.withMaxIterations(4), ProgressListener.NONE);
        assertThat(result.status()).isEqualTo(SphereResult.Status.ITERATION_LIMIT);
        assertThat(result.effort().iterations()).isEqualTo(4);
        double[] limitPoint = new double[family.features() + 1];
        limitPoint[family.features()] = 1;
        assertThat(family.at(1).evaluate(result.r()).objective())
                .isLessThan(family.at(1).evaluate(limitPoint).objective());
    }

    @Test
    void theListenerSeesEveryIterationAndMayStop() {
        List<ProgressListener.Progress> seen = new ArrayList<>();
        var result = KRYLOV.solve(scaledDown(ONE).at(1), OPTIONS, progress -> {
            seen.add(progress);
            return seen.size() == 5 ? ProgressListener.Decision.STOP : ProgressListener.Decision.CONTINUE;
        });
        assertThat(result.status()).isEqualTo(SphereResult.Status.STOPPED_BY_LISTENER);
        assertThat(seen).extracting(ProgressListener.Progress::iteration).containsExactly(1, 2, 3, 4, 5);
        // the spaces are nested, so f within them can only fall
        assertThat(seen)
                .extracting(ProgressListener.Progress::objective)
                .isSortedAccordingTo((a, b) -> Double.compare(b, a));
    }

    @Test
    void aFullBasisStopsWithANote() {
        SphereFamily family = scaledDown(ONE);
        var small = new KrylovSolver(ONE, KrylovSolver.Options.DEFAULT.withBasisBytes(12L * 8 * family.features()));
        var result = small.solve(family.at(1), OPTIONS, ProgressListener.NONE);
        assertThat(result.status()).isEqualTo(SphereResult.Status.STALLED);
        assertThat(result.note()).contains("memory for the basis");
        assertThat(Certificate.of(family.at(1), result.r()).certified(1e-9)).isFalse();
    }

    @Test
    void refusesABasisWithoutMemory() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KrylovSolver.Options.DEFAULT.withBasisBytes(0))
                .withMessageContaining("0 bytes");
    }

    @Test
    void anEmptyPathHasNoResults() {
        assertThat(KRYLOV.solvePath(scaledDown(ONE), new double[0], OPTIONS, ProgressListener.NONE))
                .isEmpty();
    }

    private static SphereFamily scaledDown(Workers workers) {
        return Reduction.of(PaperGame.scaledDown(new Random(41_001), 300, 100, 1), workers)
                .family();
    }

    private static double[] logarithmic(double from, double to, int count) {
        return IntStream.range(0, count)
                .mapToDouble(i -> from * Math.pow(to / from, i / (count - 1.0)))
                .toArray();
    }
}
