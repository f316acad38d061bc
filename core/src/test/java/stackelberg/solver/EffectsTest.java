package stackelberg.solver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.LongRun;
import stackelberg.certificate.Certificate;
import stackelberg.game.LinearRule;
import stackelberg.game.NelderMead;
import stackelberg.game.PredictionGame;
import stackelberg.game.Response;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.objective.Pipeline;
import stackelberg.objective.Solution;
import stackelberg.solver.auto.Solvers;
import stackelberg.solver.krylov.KrylovSolver;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereFamily;
import stackelberg.sphere.SphereGeometry;

/** Moves that really change the target: the game stays one sphere problem, whose answer is judged by moving people one by one. */
class EffectsTest {
    private static final Workers ONE = Workers.of(1);

    /** A small game of any kind with effects of any size and sign, and often a ridge. */
    private static PredictionGame game(Random random) {
        PredictionGame game = RandomGame.of(random).withGamma(Math.pow(10, -3 + 6 * random.nextDouble()));
        int n = game.x().cols();
        double size = Math.pow(10, -3 + 6 * random.nextDouble());
        double[] effects = RandomGame.normal(random, n, size);
        if (random.nextBoolean()) {
            effects = Arrays.stream(effects)
                    .map(value -> random.nextBoolean() ? value : 0)
                    .toArray();
        }
        game = game.withEffects(effects);
        double weight = Arrays.stream(game.weights()).sum();
        return random.nextInt(3) == 0 ? game.withRidge(weight * Math.pow(10, -3 + 4 * random.nextDouble())) : game;
    }

    private static Solution solve(PredictionGame game, String solver) {
        return new Pipeline(Solvers.named(solver, ONE), SolverOptions.DEFAULT)
                .run(Reduction.of(game, ONE), game.gamma())
                .solutions()
                .get(0);
    }

    /** Many more digits than those of any loss. */
    private static final MathContext EXACTLY = new MathContext(60);

    private static BigDecimal exactly(double value) {
        return new BigDecimal(value);
    }

    private static BigDecimal over(BigDecimal a, BigDecimal b) {
        return a.divide(b, EXACTLY);
    }

    /**
     * The leader's loss after all followers have moved, row by row, with the effects on the target and the ridge: half of the rows wish for a standard deviation more
     * than is known, half for one less. In as many digits as it takes, so that what it differs by is the rounding of f.
     */
    private static double simulated(PredictionGame game, LinearRule rule) {
        double[] effects = game.effects().orElse(new double[game.x().cols()]);
        double[] costs = game.costs();
        double[] weights = game.weights();
        double[] noise = game.wishNoise();
        double[] y = game.y();
        double[] z = game.z();
        double[] q = rule.q();
        double[][] immutable = game.immutable();
        double[][] x = stackelberg.game.RandomGame.rows(game);
        BigDecimal[] w = Arrays.stream(rule.w()).mapToObj(EffectsTest::exactly).toArray(BigDecimal[]::new);
        BigDecimal[] perStep = new BigDecimal[w.length];
        BigDecimal resistance = exactly(game.gamma());
        for (int j = 0; j < w.length; j++) {
            perStep[j] = over(w[j], exactly(costs[j]));
            resistance = resistance.add(w[j].multiply(perStep[j]), EXACTLY);
        }
        BigDecimal loss = penalty(game, rule);
        for (int i = 0; i < y.length; i++) {
            BigDecimal prediction = exactly(rule.intercept());
            for (int j = 0; j < q.length; j++) {
                prediction = prediction.add(exactly(q[j]).multiply(exactly(immutable[j][i])));
            }
            for (int j = 0; j < w.length; j++) {
                prediction = prediction.add(w[j].multiply(exactly(x[i][j])));
            }
            for (double side : noise[i] == 0 ? new double[] {0} : new double[] {-1, 1}) {
                BigDecimal wish = exactly(z[i]).add(exactly(side * noise[i]));
                BigDecimal step = over(wish.subtract(prediction), resistance);
                BigDecimal residual = prediction.subtract(exactly(y[i]));
                for (int j = 0; j < w.length; j++) {
                    BigDecimal move = step.multiply(perStep[j], EXACTLY);
                    residual = residual.add(w[j].subtract(exactly(effects[j])).multiply(move), EXACTLY);
                }
                BigDecimal counts = exactly(side == 0 ? weights[i] : weights[i] / 2);
                loss = loss.add(counts.multiply(residual).multiply(residual), EXACTLY);
            }
        }
        return loss.doubleValue();
    }

