package stackelberg.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import stackelberg.certificate.Certificate.Bound;
import stackelberg.certificate.Certificate.Finiteness;
import stackelberg.game.RandomGame;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.SymmetricEigen;
import stackelberg.linalg.Workers;
import stackelberg.sphere.SphereGeometry;
import stackelberg.sphere.SphereProblem.Evaluation;

/** Whether the limit point (0, ..., 0, 1), where no rule is left, is the only optimum: against walks round the circle and formulas by hand. */
class LimitPointTest {
    /** A point whose last entry is at most 1 - 0.02 is a rule. */
    private static final double[] RULE = {Math.sqrt(1 - 0.98 * 0.98), 0.98};

    private static final double[] LIMIT = {0, 1};

    private static Evaluation value(double objective) {
        return new Evaluation(objective, new double[0]);
    }

    /** f(x) = (x_1 - x_2 + 1)^2 - 1 + p: 0 - 1 + p at (0, 1), and the same at its mirror image (-1, 0). */
    private static StatedProblem tied(double p) {
        StatedProblem problem = StatedProblem.full(new double[][] {{1, -1}, {-1, 1}}, new double[] {1, -1}, p);
        problem.limitPointLoss = p - 1;
        return problem;
    }

    /** f has its maximum at (0, 1): nothing is proven there, and H + lambda I has no factorisation. */
    private static StatedProblem unproven(double limit) {
        StatedProblem problem = StatedProblem.diagonal(new double[] {0, 3}, new double[2], limit - 3);
        problem.limitPointLoss = limit;
        return problem;
    }

    @Test
    void ruleThatIsBetterThanTheLimitIsFinite() {
        StatedProblem problem = unproven(5);
        assertThat(LimitPoint.of(problem, RULE, value(4.4), 100, 0.5))
                .isEqualTo(new LimitPoint(Finiteness.FINITE, none()));
        assertThat(problem.formed + problem.multiplied).isZero();
        // better by exactly what is tolerable is not better
        assertThat(LimitPoint.of(problem, RULE, value(4.5), 100, 0.5).finiteness())
                .isEqualTo(Finiteness.UNKNOWN);
    }

    @Test
    void ruleThatIsOptimalToTheToleranceIsFinite() {
        StatedProblem problem = unproven(5);
        double[] next = {Math.sqrt(1 - 0.99 * 0.99), 0.99};
        assertThat(LimitPoint.of(problem, RULE, value(5), 0.5, 0.5).finiteness())
                .isEqualTo(Finiteness.FINITE);
        assertThat(problem.formed).isZero();
        assertThat(LimitPoint.of(problem, RULE, value(5), 0.51, 0.5).finiteness())
                .isEqualTo(Finiteness.UNKNOWN);
        assertThat(LimitPoint.of(problem, next, value(5), 0.5, 0.5).finiteness())
                .isEqualTo(Finiteness.UNKNOWN);
    }

    /** The limit is above f* by at most limit - f(r) + gap, which may be twice the tolerable. */
    @Test
    void finitenessIsUnknownIfTheLimitIsNotNearlyOptimal() {
        StatedProblem problem = tied(5);
        problem.hessianRounding = 1e-9;
        assertThat(LimitPoint.of(problem, LIMIT, value(4), 1, 0.5).finiteness()).isEqualTo(Finiteness.FINITE);
        assertThat(LimitPoint.of(problem, LIMIT, value(4), 1.01, 0.5).finiteness())
                .isEqualTo(Finiteness.UNKNOWN);
        assertThat(LimitPoint.of(problem, LIMIT, value(3.75), 0.75, 0.5).finiteness())
                .isEqualTo(Finiteness.FINITE);
        assertThat(LimitPoint.of(problem, LIMIT, value(3.75), 0.76, 0.5).finiteness())
                .isEqualTo(Finiteness.UNKNOWN);
    }

    @Test
    void sumOfSquaresIsNotBelowZero() {
        StatedProblem problem = tied(1.25);
        problem.hessianRounding = 1e-9;
        assertThat(LimitPoint.of(problem, LIMIT, value(0.25), 10, 0.125).finiteness())
                .isEqualTo(Finiteness.UNKNOWN);
        problem.gram = true;
        assertThat(LimitPoint.of(problem, LIMIT, value(0.25), 10, 0.125).finiteness())
                .isEqualTo(Finiteness.FINITE);
    }

