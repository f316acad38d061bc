package stackelberg.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import stackelberg.game.PredictionGame;
import stackelberg.game.RandomGame;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.SymmetricEigen;
import stackelberg.linalg.Workers;
import stackelberg.solver.Equilibrium;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereSolver;
import stackelberg.solver.auto.Solvers;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereFamily;
import stackelberg.sphere.SphereProblem;

/** The bound is never below the truth, whatever the point; a point that is not global is refuted with a better one in hand. */
class CertificateTest {
    @Test
    void boundIsNeverBelowTheTrueGapOfAnyPoint() {
        Random random = new Random(81_001);
        for (int trial = 0; trial < 60; trial++) {
            int n = 1 + random.nextInt(6);
            int m = 1 + random.nextInt(12);
            double gamma = Math.pow(10, -3 + 6 * random.nextDouble());
            var answer = Equilibrium.of(RandomGame.general(random, m, n, random.nextInt(2), gamma));
            double minimum = answer.proof().objective();
            for (int k = 0; k < 30; k++) {
                double size = Math.pow(10, 1 - 10 * random.nextDouble());
                double[] r = near(random, answer.r(), size);
                Certificate proof = Certificate.of(answer.problem(), r);
                double truth = proof.objective() - minimum;
                assertThat(proof.gapBound())
                        .as("trial " + trial + ", distance " + size + ": " + proof)
                        .isGreaterThanOrEqualTo(truth - 1e-14 * minimum);
                if (truth > 1.01e-9 * Math.max(proof.objective(), 1e-9 * proof.scale())) {
                    assertThat(proof.certified(1e-9)).isFalse();
                }
            }
        }
    }

    @Test
    void boundIsNeverBelowTheTrueGapOfIndefiniteProblems() {
        Random random = new Random(81_002);
        for (int trial = 0; trial < 40; trial++) {
            int d = 1 + random.nextInt(6);
            SphereProblem problem = indefinite(random, d);
            double minimum = Double.POSITIVE_INFINITY;
            double[][] points = new double[50][];
            for (int k = 0; k < points.length; k++) {
                points[k] = RandomGame.unit(random, d);
                minimum = Math.min(minimum, problem.evaluate(points[k]).objective());
            }
            for (double[] r : points) {
                Certificate proof = Certificate.of(problem, r);
                assertThat(proof.gapBound()).isGreaterThanOrEqualTo(proof.objective() - minimum - 1e-12);
            }
        }
    }

    /** f = 1 - r_1 >= 0; no relative gap is within a tolerance of 0. */
    @Test
    void minimumOfZeroIsCertifiedWhereTheConstantIsZero() {
        DenseMatrix identity = DenseMatrix.of(new double[][] {{1, 0}, {0, 1}});
        SphereProblem problem = SphereProblem.of(identity, new double[] {-0.5, 0}, 0);

        Certificate proof = Certificate.of(problem, new double[] {1, 0});

        assertThat(proof.objective()).isZero();
        assertThat(proof.gapBound()).isLessThan(1e-28);
        assertThat(proof.certified(1e-9)).isTrue();
        assertThat(Certificate.of(problem, new double[] {Math.cos(1e-3), Math.sin(1e-3)})
                        .certified(1e-9))
                .as("5e-7 above")
                .isFalse();
        for (String name : Solvers.names()) {
            SphereSolver solver = Solvers.named(name, Workers.of(1));
            double[] r = solver.solve(problem, SolverOptions.DEFAULT, ProgressListener.NONE)
                    .r();
            assertThat(Certificate.of(problem, r).certified(1e-9))
                    .as(solver.name())
                    .isTrue();
        }
    }