    /** mu (||u||^2 + gamma tau^2) from the definition. */
    private static BigDecimal penalty(PredictionGame game, LinearRule rule) {
        double[] effects = game.effects().orElse(new double[game.x().cols()]);
        double[] costs = game.costs();
        double[] w = rule.w();
        BigDecimal omega = BigDecimal.ZERO;
        BigDecimal earned = BigDecimal.ZERO;
        for (int j = 0; j < w.length; j++) {
            BigDecimal perStep = over(exactly(w[j]), exactly(costs[j]));
            omega = omega.add(exactly(w[j]).multiply(perStep));
            earned = earned.add(exactly(effects[j]).multiply(perStep));
        }
        BigDecimal gamma = exactly(game.gamma());
        BigDecimal tau = over(omega.subtract(earned), gamma.add(omega));
        BigDecimal kept = over(gamma.add(earned), gamma.add(omega));
        return exactly(game.ridge())
                .multiply(
                        kept.multiply(kept)
                                .multiply(omega)
                                .add(gamma.multiply(tau).multiply(tau)),
                        EXACTLY);
    }

    /** sum_k |q_k| ||v_k||, the intercept included. */
    private static double immutablePart(PredictionGame game, LinearRule rule) {
        double[] weights = game.weights();
        double[] q = rule.q();
        double[][] columns = game.immutable();
        double sum = game.hasIntercept()
                ? Math.abs(rule.intercept())
                        * Math.sqrt(java.util.Arrays.stream(weights).sum())
                : 0;
        for (int k = 0; k < q.length; k++) {
            double square = 0;
            for (int i = 0; i < weights.length; i++) {
                square += weights[i] * columns[k][i] * columns[k][i];
            }
            sum += Math.abs(q[k]) * Math.sqrt(square);
        }
        return sum;
    }

    /** sum_i s_i y_i^2. */
    private static double squares(PredictionGame game) {
        double[] y = game.y();
        double[] weights = game.weights();
        return IntStream.range(0, y.length)
                .mapToDouble(i -> weights[i] * y[i] * y[i])
                .sum();
    }

    /** Whether the immutable columns leave nothing of the target and the wishes, which is refused. */
    private static boolean isNothing(PredictionGame game) {
        try {
            return Reduction.of(game, ONE) == null;
        } catch (IllegalArgumentException refused) {
            assertThat(refused).hasMessageContaining("The sum of squares of the target and the wish is 0.0");
            return true;
        }
    }

