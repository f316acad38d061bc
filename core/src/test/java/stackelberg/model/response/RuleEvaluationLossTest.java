package stackelberg.model.response;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.data.Encoding;
import stackelberg.data.Table;
import stackelberg.data.wish.Wish;
import stackelberg.estimate.Loss;
import stackelberg.game.GameSpec;
import stackelberg.game.Population;
import stackelberg.game.PublishedRule;
import stackelberg.game.World;
import stackelberg.model.People;

/** By another loss than the squared one, a rule loses what the definition says of everybody's score after the move. */
class RuleEvaluationLossTest {
    private final Table table = People.table(150, 3);
    private final PublishedRule rule = new PublishedRule("scorecard", -3.5, Map.of("debt", 0.6, "income", 6e-5));

    private World world(Loss loss) {
        GameSpec.Builder spec = GameSpec.builder()
                .target("score")
                .wish(loss.isLogistic() ? "0.9" : "y+1")
                .weight("weight")
                .gamma(0.4)
                .loss(loss);
        return World.declared(table, rule, (loss.isLogistic() ? spec.yes(">=3") : spec).build());
    }

    private RuleEvaluation evaluation(World world) {
        double[] p = rule.predict(world.encoding(), table, Encoding.UnknownLevel.ERROR);
        double[] z = world.wishes(Wish.parse(world.wish(), table.names()), table, p);
        return RuleEvaluation.of(
                world,
                rule,
                Followers.of(world.population(table), p, z).withTruth(world.truths(table), world.weights(table)));
    }

    /** Everybody's score after the move, in the definition. */
    private double[] after(World world) {
        double[] p = rule.predict(world.encoding(), table, Encoding.UnknownLevel.ERROR);
        double[] z = world.wishes(Wish.parse(world.wish(), table.names()), table, p);
        double t = world.omega(rule) / (world.gamma() + world.omega(rule));
        double[] after = new double[p.length];
        Arrays.setAll(after, i -> (1 - t) * p[i] + t * z[i]);
        return after;
    }

    private double mean(World world, double[] scores, Loss loss) {
        double[] y = world.truths(table);
        double[] s = world.weights(table);
        double sum = 0;
        for (int i = 0; i < y.length; i++) {
            sum += s[i] * loss.value(scores[i], y[i]);
        }
        return sum / Arrays.stream(s).sum();
    }

    @ParameterizedTest
    @ValueSource(strings = {"squared", "logistic", "huber:0.5"})
    void theMeanLossesAreThoseOfTheScoresBeforeAndAfterTheMove(String words) {
        Loss loss = Loss.of(words);
        World world = world(loss);
        RuleEvaluation evaluation = evaluation(world);

        assertThat(evaluation.honest().loss())
                .isCloseTo(
                        mean(world, rule.predict(world.encoding(), table, Encoding.UnknownLevel.ERROR), loss),
                        within(1e-12));
        assertThat(evaluation.moved().loss()).isCloseTo(mean(world, after(world), loss), within(1e-12));
    }

    @Test
    void squaredErrorsForLogisticLossAreThoseOfTheProbability() {
        World world = world(Loss.LOGISTIC);
        RuleEvaluation evaluation = evaluation(world);

        assertThat(evaluation.honest().mse()).isCloseTo(evaluation.honest(0.5).brier(), within(1e-12));
        assertThat(evaluation.moved().mse()).isCloseTo(evaluation.moved(0.5).brier(), within(1e-12));
        assertThat(evaluation.honest().loss()).isCloseTo(evaluation.honest(0.5).logLoss(), within(1e-12));
        assertThat(evaluation.moved().loss()).isCloseTo(evaluation.moved(0.5).logLoss(), within(1e-12));
        YesOrNo after = YesOrNo.of(after(world), world.truths(table), world.weights(table), 0.5);
        assertThat(evaluation.moved(0.5).auc()).isCloseTo(after.auc(), within(1e-12));
    }

