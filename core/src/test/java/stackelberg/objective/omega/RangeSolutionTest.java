package stackelberg.objective.omega;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static stackelberg.solver.Equilibrium.ONE;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.LongRun;
import stackelberg.certificate.Certificate;
import stackelberg.game.LinearRule;
import stackelberg.game.NelderMead;
import stackelberg.game.PredictionGame;
import stackelberg.game.RandomGame;
import stackelberg.game.Response;
import stackelberg.linalg.Vectors;
import stackelberg.objective.Pipeline;
import stackelberg.objective.Solution;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.sphere.Reduction;

/** The best rule for an interval of gammas: against a grid and local searches over all rules of small games, and against what is known where the interval is a point. */
class RangeSolutionTest {
    private static final double TOLERANCE = SolverOptions.DEFAULT.tolerance();

    /** Points of a grid, and how many of the best are searched around. */
    private static final int POINTS = 10_000;

    private static final int AROUND = 3;

    private static RangeSolution.Problem problem(PredictionGame game, double low, double high, boolean regret) {
        Reduction ordinary = Reduction.of(game, ONE);
        DirectSolver direct = DirectSolver.remembering(ONE);
        List<Solution> ends = new Pipeline(direct, SolverOptions.DEFAULT)
                .run(ordinary, low, high)
                .solutions();
        return new RangeSolution.Problem(game, ordinary, end(ends.get(0)), end(ends.get(1)), regret, direct);
    }

    private static RangeSolution.End end(Solution solution) {
        return new RangeSolution.End(solution.gamma(), solution.rule(), solution.certificate());
    }

    private static RangeSolution solve(RangeSolution.Problem problem) {
        return RangeSolution.of(problem, SolverOptions.DEFAULT, ProgressListener.NONE);
    }

    /** A small game, half of them with costs, immutable columns, an intercept, weights and noise, a third with a ridge. */
    private static PredictionGame game(Random random) {
        int m = 6 + random.nextInt(10);
        int n = 1 + random.nextInt(4);
        PredictionGame game = random.nextBoolean()
                ? RandomGame.plain(random, m, n, 1)
                : RandomGame.general(random, m, n, random.nextInt(3), 1);
        return random.nextInt(3) == 0 ? game.withRidge(m * Math.pow(10, -3 + 3 * random.nextDouble())) : game;
    }

    private static RangeSolution.Problem problem(Random random, boolean regret) {
        PredictionGame game = game(random);
        double low = Math.pow(10, -2 + 3 * random.nextDouble());
        return problem(game, low, low * Math.pow(10, 2 * random.nextDouble()), regret);
    }

    private static double lost(PredictionGame game, LinearRule rule, double gamma) {
        PredictionGame there = game.withGamma(gamma);
        return there.leaderLoss(rule, ONE) + there.penalty(rule);
    }

    /** What is minimised, by moving everybody at both gammas. */
    private static ToDoubleFunction<LinearRule> worst(RangeSolution.Problem problem) {
        double low = problem.regret() ? problem.low().certificate().objective() : 0;
        double high = problem.regret() ? problem.high().certificate().objective() : 0;
        return rule -> Math.max(
                lost(problem.game(), rule, problem.low().gamma()) - low,
                lost(problem.game(), rule, problem.high().gamma()) - high);
    }

