package stackelberg.objective.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import stackelberg.LongRun;
import stackelberg.RealData;
import stackelberg.data.Column;
import stackelberg.data.Table;
import stackelberg.data.io.DataFile;
import stackelberg.estimate.Loss;
import stackelberg.estimate.Moments;
import stackelberg.game.PredictionGame;
import stackelberg.game.RandomGame;
import stackelberg.linalg.CsrMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.sphere.Reduction;

/** Hedged and balanced rules by squared loss: against local searches in (w, q) that know nothing of a program. */
class SquaredProgramTest {
    private static final Workers ONE = Workers.of(1);

    static Program program(PredictionGame game) {
        return Program.squared(
                Reduction.of(game, ONE),
                game.gamma(),
                game.totalWeight(),
                SolverOptions.DEFAULT,
                null,
                ProgressListener.NONE);
    }

    /** The part of {@code tries} natural games whose balanced rule is certified to 1e-9. */
    private static double certifiedOfNatural(long tries) {
        AtomicInteger sure = new AtomicInteger();
        assertThat(LongRun.failures(tries, 120, k -> {
                    PredictionGame game = ProgramGame.of(new Random(36_000_000 + k), Loss.SQUARED, true);
                    Program.Hedged found = program(game).balanced();
                    sure.addAndGet(found.gap() <= 1e-9 * found.losses().moved() ? 1 : 0);
                    return Optional.empty();
                }))
                .isEmpty();
        return sure.get() / (double) tries;
    }

    /** 2,000 in a long run. */
    @Test
    void nearlyAllBalancedRulesOfOrdinaryGamesAreCertified() {
        double part = certifiedOfNatural(LongRun.tries(100, 2_000));

        LongRun.print("certified balanced rules of natural games: " + part);
        assertThat(part).isGreaterThanOrEqualTo(0.995);
    }

    /** Wine, standardised, with wishes of people who look at today's score, and the gamma at which they close a share of the gap under it. */
    private static PredictionGame wine(ToDoubleFunction<double[]> quality, double share) {
        Table table = DataFile.read(RealData.file("wine.csv"), DataFile.Options.DEFAULT, ONE);
        double[] y = table.numeric("quality").values();
        int n = table.columns().size() - 1;
        double[][] x = new double[y.length][n];
        int j = 0;
        for (Column column : table.columns()) {
            if (!column.name().equals("quality")) {
                double[] values = table.numeric(column.name()).values();
                double mean = Arrays.stream(values).average().orElseThrow();
                double sd = Math.sqrt(Arrays.stream(values)
                        .map(v -> (v - mean) * (v - mean))
                        .average()
                        .orElseThrow());
                for (int i = 0; i < y.length; i++) {
                    x[i][j] = (values[i] - mean) / sd;
                }
                j++;
            }
        }
        PredictionGame honest =
                PredictionGame.of(DenseMatrix.of(x), y, y.clone(), 1).withIntercept();
        PlainProgram plain = new PlainProgram(honest);
        double[] rule = plain.bestHonest();
        double[] today = plain.scores(rule);
        double least = quality.applyAsDouble(today);
        double omega = Arrays.stream(rule, 0, n).map(w -> w * w).sum();
        double[] z = Arrays.stream(today).map(score -> Math.max(score, least)).toArray();
        return PredictionGame.of(DenseMatrix.of(x), y, z, omega * (1 - share) / share)
                .withIntercept();
    }

    private static double upperQuartile(double[] today) {
        double[] sorted = today.clone();
        Arrays.sort(sorted);
        double place = 0.75 * (sorted.length - 1);
        int below = (int) place;
        return sorted[below] + (place - below) * (sorted[below + 1] - sorted[below]);
    }

