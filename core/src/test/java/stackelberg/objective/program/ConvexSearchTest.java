package stackelberg.objective.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.lang.management.ManagementFactory;
import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import stackelberg.LongRun;
import stackelberg.RealData;
import stackelberg.certificate.Certificate;
import stackelberg.data.Table;
import stackelberg.data.io.DataFile;
import stackelberg.estimate.Loss;
import stackelberg.game.GameSpec;
import stackelberg.game.LinearRule;
import stackelberg.game.Population;
import stackelberg.game.PredictionGame;
import stackelberg.game.Response;
import stackelberg.game.Sample;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.objective.Pipeline;
import stackelberg.objective.Solution;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.solver.auto.Solvers;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereGeometry;

/** Any convex loss on the sphere: judged by descents on what rules really lose, and by everything else that the answer must equal. */
class ConvexSearchTest {
    private static final Workers ONE = Workers.of(1);
    private static final int STARTS = 20;

    private static ConvexSearch.Found search(PredictionGame game) {
        return ConvexSearch.of(game, null, SolverOptions.DEFAULT, ProgressListener.NONE, ONE);
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

    @Test
    void theSquaredLossGivesWhatItsOwnSolverGives() {
        int active = 0;
        for (int k = 0; k < 60; k++) {
            Random random = new Random(22_000 + k);
            PredictionGame game = ConvexGame.of(random, Loss.SQUARED, k % 3 == 0);
            ConvexSearch.Found found = search(game);
            Solution own = new Pipeline(Solvers.named("direct", ONE), SolverOptions.DEFAULT)
                    .run(Reduction.of(game, ONE), game.gamma())
                    .solutions()
                    .get(0);
            double scale = Math.max(
                    own.certificate().objective(), 1e-9 * own.certificate().scale());

            assertThat(found.certificate().scale())
                    .as("game " + k)
                    .isCloseTo(
                            own.certificate().scale(),
                            within(1e-10 * own.certificate().scale()));
            // a quadratic on the sphere is solved whatever its multiplier is
            assertThat(found.certificate().objective())
                    .as("game " + k)
                    .isCloseTo(own.certificate().objective(), within(1e-9 * scale));
            if (own.certificate().multiplier() > 1e-6 * scale) {
                active++;
                assertThat(found.isActive()).as("game " + k).isTrue();
                assertThat(found.certificate().certified(1e-9)).as("game " + k).isTrue();
                assertThat(found.certificate().multiplier())
                        .as("game " + k)
                        .isCloseTo(
                                own.certificate().multiplier(),
                                within(1e-6 * own.certificate().multiplier()));
                assertThat(found.result().r())
                        .as("game " + k)
                        .containsExactly(own.result().r(), within(1e-7));
            }
        }
        assertThat(active).isGreaterThan(30);
    }

    @Test
    void aHuberLossThatNobodyReachesIsTheSquaredOne() {
        for (int k = 0; k < 20; k++) {
            PredictionGame game = ConvexGame.of(new Random(23_000 + k), Loss.SQUARED, k % 2 == 0);
            ConvexSearch.Found squared = search(game);
            ConvexSearch.Found huber = search(game.withLoss(Loss.huber(1e4)));
            double scale = Math.max(
                    squared.certificate().objective(),
                    1e-9 * squared.certificate().scale());

            assertThat(huber.certificate().objective())
                    .as("game " + k)
                    .isCloseTo(squared.certificate().objective(), within(1e-9 * scale));
            assertThat(huber.kind()).as("game " + k).isEqualTo(squared.kind());
            assertThat(huber.rule().w())
                    .as("game " + k)
                    .containsExactly(
                            squared.rule().w(),
                            within(1e-6 * norm(squared.rule().w())));
        }
    }

    private static double norm(double[] w) {
        return Vectors.norm(w);
    }

    @Test
    void aCommonWishIsLogisticRegressionWithANormBound() {
        int bound = 0;
        int free = 0;
        for (int k = 0; k < 40; k++) {
            PredictionGame game =
                    ConvexGame.of(new Random(24_000 + k), Loss.LOGISTIC, true).withRidge(0);
            double most = Math.sqrt(game.gamma()) / 2;
            PlainLogistic plain = new PlainLogistic(game);
            // as a game has its optimum without a bound or not, so has the regression
            double[] theta = plain.withNormAtMost(most);
            ConvexSearch.Found found = search(game);
            double t = game.pullThrough(found.rule());
            double[] u = found.rule().w();
            for (int j = 0; j < u.length; j++) {
                u[j] *= (1 - t) / Math.sqrt(game.costs()[j]);
                assertThat(u[j]).as("game " + k).isCloseTo(theta[j], within(1e-8 * (1 + norm(theta))));
            }
            double wish = game.z()[0];
            double intercept = (1 - t) * found.rule().intercept() + t * wish;
            assertThat(intercept).as("game " + k).isCloseTo(theta[theta.length - 1], within(1e-8 * (1 + norm(theta))));
            assertThat(t).isLessThanOrEqualTo(0.5 + 1e-12);
            assertThat(found.kind()).as("game " + k).isIn(ConvexSearch.Kind.ACTIVE, ConvexSearch.Kind.SMALLER_ROOT);
            bound += found.isActive() ? 1 : 0;
            free += found.isActive() ? 0 : 1;
        }
        assertThat(bound).isGreaterThan(10);
        assertThat(free).isGreaterThan(5);
    }

    @Test
    void oneWishAndNobodyWhoMovesIsPlainLogisticRegression() {
        PredictionGame game = ConvexGame.of(new Random(24_104), Loss.LOGISTIC, true)
                .withRidge(0)
                .withGamma(1e10);
        double[] theta = new PlainLogistic(game).withNormAtMost(Double.POSITIVE_INFINITY);
        ConvexSearch.Found found = search(game);

        assertThat(found.kind()).isEqualTo(ConvexSearch.Kind.SMALLER_ROOT);
        double[] w = found.rule().w();
        for (int j = 0; j < w.length; j++) {
            assertThat(w[j] / Math.sqrt(game.costs()[j])).isCloseTo(theta[j], within(1e-8));
        }
        assertThat(found.certificate().certified(1e-8)).isTrue();
    }

    /** Wine of quality 6 or better, standardised: one wish of 90%, and wishes of everybody's own. */
    @Test
    void realWineIsCertifiedForEveryGamma() {
        Table table = DataFile.read(RealData.file("wine.csv"), ONE);
        GameSpec spec = GameSpec.builder().target("quality").wish("y").build();
        Matrix x = Sample.of(spec, table, ONE).game().x();
        double[] quality = table.numeric("quality").values();
        double[] good = Arrays.stream(quality).map(v -> v >= 6 ? 1 : 0).toArray();
        double[] common =
                Arrays.stream(quality).map(v -> Loss.LOGISTIC.score(0.9)).toArray();
        double[] own = Arrays.stream(quality).map(v -> Math.max(v - 5.5, 1)).toArray();
        double[] gammas = {0.01, 0.3, 10, 1_000};
        for (double[] wish : List.of(common, own)) {
            PredictionGame game =
                    PredictionGame.of(x, good, wish, 1).withIntercept().withLoss(Loss.LOGISTIC);
            List<ConvexSearch.Found> path =
                    ConvexSearch.path(game, gammas, SolverOptions.DEFAULT, ProgressListener.NONE, ONE);
            for (int k = 0; k < gammas.length; k++) {
                assertThat(path.get(k).common()).isEqualTo(wish == common);
                assertThat(path.get(k).certificate().certified(1e-9))
                        .as("gamma " + gammas[k] + ", " + path.get(k).kind())
                        .isTrue();
            }
        }
    }

    @Test
    void aPathHasTheRulesOfSingleFits() {
        for (int k = 0; k < 12; k++) {
            Random random = new Random(25_000 + k);
            PredictionGame game = ConvexGame.of(random, lossOf(k, random), k % 2 == 0);
            double[] gammas = {0.01, 100, 0.1, 1, 10};
            List<ConvexSearch.Found> path =
                    ConvexSearch.path(game, gammas, SolverOptions.DEFAULT, ProgressListener.NONE, ONE);
            for (int g = 0; g < gammas.length; g++) {
                ConvexSearch.Found single = search(game.withGamma(gammas[g]));
                double scale = Math.max(
                        single.certificate().objective(),
                        1e-9 * single.certificate().scale());

                assertThat(path.get(g).certificate().objective())
                        .as("game " + k + " at " + gammas[g])
                        .isCloseTo(single.certificate().objective(), within(1e-9 * scale));
                assertThat(path.get(g).kind()).isEqualTo(single.kind());
                if (single.kind() == ConvexSearch.Kind.ACTIVE) {
                    assertThat(path.get(g).result().r())
                            .as("game " + k + " at " + gammas[g])
                            .containsExactly(single.result().r(), within(1e-8));
                }
            }
        }
    }

    @Test
    void aKnownRuleIsAStartAndNothingElse() {
        for (int k = 0; k < 8; k++) {
            Random random = new Random(25_500 + k);
            PredictionGame game = ConvexGame.of(random, Loss.LOGISTIC, k % 2 == 0);
            ConvexSearch.Found cold = search(game);
            double[] w = cold.rule().w();
            Arrays.setAll(w, j -> 3 * w[j] + random.nextGaussian());
            LinearRule far = new LinearRule(w, cold.rule().q(), cold.rule().intercept() - 1);
            ConvexSearch.Found warm = ConvexSearch.of(game, far, SolverOptions.DEFAULT, ProgressListener.NONE, ONE);
            ConvexSearch.Found again =
                    ConvexSearch.of(game, cold.rule(), SolverOptions.DEFAULT, ProgressListener.NONE, ONE);

            assertThat(warm.certificate().objective())
                    .isCloseTo(
                            cold.certificate().objective(),
                            within(1e-9 * cold.certificate().objective()));
            assertThat(again.result().effort().iterations())
                    .isLessThanOrEqualTo(cold.result().effort().iterations());
        }
    }

    @Test
    void featuresKeptByTheirNonzerosGiveTheSameRuleByProductsAlone() {
        for (double gamma : new double[] {1, 300}) {
            PredictionGame sparse = ConvexBench.sparse(500, 600, 20, gamma);
            DenseMatrix filled = DenseMatrix.zeros(500, 600);
            double[] row = new double[600];
            for (int i = 0; i < 500; i++) {
                sparse.x().tile(i, 1, 0, 600, DoubleBuffer.wrap(row));
                filled.setRow(i, row);
            }
            PredictionGame dense = PredictionGame.of(filled, sparse.y(), sparse.z(), gamma)
                    .withIntercept()
                    .withLoss(Loss.LOGISTIC);
            assertThat(new Scores(sparse, ONE).isFormed()).isFalse();
            assertThat(new Scores(dense, ONE).isFormed()).isTrue();
            ConvexSearch.Found products = search(sparse);
            ConvexSearch.Found formed = search(dense);

            assertThat(products.certificate().certified(1e-9)).isTrue();
            assertThat(products.certificate().objective())
                    .isCloseTo(
                            formed.certificate().objective(),
                            within(1e-10 * formed.certificate().objective()));
            assertThat(products.result().r()).containsExactly(formed.result().r(), within(1e-6));
        }
    }

    /** 2,000 x 10,000 filled would be 160 MB; what is allocated in all, garbage included, is a fraction of it for each pass. */
    @Test
    void textIsNeverFilledWithZeros() {
        PredictionGame game =
                ConvexBench.sparse(LongRun.wanted() ? 6_000 : 2_000, LongRun.wanted() ? 30_000 : 10_000, 100, 100);
        double filled = 8.0 * game.x().rows() * game.x().cols();
        var bean = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = bean.getThreadAllocatedBytes(Thread.currentThread().getId());
        ConvexSearch.Found found = search(game);
        long allocated = bean.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;

        assertThat(found.certificate().certified(1e-9)).isTrue();
        assertThat((double) allocated / found.result().effort().passes()).isLessThan(0.05 * filled);
    }

    @Test
    void theRuleIsThatOfAnyNumberOfThreads() {
        PredictionGame many = ConvexBench.game(30_000, 8, false).withLoss(Loss.LOGISTIC);
        PredictionGame text = ConvexBench.sparse(3_000, 2_000, 30, 10);
        for (PredictionGame game : List.of(many, text)) {
            ConvexSearch.Found alone = search(game);
            ConvexSearch.Found together =
                    ConvexSearch.of(game, null, SolverOptions.DEFAULT, ProgressListener.NONE, Workers.of(3));

            assertThat(together.rule().w()).isEqualTo(alone.rule().w());
            assertThat(together.rule().intercept()).isEqualTo(alone.rule().intercept());
            assertThat(together.certificate().gapBound())
                    .isEqualTo(alone.certificate().gapBound());
            assertThat(together.result().effort()).isEqualTo(alone.result().effort());
        }
    }

    @Test
    @Tag("slow")
    void aLogisticFitReadsTheDataAtMostFiveTimesAsOftenAsASquaredOne() {
        for (boolean common : new boolean[] {true, false}) {
            PredictionGame game = ConvexBench.game(40_000, 20, common);
            CountedMatrix x = (CountedMatrix) game.x();
            new Pipeline(Solvers.named("auto", ONE), SolverOptions.DEFAULT)
                    .run(Pipeline.reduce(game, ONE, game.gamma()), game.gamma());
            double squared = x.passes();
            ConvexSearch.Found found = search(game.withLoss(Loss.LOGISTIC));
            double logistic = x.passes();

            assertThat(found.certificate().certified(1e-9)).isTrue();
            assertThat(logistic).isLessThan(5 * squared);
            // of these, those that judge are not the search's
            assertThat((double) found.result().effort().passes()).isBetween(logistic - 4, logistic + 1);
        }
    }

    @Test
    void whoeverDoesNotCountChangesNothing() {
        PredictionGame game = ConvexBench.game(60, 3, false).withLoss(Loss.LOGISTIC);
        double[] weights = new double[60];
        Arrays.fill(weights, 2);
        int[] counting = IntStream.range(0, 60).filter(i -> i % 4 > 0).toArray();
        for (int i = 0; i < 60; i += 4) {
            weights[i] = 0;
        }
        ConvexSearch.Found without = search(game.withWeights(weights));
        ConvexSearch.Found among = search(game.subset(counting));

        assertThat(without.rule().w()).containsExactly(among.rule().w(), within(1e-9));
        assertThat(without.certificate().objective())
                .isCloseTo(
                        2 * among.certificate().objective(),
                        within(1e-10 * without.certificate().objective()));
    }

    @Test
    void columnsThatAreConstantOrCombinationsOfOthersDoNoHarm() {
        PredictionGame game = ConvexGame.of(new Random(26_000), Loss.LOGISTIC, true)
                .withGamma(3)
                .withImmutable()
                .withCosts(new double[] {1, 1})
                .withRidge(0);
        int m = game.y().length;
        double[] first = IntStream.range(0, m).mapToDouble(i -> Math.sin(i)).toArray();
        double[] seven = new double[m];
        Arrays.fill(seven, 7);
        double[] both = Arrays.stream(first).map(v -> 2 * v - 3).toArray();
        ConvexSearch.Found plain = search(game.withImmutable(first));
        ConvexSearch.Found more = search(game.withImmutable(first, seven, both));
        assertThat(more.certificate().certified(1e-9)).isTrue();
        assertThat(more.rule().w()).containsExactly(plain.rule().w(), within(1e-9));
        assertThat(Arrays.copyOfRange(more.rule().q(), 1, 3)).containsExactly(0, 0);

        DenseMatrix wide = DenseMatrix.zeros(m, 5);
        double[] row = new double[2];
        for (int i = 0; i < m; i++) {
            game.x().tile(i, 1, 0, 2, DoubleBuffer.wrap(row));
            wide.setRow(i, new double[] {row[0], row[1], 4, 0, 0});
        }
        PredictionGame padded = PredictionGame.of(wide, game.y(), game.z(), 3)
                .withIntercept()
                .withWeights(game.weights())
                .withLoss(Loss.LOGISTIC);
        ConvexSearch.Found same = search(padded);
        ConvexSearch.Found bare = search(game);
        assertThat(same.certificate().certified(1e-9)).isTrue();
        assertThat(same.rule().w()).containsExactly(Arrays.copyOf(bare.rule().w(), 5), within(1e-8));
    }

    @Test
    void whereNobodyIsTheOtherClassThereIsNoBestRule() {
        PredictionGame game = ConvexBench.game(40, 2, false);
        double[] yes = new double[40];
        Arrays.fill(yes, 1);
        PredictionGame one = PredictionGame.of(game.x(), yes, game.z(), 1).withLoss(Loss.LOGISTIC);
        assertThatThrownBy(() -> search(one.withIntercept()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Everybody who counts is 1");
        // without an intercept the norm is bounded, and so is everything
        assertThat(search(one).certificate().certified(1e-9)).isTrue();

        double[] y = game.y();
        double[] tells = IntStream.range(0, 40)
                .mapToDouble(i -> y[i] == 1 && i % 2 == 0 ? 1 : 0)
                .toArray();
        assertThatThrownBy(() -> search(game.withLoss(Loss.LOGISTIC).withImmutable(tells)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nobody can change tell some who are 1");
        // the Huber loss grows in every direction
        assertThat(search(game.withLoss(Loss.huber(0.3)).withImmutable(tells))
                        .certificate()
                        .relativeGap())
                .isLessThan(1e-8);
    }

    @Test
    void featuresThatTellTheClassesApartAreBoundedByTheBall() {
        for (double gamma : new double[] {1e-6, 1, 1e4, 1e6, 1e8, 1e12}) {
            PredictionGame game = ConvexBench.game(50, 3, false);
            double[] y = new double[50];
            double[] row = new double[3];
            for (int i = 0; i < 50; i++) {
                game.x().tile(i, 1, 0, 3, DoubleBuffer.wrap(row));
                y[i] = row[0] + row[1] > 0 ? 1 : 0;
            }
            PredictionGame apart = PredictionGame.of(game.x(), y, game.z(), gamma)
                    .withIntercept()
                    .withLoss(Loss.LOGISTIC);
            Certificate certificate = search(apart).certificate();

            assertThat(certificate.certified(1e-9))
                    .as("gamma " + gamma + " " + certificate)
                    .isTrue();
        }
    }

    @Test
    void wishesThatAreTheTruthLeaveNoRule() {
        PredictionGame game =
                ConvexGame.of(new Random(27_000), Loss.SQUARED, false).withRidge(0);
        PredictionGame true1 =
                PredictionGame.of(game.x(), game.y(), game.y(), 2).withIntercept();
        for (Loss loss : List.of(Loss.SQUARED, Loss.huber(0.5))) {
            ConvexSearch.Found found = search(true1.withLoss(loss));

            assertThat(found.certificate().finiteness()).isEqualTo(Certificate.Finiteness.NONE);
            assertThat(found.certificate().certified(1e-6)).isFalse();
        }
    }

    @Test
    void aWorseRuleIsRefutedByABetterPointAndItsGapCoversTheDifference() {
        for (int k = 0; k < 10; k++) {
            PredictionGame game = ConvexGame.of(new Random(28_000 + k), Loss.LOGISTIC, true);
            ConvexSearch.Found found = search(game);
            LinearRule worse = new LinearRule(
                    Arrays.stream(found.rule().w()).map(v -> 1.3 * v + 0.1).toArray(),
                    found.rule().q(),
                    found.rule().intercept() + 0.2);
            Certificate certificate = ConvexSearch.check(game, worse, ONE);
            double difference = certificate.objective() - found.certificate().objective();

            assertThat(certificate.proof()).isEqualTo(Certificate.Proof.REFUTED);
            assertThat(certificate.better()).isPresent();
            assertThat(Vectors.norm(certificate.better().get())).isCloseTo(1, within(1e-9));
            assertThat(certificate.gapBound())
                    .isBetween(difference, difference * (1 + 1e-6) + 1e-8 * certificate.objective());
        }
    }

    @Test
    void whereTheBallsMinimumLiesInsideTheGapIsProvenAndNothingIsCertified() {
        int inside = 0;
        for (int k = 0; inside < 3 && k < 400; k++) {
            Random random = new Random(29_000 + k);
            PredictionGame game = ConvexGame.of(random, Loss.huber(0.5), false);
            ConvexSearch.Found found = search(game);
            if (found.kind() == ConvexSearch.Kind.INSIDE) {
                inside++;
                assertThat(found.result().status()).isEqualTo(SphereResult.Status.LOCAL);
                assertThat(found.result().note()).contains("not active");
                assertThat(found.certificate().proof()).isEqualTo(Certificate.Proof.PROVEN);
                assertThat(found.certificate().gapBound()).isPositive();
                assertThat(found.certificate().certified(1e-9)).isFalse();
            }
        }
        assertThat(inside).isEqualTo(3);
    }

    @Test
    void whoeverListensMayStopIt() {
        PredictionGame game = ConvexBench.game(200, 4, false).withLoss(Loss.LOGISTIC);
        List<Double> told = new ArrayList<>();
        ConvexSearch.Found stopped = ConvexSearch.of(
                game,
                null,
                SolverOptions.DEFAULT,
                progress -> {
                    told.add(progress.objective());
                    return told.size() == 2 ? ProgressListener.Decision.STOP : ProgressListener.Decision.CONTINUE;
                },
                ONE);
        assertThat(told).hasSize(2);
        assertThat(told.get(1)).isLessThanOrEqualTo(told.get(0));
        assertThat(stopped.result().status()).isEqualTo(SphereResult.Status.STOPPED_BY_LISTENER);
        // whatever point it is, what is said of it holds
        double least = search(game).certificate().objective();
        assertThat(stopped.certificate().objective() - stopped.certificate().gapBound())
                .isLessThanOrEqualTo(least * (1 + 1e-12));

        ConvexSearch.Found limited =
                ConvexSearch.of(game, null, SolverOptions.DEFAULT.withMaxIterations(1), ProgressListener.NONE, ONE);
        assertThat(limited.result().status()).isEqualTo(SphereResult.Status.ITERATION_LIMIT);
    }

    @Test
    void gamesOfOtherKindsAreRefusedByName() {
        PredictionGame game = ConvexBench.game(20, 2, false).withLoss(Loss.LOGISTIC);
        refused(game.withWishNoise(0.1), "noise of the wishes");
        refused(game.withEffects(new double[] {1, 0}), "moves that really change the target");
        refused(game.withBounds(Response.Bounds.none(2, null)), "limits on moves");
        refused(game.withPopulation(Population.ofOneGamma(20, 1, 0.2)), "a truthful share");
        double[] gammas = IntStream.range(0, 20).mapToDouble(i -> 1 + i).toArray();
        refused(game.withPopulation(new Population(gammas, 0)), "a gamma for each row");
    }

    private static void refused(PredictionGame game, String why) {
        assertThatThrownBy(() -> search(game))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
        LinearRule any = new LinearRule(new double[2], new double[0], 0);
        assertThatThrownBy(() -> ConvexSearch.check(game, any, ONE)).hasMessageContaining(why);
    }
}
