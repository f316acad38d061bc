package stackelberg.model.response;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.estimate.Loss;
import stackelberg.game.GameSpec;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;
import stackelberg.model.People;
import stackelberg.model.StackelbergModel;
import stackelberg.model.StackelbergRegression;
import stackelberg.model.StackelbergRegression.FitOptions;
import stackelberg.model.Training;

/** By another loss than squares everybody moves by hand, and every rule is one at which the slopes of what it loses are 0. */
class RetrainingByLossTest {
    private static final Workers WORKERS = Workers.of(1);
    private static final int ROWS = 120;

    /** What a game may be beside its loss. */
    private enum Kind {
        PLAIN,
        WEIGHTS,
        RIDGE,
        FIXED,
        NO_INTERCEPT,
        ALL
    }

    private static PredictionGame game(Loss loss, Kind kind, double gamma) {
        Random random = new Random(7);
        DenseMatrix x = DenseMatrix.zeros(ROWS, 3);
        double[] y = new double[ROWS];
        double[] z = new double[ROWS];
        double[][] fixed = new double[2][ROWS];
        double[] weights = new double[ROWS];
        for (int i = 0; i < ROWS; i++) {
            for (int j = 0; j < 3; j++) {
                x.set(i, j, random.nextGaussian() + (j == 1 ? 3 : 0));
                y[i] += (j - 0.5) * x.get(i, j);
            }
            fixed[0][i] = random.nextGaussian();
            fixed[1][i] = i % 3 == 0 ? 1 : 0;
            y[i] += fixed[0][i] + 2 * random.nextGaussian() - 1;
            z[i] = Math.max(y[i], 2) + random.nextDouble();
            y[i] = loss.isLogistic() ? (y[i] > 1 ? 1 : 0) : y[i];
            weights[i] = i % 7 == 0 ? 0 : 0.5 + random.nextDouble();
        }
        boolean all = kind == Kind.ALL;
        PredictionGame game = PredictionGame.of(x, y, z, gamma).withCosts(new double[] {1, 2, 0.5});
        game = all || kind == Kind.WEIGHTS ? game.withWeights(weights) : game;
        game = all || kind == Kind.RIDGE ? game.withRidge(4) : game;
        game = all || kind == Kind.FIXED ? game.withImmutable(fixed) : game;
        return (kind == Kind.NO_INTERCEPT ? game : game.withIntercept()).withLoss(loss);
    }

    private static double[][] features(PredictionGame game) {
        double[][] x = new double[ROWS][game.x().cols()];
        for (int i = 0; i < ROWS; i++) {
            game.x().tile(i, 1, 0, x[i].length, DoubleBuffer.wrap(x[i]));
        }
        return x;
    }

    private static double score(LinearRule rule, double[] x, PredictionGame game, int i) {
        double score = rule.intercept();
        for (int j = 0; j < x.length; j++) {
            score += rule.w()[j] * x[j];
        }
        for (int j = 0; j < rule.q().length; j++) {
            score += rule.q()[j] * game.immutable()[j][i];
        }
        return score;
    }

    private static double loss(PredictionGame game, LinearRule rule, double[][] x) {
        double sum = 0;
        for (int i = 0; i < ROWS; i++) {
            double s = score(rule, x[i], game, i);
            double y = game.y()[i];
            double off = Math.abs(s - y);
            double lost =
                    game.loss().isLogistic() ? Math.log(1 + Math.exp(s)) - y * s : off <= 1 ? off * off : 2 * off - 1;
            sum += game.weights()[i] * lost;
        }
        return sum;
    }

    /** The largest slope of sum_i s_i l + mu w'C^{-1}w, next to what its terms add up to. */
    private static double slope(PredictionGame game, LinearRule rule, double[][] x) {
        int n = x[0].length;
        int k = rule.q().length;
        double[] slopes = new double[n + k + 1];
        double[] sizes = new double[n + k + 1];
        for (int i = 0; i < ROWS; i++) {
            double s = score(rule, x[i], game, i);
            double off = s - game.y()[i];
            double own = game.weights()[i]
                    * (game.loss().isLogistic()
                            ? 1 / (1 + Math.exp(-s)) - game.y()[i]
                            : 2 * Math.max(-1, Math.min(1, off)));
            for (int j = 0; j <= n + k; j++) {
                double a = j < n ? x[i][j] : j < n + k ? game.immutable()[j - n][i] : game.hasIntercept() ? 1 : 0;
                slopes[j] += own * a;
                sizes[j] += Math.abs(own * a);
            }
        }
        double worst = 0;
        for (int j = 0; j <= n + k; j++) {
            slopes[j] += j < n ? 2 * game.ridge() * rule.w()[j] / game.costs()[j] : 0;
            worst = sizes[j] == 0 ? worst : Math.max(worst, Math.abs(slopes[j]) / sizes[j]);
        }
        return worst;
    }

