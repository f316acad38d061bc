package stackelberg.model.response;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import stackelberg.data.Table;
import stackelberg.game.Population;
import stackelberg.game.Response;
import stackelberg.game.World;
import stackelberg.model.People;
import stackelberg.model.StackelbergModel;

/** What a rule loses is what the game says, and no misjudged game in the given range is worse than the worst case. */
class RuleEvaluationTest {
    private final Table table = People.table(90, 4);
    private final StackelbergModel model = People.regression()
            .weight("weight")
            .ignore(Set.of("household"))
            .wishNoise(0.5)
            .gamma(0.4)
            .cost("income", 2)
            .build()
            .fit(table);
    private final World world = model.world();
    private final RuleEvaluation evaluation = evaluation(world);

    @Test
    void onTheTrainingRowsTheLossesAreThoseOfTheModel() {
        double total = java.util.Arrays.stream(world.weights(table)).sum();

        assertThat(evaluation.moved().mse() * total)
                .isCloseTo(
                        model.losses().anticipated(),
                        within(1e-9 * model.losses().anticipated()));
        assertThat(evaluation.honest().mse() * total)
                .isCloseTo(model.losses().honest(), within(1e-9 * model.losses().honest()));
    }

    @Test
    void threeSumsGiveTheLossOfAllRows() {
        for (double gamma = 1e-4; gamma < 1e5; gamma *= 10) {
            for (double share : new double[] {0, 0.3, 1}) {
                for (double off : new double[] {0, 0.7}) {
                    RuleEvaluation there = evaluation.withPopulation(Population.ofOneGamma(90, gamma, share));
                    assertThat(there.isSummed()).isTrue();
                    double expected = there.movedIfWishesAreOff(off).loss();
                    assertThat(there.movedLoss(off)).isCloseTo(expected, within(1e-11 * expected));
                }
            }
        }
    }

    /** The sums are a million times what is lost, and know nothing of it. */
    @Test
    void nearlyExactRulesAreNotEvaluatedBySums() {
        World known = People.regression()
                .ignore(Set.of("household"))
                .gamma(0.4)
                .build()
                .fit(table)
                .world();
        double t = Response.pullThrough(known.omega(model.rule()), 0.4);
        Random random = new Random(8);
        double[][] values = new double[3][90];
        for (int i = 0; i < 90; i++) {
            double miss = 1e-7 * random.nextGaussian();
            values[1][i] = 1 + random.nextDouble();
            values[2][i] = 2 + random.nextDouble();
            values[0][i] = (values[2][i] + miss - t * values[1][i]) / (1 - t);
        }
        double[] ones = new double[90];
        java.util.Arrays.fill(ones, 1);
        RuleEvaluation hits = RuleEvaluation.of(
                known, model.rule(), Followers.of(0.4, values[0], values[1]).withTruth(values[2], ones));

        double lost = hits.moved().loss();

        assertThat(lost).isBetween(1e-15, 1e-13);
        assertThat(hits.movedLoss(0)).isEqualTo(lost);
    }

    @Test
    void theLossesOfGroupsAddUpToTheWholeLoss() {
        double[] weights = world.weights(table);
        double sum = 0;
        for (int[] members : table.groups("region").values()) {
            double weight = java.util.Arrays.stream(members)
                    .mapToDouble(i -> weights[i])
                    .sum();
            sum += weight * evaluation.of(members).moved().mse();
        }
        double total = java.util.Arrays.stream(weights).sum();
        assertThat(sum / total).isCloseTo(evaluation.moved().mse(), within(1e-12 * sum));
    }

    @Test
    void noGammaOfARangeIsWorseThanTheWorseEnd() {
        var range = evaluation.overGamma(0.05, 5);

        double worst = 0;
        for (double gamma = 0.05; gamma <= 5; gamma *= 1.05) {
            double loss = evaluation(world.withGamma(gamma)).moved().mse();
            worst = Math.max(worst, loss);
            assertThat(loss).isLessThanOrEqualTo(range.worst().mse() * (1 + 1e-12));
        }
        assertThat(worst).isGreaterThan(0.9 * range.worst().mse());
    }

    @Test
    void noCostsWithinTheFactorExceedTheWorstCase() {
        Random random = new Random(2);
        double worst = evaluation.overCosts(3).worst().mse();
        for (int trial = 0; trial < 200; trial++) {
            double[] costs = world.costs();
            for (int j = 0; j < costs.length; j++) {
                costs[j] *= Math.pow(3, trial % 2 == 0 ? 2 * random.nextDouble() - 1 : random.nextInt(2) * 2 - 1);
            }
            assertThat(evaluation(withCosts(costs)).moved().mse()).isLessThanOrEqualTo(worst * (1 + 1e-12));
        }
    }

    @Test
    void errorsInWishesGiveTheAverageLoss() {
        Random random = new Random(6);
        double sd = 0.8;
        double mean = 0;
        int trials = 4000;
        for (int trial = 0; trial < trials; trial++) {
            double[] p = model.predict(table);
            double[] z = model.wishes(table, p).orElseThrow();
            for (int i = 0; i < z.length; i++) {
                z[i] += sd * random.nextGaussian();
            }
            double[] y = table.numeric("score").values();
            mean += RuleEvaluation.of(
                                    world,
                                    model.rule(),
                                    Followers.of(world.gamma(), p, z).withTruth(y, world.weights(table)))
                            .moved()
                            .mse()
                    / trials;
        }
        double expected = evaluation.movedIfWishesAreOff(sd).mse();
        assertThat(mean).isCloseTo(expected, within(0.01 * expected));
        assertThat(expected).isGreaterThan(1.01 * evaluation.moved().mse());
    }

    @Test
    void invalidRangesAreRefused() {
        assertThatThrownBy(() -> evaluation.overGamma(2, 1)).hasMessageContaining("ascending");
        assertThatThrownBy(() -> evaluation.overCosts(0.5)).hasMessageContaining("at least 1");
    }

    private RuleEvaluation evaluation(World in) {
        double[] p = model.predict(table);
        double[] z = model.wishes(table, p).orElseThrow();
        double[] y = table.numeric("score").values();
        return RuleEvaluation.of(
                in, model.rule(), Followers.of(in.gamma(), p, z).withTruth(y, in.weights(table)));
    }

    private World withCosts(double[] costs) {
        return new World(world.spec(), world.encoding(), costs);
    }
}