    @Test
    void onWineAHedgeOfFivePercentAgreesWithASearchOverShares() {
        Program.Hedged found = program(wine(today -> 6, 0.3)).hedged(0.05);

        assertThat(found.losses().moved()).isCloseTo(676.401244802, within(1e-8));
        assertThat(found.gap()).isLessThan(1e-9 * found.losses().moved());
        // a tenth of the 882 sphere problems of the search over shares
        assertThat(found.effort().problems()).isLessThanOrEqualTo(88);
        assertThat(found.losses().honest())
                .isCloseTo(found.losses().bound(), within(1e-10 * found.losses().bound()));
    }

    @Test
    void onWineTheBalancedRuleIsOneToThreePercentWorseThanTheBestRules() {
        Program.Hedged low =
                program(wine(SquaredProgramTest::upperQuartile, 0.3)).balanced();
        Program.Hedged high =
                program(wine(SquaredProgramTest::upperQuartile, 0.6)).balanced();

        assertThat(low.regret()).isCloseTo(0.01193, within(5e-6));
        assertThat(high.regret()).isCloseTo(0.02676, within(5e-6));
        assertThat(low.regretBound()).isCloseTo(low.regret(), within(1e-9));
        assertThat(high.regretBound()).isCloseTo(high.regret(), within(1e-9));
        LongRun.print("sphere problems " + low.effort() + high.effort());
    }

    private static Program krylov(PredictionGame game) {
        Reduction reduction = Reduction.of(game, ONE);
        var never = new SquaredProgram.Sizes(0, 0);
        return new SquaredProgram(
                reduction, game.gamma(), game.totalWeight(), SolverOptions.DEFAULT, null, never, ProgressListener.NONE);
    }

    @Test
    void aKrylovSpaceGivesTheResultsOfADecomposition() {
        int known = 0;
        int sure = 0;
        for (int k = 0; k < 60; k++) {
            PredictionGame game = ProgramGame.of(new Random(41_000 + k), Loss.SQUARED, k % 2 == 0);
            Program.Hedged whole =
                    k % 3 == 0 ? program(game).balanced() : program(game).hedged(0.04);
            Program.Hedged found =
                    k % 3 == 0 ? krylov(game).balanced() : krylov(game).hedged(0.04);
            double scale = whole.losses().moved();
            boolean isSure = found.gap() <= 1e-9 * scale;
            // where moves change the target the curvature for tau > 1 is not known
            known += game.effects().isEmpty() ? 1 : 0;
            sure += isSure && game.effects().isEmpty() ? 1 : 0;

            assertThat(found.losses().lower()).as("game " + k).isLessThanOrEqualTo(scale * (1 + 1e-10));
            if (whole.gap() <= 1e-9 * scale) {
                // where the best rules jump over the bound, only a decomposition is searched for those between
                assertThat(found.losses().moved())
                        .as("game " + k)
                        .isBetween(scale * (1 - 1e-8), scale * (1 + (isSure ? 1e-8 : 1e-3)));
                assertThat(found.reference().honest())
                        .as("game " + k)
                        .isCloseTo(
                                whole.reference().honest(),
                                within(1e-9 * whole.reference().honest()));
            }
        }
        assertThat(sure).isGreaterThan((int) (0.9 * known));
    }

    @Test
    void aLooseBoundChangesNothingAndATightOneGivesTheBestRuleBeforeMoves() {
        for (int k = 0; k < 20; k++) {
            PredictionGame game = ProgramGame.of(new Random(42_000 + k), Loss.SQUARED, true);
            Program program = program(game);
            Program.Hedged loose = program.hedged(1e6);
            Program.Hedged tight = program.within(loose.reference().honest());

            assertThat(loose.point().share()).isZero();
            assertThat(loose.losses().moved()).isEqualTo(loose.reference().moved());
            // with a ridge other rules lose less if nobody moves than the best penalised one
            double least = game.ridge() > 0 ? 0 : loose.reference().honest() * (1 - 1e-9);
            assertThat(tight.losses().honest())
                    .isBetween(least, loose.reference().honest() * (1 + 1e-9));
            assertThat(tight.losses().lower())
                    .isLessThanOrEqualTo(tight.losses().moved() * (1 + 1e-10));
        }
    }

