package stackelberg.solver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import stackelberg.certificate.Certificate;
import stackelberg.linalg.Workers;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.sphere.Reduction;

/** Games with a planted optimum, over sizes, spectra and multipliers: the certificate is asserted, and the loss, not r. */
class PlantedGamesTest {
    private static final Workers ONE = Workers.of(1);

    @ParameterizedTest
    @EnumSource
    void directCertifiesPlantedGames(PlantedGame.Case kind) {
        Random random = new Random(20_001 + kind.ordinal());
        double[] conditions = {1, 1e2, 1e4, 1e8, 1e12};
        for (int trial = 0; trial < 100; trial++) {
            int n = 1 + random.nextInt(30);
            int m = n + 1 + random.nextInt(30);
            double condition = conditions[trial % conditions.length];
            double gamma = Math.pow(10, -4 + 8 * random.nextDouble());
            double noise = trial % 3 == 0 ? 0 : 0.1 + random.nextDouble();
            PlantedGame planted = PlantedGame.of(random, m, n, condition, gamma, kind, noise);
            var reduction = Reduction.of(planted.game(), ONE);
            var problem = reduction.family().at(gamma);
            var result = new DirectSolver(ONE).solve(problem, SolverOptions.DEFAULT, ProgressListener.NONE);
            var proof = Certificate.of(problem, result.r());

            String what = kind + " trial " + trial + ", m " + m + ", n " + n + ", condition " + condition + ", gamma "
                    + gamma + ", noise " + noise + ": " + proof;
            // without noise f* is as small as lambda^2/lambda_min(H): then only the rounding of the whole problem is a
            // fair measure
            double rounding = 200 * Math.ulp(problem.roundingScale() + problem.p());
            assertThat(proof.proof()).as(what).isEqualTo(Certificate.Proof.PROVEN);
            assertThat(proof.gapBound()).as(what).isLessThan(1e-9 * proof.objective() + rounding);
            assertThat(proof.objective() - planted.objective()).as(what).isLessThan(proof.gapBound() + rounding);
            assertThat(proof.objective())
                    .as(what)
                    .isCloseTo(planted.objective(), within(1e-9 * proof.objective() + rounding));
            assertThat(proof.multiplier())
                    .as(what)
                    .isCloseTo(planted.lambda(), within(1e-6 * Math.abs(planted.lambda()) + rounding));
            var rule = reduction.recover(result.r(), gamma);
            assertThat(planted.game().leaderLoss(rule, ONE))
                    .as(what)
                    .isCloseTo(proof.objective(), within(1e-9 * proof.objective() + rounding));
        }
    }
}