    @Test
    void theLossAfterMovesWithEffectsIsTheObjectiveOfThePoint() {
        List<String> solvers = List.of("auto", "direct", "krylov");
        assertThat(LongRun.failures(LongRun.tries(400), 120, k -> {
                    Random random = new Random(19_000 + k);
                    PredictionGame game = game(random);
                    if (isNothing(game)) {
                        return Optional.empty();
                    }
                    Solution found = solve(game, solvers.get((int) (k % 3)));
                    if (!found.certificate().finite()) {
                        return Optional.empty();
                    }
                    double f = found.certificate().objective();
                    SphereFamily family = Reduction.of(game, ONE).family();
                    double p0 = family.zeroRuleLoss();
                    double loss = simulated(game, found.rule());
                    // every residual is the rest of parts as large as y, P(y - z/2 - X beta/2) and V q, known to eps of
                    // them
                    double parts = 0x1p-50
                            * Math.max(
                                    Math.sqrt(Math.max(squares(game), family.p())), immutablePart(game, found.rule()));
                    double rounding = parts * (2 * Math.sqrt(f) + parts);
                    double allowed = 1e-11 * Math.max(f, 1e-9 * p0) + rounding;
                    if (!(Math.abs(loss - f) <= allowed)) {
                        return Optional.of("f " + f + ", lost " + loss + ", off " + (loss - f) / f + ", rounding "
                                + rounding / f + ", p0 " + p0 + ", " + found.certificate());
                    }
                    double own = game.leaderLoss(found.rule(), ONE) + game.penalty(found.rule());
                    return Math.abs(own - loss) <= allowed
                            ? Optional.empty()
                            : Optional.of("the game says " + own + ", people " + loss);
                }))
                .isEmpty();
    }

    /** Also where effects are a thousand times what the rule could be, and rounding hides most digits. */
    @Test
    void noSolutionIsRefutedAndMostAreCertified() {
        int certified = 0;
        for (int k = 0; k < 200; k++) {
            PredictionGame game = game(new Random(19_000 + k));
            Certificate proof = solve(game, "auto").certificate();
            assertThat(proof.proof()).as("game " + k + ": " + proof).isNotEqualTo(Certificate.Proof.REFUTED);
            certified += proof.certified(1e-9) ? 1 : 0;
        }
        assertThat(certified).isGreaterThan(155);
    }

    /** Costs, immutable columns, an intercept, weights and noise at once, with effects of the size of the rules or larger. */
    private static PredictionGame general(Random random, int n) {
        int immutables = random.nextInt(3);
        int m = n + immutables + 2 + random.nextInt(5);
        double gamma = Math.pow(10, -1.5 + 3 * random.nextDouble());
        PredictionGame game = stackelberg.game.RandomGame.general(random, m, n, immutables, gamma)
                .withEffects(RandomGame.normal(random, n, Math.pow(10, -1 + 2 * random.nextDouble())));
        return random.nextInt(3) == 0 ? game.withRidge(m * Math.pow(10, -2 + 2 * random.nextDouble())) : game;
    }

    @Test
    void noLocalSearchBeatsTheSolution() {
        Random random = new Random(19_100);
        int reached = 0;
        int trials = LongRun.wanted() ? 100 : (int) LongRun.tries(3, 8);
        for (int trial = 0; trial < trials; trial++) {
            int n = 1 + random.nextInt(3);
            PredictionGame game = general(random, n);
            Solution found = solve(game, "auto");
            double f = found.certificate().objective();
            String what = "trial " + trial + ", n " + n + ", gamma " + game.gamma() + ": " + found.certificate();
            assertThat(found.certificate().certified(1e-9)).as(what).isTrue();
            double best = Double.POSITIVE_INFINITY;
            for (int start = 0; start < 20; start++) {
                double size = Math.pow(10, -1 + 2 * random.nextDouble());
                double[] w =
                        NelderMead.minimise(at -> lossOf(game, at), RandomGame.normal(random, n, size), 0.3 * size);
                best = Math.min(best, lossOf(game, w));
            }
            assertThat(best).as(what).isGreaterThan(f * (1 - 1e-9));
            reached += best <= f * (1 + 1e-6) ? 1 : 0;
        }
        // with 20 starts; a search that never gets there would beat nothing
        assertThat(reached).isGreaterThan(9 * trials / 10 - 1);
    }