    @Test
    void mirrorImageOfTheLimitIsTheTie() {
        StatedProblem problem = tied(5);
        problem.hessianRounding = 1e-9;
        LimitPoint limit = LimitPoint.of(problem, LIMIT, value(4), 0, 1e-6);
        assertThat(limit.finiteness()).isEqualTo(Finiteness.FINITE);
        double[] tie = limit.tie().orElseThrow();
        assertThat(tie).containsExactly(new double[] {-1, 0}, within(1e-4));
        assertThat(Math.hypot(tie[0], tie[1])).isCloseTo(1, within(1e-15));
        assertThat(problem.objective(tie)).isLessThanOrEqualTo(4 + 1e-6);
    }

    /**
     * H = diag(a, b), g = (c, -s): lambda = s - b, and f(x) - f(e) = (a + lambda) x_1^2 + s h^2 - 2 |c||x_1| or more at a last entry 1 - h, so that for h
     * >= 0.02 nothing is as good where 0.0004 (s + epsilon) - 0.04 epsilon - 0.4 (|c| + rounding) is more than tolerable.
     */
    @Test
    void noOtherPointIsAsGoodIfTheCurvatureExceedsTheSlope() {
        Random random = new Random(85_001);
        for (int trial = 0; trial < 200; trial++) {
            double s = 5 + 20 * random.nextDouble();
            double b = 4 * random.nextGaussian();
            double c = trial % 2 == 0 ? 0 : 1e-3 * random.nextGaussian();
            double a = b + 50;
            StatedProblem problem = StatedProblem.diagonal(new double[] {a, b}, new double[] {c, -s}, 3);
            problem.limitPointLoss = b - 2 * s + 3;
            problem.gradientRounding = trial % 3 == 0 ? 0 : 1e-3 * random.nextDouble();
            problem.hessianRounding = trial % 5 == 0 ? 1e-12 : 1e-3 * random.nextDouble();
            double slope = 0.4 * (Math.abs(c) + problem.gradientRounding);
            double epsilon = 4 * problem.hessianRounding;
            double threshold = 0.0004 * (s + epsilon) - 0.04 * epsilon - slope;
            if (threshold / 8 > epsilon) {
                // epsilon is an eighth of the tolerable then
                threshold = (0.0004 * s - slope) / (1 + (0.04 - 0.0004) / 8);
            }
            assertThat(threshold).isPositive();
            assertThat(LimitPoint.of(problem, LIMIT, value(problem.limitPointLoss), 0, threshold * (1 - 1e-6)))
                    .as("trial " + trial)
                    .isEqualTo(new LimitPoint(Finiteness.NONE, none()));
            assertThat(LimitPoint.of(problem, LIMIT, value(problem.limitPointLoss), 0, threshold * (1 + 1e-6)))
                    .as("trial " + trial)
                    .isEqualTo(new LimitPoint(Finiteness.UNKNOWN, none()));
        }
    }

    /** Of a Gram matrix f(x) - f(e) >= lambda ||d||^2 - 2||c|| ||d|| without looking at it: ||d||^2 = 2h is at least 0.04. */
    @Test
    void positiveMultiplierOfAGramMatrixNeedsNoFactorisation() {
        StatedProblem problem = StatedProblem.diagonal(new double[] {50, 1}, new double[] {0.01, -6}, 12);
        problem.gram = true;
        problem.gradientRounding = 0.005;
        problem.limitPointLoss = 1;
        double threshold = 5 * 0.04 - 0.4 * 0.015;
        assertThat(LimitPoint.of(problem, LIMIT, value(1), 0, threshold - 1e-9).finiteness())
                .isEqualTo(Finiteness.NONE);
        assertThat(problem.formed).isZero();
        assertThat(LimitPoint.of(problem, LIMIT, value(1), 0, threshold + 1e-9).finiteness())
                .isEqualTo(Finiteness.UNKNOWN);
        assertThat(problem.formed).isOne();
        problem.gram = false;
        LimitPoint.of(problem, LIMIT, value(1), 0, threshold - 1e-9);
        assertThat(problem.formed).isEqualTo(2);
    }

    /** That nothing else is as good as the limit says nothing where the limit itself is not proven. */
    @Test
    void noRuleIsClaimedOnlyWhereTheLimitIsProvenOptimal() {
        StatedProblem problem = StatedProblem.diagonal(new double[] {50, 1}, new double[] {0, -6}, 16);
        problem.gram = true;
        problem.limitPointLoss = 5;
        assertThat(LimitPoint.of(problem, LIMIT, value(5), 0.125, 0.125).finiteness())
                .isEqualTo(Finiteness.NONE);
        assertThat(LimitPoint.of(problem, LIMIT, value(5), 0.126, 0.125).finiteness())
                .isEqualTo(Finiteness.UNKNOWN);
        assertThat(LimitPoint.of(problem, LIMIT, value(4.9375), 0.0625, 0.125).finiteness())
                .isEqualTo(Finiteness.NONE);
        assertThat(LimitPoint.of(problem, LIMIT, value(4.9375), 0.0626, 0.125).finiteness())
                .isEqualTo(Finiteness.UNKNOWN);
    }

