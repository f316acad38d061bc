package stackelberg.solver.convex;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import stackelberg.LongRun;
import stackelberg.certificate.Certificate;
import stackelberg.game.Loss;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.sphere.SphereGeometry;

/** Any convex loss on the sphere: judged by descents on what rules really lose, and by everything else that the answer must equal. */
class ConvexSearchTest {
    private static final Workers ONE = Workers.of(1);
    private static final int STARTS = 20;

    private static ConvexSearch.Found search(PredictionGame game) {
        return ConvexSearch.of(new ConvexSearch.Problem(game, null), SolverOptions.DEFAULT, ProgressListener.NONE, ONE);
    }

    private static double bruteForce(PredictionGame game, Random random) {
        Bfgs descents = new Bfgs(game);
        double best = Double.POSITIVE_INFINITY;
        for (int start = 0; start < STARTS; start++) {
            double size = Math.pow(10, -1 + 2 * random.nextDouble());
            double[] theta = random.doubles(descents.size())
                    .map(v -> size * random.nextGaussian())
                    .toArray();
            best = Math.min(best, descents.from(theta));
        }
        return best;
    }

    private static Loss lossOf(long k, Random random) {
        return k % 4 == 3 ? Loss.huber(0.1 + random.nextDouble()) : k % 8 == 6 ? Loss.SQUARED : Loss.LOGISTIC;
    }

    /** 500 games in a long run, -Dstackelberg.long=500: common wishes and own, three losses, gamma over six decades. */
    @Test
    void noDescentBeatsTheAnswerAndTheGapCoversWhateverDescentsFind() {
        assertThat(LongRun.failures(LongRun.tries(60), 120, k -> {
                    Random random = new Random(20_000 + k);
                    Loss loss = lossOf(k, random);
                    boolean common = k % 2 == 0;
                    PredictionGame game = ConvexGame.of(random, loss, common);
                    ConvexSearch.Found found = search(game);
                    Certificate certificate = found.certificate();
                    double objective = certificate.objective();
                    double scale = Math.max(objective, 1e-9 * certificate.scale());
                    double brute = bruteForce(game, random);
                    double own = game.leaderLoss(found.rule(), ONE) + game.penalty(found.rule());
                    boolean proven = certificate.relativeGap() <= 1e-8;
                    // exactly where the ball's minimum is the game's
                    boolean as = proven == (found.kind() != ConvexSearch.Kind.INSIDE)
                            && (!common || found.common() && proven)
                            && brute >= objective - 1e-9 * scale
                            && brute >= objective - certificate.gapBound() - 1e-12 * scale
                            && Math.abs(own - objective) <= 1e-12 * scale;
                    return as
                            ? Optional.empty()
                            : Optional.of(loss + " " + found.kind() + " descents " + brute + " own " + own + ", gamma "
                                    + game.gamma() + ", " + certificate);
                }))
                .isEmpty();
    }

    @Test
    void theCertificateNeedsOnlyTheDataAndTheRule() {
        for (int k = 0; k < 24; k++) {
            Random random = new Random(21_000 + k);
            PredictionGame game = ConvexGame.of(random, lossOf(k, random), k % 2 == 0);
            ConvexSearch.Found found = search(game);
            Certificate checked = ConvexSearch.check(game, found.rule(), ONE);
            double scale = Math.max(checked.objective(), 1e-9 * checked.scale());

            assertThat(checked.objective())
                    .as("game " + k)
                    .isEqualTo(found.certificate().objective());
            assertThat(Math.abs(checked.gapBound() - found.certificate().gapBound()))
                    .as("game " + k)
                    .isLessThanOrEqualTo(1e-9 * scale);
            assertThat(checked.proof()).as("game " + k).isEqualTo(Certificate.Proof.PROVEN);
            double[] w = found.rule().w();
            double[] costs = game.costs();
            for (int j = 0; j < w.length; j++) {
                w[j] /= Math.sqrt(costs[j]);
            }
            assertThat(found.result().r()).isEqualTo(SphereGeometry.pointOf(w, game.gamma()));
        }
    }
}
