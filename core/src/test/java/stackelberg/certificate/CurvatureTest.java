package stackelberg.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** Lower bounds of the smallest eigenvalue of H + lambda I: true to the stated rounding, and never more work than the question needs. */
class CurvatureTest {
    private static final double NOTHING = Double.NEGATIVE_INFINITY;
    private static final double NEVER = Double.POSITIVE_INFINITY;

    @Test
    void boundThatIsKnownToSufficeCostsNothing() {
        StatedProblem problem = StatedProblem.diagonal(new double[] {1, 2}, new double[2], 0);
        Curvature curvature = Curvature.of(problem, 0.5, 0.25, 0.75, NEVER);
        assertThat(curvature.lowerBound()).isEqualTo(0.75);
        assertThat(curvature.proven()).isTrue();
        assertThat(curvature.negativeDirection()).isEmpty();
        assertThat(problem.formed + problem.multiplied).isZero();
    }

    @Test
    void boundThatFallsShortIsReplacedByTheSpectrum() {
        StatedProblem problem = StatedProblem.diagonal(new double[] {3, 1.5}, new double[2], 0);
        Curvature curvature = Curvature.of(problem, 0.5, 0.25, 0.76, NEVER);
        assertThat(curvature.lowerBound()).isEqualTo(2);
        assertThat(curvature.second()).isEqualTo(3.5);
        assertThat(problem.formed).isOne();
    }

    @Test
    void knownSpectrumIsNotComputedTwice() {
        StatedProblem problem = StatedProblem.diagonal(new double[] {-3, 2}, new double[2], 0);
        problem.smallest = OptionalDouble.of(-3);
        Curvature curvature = Curvature.of(problem, 1, -3, 5, NEVER);
        assertThat(curvature.lowerBound()).isEqualTo(-2);
        assertThat(curvature.proven()).isTrue();
        assertThat(problem.formed).isZero();
    }

    @Test
    void eigenvaluesAreLoweredByTheirRounding() {
        StatedProblem problem = StatedProblem.diagonal(new double[] {7, 2, 4}, new double[3], 0);
        problem.hessianRounding = 0.25;
        Curvature curvature = Curvature.of(problem, 1, NOTHING, NEVER, NEVER);
        assertThat(curvature.lowerBound()).isEqualTo(2.75);
        assertThat(curvature.second()).isEqualTo(4.75);
        assertThat(curvature.negativeDirection()).isEmpty();
    }

    /** A Gram matrix has no negative eigenvalue, whatever its rounding says. */
    @Test
    void roundingDoesNotLowerAKnownBound() {
        StatedProblem problem = StatedProblem.diagonal(new double[] {0, 2}, new double[2], 0);
        problem.hessianRounding = 0.25;
        assertThat(Curvature.of(problem, 1, 0, NEVER, NEVER).lowerBound()).isEqualTo(1);
    }

    @Test
    void matrixOfOrderOneHasNoSecondEigenvalue() {
        StatedProblem problem = StatedProblem.diagonal(new double[] {2}, new double[1], 0);
        Curvature curvature = Curvature.of(problem, 1, NOTHING, NEVER, NEVER);
        assertThat(curvature.lowerBound()).isEqualTo(3);
        assertThat(curvature.second()).isEqualTo(NOTHING);
    }

    @Test
    void negativeDirectionIsNegativeByMoreThanRounding() {
        for (int d : new int[] {3, 401}) {
            StatedProblem problem = StatedProblem.twoEigenvalues(d, -1, 2);
            problem.hessianRounding = 0.25;
            double[] u = Curvature.of(problem, 0.5, NOTHING, NEVER, NEVER)
                    .negativeDirection()
                    .orElseThrow();
            // an eigenvector of -1, up to its sign
            assertThat(Math.abs(u[d / 2])).isCloseTo(1, within(1e-12));
            assertThat(Curvature.of(problem, 0.75 + 1e-9, NOTHING, NEVER, NEVER).negativeDirection())
                    .as("order " + d)
                    .isEmpty();
            assertThat(Curvature.of(problem, 1.1, NOTHING, NEVER, NEVER).negativeDirection())
                    .isEmpty();
        }
        StatedProblem exact = StatedProblem.diagonal(new double[] {-1, 2}, new double[2], 0);
        exact.hessianRounding = 0.25;
        assertThat(Curvature.of(exact, 0.75, NOTHING, NEVER, NEVER).negativeDirection())
                .isEmpty();
    }