    @Test
    void matrixIsFormedUpToOrder10000() {
        for (int d : new int[] {10_000, 10_001}) {
            StatedProblem problem = StatedProblem.diagonal(new double[d], new double[d], 1);
            problem.limitPointLoss = 1;
            double[] r = new double[d];
            r[d - 1] = 1;
            if (d == 10_000) {
                assertThatThrownBy(() -> LimitPoint.of(problem, r, value(1), 0, 1e-9))
                        .isInstanceOf(OutOfMemoryError.class);
            } else {
                assertThat(LimitPoint.of(problem, r, value(1), 0, 1e-9).finiteness())
                        .isEqualTo(Finiteness.UNKNOWN);
            }
        }
    }

    /** Problems whose limit is optimal, with a multiplier at or above minus the smallest eigenvalue; every claim is tried on the whole circle. */
    @Test
    void finitenessAgreesWithASearchRoundTheCircle() {
        Random random = new Random(85_002);
        int[] counts = new int[Finiteness.values().length];
        for (int trial = 0; trial < 100; trial++) {
            double[][] h = {{random.nextGaussian(), random.nextGaussian()}, {0, random.nextGaussian()}};
            h[1][0] = h[0][1];
            double smallest =
                    SymmetricEigen.of(DenseMatrix.of(h), Workers.of(1)).values()[0];
            boolean hard = trial % 3 == 0;
            double lambda = -smallest + (hard ? 0 : Math.pow(10, 1 - 4 * random.nextDouble()));
            // (H + lambda I)e + g = 0
            double[] g = {-h[0][1], -h[1][1] - lambda};
            StatedProblem problem = StatedProblem.full(h, g, 10);
            problem.hessianRounding = 1e-14;
            double limit = problem.objective(LIMIT);
            problem.limitPointLoss = limit;
            double scale = 1e-9 * Math.max(Math.abs(limit), 1e-8);
            Certificate proof = Certificate.of(problem, LIMIT);
            counts[proof.finiteness().ordinal()]++;
            String what = "trial " + trial + ": " + proof;
            double best = Double.POSITIVE_INFINITY;
            for (int k = 0; k < 20_000; k++) {
                double angle = 2 * Math.PI * k / 20_000;
                double[] x = {Math.cos(angle), Math.sin(angle)};
                if (x[1] <= 0.98) {
                    best = Math.min(best, problem.objective(x));
                }
            }
            if (proof.finiteness() == Finiteness.NONE) {
                assertThat(hard && best <= limit + scale).as(what).isFalse();
                assertThat(best).as(what).isGreaterThan(limit + scale);
                assertThat(proof.certified(1)).isFalse();
            }
            if (proof.finiteness() == Finiteness.FINITE) {
                double[] tie = proof.better().orElseThrow();
                assertThat(tie[1]).as(what).isLessThanOrEqualTo(0.98);
                assertThat(problem.objective(tie)).as(what).isLessThanOrEqualTo(limit + 2 * scale);
            }
        }
        assertThat(counts[Finiteness.NONE.ordinal()]).isGreaterThan(40);
        assertThat(counts[Finiteness.FINITE.ordinal()]).isGreaterThan(20);
        assertThat(counts[Finiteness.UNKNOWN.ordinal()]).isLessThan(20);
    }

    // With effects: k = 4, and the limits are the points with the last entry 1/4.

    private static SphereGeometry stretched(int features) {
        double[] effects = new double[features];
        effects[0] = Math.sqrt(15);
        return SphereGeometry.of(1, effects);
    }

    /** A point of the circle with this last entry. */
    private static double[] withLast(double last) {
        return new double[] {-Math.sqrt(1 - last * last), last};
    }

    private static StatedProblem withEffects(StatedProblem problem) {
        problem.geometry = stretched(problem.dimension() - 1);
        return problem;
    }

    private static Finiteness ofSphere(StatedProblem problem, double[] r, double f, Bound here, double tolerable) {
        return LimitPoint.ofSphere(problem, r, value(f), here, tolerable).finiteness();
    }

    private static Bound bound(double residual, double curvature, double gap) {
        return new Bound(0, residual, curvature, gap);
    }

