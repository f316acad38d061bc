package stackelberg.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import stackelberg.certificate.Certificate.Finiteness;
import stackelberg.certificate.Certificate.Proof;
import stackelberg.game.RandomGame;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.SymmetricEigen;
import stackelberg.linalg.Workers;
import stackelberg.sphere.SphereGeometry;

/** Each formula of the bound on problems with round numbers, where it can be computed by hand. */
class BoundFormulasTest {
    private static final double[] FIRST = {1, 0};

    /** At r = (1, 0): lambda = 2, e = (0, 1/2), and H + lambda I = diag(3, 6). */
    private static StatedProblem easy() {
        return StatedProblem.diagonal(new double[] {1, 4}, new double[] {-3, 0.5}, 7);
    }

    @Test
    void positiveCurvatureBoundsByTheSquareOfTheResidual() {
        Certificate proof = Certificate.of(easy(), FIRST);
        assertThat(proof.objective()).isEqualTo(1 - 6 + 7);
        assertThat(proof.multiplier()).isEqualTo(2);
        assertThat(proof.residual()).isEqualTo(0.5);
        assertThat(proof.curvature()).isEqualTo(3);
        assertThat(proof.gapBound()).isEqualTo(0.25 / 3);
        assertThat(proof.relativeGap()).isEqualTo(0.25 / 3 / 2);
        assertThat(proof.scale()).isEqualTo(7);
        assertThat(proof.proof()).isEqualTo(Proof.PROVEN);
        assertThat(proof.finiteness()).isEqualTo(Finiteness.FINITE);
        assertThat(proof.better()).isEmpty();
    }

    @Test
    void roundingAndNeglectedTermsRaiseTheResidual() {
        StatedProblem problem = easy();
        problem.gradientRounding = 0.25;
        problem.neglected = 0.125;
        Certificate proof = Certificate.of(problem, FIRST);
        assertThat(proof.residual()).isEqualTo(0.875);
        assertThat(proof.gapBound()).isEqualTo(0.875 * 0.875 / 3);
    }

    @Test
    void roundingOfTheMatrixLowersTheCurvature() {
        StatedProblem problem = easy();
        problem.hessianRounding = 0.5;
        Certificate proof = Certificate.of(problem, FIRST);
        assertThat(proof.curvature()).isEqualTo(2.5);
        assertThat(proof.gapBound()).isEqualTo(0.25 / 2.5);
    }

    @Test
    void overstatedObjectiveIsAddedToTheBound() {
        StatedProblem problem = easy();
        problem.overstated = 2;
        assertThat(Certificate.of(problem, FIRST).gapBound()).isEqualTo(0.25 / 3 + 2);
    }

    /** kappa > 4||e|| leaves no minimiser farther than 2||e||/kappa < 1/2; kappa = 4||e|| does not. */
    @Test
    void uniqueOnlyWhereTheCurvatureExceedsFourResiduals() {
        StatedProblem problem = easy();
        problem.gradientRounding = 0.2;
        assertThat(Certificate.of(problem, FIRST).unique()).isTrue();
        problem.gradientRounding = 0.25;
        assertThat(Certificate.of(problem, FIRST).unique()).isFalse();
        problem.gradientRounding = 0.3;
        assertThat(Certificate.of(problem, FIRST).unique()).isFalse();
    }

    /** lambda = 0 and H = diag(1, -1/4): 4||e|| + 4 delta. */
    @Test
    void negativeCurvatureBoundsByTheDiameter() {
        StatedProblem problem = StatedProblem.diagonal(new double[] {1, -0.25}, new double[] {-1, 0.5}, 1e10);
        Certificate proof = Certificate.of(problem, FIRST);
        assertThat(proof.multiplier()).isEqualTo(0);
        assertThat(proof.curvature()).isEqualTo(-0.25);
        assertThat(proof.gapBound()).isEqualTo(4 * 0.5 + 4 * 0.25);
        assertThat(proof.unique()).isFalse();
    }

    @Test
    void boundCoversTheTrueGapFoundByASearchRoundTheCircle() {
        Random random = new Random(84_001);
        for (int trial = 0; trial < 30; trial++) {
            StatedProblem problem = ImprovementTest.random(random, 2);
            double lowest = lowest(problem);
            for (int k = 0; k < 20; k++) {
                double[] r = RandomGame.unit(random, 2);
                Certificate proof = Certificate.of(problem, r);
                double gap = proof.objective() - lowest;
                assertThat(proof.gapBound()).isGreaterThanOrEqualTo(gap - 1e-12);
                if (proof.proof() == Proof.REFUTED) {
                    assertThat(problem.objective(proof.better().orElseThrow())).isLessThan(proof.objective());
                }
                if (proof.unique()) {
                    assertThat(proof.curvature()).isPositive();
                }
            }
        }
    }