    /** 200 points near the answer, any weight of the hedge: what is claimed of them holds for the best rule that searches found. */
    @Test
    void lowerBoundsFromAnyPointAreBelowTheBestLoss() {
        Random random = new Random(43_000);
        for (int k = 0; k < 20; k++) {
            PredictionGame game = ProgramGame.of(random, Loss.SQUARED, k % 2 == 0);
            Program program = program(game);
            Program.Hedged found = program.hedged(0.03);
            Program.Losses again = program.check(found.point(), found.losses().bound());
            double scale = found.losses().moved();

            assertThat(again.moved()).isCloseTo(scale, within(1e-11 * scale));
            assertThat(again.honest()).isCloseTo(found.losses().honest(), within(1e-11 * again.honest()));
            assertThat(again.lower()).isLessThanOrEqualTo(scale * (1 + 1e-10));
            for (int trial = 0; trial < 10; trial++) {
                double[] r = found.point().r().clone();
                double far = Math.pow(10, -8 * random.nextDouble());
                double square = 0;
                for (int j = 0; j < r.length; j++) {
                    r[j] += far * random.nextGaussian();
                    square += r[j] * r[j];
                }
                for (int j = 0; j < r.length; j++) {
                    r[j] /= Math.sqrt(square);
                }
                var point = new Program.Point(
                        r, Math.min(0.999, found.point().share() * Math.exp(far * random.nextGaussian())));
                assertThat(program.check(point, found.losses().bound()).lower())
                        .as("game " + k + ", distance " + far)
                        .isLessThanOrEqualTo(scale * (1 + 1e-10));
            }
        }
    }

    /** Fewer rows than columns: the best rule if nobody moves loses nothing, and excesses are differences of root mean squares. */
    @Test
    void ifTheBestLossIsZeroExcessesAreDifferences() {
        Random random = new Random(44_000);
        for (int k = 0; k < 10; k++) {
            int m = 12;
            double[][] x = new double[m][];
            Arrays.setAll(x, i -> RandomGame.normal(random, 20));
            double[] y = RandomGame.normal(random, m);
            double[] z = Arrays.stream(y).map(v -> Math.max(v, 0.5)).toArray();
            PredictionGame game =
                    PredictionGame.of(DenseMatrix.of(x), y, z, 0.05).withIntercept();
            Program.Hedged found = program(game).balanced();

            assertThat(found.reference().units().kind()).isEqualTo(Program.Excess.Kind.ROOT);
            double honest = Math.sqrt(found.losses().honest() / m)
                    - Math.sqrt(found.reference().honest() / m);
            double moved = Math.sqrt(found.losses().moved() / m)
                    - Math.sqrt(found.reference().moved() / m);
            assertThat(found.regret()).isCloseTo(Math.max(honest, moved), within(1e-12));
            assertThat(found.regretBound()).isGreaterThanOrEqualTo(found.regret());
        }
    }

    /** A wish that nobody can tell from a shift of the target: no finite rule is best after the move, and the balanced one is finite all the same. */
    @Test
    void theBalancedRuleIsFiniteEvenIfTheBestAfterTheMoveIsNot() {
        Random random = new Random(45_000);
        double[][] x = new double[40][];
        double[] y = new double[40];
        Arrays.setAll(x, i -> RandomGame.normal(random, 3));
        Arrays.setAll(y, i -> x[i][0] - x[i][1] + random.nextGaussian());
        double[] z = Arrays.stream(y).map(v -> v + 2).toArray();
        PredictionGame game = PredictionGame.of(DenseMatrix.of(x), y, z, 3).withIntercept();
        Program.Hedged found = program(game).balanced();

        assertThat(found.reference().moved()).isLessThan(1e-9);
        assertThat(Arrays.stream(found.rule().w()).allMatch(Double::isFinite)).isTrue();
        assertThat(found.regretBound()).isFinite();
    }