    @Test
    void optimalRuleWithEffectsIsFinite() {
        StatedProblem problem = withEffects(unproven(5));
        double[] rule = withLast(0.2);
        assertThat(ofSphere(problem, rule, 100, bound(0, -1, 0.5), 0.5)).isEqualTo(Finiteness.FINITE);
        assertThat(problem.formed).isZero();
        assertThat(ofSphere(problem, rule, 100, bound(0, -1, 0.51), 0.5)).isEqualTo(Finiteness.UNKNOWN);
        // 1 - tau = (1 - 4 * 0.24875)/2 = 0.0025, which is hardly a rule
        assertThat(ofSphere(problem, withLast(0.24875), 100, bound(0, -1, 0.5), 0.5))
                .isEqualTo(Finiteness.UNKNOWN);
    }

    /** f(x) - f(r) >= kappa d^2 - 2||e||d at the distance d = 2/k |1 - tau| of the limits. */
    @Test
    void distantLimitPointsHaveALargerLoss() {
        Random random = new Random(85_003);
        for (int trial = 0; trial < 50; trial++) {
            StatedProblem problem = withEffects(unproven(5));
            double[] r = withLast(0.1 * random.nextDouble());
            double distance = 0.25 - r[1];
            double curvature = 1 + random.nextDouble();
            double residual = trial % 2 == 0 ? 0 : 0.01 * random.nextDouble();
            double threshold = curvature * distance * distance - 2 * residual * distance;
            Bound here = bound(residual, curvature, 1e9);
            assertThat(ofSphere(problem, r, 100, here, threshold * (1 - 1e-9))).isEqualTo(Finiteness.FINITE);
            assertThat(problem.formed).isZero();
            assertThat(ofSphere(problem, r, 100, here, threshold * (1 + 1e-9))).isEqualTo(Finiteness.UNKNOWN);
        }
    }

