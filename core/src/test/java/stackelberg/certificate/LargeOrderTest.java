package stackelberg.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;
import stackelberg.solver.PlantedGame;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereProblem;

/** Beyond order 400 a factorisation proves and Lanczos refutes: planted games, where the optimum is known without solving. */
class LargeOrderTest {
    @ParameterizedTest
    @EnumSource
    void plantedOptimumIsProven(PlantedGame.Case kind) {
        PlantedGame planted = PlantedGame.of(new Random(82_001), 410, 401, 100, 0.5, kind, 0.3);
        Certificate proof = Certificate.of(problem(planted), planted.r());

        assertThat(proof.proof()).as(proof.toString()).isEqualTo(Certificate.Proof.PROVEN);
        assertThat(proof.multiplier()).isCloseTo(planted.lambda(), within(1e-12));
        assertThat(proof.relativeGap()).as(proof.toString()).isLessThan(1e-9);
        if (kind != PlantedGame.Case.NEARLY_HARD) {
            assertThat(proof.unique()).isEqualTo(kind != PlantedGame.Case.HARD);
        }
    }

    /** H + lambda I is singular in the hard case: only H + (lambda + delta) I has a factorisation, and that is proof enough. */
    @Test
    void singularMatrixOfTheHardCaseIsStillAProof() {
        int d = 401;
        DenseMatrix h = DenseMatrix.zeros(d, d);
        for (int i = 0; i < d; i++) {
            h.set(i, i, i - 200);
        }
        double[] r = new double[d];
        r[0] = -1;
        Certificate proof = Certificate.of(SphereProblem.of(h, new double[d], 0), r);
        assertThat(proof.proof()).as(proof.toString()).isEqualTo(Certificate.Proof.PROVEN);
        assertThat(proof.gapBound()).as(proof.toString()).isLessThan(1e-9 * 200);
        assertThat(proof.unique()).isFalse();
    }

    @ParameterizedTest
    @EnumSource(names = {"NEGATIVE", "HARD"})
    void oppositeOfThePlantedOptimumIsRefuted(PlantedGame.Case kind) {
        PlantedGame planted = PlantedGame.of(new Random(82_002), 410, 401, 100, 0.5, kind, 0.3);
        SphereProblem problem = problem(planted);
        double[] opposite = Arrays.stream(planted.r()).map(v -> -v).toArray();
        Certificate proof = Certificate.of(problem, opposite);

        assertThat(proof.proof()).as(proof.toString()).isEqualTo(Certificate.Proof.REFUTED);
        assertThat(proof.gapBound()).isGreaterThanOrEqualTo(proof.objective() - planted.objective());
        assertThat(problem.evaluate(proof.better().orElseThrow()).objective()).isLessThan(proof.objective());
    }

    private static SphereProblem problem(PlantedGame planted) {
        return Reduction.of(planted.game(), Workers.of(1))
                .family()
                .at(planted.game().gamma());
    }
}
