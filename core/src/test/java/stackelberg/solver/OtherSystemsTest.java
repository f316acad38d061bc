package stackelberg.solver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import stackelberg.LongRun;
import stackelberg.RealGame;
import stackelberg.RealSphere;
import stackelberg.certificate.Certificate;
import stackelberg.linalg.Workers;
import stackelberg.solver.auto.Solvers;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereProblem;

/** The other systems of the paper against direct: 200 planted games each, the table of known answers, and the eight real games. */
class OtherSystemsTest {
    private static final Workers TWO = Workers.of(2);
    private static final Map<String, Double> OBJECTIVE_TOLERANCE =
            Map.of("ltrsr", 1e-8, "rtr-newton", 1e-8, "socp", 1e-8, "sdp", 1e-7);
    private static final long GAMES_PER_KIND = LongRun.tries(10, 50);

    static List<String> solvers() {
        return OBJECTIVE_TOLERANCE.keySet().stream().sorted().toList();
    }

    static List<Arguments> solversAndKinds() {
        List<Arguments> list = new ArrayList<>();
        for (String solver : solvers()) {
            for (PlantedGame.Case kind : PlantedGame.Case.values()) {
                list.add(Arguments.of(solver, kind));
            }
        }
        return list;
    }

    @ParameterizedTest
    @MethodSource("solversAndKinds")
    void findsAndCertifiesPlantedOptima(String solver, PlantedGame.Case kind) {
        Random random = new Random(50_001 + kind.ordinal());
        double[] conditions = {1, 1e2, 1e4};
        for (int trial = 0; trial < GAMES_PER_KIND; trial++) {
            // most of them small, some of every size up to 200
            int n = trial % 10 == 9 ? 100 + random.nextInt(101) : 1 + random.nextInt(40);
            int m = n + 1 + random.nextInt(30);
            double condition = conditions[trial % conditions.length];
            double gamma = Math.pow(10, -4 + 8 * random.nextDouble());
            double noise = trial % 4 == 0 ? 0 : 0.1 + random.nextDouble();
            PlantedGame planted = PlantedGame.of(random, m, n, condition, gamma, kind, noise);
            SphereProblem problem = Reduction.of(planted.game(), TWO).family().at(gamma);
            String what = solver + " " + kind + " trial " + trial + ", m " + m + ", n " + n + ", condition " + condition
                    + ", gamma " + gamma + ", noise " + noise;
            assertAgreesWithDirect(solver, problem, what);
        }
    }

    @ParameterizedTest
    @MethodSource("solvers")
    void findsEveryKnownMinimum(String solver) {
        for (KnownProblem known : KnownProblem.all()) {
            if (solver.equals("sdp") && known.g().length > 500) {
                continue; // seconds for nothing new
            }
            SphereProblem problem = known.problem();
            SphereResult result =
                    Solvers.named(solver, TWO).solve(problem, SolverOptions.DEFAULT, ProgressListener.NONE);
            Certificate proof = Certificate.of(problem, result.r());

            double scale = Math.abs(known.minimum());
            assertThat(proof.objective()).as(known.name()).isCloseTo(known.minimum(), within(1e-9 * scale));
            assertThat(proof.proof()).as(known.name()).isEqualTo(Certificate.Proof.PROVEN);
            assertThat(proof.gapBound()).as(known.name()).isLessThan(1e-8 * scale);
            assertThat(result.status()).as(known.name()).isEqualTo(SphereResult.Status.CONVERGED);
        }
    }

    static List<RealGame> realGames() {
        return RealGame.all();
    }

    @ParameterizedTest
    @MethodSource("realGames")
    @Tag("slow")
    void solvesTheRealGames(RealGame real) {
        SphereProblem problem = RealSphere.of(real, 0.1);
        for (String solver : solvers()) {
            assertAgreesWithDirect(solver, problem, solver + " " + real);
        }
    }

    private static void assertAgreesWithDirect(String solver, SphereProblem problem, String what) {
        double tolerance = OBJECTIVE_TOLERANCE.get(solver);
        double[] direct = new DirectSolver(TWO)
                .solve(problem, SolverOptions.DEFAULT, ProgressListener.NONE)
                .r();
        SphereResult result = Solvers.named(solver, TWO).solve(problem, SolverOptions.DEFAULT, ProgressListener.NONE);
        Certificate proof = Certificate.of(problem, result.r());
        double minimum = problem.evaluate(direct).objective();
        String state = what + ": " + result.status() + ", " + result.effort() + ", " + result.note() + ", " + proof;
        // where f* is itself rounding of the whole problem, that is the only fair measure
        double rounding = 4000 * Math.ulp(problem.roundingScale() + problem.p());
        assertThat(proof.objective()).as(state).isCloseTo(minimum, within(tolerance * minimum + rounding));
        assertThat(proof.proof()).as(state).isEqualTo(Certificate.Proof.PROVEN);
        // the Riemannian method ends where its function values are rounding, so its gradient keeps more of it
        double gapRounding = solver.equals("rtr-newton") ? 30 * rounding : rounding;
        assertThat(proof.gapBound()).as(state).isLessThan(tolerance * minimum + gapRounding);
        assertThat(result.status()).as(state).isEqualTo(SphereResult.Status.CONVERGED);
    }
}