    private static double lowest(StatedProblem problem) {
        double lowest = Double.POSITIVE_INFINITY;
        for (int k = 0; k < 4000; k++) {
            double angle = 2 * Math.PI * k / 4000;
            lowest = Math.min(lowest, problem.objective(new double[] {Math.cos(angle), Math.sin(angle)}));
        }
        return lowest;
    }

    /** r next to the first eigenvector of diag(1, 5, 9): the second eigenvalue bounds by ||e||^2/(mu - r'Hr), with mu and r'Hr each known to a residual. */
    @Test
    void secondEigenvalueBoundsTheGapIfThereIsNoLinearTerm() {
        double sin = 0.1;
        double[] r = {Math.sqrt(1 - sin * sin), sin, 0};
        StatedProblem problem = StatedProblem.diagonal(new double[] {1, 5, 9}, new double[3], 0);
        Certificate exact = Certificate.of(problem, r);
        double rayleigh = 1 + 4 * sin * sin;
        double residual = 4 * sin * Math.sqrt(1 - sin * sin);
        assertThat(exact.multiplier()).isCloseTo(-rayleigh, within(1e-14));
        assertThat(exact.residual()).isCloseTo(residual, within(1e-14));
        double temple = residual * residual / (5 - rayleigh - residual);
        assertThat(exact.gapBound()).isCloseTo(temple, within(1e-13));
        assertThat(exact.gapBound()).isGreaterThanOrEqualTo(rayleigh - 1);

        problem.objectiveRounding = 0.01;
        assertThat(Certificate.of(problem, r).gapBound()).isCloseTo(temple + 0.01, within(1e-13));
        problem.hessianRounding = 0.125;
        assertThat(Certificate.of(problem, r).gapBound())
                .isCloseTo(residual * residual / (5 - rayleigh - residual - 0.125) + 0.01, within(1e-13));
    }

    @Test
    void secondEigenvalueSaysNothingWithALinearTermOrAConstant() {
        double[] r = {Math.sqrt(0.99), 0.1, 0};
        double[] h = {1, 5, 9};
        for (StatedProblem problem : List.of(
                StatedProblem.diagonal(h, new double[] {0, 0, 1e-12}, 0),
                StatedProblem.diagonal(h, new double[3], 1e-12))) {
            Certificate proof = Certificate.of(problem, r);
            // 4||e|| + 4 delta, delta = r'Hr - 1
            assertThat(proof.gapBound()).isCloseTo(16 * 0.1 * Math.sqrt(0.99) + 16 * 0.01, within(1e-9));
        }
    }

    @Test
    void eigenvectorOfADoubleEigenvalueHasTheBoundZero() {
        StatedProblem problem = StatedProblem.diagonal(new double[] {3, 3}, new double[2], 0);
        assertThat(Certificate.of(problem, FIRST).gapBound()).isZero();
        assertThat(Certificate.of(problem, FIRST).relativeGap()).isZero();
    }

    /** ||e|| = 12 and kappa = 2 bound by 48, but f(r) = 1/2 is no farther from 0. */
    @Test
    void sumOfSquaresBoundsItsOwnGap() {
        StatedProblem problem = StatedProblem.diagonal(new double[] {1, 1}, new double[] {-2, 12}, 3.5);
        problem.gram = true;
        problem.objectiveRounding = 0.25;
        assertThat(Certificate.of(problem, FIRST).gapBound()).isEqualTo(0.5 + 0.25);
        problem.gram = false;
        assertThat(Certificate.of(problem, FIRST).gapBound()).isEqualTo(48);
    }

    /** f(r) = 4e9 makes 4 the tolerable gap: with ||e|| = 1, a curvature of 1/4 is enough, and a Gram matrix has that without being formed. */
    @Test
    void curvatureThatSufficesIsNotImproved() {
        for (double lambda : new double[] {0.25, 0.2}) {
            StatedProblem problem =
                    StatedProblem.diagonal(new double[] {2, 4}, new double[] {-2 - lambda, 1}, 4e9 + 2 + 2 * lambda);
            problem.gram = true;
            Certificate proof = Certificate.of(problem, FIRST);
            assertThat(proof.objective()).isEqualTo(4e9);
            assertThat(proof.residual()).isEqualTo(1);
            assertThat(problem.formed).isEqualTo(lambda == 0.25 ? 0 : 1);
            assertThat(proof.curvature()).isCloseTo(lambda == 0.25 ? lambda : 2 + lambda, within(1e-15));
        }
    }