    /** Hard cases with f* = 0, where the bound is 4||e|| + 4 delta and no more than rounding; and the same in other units. */
    @Test
    void minimumOfZeroIsCertifiedInHardCasesAndInEveryUnit() {
        for (double unit : new double[] {1e-20, 1, 1e20}) {
            DenseMatrix singular = DenseMatrix.of(new double[][] {{0, 0, 0}, {0, 0, 0}, {0, 0, unit}});
            DenseMatrix indefinite = DenseMatrix.of(new double[][] {{-2 * unit, 0}, {0, unit}});
            SphereProblem flat = SphereProblem.of(singular, new double[3], 0);
            SphereProblem gram = SphereProblem.ofGram(singular, new double[3], 0);
            SphereProblem hard = SphereProblem.of(indefinite, new double[] {0, unit}, 7 * unit / 3);
            for (SphereProblem problem : new SphereProblem[] {flat, gram, hard}) {
                var result =
                        new DirectSolver(Workers.of(1)).solve(problem, SolverOptions.DEFAULT, ProgressListener.NONE);
                Certificate proof = Certificate.of(problem, result.r());
                assertThat(proof.objective()).isCloseTo(0, within(1e-15 * unit));
                assertThat(proof.certified(1e-9)).as(proof.toString()).isTrue();
            }
            // f = unit r_3^2
            double[] off = {Math.cos(1e-5), 0, Math.sin(1e-5)};
            assertThat(Certificate.of(flat, off).certified(1e-9)).isFalse();
            assertThat(Certificate.of(gram, off).certified(1e-9)).isFalse();
        }
    }

