package stackelberg.objective.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import stackelberg.estimate.Loss;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;

/** Wishes that are a combination of the features leave two rules that lose the same; the one that believes people less is taken. */
class CombinedWishTest {
    private static final Workers ONE = Workers.of(1);

    @ParameterizedTest
    @CsvSource({
        "logistic,1,40,3",
        "logistic,2,60,2",
        "logistic,3,12,16",
        "huber:0.5,4,40,3",
        "huber:0.5,5,50,4",
        "logistic,6,80,5",
        "huber:2,7,30,1"
    })
    void theSmallerOfTwoEquallyGoodRulesIsTaken(String words, long seed, int m, int n) {
        Loss loss = Loss.of(words);
        SplittableRandom random = new SplittableRandom(seed);
        DenseMatrix x = DenseMatrix.zeros(m, n);
        double[] y = new double[m];
        double[] z = new double[m];
        double[] a = new double[n];
        Arrays.setAll(a, j -> random.nextDouble() * 2 - 1);
        for (int i = 0; i < m; i++) {
            z[i] = 1;
            for (int j = 0; j < n; j++) {
                x.set(i, j, random.nextDouble() * 2 - 1);
                z[i] += a[j] * x.get(i, j);
            }
            boolean yes = random.nextDouble() < Loss.LOGISTIC.prediction(z[i] - 1);
            y[i] = loss.isLogistic() ? (yes ? 1 : 0) : z[i] + random.nextDouble();
        }
        for (double gamma : new double[] {0.5, 5, 50}) {
            PredictionGame game =
                    PredictionGame.of(x, y, z, gamma).withIntercept().withLoss(loss);
            ConvexSearch.Found found = ConvexSearch.of(game, null, SolverOptions.DEFAULT, ProgressListener.NONE, ONE);
            double t = game.pullThrough(found.rule());
            double omega = found.rule().omega(game.costs());
            double best = found.certificate().objective();
            assertThat(game.leaderLoss(found.rule(), ONE)).isCloseTo(best, within(1e-9 * (1 + best)));
            assertThat(found.certificate().relativeGap()).isLessThan(1e-7);
            // scores (1 - t) w'x + t z = ((1 - t) w + t a)'x + ...: whoever believes less with these scores is no rule
            double[] whole = new double[n];
            Arrays.setAll(whole, j -> (1 - t) * found.rule().w()[j] + t * a[j]);
            for (int k = 0; n <= m && k < 40; k++) {
                double less = t * k / 40;
                double[] w = new double[n];
                Arrays.setAll(w, j -> (whole[j] - less * a[j]) / (1 - less));
                double square = Arrays.stream(w).map(v -> v * v).sum();
                // its own pull-through would be larger than what it believes
                assertThat(square / (gamma + square)).isGreaterThan(less - 1e-9);
            }
            assertThat(t).isLessThan(0.999999);
            assertThat(omega).isFinite();
        }
    }
}
