package stackelberg.objective.omega;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import stackelberg.game.Population;
import stackelberg.game.PredictionGame;
import stackelberg.game.RandomGame;
import stackelberg.solver.Equilibrium;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.direct.DirectSolver;

/** What an anchor says of an interval must be true everywhere in it, and sharp where the interval is short. */
class AnchorTest {
    private static final double[] REFERENCES = {0.01, 1, 30, 1e6};

    @Test
    void noRuleOfAnIntervalLosesLessThanItsBound() {
        Random random = new Random(61_001);
        int negative = 0;
        for (int trial = 0; trial < 150; trial++) {
            MixedReduction reduction = reduction(random, trial);
            double omega = Math.pow(10, -3 + 6 * random.nextDouble());
            SliceAnchor anchor = at(reduction, omega);
            negative += anchor.certificate().multiplier() < 0 ? 1 : 0;
            double ratio = Math.pow(10, 1.5 * random.nextDouble() * random.nextDouble());
            boolean right = random.nextBoolean();
            double lo = right ? omega : omega / ratio;
            double hi = right ? omega * ratio : omega;
            double bound = anchor.lowerBound(lo, hi);
            double beyond = anchor.lowerBound(omega, Double.POSITIVE_INFINITY);
            for (int sample = 0; sample <= 8; sample++) {
                double inside = lo * Math.pow(hi / lo, sample / 8.0);
                double far = omega * Math.pow(10, sample);
                String what = "trial " + trial + " at " + omega + " lambda "
                        + anchor.certificate().multiplier();
                assertThat(bound)
                        .as(what)
                        .isLessThanOrEqualTo(at(reduction, inside).objective() * (1 + 1e-12));
                assertThat(beyond)
                        .as(what)
                        .isLessThanOrEqualTo(at(reduction, far).objective() * (1 + 1e-12));
            }
        }
        assertThat(negative).isBetween(30, 120);
    }

    @Test
    void theEndsOfTheAxisBoundTheirNeighbourhoods() {
        Random random = new Random(61_002);
        for (int trial = 0; trial < 60; trial++) {
            MixedReduction reduction = reduction(random, trial);
            FarBound far = new FarBound(reduction);
            double omega = Math.pow(10, -4 + 8 * random.nextDouble());
            double below = at(reduction, omega).lowerBound(0, omega);
            double above = far.atLeast(omega);
            for (int sample = 0; sample < 8; sample++) {
                assertThat(below)
                        .isLessThanOrEqualTo(
                                at(reduction, omega * Math.pow(10, -sample)).objective() * (1 + 1e-12));
                assertThat(above)
                        .isLessThanOrEqualTo(
                                at(reduction, omega * Math.pow(10, sample)).objective() * (1 + 1e-12));
            }
        }
    }

    /** Halving a short interval around an anchor must quarter what the bound loses, for either sign of the multiplier. */
    @Test
    void theBoundIsOfSecondOrder() {
        Random random = new Random(61_003);
        for (int trial = 0; trial < 40; trial++) {
            MixedReduction reduction = reduction(random, trial);
            double omega = Math.pow(10, -2 + 4 * random.nextDouble());
            SliceAnchor anchor = at(reduction, omega);
            double width = 1e-3 * omega;
            double wide = lossOfBound(anchor, width);
            double narrow = lossOfBound(anchor, width / 2);
            assertThat(narrow)
                    .as("trial " + trial + " lambda " + anchor.certificate().multiplier())
                    .isLessThanOrEqualTo(0.27 * Math.max(0, wide) + 1e-12 * anchor.objective());
        }
    }

    /** How far the bound lies below the tangent of the least loss. */
    private static double lossOfBound(SliceAnchor anchor, double width) {
        double omega = anchor.omega();
        double tangent = anchor.objective() + Math.min(0, anchor.derivative() * width);
        return tangent - anchor.lowerBound(omega, omega + width);
    }

    @Test
    void theDerivativeIsThatOfTheLeastLoss() {
        Random random = new Random(61_004);
        for (int trial = 0; trial < 40; trial++) {
            MixedReduction reduction = reduction(random, trial);
            double omega = Math.pow(10, -1 + 2 * random.nextDouble());
            double step = 1e-5 * omega;
            double difference = (at(reduction, omega + step).objective()
                            - at(reduction, omega - step).objective())
                    / (2 * step);
            SliceAnchor anchor = at(reduction, omega);
            double size = anchor.objective() / omega;
            assertThat(anchor.derivative()).isCloseTo(difference, within(1e-5 * size));
        }
    }

    /** Every third game has a ridge, which all people pay, or only those who move; every other population differs. */
    private static MixedReduction reduction(Random random, int trial) {
        int n = 1 + random.nextInt(3);
        int m = n + 4 + random.nextInt(6);
        PredictionGame game = RandomGame.general(random, m, n, random.nextInt(2), 1);
        if (trial % 3 == 2) {
            double mu = Math.pow(10, -2 + 4 * random.nextDouble());
            double share = random.nextDouble();
            PredictionGame ridged = game.withRidge(mu);
            Population people =
                    random.nextBoolean() ? Population.ofOneGamma(m, 1, share) : OmegaSearchTest.population(random, m);
            return MixedReduction.of(ridged.withPopulation(people), Equilibrium.ONE);
        }
        return MixedReduction.of(game.withPopulation(OmegaSearchTest.population(random, m)), Equilibrium.ONE);
    }

    private static SliceAnchor at(MixedReduction reduction, double omega) {
        return new SliceAnchor(reduction, omega, REFERENCES, new DirectSolver(Equilibrium.ONE), SolverOptions.DEFAULT);
    }
}