    /** The loss of w on the features with the best immutable coefficients for it: least squares of y + tau/(1 - tau) (y - z) - X w on V. */
    private static double lossOf(PredictionGame game, double[] w) {
        double[] costs = game.costs();
        var without = new LinearRule(w, new double[game.immutable().length], 0);
        Response response = Response.of(without.omega(costs), game.earned(without), game.gamma());
        double share = response.gamed() / response.remainingError();
        double[] y = game.y();
        double[] z = game.z();
        double[] target = game.predict(without, ONE);
        for (int i = 0; i < y.length; i++) {
            target[i] = y[i] + share * (y[i] - z[i]) - target[i];
        }
        double[][] columns = game.immutable();
        double[][] v = new double[y.length][columns.length + 1];
        for (int i = 0; i < v.length; i++) {
            for (int j = 0; j < columns.length; j++) {
                v[i][j] = columns[j][i];
            }
            v[i][columns.length] = 1;
        }
        double[] q = NormalEquations.solve(v, target, game.weights());
        LinearRule rule = new LinearRule(w, Arrays.copyOf(q, columns.length), q[columns.length]);
        return game.leaderLoss(rule, ONE) + game.penalty(rule);
    }

    @ParameterizedTest
    @MethodSource("stackelberg.solver.auto.Solvers#names")
    void everySolverFindsTheSameMinimum(String solver) {
        Random random = new Random(19_200);
        for (int trial = 0; trial < 6; trial++) {
            PredictionGame game = general(random, 2 + random.nextInt(4));
            double f = solve(game, "direct").certificate().objective();
            Solution found = solve(game, solver);
            assertThat(found.certificate().certified(1e-9))
                    .as(solver + " " + trial + " " + found.certificate())
                    .isTrue();
            assertThat(found.certificate().objective()).isCloseTo(f, within(2e-9 * f));
        }
    }

    /** Fewer people than features, with a ridge: beta has a part that no person shows. */
    @ParameterizedTest
    @ValueSource(strings = {"direct", "krylov", "cd-admm", "ltrsr"})
    void wideGamesAreSolvedToo(String solver) {
        Random random = new Random(19_300);
        for (int trial = 0; trial < 8; trial++) {
            int n = 30;
            PredictionGame game = stackelberg.game.RandomGame.general(random, 12, n, 1, 0.7)
                    .withEffects(RandomGame.normal(random, n, 0.5))
                    .withRidge(trial % 2 == 0 ? 0.5 : 5);
            Solution found = solve(game, solver);
            assertThat(found.certificate().certified(1e-9))
                    .as(trial + " " + found.certificate())
                    .isTrue();
        }
    }

    /** What people gain is earned: nothing is gamed, and what the rule loses does not depend on how hard it is to move. */
    @Test
    void ifEffectsEqualTheRuleNothingIsGamed() {
        Random random = new Random(19_400);
        for (int trial = 0; trial < 20; trial++) {
            int n = 1 + random.nextInt(4);
            PredictionGame game = stackelberg.game.RandomGame.general(random, 12, n, 1, 1);
            double[] w = RandomGame.normal(random, n, 2);
            LinearRule rule = new LinearRule(w, new double[] {0.3}, -1);
            PredictionGame real = game.withEffects(w);
            double honest = real.honestLoss(rule, ONE);
            for (double gamma : new double[] {1e-3, 0.5, 40}) {
                Response response = Response.of(rule.omega(game.costs()), real.earned(rule), gamma);
                assertThat(response.gamed()).isCloseTo(0, within(1e-15));
                assertThat(response.earned()).isCloseTo(response.pullThrough(), within(1e-15));
                assertThat(real.withGamma(gamma).leaderLoss(rule, ONE)).isCloseTo(honest, within(1e-12 * honest));
                assertThat(simulated(real.withGamma(gamma), rule)).isCloseTo(honest, within(1e-12 * honest));
                double[] scaled = w.clone();
                double[] beta = Reduction.of(real, ONE).family().effects();
                for (int j = 0; j < n; j++) {
                    scaled[j] /= Math.sqrt(game.costs()[j]);
                }
                SphereGeometry geometry = SphereGeometry.of(gamma, beta);
                assertThat(geometry.tau(geometry.point(scaled))).isCloseTo(0, within(1e-14));
                assertThat(geometry.coefficients(geometry.point(scaled))).containsExactly(scaled, within(1e-13));
            }
        }
    }

