package stackelberg.model.response;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import stackelberg.data.Column;
import stackelberg.data.DataException;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.game.Population;
import stackelberg.game.PublishedRule;
import stackelberg.game.World;
import stackelberg.model.People;
import stackelberg.model.StackelbergModel;

/** In a mixed population everybody gives its own best answer, found here by search, and the losses are what those answers cost. */
class MixedResponseTest {
    private static final double SHARE = 0.3;
    private static final double NOISE = 0.4;
    private static final double[] GAMMAS = {0.05, 0.4, 2, 1e30};

    private final Table table = withGammas(People.table(80, 5));
    private final StackelbergModel model = People.regression()
            .immutable(Set.of("region", "job", "year"))
            .cost("income", 3)
            .cost("debt", 0.2)
            .weight("weight")
            .ignore(Set.of("household"))
            .rowGamma("effort")
            .truthfulShare(SHARE)
            .wishNoise(NOISE)
            .build()
            .fit(table);
    private final World world = model.world();
    private final PublishedRule rule = model.rule();
    private final double[] p = model.predict(table);
    private final double[] z = model.wishes(table, p).orElseThrow();
    private final double[] y = table.numeric("score").values();
    private final double[] weights = world.weights(table);
    private final Population population = model.world().population(table);
    private final Responses responses = Responses.of(world, rule, table, Followers.of(population, p, z));
    private final RuleEvaluation evaluation = evaluation(population);

    @Test
    void eachMoveIsTheBestResponseAtTheRowsOwnGamma() {
        for (int i = 0; i < table.rows(); i++) {
            double[] best = BestAnswer.moves(world, rule, p[i], z[i], gamma(i));
            for (int j : responses.movable()) {
                double scale = world.encoding().columns().get(j).scale();
                assertThat(responses.move(i, j)).isCloseTo(best[j], within(1e-6 * scale));
            }
            assertThat(responses.after(i)).isCloseTo(BestAnswer.predicted(world, rule, p[i], best), within(1e-6));
            assertThat(responses.cost(i)).isCloseTo(BestAnswer.cost(world, gamma(i), best), within(1e-6));
        }
    }

    @Test
    void expectedFiguresAverageOverBeingTruthful() {
        double closed = 0;
        for (int i = 0; i < table.rows(); i++) {
            assertThat(responses.expectedAfter(i))
                    .isCloseTo(SHARE * p[i] + (1 - SHARE) * responses.after(i), within(1e-12));
            assertThat(responses.expectedCost(i)).isCloseTo((1 - SHARE) * responses.cost(i), within(1e-12));
            closed += responses.pullThrough(i) / table.rows();
        }
        assertThat(responses.pullThrough()).isCloseTo(closed, within(1e-12));
        double[] predicted = model.afterResponse(p, z, model.pullThroughs(table).orElseThrow());
        for (int i = 0; i < p.length; i++) {
            assertThat(responses.expectedAfter(i)).as("as predict says").isCloseTo(predicted[i], within(1e-10));
        }
    }

    @Test
    void theLossIsThatOfTheBestResponses() {
        double total = Arrays.stream(weights).sum();
        double searched = loss(everybody(), SHARE);

        assertThat(evaluation.moved().mse()).isCloseTo(searched, within(1e-6 * searched));
        assertThat(evaluation.moved().mse() * total)
                .as("what fit minimised")
                .isCloseTo(
                        model.losses().anticipated(),
                        within(1e-9 * model.losses().anticipated()));
        assertThat(evaluation.honest().mse() * total)
                .isCloseTo(model.losses().honest(), within(1e-9 * model.losses().honest()));
        assertThat(evaluation.pullThrough()).isCloseTo(model.pullThrough(), within(1e-12));
    }

    @Test
    void theLossesOfTheGroupsAddUpToTheWholeLoss() {
        List<Population.Group> kinds = Population.Group.of(population, 8);
        assertThat(kinds).hasSize(1 + GAMMAS.length);
        double total = Arrays.stream(weights).sum();
        double sum = 0;
        for (Population.Group kind : kinds) {
            RuleEvaluation part = evaluation.of(kind);
            double expected = loss(kind.people(), kind.truthful() ? 1 : 0);
            assertThat(part.moved().mse()).isCloseTo(expected, within(1e-6 * expected));
            double weight =
                    Arrays.stream(kind.people()).mapToDouble(i -> weights[i]).sum();
            sum += kind.share() * weight / total * part.moved().mse();
        }
        assertThat(sum).isCloseTo(evaluation.moved().mse(), within(1e-12 * sum));
    }