    /** The least f of the limits, found as the objective at which they stop being worse, against a walk round their circle. */
    @Test
    void leastLossOverLimitPointsEqualsThatOfASearch() {
        Random random = new Random(85_004);
        for (int trial = 0; trial < 30; trial++) {
            double[][] h = new double[3][3];
            for (int i = 0; i < 3; i++) {
                for (int j = 0; j <= i; j++) {
                    h[i][j] = random.nextGaussian();
                    h[j][i] = h[i][j];
                }
            }
            double[] g = RandomGame.normal(random, 3);
            if (trial % 5 == 0) {
                // the hard case on the circle of limits: no linear term is left there
                g[0] = -h[0][2] / 4;
                g[1] = -h[1][2] / 4;
            }
            StatedProblem problem = withEffects(StatedProblem.full(h, g, 7));
            problem.hessianRounding = 0.25 * random.nextDouble();
            problem.objectiveRounding = 0.25 * random.nextDouble();
            double radius = Math.sqrt(1 - 1.0 / 16);
            double least = Double.POSITIVE_INFINITY;
            for (int k = 0; k < 100_000; k++) {
                double angle = 2 * Math.PI * k / 100_000;
                double[] x = {radius * Math.cos(angle), radius * Math.sin(angle), 0.25};
                least = Math.min(least, problem.objective(x));
            }
            double[] r = {0.6, 0.8, 0};
            double low = -100;
            double high = 100;
            for (int step = 0; step < 60; step++) {
                double middle = (low + high) / 2;
                if (ofSphere(problem, r, middle, bound(0, -1, 1e9), 0.125) == Finiteness.FINITE) {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            double found = low + 0.125 + problem.hessianRounding + problem.objectiveRounding;
            assertThat(found).as("trial " + trial).isCloseTo(least, within(1e-7));
        }
    }

    @Test
    void spectrumForTheLimitsIsComputedUpToOrder2000() {
        for (int d : new int[] {2000, 2001}) {
            StatedProblem problem = withEffects(StatedProblem.diagonal(new double[d], new double[d], 1));
            double[] r = new double[d];
            r[0] = 1;
            if (d == 2000) {
                assertThatThrownBy(() -> ofSphere(problem, r, 1, bound(0, -1, 1), 1e-9))
                        .isInstanceOf(OutOfMemoryError.class);
            } else {
                assertThat(ofSphere(problem, r, 1, bound(0, -1, 1), 1e-9)).isEqualTo(Finiteness.UNKNOWN);
                assertThat(problem.formed).isZero();
            }
        }
    }

    /** At 1 - tau = 0.001 of a proven limit: all rules, from 1 - tau = 0.01 on, are at least 2/k 0.009 away. */
    @Test
    void withEffectsNoRuleIsAsGoodIfAllRulesAreFarAway() {
        double[] r = withLast(0.2495);
        double least = 4;
        // f is the same for all limits
        StatedProblem problem = withEffects(StatedProblem.diagonal(new double[] {1, 1}, new double[2], least - 1));
        double residual = 0.001;
        double threshold = 100 * 0.0045 * 0.0045 - 2 * residual * 0.0045;
        Bound here = bound(residual, 100, 0);
        assertThat(ofSphere(problem, r, least, here, threshold * (1 - 1e-6))).isEqualTo(Finiteness.NONE);
        assertThat(ofSphere(problem, r, least, here, threshold * (1 + 1e-6))).isNotEqualTo(Finiteness.NONE);
        // limit - f(r) + gap is more than tolerable
        double tolerable = threshold / 2;
        assertThat(ofSphere(problem, r, least, bound(residual, 100, tolerable - 1e-9), tolerable))
                .isEqualTo(Finiteness.NONE);
        assertThat(ofSphere(problem, r, least, bound(residual, 100, tolerable + 1e-9), tolerable))
                .isEqualTo(Finiteness.UNKNOWN);
        assertThat(ofSphere(problem, withLast(0.22), least, bound(residual, 1, 2 * tolerable), tolerable))
                .as("a rule is no limit")
                .isEqualTo(Finiteness.UNKNOWN);
    }

    /** f depends on x_1 - x_2 alone, so that (x_1, x_2) and (-x_2, -x_1) are equally good; the one is next to the limit, the other a rule. */
    @Test
    void mirrorImageOfAPointNextToTheLimitsIsTheTie() {
        double[] r = withLast(0.24995);
        double away = r[0] - r[1];
        StatedProblem problem = withEffects(
                StatedProblem.full(new double[][] {{1, -1}, {-1, 1}}, new double[] {-away, away}, away * away + 1));
        problem.hessianRounding = 1e-7;
        assertThat(problem.objective(r)).isCloseTo(1, within(1e-12));
        LimitPoint limit = LimitPoint.ofSphere(problem, r, value(1), bound(0, 0, 0), 1e-6);
        assertThat(limit.finiteness()).isEqualTo(Finiteness.FINITE);
        double[] tie = limit.tie().orElseThrow();
        assertThat(tie).containsExactly(new double[] {-r[1], -r[0]}, within(1e-5));
        assertThat(Math.hypot(tie[0], tie[1])).isCloseTo(1, within(1e-15));
        assertThat(problem.objective(tie)).isLessThanOrEqualTo(1 + 1e-6);

        // with another multiplier the mirror image is another point, and worse
        assertThat(LimitPoint.ofSphere(problem, r, value(1), new Bound(1, 0, 0, 0), 1e-6))
                .isEqualTo(new LimitPoint(Finiteness.UNKNOWN, none()));
        // and without a factorisation there is none
        assertThat(LimitPoint.ofSphere(problem, r, value(1), new Bound(-1, 0, 0, 0), 1e-6))
                .isEqualTo(new LimitPoint(Finiteness.UNKNOWN, none()));
    }

    /** (H + lambda I)^{-1} e is orthogonal to r, so that the mirror image is r itself, which is as good but no rule. */
    @Test
    void mirrorImageNextToALimitIsNoTie() {
        double[] r = withLast(0.24995);
        double b = r[1] / r[0];
        StatedProblem problem = withEffects(StatedProblem.full(new double[][] {{1, b}, {b, 1}}, new double[2], 0));
        double f = problem.objective(r);
        assertThat(LimitPoint.ofSphere(problem, r, value(f), bound(0, 0, 0), 1))
                .isEqualTo(new LimitPoint(Finiteness.UNKNOWN, none()));
    }

    /** f(r) = 4: better than the limit by 1e-6 is far more than the tolerable 4e-9, better by 2e-9 is not. */
    @Test
    void toleranceOfTheLimitIsRelativeToTheLoss() {
        // a maximum, where nothing is proven
        StatedProblem problem = StatedProblem.diagonal(new double[] {4, 2}, new double[2], 0);
        double[] r = {1, 0};
        problem.limitPointLoss = 4 + 1e-6;
        assertThat(Certificate.of(problem, r).finiteness()).isEqualTo(Finiteness.FINITE);
        problem.limitPointLoss = 4 + 2e-9;
        assertThat(Certificate.of(problem, r).finiteness()).isEqualTo(Finiteness.UNKNOWN);
    }

    private static Optional<double[]> none() {
        return Optional.empty();
    }
}