    /** The least of a grid of rules of all sizes and directions, each with the immutable part of some mixture, and of local searches around the best of them. */
    private static double leastOfAGrid(RangeSolution.Problem problem, Random random) {
        PredictionGame game = problem.game();
        ToDoubleFunction<LinearRule> worst = worst(problem);
        MixedReduction rows = MixedReduction.of(game.withGamma(1), ONE);
        int n = game.x().cols();
        record Tried(LinearRule rule, double value) {}
        List<Tried> best = new ArrayList<>();
        double middle = Math.sqrt(problem.low().gamma() * problem.high().gamma());
        for (int k = 0; k < POINTS; k++) {
            double omega = middle * Math.pow(10, -4 + 8 * random.nextDouble());
            double[] w = RandomGame.unit(random, n);
            Vectors.scale(Math.sqrt(omega), w);
            double part = random.nextDouble();
            double s = omega / problem.high().gamma() * (1 - part)
                    + part * omega / problem.low().gamma();
            LinearRule rule = rows.recover(w, s);
            best.add(new Tried(rule, worst.applyAsDouble(rule)));
            if (best.size() > 200) {
                best.sort(Comparator.comparingDouble(Tried::value));
                best.subList(AROUND, best.size()).clear();
            }
        }
        best.sort(Comparator.comparingDouble(Tried::value));
        double least = Double.POSITIVE_INFINITY;
        for (Tried start : best.subList(0, AROUND)) {
            int q = start.rule.q().length;
            boolean intercept = game.hasIntercept();
            double[] x = Arrays.copyOf(start.rule.w(), n + q + (intercept ? 1 : 0));
            System.arraycopy(start.rule.q(), 0, x, n, q);
            if (intercept) {
                x[n + q] = start.rule.intercept();
            }
            ToDoubleFunction<double[]> f = v -> worst.applyAsDouble(
                    new LinearRule(Arrays.copyOf(v, n), Arrays.copyOfRange(v, n, n + q), intercept ? v[n + q] : 0));
            double[] found = NelderMead.minimise(f, x, 0.1 * (1 + Vectors.norm(x)));
            least = Math.min(least, f.applyAsDouble(found));
        }
        return least;
    }

    /** 1,000 games in a long run, -Dstackelberg.long=1000. */
    @Test
    void noRuleOfAGridOrALocalSearchIsBetterAtItsWorstGammaAndNearlyAllGapsAreProven() {
        long tries = LongRun.tries(8, 25);
        AtomicInteger proven = new AtomicInteger();
        Collection<String> failures = LongRun.failures(tries, 600, k -> {
            Random random = new Random(9_000 + k);
            RangeSolution.Problem problem = problem(random, false);
            RangeSolution found = solve(problem);
            Certificate certificate = found.certificate();
            double objective = worst(problem).applyAsDouble(found.chosen().rule());
            if (certificate.relativeGap() <= 1e-6) {
                proven.incrementAndGet();
            }
            double least = leastOfAGrid(problem, random);
            String what = "gap " + certificate.gapBound() + ", objective " + objective + ", of a grid " + least;
            if (Math.abs(objective - certificate.objective()) > 1e-12 * objective) {
                return Optional.of("another objective: " + what);
            }
            if (least < objective - certificate.gapBound() - 1e-12 * objective) {
                return Optional.of("the gap is not honest: " + what);
            }
            return least < objective * (1 - 1e-9) ? Optional.of("a better rule: " + what) : Optional.empty();
        });
        assertThat(failures).isEmpty();
        LongRun.print(proven + " of " + tries + " games proven to 1e-6");
        assertThat(proven.get()).isGreaterThanOrEqualTo((int) Math.ceil(0.95 * tries));
    }

    @Test
    void noRuleOfAGridHasASmallerRegretThanTheGapAllows() {
        Collection<String> failures = LongRun.failures(Math.min(100, LongRun.tries(3, 10)), 600, k -> {
            Random random = new Random(7_000 + k);
            RangeSolution.Problem problem = problem(random, true);
            RangeSolution found = solve(problem);
            double met = worst(problem).applyAsDouble(found.chosen().rule());
            double least = leastOfAGrid(problem, random);
            double size = found.certificate().objective();
            String what = found.certificate() + " " + found.regret() + " at the ends " + met + ", of a grid " + least;
            if (least < found.regret().most() - found.certificate().gapBound() - 1e-9 * size) {
                return Optional.of("the gap is not honest: " + what);
            }
            return least < met - 1e-9 * size ? Optional.of("a better rule at the ends: " + what) : Optional.empty();
        });
        assertThat(failures).isEmpty();
    }