    /** More than 512 on the smaller side: the answer is found in a Krylov space, which does not know the smallest eigenvalue. */
    @Test
    void theRegretOfABalancedRuleIsProvenInAKrylovSpaceToo() {
        for (Matrix x : List.of(dense(3_000, 700), sparse(4_000, 900, 20))) {
            Random random = new Random(47_000);
            double[] truth = RandomGame.normal(random, x.cols());
            DenseMatrix scores = DenseMatrix.zeros(x.rows(), 1);
            x.times(DenseMatrix.column(truth), scores, ONE);
            double[] today = scores.column(0);
            double[] y = Arrays.stream(today)
                    .map(score -> score + 20 * random.nextGaussian())
                    .toArray();
            double[] z = Arrays.stream(today).map(score -> Math.max(score, 10)).toArray();
            double omega = Arrays.stream(truth).map(w -> w * w).sum();
            PredictionGame game = PredictionGame.of(x, y, z, omega).withIntercept();
            Program.Hedged found = program(game).balanced();

            assertThat(found.effort().passes()).isLessThan(70);
            assertThat(found.gap()).isLessThan(1e-9 * found.losses().moved());
            assertThat(found.regret()).isGreaterThan(1e-4);
            assertThat(found.regretBound()).isBetween(found.regret(), found.regret() + 1e-6);
        }
    }

    private static Matrix dense(int m, int n) {
        Random random = new Random(m);
        double[][] x = new double[m][];
        Arrays.setAll(x, i -> RandomGame.normal(random, n));
        return DenseMatrix.of(x);
    }

    private static Matrix sparse(int m, int n, int each) {
        Random random = new Random(m);
        int[] starts = new int[m + 1];
        Arrays.setAll(starts, i -> i * each);
        int[] columns = new int[m * each];
        for (int i = 0; i < m; i++) {
            int[] some = random.ints(0, n).distinct().limit(each).sorted().toArray();
            System.arraycopy(some, 0, columns, i * each, each);
        }
        return CsrMatrix.over(m, n, starts, columns, RandomGame.normal(random, columns.length));
    }

    @Test
    void sumsOverRowsSuffice() {
        for (int k = 0; k < 20; k++) {
            PredictionGame game = ProgramGame.of(new Random(46_000 + k), Loss.SQUARED, true);
            Program.Hedged rows = program(game).hedged(0.05);
            Program.Hedged sums = Program.squared(
                            ofSums(game),
                            game.gamma(),
                            game.totalWeight(),
                            SolverOptions.DEFAULT,
                            null,
                            ProgressListener.NONE)
                    .hedged(0.05);
            double scale = rows.losses().moved();

            assertThat(sums.losses().moved()).as("game " + k).isCloseTo(scale, within(1e-7 * scale));
            assertThat(sums.losses().lower()).as("game " + k).isLessThanOrEqualTo(scale * (1 + 1e-9));
        }
    }

    /** The Gram matrix of [V, X, y, z - y]. */
    private static Reduction ofSums(PredictionGame game) {
        double[][] fixed = game.immutable();
        int first = fixed.length + (game.hasIntercept() ? 1 : 0);
        int n = game.x().cols();
        double[][] x = RandomGame.rows(game);
        double[][] sums = new double[first + n + 2][first + n + 2];
        for (int i = 0; i < x.length; i++) {
            double[] row = new double[first + n + 2];
            int at = 0;
            if (game.hasIntercept()) {
                row[at++] = 1;
            }
            for (double[] column : fixed) {
                row[at++] = column[i];
            }
            System.arraycopy(x[i], 0, row, first, n);
            row[first + n] = game.y(i);
            row[first + n + 1] = game.z(i) - game.y(i);
            for (int a = 0; a < row.length; a++) {
                for (int b = 0; b < row.length; b++) {
                    sums[a][b] += game.weight(i) * row[a] * row[b];
                }
            }
        }
        return Reduction.ofSums(
                new Moments(DenseMatrix.of(sums), x.length, game.totalWeight()),
                game.costs(),
                game.wishNoiseVariance(),
                game.ridge(),
                game.effects().orElse(null),
                game.hasIntercept(),
                ONE);
    }
}