    @Test
    void zeroEffectsChangeNoBit() {
        Random random = new Random(19_500);
        for (int trial = 0; trial < 30; trial++) {
            PredictionGame game = RandomGame.of(random);
            PredictionGame none = game.withEffects(new double[game.x().cols()]);
            assertThat(none.effects()).isEmpty();
            Solution one = solve(game, "auto");
            Solution other = solve(none, "auto");
            assertThat(other.result().r()).containsExactly(one.result().r());
            assertThat(other.rule().w()).containsExactly(one.rule().w());
            assertThat(other.certificate().objective())
                    .isEqualTo(one.certificate().objective());
        }
    }

    /** One Krylov space for all gammas, with as many passes as without effects, give or take a step. */
    @ParameterizedTest
    @ValueSource(doubles = {0, 30})
    void aPathWithEffectsTakesThePassesOfOneWithout(double ridge) {
        Random random = new Random(19_600);
        int n = 60;
        PredictionGame game =
                stackelberg.game.RandomGame.general(random, 400, n, 2, 1).withRidge(ridge);
        double[] gammas = new double[40];
        Arrays.setAll(gammas, k -> Math.pow(10, -2 + 4 * k / 39.0));
        double[] effects = RandomGame.normal(random, n, 0.3);
        int without = passes(game, gammas);
        int with = passes(game.withEffects(effects), gammas);
        assertThat(with).isLessThanOrEqualTo(without + 1);
    }

    private static int passes(PredictionGame game, double[] gammas) {
        SphereFamily family = Reduction.of(game, ONE).family();
        List<SphereResult> results =
                new KrylovSolver(ONE).solveAll(family.at(gammas), SolverOptions.DEFAULT, ProgressListener.NONE);
        Certificate[] proofs = Certificate.ofPath(
                family, gammas, results.stream().map(SphereResult::r).toArray(double[][]::new));
        assertThat(proofs).allMatch(proof -> proof.certified(1e-9));
        return results.get(0).effort().passes();
    }

    /** A wish that is the target plus a constant: the limit point loses 0, whatever the effects are. */
    @Test
    void theLimitPointIsNotARuleWithEffectsEither() {
        Random random = new Random(19_700);
        PredictionGame plain = stackelberg.game.RandomGame.plain(random, 40, 3, 0.5);
        double[] z = Arrays.stream(plain.y()).map(value -> value + 2).toArray();
        PredictionGame game = PredictionGame.of(plain.x(), plain.y(), z, 0.5)
                .withIntercept()
                .withEffects(new double[] {0.5, -0.3, 0.1});
        for (String solver : List.of("direct", "krylov")) {
            Certificate proof = solve(game, solver).certificate();
            assertThat(proof.finiteness()).as(solver + " " + proof).isEqualTo(Certificate.Finiteness.NONE);
            assertThat(proof.certified(1e-9)).isFalse();
        }
        Certificate noisy = solve(game.withWishNoise(0.5), "direct").certificate();
        assertThat(noisy.finiteness()).isEqualTo(Certificate.Finiteness.FINITE);
        assertThat(noisy.certified(1e-9)).isTrue();
    }