    @Test
    void noGammaOfTheIntervalHasALargerRegretThanTheBound() {
        for (int k = 0; k < 20; k++) {
            RangeSolution.Problem problem = problem(new Random(500 + k), true);
            RangeSolution found = solve(problem);
            double low = problem.low().gamma();
            double high = problem.high().gamma();
            double largest = 0;
            for (int j = 0; j <= 40; j++) {
                double gamma = low * Math.pow(high / low, j / 40.0);
                double best = new Pipeline(problem.direct(), SolverOptions.DEFAULT)
                        .run(problem.ordinary(), gamma)
                        .solutions()
                        .get(0)
                        .certificate()
                        .objective();
                largest = Math.max(largest, lost(problem.game(), found.chosen().rule(), gamma) - best);
            }
            double slack = 1e-8 * found.certificate().objective();
            assertThat(largest)
                    .as("game " + k)
                    .isLessThanOrEqualTo(found.regret().most() + slack);
            assertThat(found.regret().most())
                    .as("game " + k)
                    .isLessThanOrEqualTo(
                            found.regret().met() + 1e-4 * found.certificate().objective());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anIntervalThatIsAPointIsTheFit(boolean regret) {
        for (int k = 0; k < 50; k++) {
            Random random = new Random(300 + k);
            PredictionGame game = game(random);
            double gamma = Math.pow(10, -2 + 3 * random.nextDouble());
            RangeSolution.Problem problem = problem(game, gamma, gamma, regret);
            RangeSolution found = solve(problem);
            double objective = problem.low().certificate().objective();
            assertThat(found.certificate().objective()).isCloseTo(objective, within(1e-10 * objective));
            assertThat(found.chosen().rule().w())
                    .containsExactly(problem.low().rule().w(), within(1e-10));
            assertThat(found.certificate().proof()).isEqualTo(Certificate.Proof.PROVEN);
        }
    }

    /** The search itself, which the fit is not asked for. */
    @Test
    void theSearchOverAPointFindsWhatTheFitFinds() {
        for (int k = 0; k < 50; k++) {
            Random random = new Random(300 + k);
            PredictionGame game = game(random);
            double gamma = Math.pow(10, -2 + 3 * random.nextDouble());
            RangeSolution.Problem problem = problem(game, gamma, gamma, false);
            Condensed few = condensed(problem);
            double scale = problem.ordinary().family().zeroRuleLoss();
            RangeSearch.Result found = new RangeSearch(
                            few.few(),
                            new RangeSearch.Ends(gamma, gamma, 0, 0, game.ridge()),
                            scale,
                            SolverOptions.DEFAULT,
                            ProgressListener.NONE)
                    .run();
            double objective = problem.low().certificate().objective();
            assertThat(found.best().point().worst()).as("game " + k).isCloseTo(objective, within(1e-10 * objective));
            assertThat(found.lowerBound()).as("game " + k).isCloseTo(objective, within(1e-9 * objective));
            assertThat(found.lowerBound()).isLessThanOrEqualTo(objective * (1 + 1e-12));
        }
    }

    private static Condensed condensed(RangeSolution.Problem problem) {
        PredictionGame game = problem.game().withGamma(problem.low().gamma());
        return Condensed.of(
                game,
                MixedReduction.of(game, ONE),
                problem.ordinary(),
                problem.direct().decomposition(problem.ordinary().family()),
                ONE);
    }

    @Test
    void theWorstGammaOfARuleIsAnEnd() {
        for (int k = 0; k < 20; k++) {
            RangeSolution.Problem problem = problem(new Random(100 + k), false);
            RangeSolution found = solve(problem);
            double low = problem.low().gamma();
            double high = problem.high().gamma();
            for (int j = 0; j <= 30; j++) {
                double gamma = low * Math.pow(high / low, j / 30.0);
                assertThat(lost(problem.game(), found.chosen().rule(), gamma))
                        .isLessThanOrEqualTo(found.certificate().objective() * (1 + 1e-12));
            }
        }
    }

    @Test
    void aRuleThatIsReadAgainHasTheCertificateThatItHad() {
        for (int k = 0; k < 20; k++) {
            RangeSolution.Problem problem = problem(new Random(800 + k), k % 2 == 1);
            RangeSolution found = solve(problem);
            double[] w = found.chosen().rule().w();
            double[] costs = problem.game().costs();
            for (int j = 0; j < w.length; j++) {
                w[j] /= Math.sqrt(costs[j]);
            }
            RangeSolution again = RangeSolution.again(problem, w, found.chosen().weight(), TOLERANCE);
            double objective = found.certificate().objective();
            assertThat(again.certificate().objective()).isCloseTo(objective, within(1e-11 * objective));
            assertThat(again.certificate().proof())
                    .isEqualTo(found.certificate().proof());
            // a worse rule is not proven
            Vectors.scale(1.05, w);
            RangeSolution worse = RangeSolution.again(problem, w, found.chosen().weight(), TOLERANCE);
            assertThat(worse.certificate().certified(TOLERANCE)).as("game " + k).isFalse();
            assertThat(worst(problem).applyAsDouble(worse.chosen().rule())
                            - worse.certificate().gapBound())
                    .isLessThanOrEqualTo(
                            worst(problem).applyAsDouble(found.chosen().rule()) + 1e-9 * objective);
        }
    }

    /** In nine of a thousand games the best rule at an omega jumps from one side of the smallest eigenvalue to the other as theta grows. */
    @Test
    @Tag("slow")
    void whereTheBestRuleJumpsTheOneBeyondTheJumpIsFound() {
        for (int seed : new int[] {225, 242, 259, 355, 401, 424, 784, 884, 994}) {
            Random random = new Random(seed);
            int m = 3 + random.nextInt(10);
            int n = 1 + random.nextInt(4);
            PredictionGame game = random.nextBoolean()
                    ? RandomGame.plain(random, m, n, 1)
                    : RandomGame.general(random, m, n, random.nextInt(3), 1);
            game = random.nextInt(3) == 0 ? game.withRidge(m * Math.pow(10, -3 + 3 * random.nextDouble())) : game;
            double low = Math.pow(10, -2 + 3 * random.nextDouble());
            RangeSolution.Problem problem = problem(game, low, low * Math.pow(10, 2 * random.nextDouble()), false);
            RangeSolution found = solve(problem);
            double objective = found.certificate().objective();
            assertThat(leastOfAGrid(problem, random)).as("game " + seed).isGreaterThan(objective * (1 - 1e-9));
        }
    }

    /** Of a bound over an interval of omega: it is no larger than any value in it, and where the interval is a point it is the value. */
    @Test
    void noValueOfAMixtureIsBelowItsBound() {
        Random random = new Random(4);
        for (int k = 0; k < 500; k++) {
            double low = Math.pow(10, -3 + 6 * random.nextDouble());
            double high = low * Math.pow(10, 3 * random.nextDouble());
            var mixture = new RangeBound.Mixture(
                    low,
                    high,
                    random.nextDouble(),
                    random.nextBoolean() ? 0 : random.nextDouble(),
                    random.nextGaussian());
            var face = new RangeBound.Face(
                    random.nextDouble(),
                    random.nextGaussian(),
                    random.nextGaussian(),
                    random.nextGaussian(),
                    random.nextGaussian(),
                    random.nextDouble(),
                    1 + random.nextDouble());
            double from = low * Math.pow(10, -3 + 6 * random.nextDouble());
            double to = from * Math.pow(10, random.nextDouble());
            double bound = RangeBound.least(mixture, face, from, to);
            double least = Double.POSITIVE_INFINITY;
            for (int j = 0; j <= 100; j++) {
                least = Math.min(least, value(mixture, face, from * Math.pow(to / from, j / 100.0)));
            }
            double here = value(mixture, face, from);
            double size = 1e-9 * (1 + Math.abs(here) + Math.abs(face.a2() * to));
            assertThat(bound).isLessThanOrEqualTo(least + size);
            assertThat(RangeBound.least(mixture, face, from, from)).isCloseTo(here, within(size));
        }
    }

    private static double value(RangeBound.Mixture mixture, RangeBound.Face face, double omega) {
        double a = 0;
        double b = 0;
        double c = 0;
        double ridge = 0;
        for (double gamma : new double[] {mixture.low(), mixture.high()}) {
            double theta = gamma == mixture.low() ? mixture.theta() : 1 - mixture.theta();
            double rest = Response.remainder(omega, gamma);
            double t = Response.pullThrough(omega, gamma);
            a += theta * rest * rest;
            b += theta * rest * t;
            c += theta * t * t;
            ridge += theta * omega * rest;
        }
        double root = Math.sqrt(omega);
        return a * (face.a0() + face.a1() * root + face.a2() * omega)
                + b * (face.b0() + face.b1() * root)
                - b * b / a * face.c()
                + c * face.d()
                + mixture.ridge() * ridge
                - mixture.less();
    }
}
