package stackelberg.sphere;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import stackelberg.game.PredictionGame;
import stackelberg.game.RandomGame;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;
import stackelberg.sphere.SphereProblem.Evaluation;

/** f(r) and H r + g against the same in 60 digits: the errors are what the problem says they may be, projection included. */
class EvaluationAccuracyTest {
    private static final MathContext DIGITS = new MathContext(60);

    @Test
    void errorStaysWithinTheRoundingScale() {
        Random random = new Random(62_001);
        for (int trial = 0; trial < 60; trial++) {
            int m = 3 + random.nextInt(60);
            int n = 1 + random.nextInt(5);
            double gamma = Math.pow(10, -4 + 8 * random.nextDouble());
            // a mean that dwarfs the spread is where centring loses digits
            double xMean = trial % 3 == 0 ? 1e6 : 0;
            double yMean = trial % 2 == 0 ? 1e8 : 0;
            // and so is a target that an immutable column explains but for its last digits
            double[] v = RandomGame.normal(random, m);
            double explained = trial % 4 < 2 ? 1e8 : 0;
            PredictionGame plain = RandomGame.plain(random, m, n, gamma);
            double[][] x = RandomGame.rows(plain);
            double[] y = plain.y();
            double[] z = plain.z();
            for (int i = 0; i < m; i++) {
                y[i] += yMean + explained * v[i];
                z[i] += yMean + explained * v[i];
                for (int j = 0; j < n; j++) {
                    x[i][j] += xMean;
                }
            }
            PredictionGame game = PredictionGame.of(DenseMatrix.of(x), y, z, gamma)
                    .withIntercept()
                    .withImmutable(v);
            SphereProblem problem = Reduction.of(game, Workers.of(1)).family().at(gamma);
            double[] r = RandomGame.unit(random, n + 1);
            Evaluation computed = problem.evaluate(r);
            Exact exact = Exact.of(x, v, y, z, gamma, r);

            String what = "trial " + trial + ", m " + m + ", n " + n + ", means " + xMean + ", " + yMean
                    + ", explained " + explained;
            double square = 0;
            for (int j = 0; j <= n; j++) {
                double error = computed.halfGradient()[j] - exact.halfGradient()[j];
                square += error * error;
            }
            assertThat(Math.sqrt(square)).as(what).isLessThan(4 * 0x1p-52 * problem.roundingScale());
            double allowed = problem.objectiveRounding(r, exact.objective());
            assertThat(computed.objective()).as(what).isCloseTo(exact.objective(), within(allowed));
        }
    }

    @Test
    void aCachedEvaluationEqualsANewOne() {
        Random random = new Random(62_010);
        PredictionGame game = RandomGame.plain(random, 30, 4, 1);
        SphereFamily asked = Reduction.of(game, Workers.of(1)).family();
        double[] r = RandomGame.unit(random, 5);
        double[] other = r.clone();
        other[0] = Math.nextUp(other[0]);
        for (double gamma : new double[] {0.5, 0.5, 2}) {
            for (double[] point : new double[][] {r, r, other, r}) {
                SphereFamily fresh = Reduction.of(game, Workers.of(1)).family();
                Evaluation at = asked.at(gamma).evaluate(point);
                Evaluation expected = fresh.at(gamma).evaluate(point);
                assertThat(at.objective()).isEqualTo(expected.objective());
                assertThat(at.halfGradient()).isEqualTo(expected.halfGradient());
                // modifying a result or the point does not change the next result
                Arrays.fill(at.halfGradient(), 7);
            }
        }
        double[] moved = r.clone();
        double before = asked.at(1).evaluate(moved).objective();
        moved[1] = -moved[1];
        assertThat(asked.at(1).evaluate(moved).objective()).isNotEqualTo(before);
    }