    /** f(r) = 1e9 makes 1 the tolerable gap, and 4||e|| + 4 delta = 1 is within it: beyond order 400 no factorisation is made. */
    @Test
    void toleratedGapOfALargeProblemIsNotFactorised() {
        // {||e||, lambda} and whether they are within the tolerance
        double[][] cases = {{0.125, -0.125, 1}, {0.25, 0, 1}, {0.125, -0.126, 0}, {0.251, 0, 0}, {0.251, -0.001, 0}};
        for (double[] given : cases) {
            int d = 401;
            double[] h = new double[d];
            Arrays.fill(h, 1);
            double[] g = new double[d];
            g[0] = -1 - given[1];
            g[1] = given[0];
            StatedProblem problem = StatedProblem.diagonal(h, g, 1e9 + 1 + 2 * given[1]);
            problem.gram = true;
            double[] r = new double[d];
            r[0] = 1;
            Certificate proof = Certificate.of(problem, r);
            assertThat(proof.residual()).isEqualTo(given[0]);
            assertThat(proof.proof()).isEqualTo(Proof.PROVEN);
            boolean tolerated = given[2] == 1;
            assertThat(problem.multiplied == 0).as("%s", given[0]).isEqualTo(tolerated);
            assertThat(proof.gapBound() > 1)
                    .as("the factorisation proves what was not tolerated")
                    .isFalse();
            if (tolerated) {
                assertThat(proof.gapBound()).isEqualTo(4 * given[0] - 4 * given[1]);
            }
        }
    }

    /** H = diag(-1, 0) at r = (0, 1): a quarter turn gains 1, which refutes where more than the tolerable 1e-9 of f. */
    @Test
    void smallGainDoesNotRefute() {
        double[] second = {0, 1};
        for (double p : new double[] {0, 0.5e9, 1e9, 2e9, 8e9}) {
            Certificate proof = Certificate.of(StatedProblem.diagonal(new double[] {-1, 0}, new double[2], p), second);
            assertThat(proof.gapBound()).as("p = " + p).isEqualTo(4);
            assertThat(proof.proof()).as("p = " + p).isEqualTo(p < 1e9 ? Proof.REFUTED : Proof.PROVEN);
            assertThat(proof.better().isPresent()).isEqualTo(p < 1e9);
        }
    }

    @Test
    void certifiedUpToTheToleranceAndNeverAboveOneMillionth() {
        for (double gap : new double[] {1e-9, 1e-6}) {
            Certificate proof = withGap(gap, Proof.PROVEN, Finiteness.FINITE);
            assertThat(proof.relativeGap()).isEqualTo(gap);
            assertThat(proof.certified(gap)).isTrue();
            assertThat(proof.certified(1)).isTrue();
            assertThat(proof.certified(Math.nextDown(gap))).isFalse();
        }
        assertThat(withGap(Math.nextUp(1e-6), Proof.PROVEN, Finiteness.FINITE).certified(1))
                .isFalse();
    }

    @Test
    void certifiedNeedsAProofAndAFiniteRule() {
        assertThat(withGap(0, Proof.PROVEN, Finiteness.UNKNOWN).certified(1)).isTrue();
        assertThat(withGap(0, Proof.ESTIMATED, Finiteness.UNKNOWN).certified(1)).isFalse();
        Certificate without = withGap(0, Proof.PROVEN, Finiteness.NONE);
        assertThat(without.finite()).isFalse();
        assertThat(without.certified(1)).isFalse();
    }

    /** A certificate of a loss of 1 with this gap. */
    private static Certificate withGap(double gap, Proof proof, Finiteness finiteness) {
        return new Certificate(1, new Certificate.Bound(1, 0, 1, gap), proof, true, finiteness, 1, Optional.empty());
    }

    /** f(r) = 0 of p0 = 2: gaps are relative to 2e-9. */
    @Test
    void relativeGapFallsBackOnTheLossOfTheZeroRule() {
        Certificate proof =
                Certificate.of(StatedProblem.diagonal(new double[] {1, 2}, new double[] {-1.5, 0.5}, 2), FIRST);
        assertThat(proof.objective()).isZero();
        assertThat(proof.gapBound()).isEqualTo(0.25 / 1.5);
        assertThat(proof.relativeGap()).isCloseTo(0.25 / 1.5 / 2e-9, within(1e-3));
    }