    @Test
    void spectrumIsComputedUpToOrder400() {
        assertThat(Curvature.of(StatedProblem.twoEigenvalues(400, 1, 2), 0, NOTHING, NEVER, NEVER)
                        .second())
                .isCloseTo(2, within(1e-12));
        assertThat(Curvature.of(StatedProblem.twoEigenvalues(401, 1, 2), 0, NOTHING, NEVER, NEVER)
                        .second())
                .isEqualTo(NOTHING);
    }

    @Test
    void toleratedBoundOfALargeOrderCostsNothing() {
        StatedProblem problem = StatedProblem.twoEigenvalues(401, 0, 2);
        Curvature curvature = Curvature.of(problem, -0.5, 0.25, 1, -0.25);
        assertThat(curvature.lowerBound()).isEqualTo(-0.25);
        assertThat(curvature.proven()).isTrue();
        assertThat(curvature.negativeDirection()).isEmpty();
        assertThat(problem.formed + problem.multiplied).isZero();

        assertThat(Curvature.of(problem, -0.5, 0.25, 1, -0.24).negativeDirection())
                .isPresent();
        assertThat(problem.multiplied).isPositive();
    }

    /** Small orders are cheap: there the spectrum is computed although a little negative curvature would be tolerated. */
    @Test
    void toleratedBoundOfASmallOrderIsStillImproved() {
        StatedProblem problem = StatedProblem.twoEigenvalues(3, 1, 2);
        assertThat(Curvature.of(problem, -0.5, 0, 1, -0.5).lowerBound()).isEqualTo(0.5);
    }

    @Test
    void gramMatrixWithANullVectorHasTheSmallestEigenvalueZero() {
        StatedProblem problem = StatedProblem.twoEigenvalues(401, 0, 2);
        problem.gram = true;
        problem.nullity = 1;
        Curvature negative = Curvature.of(problem, -0.5, NOTHING, NEVER, NEVER);
        assertThat(negative.lowerBound()).isEqualTo(-0.5);
        assertThat(negative.proven()).isTrue();
        assertThat(negative.negativeDirection()).isPresent();
        assertThat(problem.formed).isZero();

        Curvature positive = Curvature.of(problem, 0.5, NOTHING, NEVER, NEVER);
        assertThat(positive.lowerBound()).isEqualTo(0.5);
        assertThat(positive.negativeDirection()).isEmpty();
    }

    @Test
    void nullVectorsOfAnIndefiniteMatrixProveNothing() {
        StatedProblem problem = StatedProblem.twoEigenvalues(401, -1, 2);
        problem.nullity = 1;
        assertThat(Curvature.of(problem, 0, -1.5, NEVER, NEVER).lowerBound()).isEqualTo(-1.5);
    }

    @Test
    void largeMatrixWithANegativeDirectionIsNotFactorised() {
        StatedProblem problem = StatedProblem.twoEigenvalues(401, -1, 2);
        Curvature curvature = Curvature.of(problem, 0.5, -2, NEVER, NEVER);
        assertThat(curvature.lowerBound()).isEqualTo(-1.5);
        assertThat(curvature.proven()).isTrue();
        assertThat(problem.formed).isZero();
    }

    @Test
    void matrixIsFormedUpToOrder10000() {
        assertThatThrownBy(() -> Curvature.of(StatedProblem.twoEigenvalues(10_000, 1, 2), 0, NOTHING, NEVER, NEVER))
                .isInstanceOf(OutOfMemoryError.class);
        Curvature curvature = Curvature.of(StatedProblem.twoEigenvalues(10_001, 1, 2), -0.5, 0.25, NEVER, NEVER);
        assertThat(curvature.lowerBound()).isEqualTo(-0.25);
        assertThat(curvature.proven()).isFalse();
        assertThat(curvature.negativeDirection()).isEmpty();
    }