    /** Of the two rules that undo a linear wish the one that moves people less. */
    @Test
    void ofEquallyGoodRulesTheOneWithTheSmallestOmegaIsChosen() {
        Random random = new Random(19_800);
        for (int trial = 0; trial < 10; trial++) {
            PredictionGame plain =
                    stackelberg.game.RandomGame.plain(random, 60, 3, 1).withIntercept();
            double[] w = Reduction.of(plain, ONE).family().xy();
            var least = new stackelberg.solver.direct.DirectSolver(ONE);
            w = least.leastSquares(Reduction.of(plain, ONE).family());
            double[] today = plain.predict(Reduction.of(plain, ONE).naiveRule(w), ONE);
            double[] z = Arrays.stream(today).map(value -> value + 1).toArray();
            double[] effects = w.clone();
            for (int j = 0; j < effects.length; j++) {
                effects[j] *= 0.4 * random.nextDouble();
            }
            double gamma = 3 * Arrays.stream(w).map(value -> value * value).sum();
            PredictionGame game = PredictionGame.of(plain.x(), plain.y(), z, gamma)
                    .withIntercept()
                    .withEffects(effects);
            double honest = plain.honestLoss(Reduction.of(plain, ONE).naiveRule(w), ONE);
            for (String solver : List.of("direct", "krylov")) {
                Solution found = solve(game, solver);
                assertThat(found.certificate().certified(1e-9))
                        .as(solver + " " + found.certificate())
                        .isTrue();
                assertThat(found.certificate().objective()).isCloseTo(honest, within(1e-9 * honest));
                // least squares itself with another intercept is one of the rules; more is not needed
                assertThat(found.rule().omega(game.costs())).isLessThan(gamma / 3 * (1 + 1e-6));
                assertThat(found.tie()).isPresent();
            }
        }
    }

    /** More features than people: what no person shows of beta moves people, too, and changes no prediction. */
    @Test
    @Tag("slow")
    void ofEquallyGoodRulesOfAWideGameTheOneWithTheSmallestOmegaIsChosen() {
        Random random = new Random(19_900);
        int m = 4;
        int n = 9;
        for (int trial = 0; trial < 6; trial++) {
            PredictionGame plain = stackelberg.game.RandomGame.plain(random, m, n, 1);
            SphereFamily family = Reduction.of(plain, ONE).family();
            var least = stackelberg.solver.direct.DirectSolver.remembering(ONE);
            double[] w = least.leastSquares(family);
            double[] a = least.leastSquaresOfWishes(family);
            // gamma so large that all rows can be predicted exactly
            double gamma = 6 * (Vectors.dot(w, w) + Vectors.dot(a, a));
            double[] beta = RandomGame.normal(random, n, (trial < 3 ? 0.3 : 2) * Vectors.norm(w));
            PredictionGame game = plain.withGamma(gamma).withEffects(beta);
            double omega = Double.POSITIVE_INFINITY;
            for (int k = 0; k < 300; k++) {
                double[] v = RandomGame.normal(random, n, 1);
                // half of the directions near beta, which random ones hardly ever are
                Vectors.axpy(k % 2 == 0 ? 0 : 30 / Vectors.norm(beta), beta, v);
                Vectors.axpy(-1, least.effectsInRowSpace(family, v.clone()), v);
                Vectors.scale(1 / Vectors.norm(v), v);
                double along = Vectors.dot(beta, v) / 2;
                for (double tau = -2; tau < 3; tau += 0.002) {
                    double[] u = w.clone();
                    Vectors.axpy(-tau, a, u);
                    double constant = Vectors.dot(u, u) - Vectors.dot(beta, u) - gamma * tau * (1 - tau);
                    for (int sign = -1; sign <= 1; sign += 2) {
                        double[] other = u.clone();
                        Vectors.axpy(along + sign * Math.sqrt(along * along - constant), v, other);
                        double here = Vectors.dot(other, other) / ((1 - tau) * (1 - tau));
                        omega = here < omega ? here : omega;
                    }
                }
            }
            for (String solver : List.of("direct", "krylov")) {
                Solution found = solve(game, solver);
                String what = trial + " " + solver + " " + found.certificate();
                assertThat(found.certificate().certified(1e-9)).as(what).isTrue();
                double own = found.rule().omega(game.costs());
                assertThat(own).as(what).isLessThan(omega * (1 + 1e-9));
                // and there is not much between what was tried and what was found
                assertThat(own).as(what).isGreaterThan(0.9 * omega);
            }
        }
    }
}