    private static void replay(PredictionGame game, Retraining.Plan plan, Retraining played, double tolerance) {
        double[][] now = features(game);
        for (int k = 0; k < played.rounds().size(); k++) {
            Retraining.Round round = played.rounds().get(k);
            LinearRule rule = round.rule();
            if (k > 0) {
                assertThat(slope(game, rule, now)).as("round " + round.number()).isLessThan(tolerance);
            }
            double promised = loss(game, rule, now);
            assertThat(round.promised()).isCloseTo(promised, within(1e-10 * promised));
            double[][] from = plan.memory() == Retraining.Memory.ORIGINAL ? features(game) : now;
            double omega = 0;
            for (int j = 0; j < 3; j++) {
                omega += rule.w()[j] * rule.w()[j] / game.costs()[j];
            }
            for (int i = 0; i < ROWS; i++) {
                double step =
                        (1 - plan.inertia()) * (game.z()[i] - score(rule, from[i], game, i)) / (game.gamma() + omega);
                now[i] = from[i].clone();
                for (int j = 0; j < 3; j++) {
                    now[i][j] += step * rule.w()[j] / game.costs()[j];
                }
            }
            double lost = loss(game, rule, now);
            assertThat(round.loss()).isCloseTo(lost, within(1e-10 * lost));
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyRoundEqualsTheCalculationByHand(Kind kind) {
        for (Loss loss : new Loss[] {Loss.LOGISTIC, Loss.huber(1)}) {
            PredictionGame game = game(loss, kind, 6);
            for (Retraining.Memory memory : Retraining.Memory.values()) {
                Retraining.Plan plan = new Retraining.Plan(6, memory, memory == Retraining.Memory.PRESENT ? 0.3 : 0);
                LinearRule first = new LinearRule(
                        new double[] {0.5, 1, -0.5}, new double[game.immutable().length], game.hasIntercept() ? -1 : 0);
                Retraining played = Retraining.play(game, first, null, null, plan, WORKERS, round -> {});
                assertThat(played.tookPasses()).isTrue();
                assertThat(played.rounds()).hasSize(6);
                replay(game, plan, played, 1e-9);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"logistic", "huber:1"})
    void aRuleThatRoundsConvergeToIsAFixedPoint(String words) {
        Loss loss = Loss.of(words);
        PredictionGame game = game(loss, Kind.PLAIN, 30);
        LinearRule first = new LinearRule(new double[] {0.5, 1, -0.5}, new double[0], -1);
        Retraining played = Retraining.play(game, first, null, null, Retraining.Plan.of(60), WORKERS, round -> {});
        assertThat(played.outcome()).isEqualTo(Retraining.Outcome.SETTLES);
        Retraining.FixedPoint point = played.fixedPoint().orElseThrow();
        assertThat(point.reached()).isTrue();
        double[][] moved = features(game);
        double omega = point.rule().omega(game.costs());
        for (int i = 0; i < ROWS; i++) {
            double step = (game.z()[i] - score(point.rule(), moved[i], game, i)) / (30 + omega);
            for (int j = 0; j < 3; j++) {
                moved[i][j] += step * point.rule().w()[j] / game.costs()[j];
            }
        }
        assertThat(slope(game, point.rule(), moved)).isLessThan(1e-7);
        assertThat(point.loss()).isCloseTo(game.leaderLoss(point.rule(), WORKERS), within(1e-10 * point.loss()));
    }

    /** Two columns that say the same come apart once one of them is moved, and no rule may live on that. */
    @Test
    void linearlyDependentColumnsAreNotUsed() {
        PredictionGame game = game(Loss.LOGISTIC, Kind.PLAIN, 6);
        DenseMatrix x = DenseMatrix.zeros(ROWS, 4);
        for (int i = 0; i < ROWS; i++) {
            double[] row = Arrays.copyOf(features(game)[i], 4);
            row[3] = row[0] - 2 * row[1];
            x.setRow(i, row);
        }
        PredictionGame doubled =
                PredictionGame.of(x, game.y(), game.z(), 6).withIntercept().withLoss(Loss.LOGISTIC);
        LinearRule first = new LinearRule(new double[] {0.5, 0.5, -0.5, 0.2}, new double[0], -1);
        Retraining played = Retraining.play(doubled, first, null, null, Retraining.Plan.of(5), WORKERS, round -> {});
        assertThat(played.rounds().subList(1, 5)).allMatch(round -> round.rule().w()[3] == 0);
    }

    @Test
    void separableAnswersAreLearnedWithAPenalty() {
        PredictionGame game = game(Loss.LOGISTIC, Kind.PLAIN, 1e9);
        double[][] x = features(game);
        double[] y = new double[ROWS];
        Arrays.setAll(y, i -> x[i][0] > 0 ? 1 : 0);
        PredictionGame told =
                PredictionGame.of(game.x(), y, game.z(), 1e9).withIntercept().withLoss(Loss.LOGISTIC);
        LinearRule first = new LinearRule(new double[] {1, 0, 0}, new double[0], 0);
        Retraining played = Retraining.play(told, first, null, null, Retraining.Plan.of(5), WORKERS, round -> {});
        assertThat(played.outcome()).isEqualTo(Retraining.Outcome.SETTLES);
        assertThat(played.rounds().get(4).rule().w()[0]).isBetween(1.0, 30.0);
    }

    /** Columns of people who all get what they wish say nearly the same: rules live on the rest, and are not cut off where today's rule would be. */
    @Test
    void growingRulesAreNotCutOff() {
        PredictionGame game = game(Loss.LOGISTIC, Kind.PLAIN, 1);
        LinearRule first = new LinearRule(new double[] {0.5, 1, -0.5}, new double[0], -1);
        Retraining.Plan plan = Retraining.Plan.of(10);
        Retraining played = Retraining.play(game, first, null, null, plan, WORKERS, round -> {});
        assertThat(played.rounds().get(9).rule().w()[1]).isGreaterThan(1000);
        replay(game, plan, played, 1e-7);
    }

    @Test
    @Tag("slow")
    void logisticRulesAreRetrainedBesideTheCertifiedRule() {
        GameSpec spec = GameSpec.builder()
                .target("score")
                .loss(Loss.LOGISTIC)
                .yes(">=3")
                .wish("0.9")
                .features(List.of("debt", "income", "year"))
                .gamma(2)
                .build();
        Training training =
                new StackelbergRegression(spec, FitOptions.defaults().withThreads(1)).training(People.table(200, 3));
        StackelbergModel model = training.fit();
        Retraining played = Retraining.of(training, model, Retraining.Plan.of(30), round -> {});
        assertThat(played.loss()).isSameAs(Loss.LOGISTIC);
        assertThat(played.rounds().get(0).promised())
                .isCloseTo(model.losses().naive(), within(1e-9 * model.losses().naive()));
        assertThat(played.rounds().get(0).loss())
                .isCloseTo(
                        model.losses().naiveAttacked(),
                        within(1e-9 * model.losses().naiveAttacked()));
        assertThat(played.anticipated().orElseThrow().mean())
                .isCloseTo(
                        model.losses().anticipated(),
                        within(1e-9 * model.losses().anticipated()));
        // nobody who starts anew and answers fully can be met with less
        assertThat(played.rounds()).allMatch(round -> round.loss() >= (1 - 1e-9) * round.anticipated());
        assertThat(played.warnings()).isEmpty();
    }

    @Test
    void unsupportedSettingsOfOtherLossesAreRefused() {
        PredictionGame noisy = game(Loss.LOGISTIC, Kind.PLAIN, 6).withWishNoise(1);
        LinearRule first = new LinearRule(new double[3], new double[0], 0);
        assertThatThrownBy(() -> Retraining.play(noisy, first, null, null, Retraining.Plan.of(2), WORKERS, round -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("noise of wishes");
    }
}