    @Test
    void aRowThatMayBeTruthfulCountsAsTwoRows() {
        RuleEvaluation evaluation = evaluation(world(Loss.LOGISTIC));
        RuleEvaluation mixed = evaluation.withPopulation(Population.ofOneGamma(table.rows(), 0.4, 0.3));

        assertThat(mixed.moved(0.5).accuracy())
                .isCloseTo(
                        0.3 * evaluation.honest(0.5).accuracy()
                                + 0.7 * evaluation.moved(0.5).accuracy(),
                        within(1e-12));
        assertThat(mixed.moved().loss()).isCloseTo(mixed.moved(0.5).logLoss(), within(1e-12));
    }

    @ParameterizedTest
    @ValueSource(strings = {"logistic", "huber:0.5"})
    void noGammaOfARangeIsWorseThanTheWorseEnd(String words) {
        World world = world(Loss.of(words));
        RuleEvaluation evaluation = evaluation(world);
        double worst = evaluation.overGamma(0.01, 10).worst().loss();
        double costs = evaluation.overCosts(3).worst().loss();
        double found = 0;
        for (double gamma = 0.01; gamma <= 10; gamma *= 1.05) {
            double loss = evaluation(world.withGamma(gamma)).moved().loss();
            found = Math.max(found, loss);
            assertThat(loss).isLessThanOrEqualTo(worst * (1 + 1e-12));
            if (gamma > 0.4 / 3 && gamma < 0.4 * 3) {
                assertThat(loss).isLessThanOrEqualTo(costs * (1 + 1e-12));
            }
        }
        assertThat(found).isGreaterThan(0.99 * worst);
    }

    @ParameterizedTest
    @ValueSource(strings = {"logistic", "huber:0.5"})
    void errorsInWishesGiveTheExpectedLoss(String words) {
        Loss loss = Loss.of(words);
        World world = world(loss);
        double t = world.omega(rule) / (world.gamma() + world.omega(rule));
        double[] after = after(world);
        double[] y = world.truths(table);
        double[] s = world.weights(table);
        double sum = 0;
        for (int i = 0; i < y.length; i++) {
            int who = i;
            sum += s[i] * expected(x -> loss.value(after[who] + 0.8 * t * x, y[who]));
        }

        double off = evaluation(world).movedIfWishesAreOff(0.8).loss();
        assertThat(off).isCloseTo(sum / Arrays.stream(s).sum(), within(1e-5 * off));
        assertThat(off).isGreaterThan(evaluation(world).moved().loss());
    }

    /** By Simpson's rule with many nodes. */
    private static double expected(DoubleUnaryOperator f) {
        int n = 4000;
        double sum = 0;
        double all = 0;
        for (int k = 0; k <= n; k++) {
            double x = -9 + 18.0 * k / n;
            double weight = (k == 0 || k == n ? 1 : k % 2 == 1 ? 4 : 2) * Math.exp(-x * x / 2);
            sum += weight * f.applyAsDouble(x);
            all += weight;
        }
        return sum / all;
    }

    @Test
    void huberLossWithAHugeDeltaIsTheSquaredLoss() {
        RuleEvaluation squared = evaluation(world(Loss.SQUARED));
        RuleEvaluation huber = evaluation(world(Loss.huber(1e6)));

        assertThat(huber.moved().loss()).isCloseTo(squared.moved().mse(), within(1e-9));
        assertThat(huber.moved().rmse()).isCloseTo(squared.moved().rmse(), within(1e-9));
        assertThat(huber.movedIfWishesAreOff(0.7).loss())
                .isCloseTo(squared.movedIfWishesAreOff(0.7).mse(), within(1e-6));
    }

    @Test
    void aCutOffIsRefusedIfTheTargetIsANumber() {
        assertThatThrownBy(() -> evaluation(world(Loss.SQUARED)).honest(0.5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("loss is squared");
    }
}