    @Test
    void factorisationProvesHalfOfTheEstimate() {
        StatedProblem problem = StatedProblem.twoEigenvalues(401, 4, 9);
        problem.hessianRounding = 0.5;
        Curvature curvature = Curvature.of(problem, 2, NOTHING, NEVER, NEVER);
        assertThat(curvature.lowerBound()).isCloseTo(3 - 0.5, within(1e-12));
        assertThat(curvature.proven()).isTrue();
        assertThat(Curvature.of(problem, 2, 0.75, NEVER, NEVER).lowerBound())
                .as("what is known already is not forgotten")
                .isEqualTo(2.75);
    }

    /** Evenly spread eigenvalues: sixty Lanczos steps do not find the smallest one, and ever smaller bounds are tried. */
    @Test
    void factorisationProvesLessWhereTheEstimateIsTooHigh() {
        double estimate = SmallestRitz.of(spread(0)).value();
        assertThat(estimate).isBetween(0.2, 20.0);

        StatedProblem sixteenth = spread(estimate / 15);
        double higher = SmallestRitz.of(sixteenth).value();
        assertThat(higher).isCloseTo(estimate * 16 / 15, within(1e-7));
        assertThat(Curvature.of(sixteenth, 0, NOTHING, NEVER, NEVER).lowerBound())
                .as("a sixteenth of the estimate")
                .isCloseTo(higher / 16, within(1e-12));

        StatedProblem enough = spread(estimate / 50);
        enough.hessianRounding = estimate / 1000;
        assertThat(Curvature.of(enough, 0, NOTHING, estimate / 200, NEVER).lowerBound())
                .as("what suffices, and a rounding more")
                .isCloseTo(estimate / 200 + estimate / 1000, within(1e-12));

        assertThat(Curvature.of(enough, 0, NOTHING, estimate / 20, NEVER).lowerBound())
                .as("no negative eigenvalue")
                .isCloseTo(0, within(1e-15));

        StatedProblem singular = spread(0);
        singular.hessianRounding = estimate / 1000;
        Curvature hard = Curvature.of(singular, 0, NOTHING, estimate / 20, NEVER);
        assertThat(hard.lowerBound()).as("the hard case").isCloseTo(-estimate / 500, within(1e-15));
        assertThat(hard.proven()).isTrue();

        StatedProblem negative = spread(-estimate / 100);
        negative.hessianRounding = estimate / 1000;
        Curvature missed = Curvature.of(negative, 0, -1, estimate / 20, NEVER);
        assertThat(missed.lowerBound()).isEqualTo(-1);
        assertThat(missed.proven()).as("Lanczos missed the negative eigenvalue").isFalse();
        assertThat(missed.negativeDirection()).isEmpty();
    }

    @Test
    void ritzPairOfTwoEigenvaluesIsExact() {
        for (int d : new int[] {1, 2, 5, 401}) {
            SmallestRitz ritz = SmallestRitz.of(StatedProblem.twoEigenvalues(d, -3, 2));
            assertThat(ritz.value()).isCloseTo(-3, within(1e-12));
            assertThat(Math.abs(ritz.vector()[d / 2])).isCloseTo(1, within(1e-12));
        }
    }

    /** The start favours no coordinate: from each end of the spectrum's order the same eigenvalue is found. */
    @Test
    void ritzValueDoesNotDependOnWhereTheEigenvalueStands() {
        for (int where : new int[] {0, 1, 17, 200, 399, 400}) {
            double[] h = new double[401];
            Arrays.setAll(h, i -> 1 + i % 7);
            h[where] = -3;
            assertThat(SmallestRitz.of(StatedProblem.diagonal(h, new double[401], 0))
                            .value())
                    .isCloseTo(-3, within(1e-9));
        }
    }

    private static StatedProblem spread(double smallest) {
        double[] h = new double[401];
        Arrays.setAll(h, i -> smallest + 1000.0 * i);
        return StatedProblem.diagonal(h, new double[401], 0);
    }
}
