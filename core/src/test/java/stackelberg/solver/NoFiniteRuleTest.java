package stackelberg.solver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import stackelberg.certificate.Certificate;
import stackelberg.game.PredictionGame;
import stackelberg.game.RandomGame;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.SymmetricEigen;
import stackelberg.objective.Pipeline;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.sphere.Reduction;

/** P(z - y) = 0: the immutable columns explain the gap of every wish, the limit point loses 0, and no finite rule attains it. */
class NoFiniteRuleTest {
    private static final double[] GAMMAS = {1e-6, 1e-3, 1, 1e3, 1e6};

    @Test
    void wishThatIsAConstantShiftHasNoFiniteEquilibriumForAnyGamma() {
        Random random = new Random(91_001);
        PredictionGame game = RandomGame.plain(random, 30, 3, 1);
        double[] shifted = game.y();
        for (int i = 0; i < shifted.length; i++) {
            shifted[i] += 20;
        }
        assertNotFinite(PredictionGame.of(game.x(), game.y(), shifted, 1).withIntercept());
    }

    @Test
    void wishThatAnImmutableColumnExplainsHasNoFiniteEquilibriumForAnyGamma() {
        Random random = new Random(91_002);
        PredictionGame game = RandomGame.plain(random, 30, 3, 1);
        double[] group = RandomGame.normal(random, 30);
        double[] shifted = game.y();
        for (int i = 0; i < shifted.length; i++) {
            shifted[i] += 3 * group[i] - 1;
        }
        assertNotFinite(PredictionGame.of(game.x(), game.y(), shifted, 1)
                .withIntercept()
                .withImmutable(group)
                .withWeights(RandomGame.positive(random, 30)));
    }

    /** Found by the adversary: a wish that is the truth and a rule that explains it at a pull-through above 0.99; the answer was "certified" and not a number. */
    @Test
    void theLimitPointIsNeverACertifiedRule() {
        double[][] x = {{-0.5159114840955703}, {0.45368507458782925}, {0.39985123819038815}, {1.3384400669426966}};
        double[] y = {20.597735812639325, -18.11334907402122, -15.96402657885864, -53.43713231535678};
        for (double gamma : new double[] {1e-3, 1, 5.274935441418256, 1e3, 1e6}) {
            PredictionGame game = PredictionGame.of(DenseMatrix.of(x), y, y, gamma);
            Pipeline pipeline = new Pipeline(new DirectSolver(Equilibrium.ONE), SolverOptions.DEFAULT);
            var answer = pipeline.run(Pipeline.reduce(game, Equilibrium.ONE, gamma), gamma)
                    .solutions()
                    .get(0);
            if (answer.certificate().certified(SolverOptions.DEFAULT.tolerance())) {
                assertThat(answer.rule().w()).as("gamma " + gamma).doesNotContain(Double.NaN);
            }
        }
    }

    private static void assertNotFinite(PredictionGame game) {
        for (double gamma : GAMMAS) {
            var answer = Equilibrium.of(game.withGamma(gamma));
            String what = "gamma " + gamma + ": " + answer.proof();
            assertThat(answer.proof().finite()).as(what).isFalse();
            assertThat(answer.certified()).as(what).isFalse();
            assertThat(answer.proof().proof()).as(what).isEqualTo(Certificate.Proof.PROVEN);
            assertThat(answer.proof().objective())
                    .as(what)
                    .isLessThan(1e-20 * answer.problem().p());
            assertThat(answer.r()[answer.r().length - 1]).as(what).isCloseTo(1, within(1e-9));
        }
    }

    /**
     * With P(z - y) = 0 the point (0, ..., 0, 1) is stationary with multiplier -s^2/2, so it stays the minimum, and nothing is finite, until
     * the noise is larger than the smallest eigenvalue of H: s^2/2 > lambda_min(H).
     */
    @Test
    void wishNoiseAboveTheSmallestEigenvalueGivesAFiniteRule() {
        Random random = new Random(91_003);
        PredictionGame game = RandomGame.plain(random, 30, 3, 1);
        double[] shifted = game.y();
        for (int i = 0; i < shifted.length; i++) {
            shifted[i] += 20;
        }
        PredictionGame shift = PredictionGame.of(game.x(), game.y(), shifted, 1).withIntercept();
        double before = 1;
        int tamed = 0;
        for (double sd : new double[] {0.01, 0.1, 0.3, 1, 3, 10}) {
            var answer = Equilibrium.of(shift.withWishNoise(sd));
            String what = "noise " + sd + ": " + answer.proof();
            double smallest = SymmetricEigen.of(answer.problem().hessian(), Equilibrium.ONE)
                    .values()[0];
            boolean finite = 30 * sd * sd / 2 > smallest;
            assertThat(answer.certified()).as(what).isEqualTo(finite);
            assertThat(answer.proof().finite()).as(what).isEqualTo(finite);
            if (finite) {
                double t = shift.pullThrough(answer.rule());
                assertThat(t).as(what).isLessThan(before);
                before = t;
                tamed++;
            }
        }
        assertThat(tamed).isBetween(1, 5);
        assertThat(before).isLessThan(0.1);
    }

    @Test
    void manipulableInterceptOrDifferentWishesGiveAFiniteRule() {
        Random random = new Random(91_004);
        PredictionGame game = RandomGame.plain(random, 30, 2, 1);
        double[] shifted = game.y();
        double[] modest = game.y();
        double[][] x = RandomGame.rows(game);
        double[][] withOnes = new double[30][];
        for (int i = 0; i < 30; i++) {
            shifted[i] += 20;
            modest[i] = Math.max(modest[i], 1);
            withOnes[i] = new double[] {x[i][0], x[i][1], 1};
        }
        assertThat(Equilibrium.of(PredictionGame.of(DenseMatrix.of(withOnes), game.y(), shifted, 1))
                        .certified())
                .isTrue();
        assertThat(Equilibrium.of(
                                PredictionGame.of(game.x(), game.y(), modest, 1).withIntercept())
                        .certified())
                .isTrue();
    }

    /** The point (0, ..., 0, 1) itself has no rule, and says so in every coefficient. */
    @Test
    void theLimitPointBelongsToNoFiniteRule() {
        PredictionGame game = RandomGame.plain(new Random(91_005), 10, 2, 1).withIntercept();
        var rule = Reduction.of(game, Equilibrium.ONE).recover(new double[] {0, 0, 1}, 1);
        for (double value : rule.w()) {
            assertThat(Double.isFinite(value)).isFalse();
        }
    }
}
