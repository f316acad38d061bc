package stackelberg.solver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import stackelberg.game.NelderMead;
import stackelberg.game.PredictionGame;
import stackelberg.game.RandomGame;

/** The leader's optimum of tiny general games, against a many-start local search on the loss of the game itself. */
class LocalSearchTest {
    @Test
    void noLocalSearchBeatsTheSolutionAndTheBestOfManyReachesIt() {
        Random random = new Random(51_001);
        for (int trial = 0; trial < 30; trial++) {
            int n = 1 + random.nextInt(3);
            int immutables = random.nextInt(3);
            int m = n + immutables + 2 + random.nextInt(5);
            double gamma = Math.pow(10, -1.5 + 3 * random.nextDouble());
            PredictionGame game = RandomGame.general(random, m, n, immutables, gamma);
            var answer = Equilibrium.of(game);
            double objective = answer.proof().objective();
            String what = "trial " + trial + ", n " + n + ", gamma " + gamma + ": " + answer.proof();
            assertThat(answer.certified()).as(what).isTrue();
            assertThat(game.leaderLoss(answer.rule(), Equilibrium.ONE))
                    .as(what)
                    .isCloseTo(objective, within(1e-10 * objective));

            Plain plain = Plain.of(game);
            double best = Double.POSITIVE_INFINITY;
            for (int start = 0; start < 12; start++) {
                double[] w0 = RandomGame.normal(random, n);
                double size = Math.pow(10, -1 + 2 * random.nextDouble());
                for (int j = 0; j < n; j++) {
                    w0[j] *= size;
                }
                double[] w = NelderMead.minimise(plain::lossOf, w0, 0.3 * size);
                best = Math.min(best, plain.lossOf(w));
            }
            assertThat(best).as(what).isGreaterThan(objective * (1 - 1e-9));
            assertThat(best).as(what).isCloseTo(objective, within(1e-6 * objective));
        }
    }

    /** The game in plain arrays, its loss written out again from the definition. */
    private record Plain(
            double[][] x,
            double[] y,
            double[] z,
            double[][] v,
            double[] costs,
            double[] weights,
            double gamma,
            double noise) {
        static Plain of(PredictionGame game) {
            double[][] x = RandomGame.rows(game);
            double[][] columns = game.immutable();
            double[][] v = new double[x.length][columns.length + 1];
            for (int i = 0; i < x.length; i++) {
                for (int j = 0; j < columns.length; j++) {
                    v[i][j] = columns[j][i];
                }
                v[i][columns.length] = 1;
            }
            return new Plain(
                    x, game.y(), game.z(), v, game.costs(), game.weights(), game.gamma(), game.wishNoiseVariance());
        }

        /** The leader's loss of w with the best immutable coefficients for it: least squares of (1 + alpha)y - alpha z - X w on V. */
        double lossOf(double[] w) {
            double alpha = 0;
            for (int j = 0; j < w.length; j++) {
                alpha += w[j] * w[j] / costs[j] / gamma;
            }
            double[] rest = new double[x.length];
            for (int i = 0; i < x.length; i++) {
                rest[i] = (1 + alpha) * y[i] - alpha * z[i] - dot(w, x[i]);
            }
            double[] q = NormalEquations.solve(v, rest, weights);
            double t = alpha / (1 + alpha);
            double loss = t * t * noise;
            for (int i = 0; i < x.length; i++) {
                double residual = (dot(q, v[i]) - rest[i]) / (1 + alpha);
                loss += weights[i] * residual * residual;
            }
            return loss;
        }

        private static double dot(double[] a, double[] b) {
            double sum = 0;
            for (int j = 0; j < a.length; j++) {
                sum += a[j] * b[j];
            }
            return sum;
        }
    }
}