    /** Of an immutable column that the intercept nearly explains only the last digits say where it points, and P is off by as much. */
    @Test
    void errorStaysWithinTheRoundingScaleWhereImmutableColumnsAreNearlyDependent() {
        Random random = new Random(62_002);
        for (int trial = 0; trial < 80; trial++) {
            int m = 4 + random.nextInt(40);
            int n = 1 + random.nextInt(3);
            double gamma = Math.pow(10, -3 + 6 * random.nextDouble());
            double apart = Math.pow(10, -2 * (trial % 6));
            double along = trial % 4 < 2 ? 1 : 1e4;
            double[] u = RandomGame.normal(random, m);
            double[] v = Arrays.stream(u).map(value -> 1 + apart * value).toArray();
            PredictionGame plain = RandomGame.plain(random, m, n, gamma);
            double[][] x = RandomGame.rows(plain);
            double[] y = plain.y();
            double[] z = plain.z();
            for (int i = 0; i < m; i++) {
                y[i] += along * u[i];
                z[i] += along * u[i];
                for (int j = 0; j < n; j++) {
                    x[i][j] += along * u[i];
                }
            }
            PredictionGame game = PredictionGame.of(DenseMatrix.of(x), y, z, gamma)
                    .withIntercept()
                    .withImmutable(v);
            SphereProblem problem = Reduction.of(game, Workers.of(1)).family().at(gamma);
            double[] r = RandomGame.unit(random, n + 1);
            Evaluation computed = problem.evaluate(r);
            Exact exact = Exact.of(x, v, y, z, gamma, r);

            double square = 0;
            for (int j = 0; j <= n; j++) {
                double error = computed.halfGradient()[j] - exact.halfGradient()[j];
                square += error * error;
            }
            String what = "trial " + trial + ", m " + m + ", n " + n + ", apart " + apart + ", along " + along;
            assertThat(Math.sqrt(square)).as(what).isLessThan(problem.gradientRounding(r));
            double allowed = problem.objectiveRounding(r, exact.objective());
            assertThat(computed.objective()).as(what).isCloseTo(exact.objective(), within(allowed));
        }
    }

    /** ||P(L r - b)||^2 and its half gradient for an intercept and one immutable column, in 60 digits. */
    private record Exact(double objective, double[] halfGradient) {
        static Exact of(double[][] x, double[] v, double[] y, double[] z, double gamma, double[] r) {
            int m = x.length;
            int n = r.length - 1;
            BigDecimal half = new BigDecimal("0.5");
            BigDecimal root = new BigDecimal(gamma).sqrt(DIGITS).multiply(half);
            BigDecimal wish = BigDecimal.ONE.add(new BigDecimal(r[n])).multiply(half);
            BigDecimal[] residual = new BigDecimal[m];
            BigDecimal[] ones = new BigDecimal[m];
            BigDecimal[] column = new BigDecimal[m];
            for (int i = 0; i < m; i++) {
                ones[i] = BigDecimal.ONE;
                column[i] = new BigDecimal(v[i]);
                residual[i] = wish.multiply(new BigDecimal(z[i])).subtract(new BigDecimal(y[i]));
                for (int j = 0; j < n; j++) {
                    BigDecimal entry = root.multiply(new BigDecimal(x[i][j])).multiply(new BigDecimal(r[j]));
                    residual[i] = residual[i].add(entry, DIGITS);
                }
            }
            remove(ones, column);
            remove(ones, residual);
            remove(column, residual);
            BigDecimal objective = dot(residual, residual);
            BigDecimal[] gradient = new BigDecimal[n + 1];
            Arrays.fill(gradient, BigDecimal.ZERO);
            for (int i = 0; i < m; i++) {
                for (int j = 0; j < n; j++) {
                    BigDecimal entry = root.multiply(new BigDecimal(x[i][j])).multiply(residual[i]);
                    gradient[j] = gradient[j].add(entry, DIGITS);
                }
                gradient[n] =
                        gradient[n].add(half.multiply(new BigDecimal(z[i])).multiply(residual[i]), DIGITS);
            }
            double[] halfGradient =
                    Arrays.stream(gradient).mapToDouble(BigDecimal::doubleValue).toArray();
            return new Exact(objective.doubleValue(), halfGradient);
        }

        /** v -= (e'v / e'e) e. */
        private static void remove(BigDecimal[] e, BigDecimal[] v) {
            BigDecimal c = dot(e, v).divide(dot(e, e), DIGITS);
            for (int i = 0; i < v.length; i++) {
                v[i] = v[i].subtract(c.multiply(e[i]), DIGITS);
            }
        }

        private static BigDecimal dot(BigDecimal[] a, BigDecimal[] b) {
            BigDecimal sum = BigDecimal.ZERO;
            for (int i = 0; i < a.length; i++) {
                sum = sum.add(a[i].multiply(b[i]), DIGITS);
            }
            return sum;
        }
    }
}