    @Test
    void lengthOfAPointIsCorrectedBeyondTheRoundingOfItsNorm() {
        double ulp = 0x1p-52;
        assertThat(Certificate.unit(new double[] {1 + ulp})).containsExactly(1 + ulp);
        assertThat(Certificate.unit(new double[] {1 + 2 * ulp})).containsExactly(1);
        // sqrt(256)/16 = 1: twice the rounding of a short sum
        double[] longer = new double[256];
        longer[7] = 1 + 2 * ulp;
        assertThat(Certificate.unit(longer)).containsExactly(longer);
        longer[7] = 1 + 3 * ulp;
        assertThat(Certificate.unit(longer)[7]).isEqualTo(1);
    }

    @Test
    void pointOffTheSphereIsNamedByItsDistance() {
        assertThatThrownBy(() -> Certificate.unit(new double[] {0, 3}))
                .hasMessage("A certificate is about unit vectors, but ||r|| - 1 is 2.0.");
    }

    /** The first proves H >= 3 by its spectrum; the second, at a larger gamma, needs no more than that, and a last bit less is claimed. */
    @Test
    void aBoundProvenAtASmallerGammaIsReusedAtALargerOne() {
        StatedProblem second = atGamma(1, new double[] {3, 5}, -1);
        StatedProblem first = atGamma(2, new double[] {3.5, 5}, -2);
        Certificate[] path = Certificate.ofAll(List.of(first, second), new double[][] {FIRST, FIRST});
        assertThat(path[1].curvature()).isEqualTo(2);
        assertThat(second.formed).isOne();
        assertThat(path[0].multiplier()).isEqualTo(-2);
        // 3 - 4 ulp(3) - 2
        assertThat(path[0].curvature()).isEqualTo(1 - 4 * Math.ulp(3.0));
        assertThat(first.formed).isZero();
        assertThat(Certificate.ofAll(List.of(), new double[0][])).isEmpty();
    }

    /** With effects H grows with the square of the stretch, which is 2 at the first gamma and sqrt(2) at the second. */
    @Test
    void aBoundProvenAtASmallerGammaIsReusedInUnitsOfTheStretch() {
        StatedProblem first = atGamma(1, new double[] {4, 9}, -1);
        first.geometry = SphereGeometry.of(1, new double[] {Math.sqrt(3)});
        StatedProblem second = atGamma(3, new double[] {4, 9}, -1);
        second.geometry = SphereGeometry.of(3, new double[] {Math.sqrt(3)});
        Certificate[] path = Certificate.ofAll(List.of(first, second), new double[][] {FIRST, FIRST});
        assertThat(path[0].curvature()).isEqualTo(3);
        // 4/4 per unit of the stretch, of which there are 2
        assertThat(path[1].curvature()).isCloseTo(1 * 2 - 1, within(1e-13)).isLessThan(1);
        assertThat(second.formed).isZero();
    }

    @Test
    void pointWithNaNCoordinatesProvesNothingForTheOthers() {
        StatedProblem undefined = StatedProblem.diagonal(new double[] {3, 5}, new double[] {Double.NaN, 0}, 0);
        undefined.gamma = 0.5;
        StatedProblem next = atGamma(2, new double[] {3, 5}, -1);
        Certificate[] path = Certificate.ofAll(List.of(undefined, next), new double[][] {FIRST, FIRST});
        assertThat(path[0].gapBound()).isNaN();
        assertThat(path[0].certified(1)).isFalse();
        assertThat(path[1].curvature()).isEqualTo(2);
    }

    /** A Gram problem with multiplier lambda at r = (1, 0), an exactly stationary point. */
    private static StatedProblem atGamma(double gamma, double[] h, double lambda) {
        StatedProblem problem = StatedProblem.diagonal(h, new double[] {-h[0] - lambda, 0}, 50);
        problem.gram = true;
        problem.gamma = gamma;
        // no curvature is needed where nothing is left over
        problem.gradientRounding = 1e-6;
        return problem;
    }

    @Test
    void curvatureIsTheSmallestEigenvalueOfTheShiftedMatrix() {
        Random random = new Random(84_002);
        for (int trial = 0; trial < 20; trial++) {
            StatedProblem problem = ImprovementTest.random(random, 4);
            Certificate proof = Certificate.of(problem, RandomGame.unit(random, 4));
            DenseMatrix h = problem.hessian();
            double smallest = SymmetricEigen.of(h, Workers.of(1)).values()[0];
            assertThat(proof.curvature()).isCloseTo(smallest + proof.multiplier(), within(1e-13));
        }
    }
}