    @Test
    void equalGammasGiveTheOrdinaryWorld() {
        World at = world.withGamma(0.4);
        Responses alike = Responses.of(at, rule, table, Followers.of(at.gamma(), p, z));
        Population same = Population.ofOneGamma(p.length, 0.4, 0);
        RuleEvaluation mixed = evaluation(same);

        assertThat(alike.pullThrough()).isEqualTo(at.pullThrough(rule));
        assertThat(mixed.pullThrough()).isEqualTo(at.pullThrough(rule));
        assertThat(mixed.moved())
                .isEqualTo(RuleEvaluation.of(
                                at, rule, Followers.of(at.gamma(), p, z).withTruth(y, weights))
                        .moved());
    }

    /**
     * Whoever finds moving easy is missed less only once it has become much harder, whoever finds it hard is missed more as soon as it has become
     * a little harder: in between both are missed.
     */
    @Test
    void withDifferentGammasTheWorstFactorMayLieInside() {
        double omega = world.omega(rule);
        Population two = new Population(new double[] {omega / 10, 10 * omega}, 0);
        Followers people = Followers.of(two, new double[] {0, 0}, new double[] {1, 1})
                .withTruth(new double[] {0, 1}, new double[] {1, 1});
        RuleEvaluation pair = RuleEvaluation.of(world, rule, people);

        RuleEvaluation.Interval interval = pair.overCosts(100);

        double worst = 0;
        for (double s = -Math.log(100); s <= Math.log(100); s += 1e-3) {
            Population harder = two.times(Math.exp(s));
            worst = Math.max(
                    worst,
                    RuleEvaluation.of(world, rule, people.withPopulation(harder))
                            .moved()
                            .mse());
        }
        assertThat(interval.worstInside()).isTrue();
        assertThat(interval.worst().mse()).isGreaterThan(1.1 * interval.low().mse());
        assertThat(interval.worst().mse()).isGreaterThan(1.1 * interval.high().mse());
        assertThat(interval.worst().mse()).isCloseTo(worst, within(2e-6 * worst));
    }

    @Test
    void noCommonFactorOnTheGammasExceedsTheWorstCase() {
        RuleEvaluation.Interval interval = evaluation.overCosts(5);

        double worst = 0;
        for (double factor = 0.2; factor <= 5; factor *= 1.01) {
            RuleEvaluation other = evaluation(population.times(factor));
            worst = Math.max(worst, other.moved().mse());
        }
        assertThat(worst).isLessThanOrEqualTo(interval.worst().mse() * (1 + 2e-6));
        assertThat(worst).isGreaterThan(0.99 * interval.worst().mse());
    }

    /** A bound of the curvature that is far too large must not make the search endless. */
    @Test
    void theSearchForTheWorstFactorEnds() {
        RuleEvaluation.Score flat = new RuleEvaluation.Score(1, 1, 0);
        int[] calls = {0};

        double worstAt =
                WorstFactor.of(new RuleEvaluation.Interval(0.5, 2, flat, flat, 0.5, flat, false), 1e12, factor -> {
                    calls[0]++;
                    return 1;
                });

        assertThat(worstAt).isEqualTo(0.5);
        assertThat(calls[0]).isEqualTo((1 << 12) - 1);
    }

    @Test
    void rowsWithoutTheirGammaAreRefused() {
        assertThatThrownBy(() -> model.world().population(People.table(5, 1)))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("'effort'")
                .hasMessageContaining("gamma(...)");
        assertThatThrownBy(() -> Followers.of(population.subset(new int[] {0}), p, z))
                .hasMessageContaining("1 people");
    }

    private RuleEvaluation evaluation(Population who) {
        return RuleEvaluation.of(world, rule, Followers.of(who, p, z).withTruth(y, weights));
    }

    /** Mean loss of some people, of whom a share is truthful; two equally likely wishes have the variance of the noise. */
    private double loss(int[] people, double share) {
        double sum = 0;
        double total = 0;
        for (int i : people) {
            double plain = (p[i] - y[i]) * (p[i] - y[i]);
            double moved = 0;
            for (int sign = -1; sign <= 1; sign += 2) {
                double[] best = BestAnswer.moves(world, rule, p[i], z[i] + sign * NOISE, gamma(i));
                moved += Math.pow(BestAnswer.predicted(world, rule, p[i], best) - y[i], 2) / 2;
            }
            sum += weights[i] * (share * plain + (1 - share) * moved);
            total += weights[i];
        }
        return sum / total;
    }

    private int[] everybody() {
        return java.util.stream.IntStream.range(0, p.length).toArray();
    }

    private static double gamma(int i) {
        double gamma = GAMMAS[i % GAMMAS.length];
        return gamma >= 1e30 ? Double.POSITIVE_INFINITY : gamma;
    }

    private static Table withGammas(Table people) {
        double[] gammas = new double[people.rows()];
        Arrays.setAll(gammas, i -> GAMMAS[i % GAMMAS.length]);
        List<Column> columns = new ArrayList<>(people.columns());
        columns.add(NumericColumn.of("effort", gammas));
        return Table.of(columns);
    }
}