    @Test
    void matrixThatIsNotSymmetricIsRefusedAndRoundingIsNot() {
        DenseMatrix crooked = DenseMatrix.of(new double[][] {{1, 4}, {3, 1}});
        assertThatThrownBy(() -> SphereProblem.of(crooked, new double[2], 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("H[0][1] is 4.0, but H[1][0] is 3.0");
        assertThatThrownBy(() -> SphereProblem.ofGram(crooked, new double[2], 0))
                .hasMessageContaining("not symmetric");

        DenseMatrix rounded = DenseMatrix.of(new double[][] {{1, 4}, {4 + 1e-13, 1}});
        DenseMatrix mean = SphereProblem.of(rounded, new double[2], 0).hessian();
        assertThat(mean.get(0, 1)).isEqualTo(mean.get(1, 0)).isCloseTo(4 + 5e-14, within(1e-15));
        assertThat(rounded.get(0, 1)).as("what was given is not written to").isEqualTo(4);
    }

    /** Where ADMM with rho = 10 converges on two rows: a fixed point of the method, stationary, and not the minimum. */
    @Test
    void stationaryPointOfTheTwoRowGameIsRefuted() {
        PredictionGame game = PredictionGame.of(
                DenseMatrix.of(new double[][] {{-1}, {3}}), new double[] {0, 2}, new double[] {2, 1}, 4);
        SphereProblem problem = Reduction.of(game, Workers.of(1)).family().at(4);
        double[] r = localMinimum(problem, Math.atan2(1, 0.2));
        Certificate proof = Certificate.of(problem, r);

        assertThat(proof.objective()).isCloseTo(1.91993, within(1e-5));
        assertThat(proof.multiplier()).isCloseTo(-1.98977, within(1e-5));
        assertThat(proof.residual()).isLessThan(1e-12);
        assertThat(proof.proof()).isEqualTo(Certificate.Proof.REFUTED);
        assertThat(proof.certified(0.5)).isFalse();
        double better = problem.evaluate(proof.better().orElseThrow()).objective();
        assertThat(better).isLessThan(proof.objective() - 0.1);
        assertThat(proof.gapBound()).isGreaterThanOrEqualTo(proof.objective() - 0.164688594760854);

        var answer = Equilibrium.of(game);
        assertThat(answer.proof().objective()).isCloseTo(0.164688594760854, within(1e-14));
        assertThat(answer.proof().multiplier()).isCloseTo(-0.533110855540159, within(1e-14));
        assertThat(answer.r()).containsExactly(new double[] {0.62231463, -0.78276721}, within(1e-8));
        assertThat(answer.certified()).isTrue();
    }

    /** Every stationary point of a game in the plane, found by walking round the circle: the global one is certified, others refuted. */
    @Test
    void everyOtherStationaryPointIsRefuted() {
        Random random = new Random(81_003);
        int refuted = 0;
        for (int trial = 0; trial < 60; trial++) {
            PredictionGame game = RandomGame.plain(random, 2 + random.nextInt(4), 1, 4);
            var answer = Equilibrium.of(game);
            double minimum = answer.proof().objective();
            for (int k = 0; k < 8; k++) {
                double[] r = localMinimum(answer.problem(), 2 * Math.PI * k / 8);
                Certificate proof = Certificate.of(answer.problem(), r);
                if (proof.objective() > minimum + 1e-6 * answer.problem().p()) {
                    assertThat(proof.proof())
                            .as("trial " + trial + ": " + proof)
                            .isEqualTo(Certificate.Proof.REFUTED);
                    assertThat(answer.problem()
                                    .evaluate(proof.better().orElseThrow())
                                    .objective())
                            .isLessThan(proof.objective());
                    refuted++;
                } else {
                    assertThat(proof.better())
                            .as("trial " + trial + ": " + proof)
                            .isEmpty();
                }
            }
        }
        assertThat(refuted).isGreaterThan(10);
    }

    @Test
    void uniqueInTheEasyCaseAndNotInTheHardCase() {
        // minimise -2 x^2 + y^2 + 2 g y: (0, 1) is hard, both signs of x serve
        DenseMatrix h = DenseMatrix.of(new double[][] {{-2, 0}, {0, 1}});
        double y = -0.1;
        double x = Math.sqrt(1 - y * y);
        SphereProblem hard = SphereProblem.of(h, new double[] {0, -3 * y}, 0);
        Certificate first = Certificate.of(hard, new double[] {x, y});
        Certificate second = Certificate.of(hard, new double[] {-x, y});
        assertThat(first.unique()).isFalse();
        assertThat(second.objective()).isCloseTo(first.objective(), within(1e-15));
        assertThat(first.proof()).isEqualTo(Certificate.Proof.PROVEN);
        assertThat(first.gapBound()).isLessThan(1e-13);

        SphereProblem easy = SphereProblem.of(h, new double[] {-1, 0}, 0);
        Certificate only = Certificate.of(easy, new double[] {1, 0});
        assertThat(only.unique()).isTrue();
        assertThat(only.gapBound()).isLessThan(1e-25);
    }

    @Test
    void pointThatIsNotOnTheSphereIsRejected() {
        SphereProblem problem = indefinite(new Random(81_004), 2);
        for (double[] r : new double[][] {{1, 1e-5}, {0.5, 0.5}, {0, 0}, {Double.NaN, 0}, {Double.NaN, 1}}) {
            assertThatThrownBy(() -> Certificate.of(problem, r))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("unit vectors");
        }
    }

    /** f(r) of an r that is too long by 1e-13 is no value on the sphere: the bound is about r/||r||. */
    @Test
    void lengthOfThePointWithinItsToleranceDoesNotMatter() {
        Random random = new Random(81_005);
        // a large multiplier against a small objective is where f feels the length of r
        double[][] x = {{1e3, 0}, {0, 1e3}, {1e3, 1e3}};
        PredictionGame game =
                PredictionGame.of(DenseMatrix.of(x), new double[] {1e4, 1e4, 2e4}, RandomGame.normal(random, 3), 1);
        var answer = Equilibrium.of(game);
        double[] longer = Arrays.stream(answer.r()).map(v -> v * (1 + 4e-13)).toArray();
        Certificate proof = Certificate.of(answer.problem(), longer);
        assertThat(proof.objective())
                .isCloseTo(
                        answer.proof().objective(),
                        within(1e-14 * answer.problem().p()));
        assertThat(proof.gapBound()).isGreaterThanOrEqualTo(answer.proof().objective() - proof.objective());
    }

    @Test
    void gramProblemGivenByItsMatrixIsNotCertifiedByCancellation() {
        // f = ||r - b||^2 with a unit b = e1 up to 1e-9: f* = 0 cancels completely in r'H r + 2 g'r + p
        double[] r = {Math.sqrt(1 - 1e-18), 1e-9};
        SphereProblem problem =
                SphereProblem.ofGram(DenseMatrix.of(new double[][] {{1, 0}, {0, 1}}), new double[] {-1, 0}, 1);
        Certificate proof = Certificate.of(problem, r);
        assertThat(proof.gapBound()).isGreaterThanOrEqualTo(0.99e-18);
    }

    @Test
    void pathCertificatesEqualThoseOfSingleProblems() {
        Random random = new Random(81_006);
        PredictionGame game = RandomGame.general(random, 10, 3, 1, 1);
        SphereFamily family = Reduction.of(game, Workers.of(1)).family();
        double[] gammas = {1e-2, 1, 1e2};
        double[][] r = new double[3][];
        for (int i = 0; i < 3; i++) {
            r[i] = Equilibrium.of(game.withGamma(gammas[i])).r();
        }
        Certificate[] path = Certificate.ofPath(family, gammas, r);
        for (int i = 0; i < 3; i++) {
            Certificate single = Certificate.of(family.at(gammas[i]), r[i]);
            assertThat(path[i].objective()).isCloseTo(single.objective(), within(1e-14 * single.objective()));
            assertThat(path[i].multiplier()).isCloseTo(single.multiplier(), within(1e-12));
            assertThat(path[i].certified(1e-9)).isTrue();
        }
    }

    /** What is proven at one gamma holds at larger ones: in any order, no bound is above the smallest eigenvalue of H + lambda I. */
    @Test
    void boundsFromSmallerGammasOfAPathHoldAtLargerOnes() {
        Random random = new Random(81_012);
        int negative = 0;
        for (int trial = 0; trial < 20; trial++) {
            PredictionGame game = RandomGame.general(random, 12, 3, 1, 1);
            SphereFamily family = Reduction.of(game, Workers.of(1)).family();
            double[] gammas = {1e3, 1e-2, 30, 1, 1e5, 300};
            double[][] r = Arrays.stream(gammas)
                    .mapToObj(gamma -> Equilibrium.of(game.withGamma(gamma)).r())
                    .toArray(double[][]::new);
            Certificate[] path = Certificate.ofPath(family, gammas, r);
            for (int i = 0; i < gammas.length; i++) {
                SphereProblem problem = family.at(gammas[i]);
                double smallest =
                        SymmetricEigen.of(problem.hessian(), Workers.of(1)).values()[0];
                assertThat(path[i].curvature())
                        .isLessThanOrEqualTo(smallest + path[i].multiplier() + problem.hessianRounding());
                assertThat(path[i].certified(1e-9))
                        .isEqualTo(Certificate.of(problem, r[i]).certified(1e-9));
                negative += path[i].multiplier() < 0 && path[i].curvature() > 0 ? 1 : 0;
            }
        }
        assertThat(negative).isGreaterThan(10);
    }

    private static double[] near(Random random, double[] r, double size) {
        double[] x = RandomGame.unit(random, r.length);
        double square = 0;
        for (int j = 0; j < r.length; j++) {
            x[j] = r[j] + size * x[j];
            square += x[j] * x[j];
        }
        double norm = Math.sqrt(square);
        return Arrays.stream(x).map(v -> v / norm).toArray();
    }

    private static SphereProblem indefinite(Random random, int d) {
        double[][] h = new double[d][d];
        for (int i = 0; i < d; i++) {
            for (int j = 0; j <= i; j++) {
                h[i][j] = random.nextGaussian();
                h[j][i] = h[i][j];
            }
        }
        return SphereProblem.of(DenseMatrix.of(h), RandomGame.normal(random, d), 0);
    }

    /** Halved steps downhill on the circle, to the last bit of the derivative. */
    private static double[] localMinimum(SphereProblem problem, double start) {
        double angle = start;
        double step = 0.1;
        while (step > 1e-8) {
            double here = value(problem, angle);
            if (value(problem, angle + step) < here) {
                angle += step;
            } else if (value(problem, angle - step) < here) {
                angle -= step;
            } else {
                step /= 2;
            }
        }
        // values are flat to sqrt(eps) at a minimum; the derivative is not
        double low = angle - 1e-6;
        double high = angle + 1e-6;
        for (int k = 0; k < 60; k++) {
            double middle = (low + high) / 2;
            if (slope(problem, middle) > 0) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return point((low + high) / 2);
    }

    private static double value(SphereProblem problem, double angle) {
        return problem.evaluate(point(angle)).objective();
    }

    private static double slope(SphereProblem problem, double angle) {
        double[] gradient = problem.evaluate(point(angle)).halfGradient();
        return -Math.sin(angle) * gradient[0] + Math.cos(angle) * gradient[1];
    }

    private static double[] point(double angle) {
        return new double[] {Math.cos(angle), Math.sin(angle)};
    }
}
