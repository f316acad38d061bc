package stackelberg.solver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import stackelberg.certificate.Certificate;
import stackelberg.linalg.Workers;
import stackelberg.solver.direct.DirectSolver;

/** The table of known answers: minimum and multiplier to the digits given, certified from the problem and the point alone. */
class KnownProblemsTest {
    static List<KnownProblem> problems() {
        return KnownProblem.all();
    }

    @ParameterizedTest
    @MethodSource("problems")
    void directFindsTheKnownMinimum(KnownProblem known) {
        var problem = known.problem();
        var result = new DirectSolver(Workers.of(1)).solve(problem, SolverOptions.DEFAULT, ProgressListener.NONE);
        var proof = Certificate.of(problem, result.r());

        double scale = Math.abs(known.minimum());
        assertThat(proof.objective()).isCloseTo(known.minimum(), within(2e-11 * scale));
        assertThat(proof.multiplier() * 2 / (known.radius() * known.radius()))
                .isCloseTo(known.lambda(), within(1e-9 * Math.max(1, known.lambda())));
        assertThat(proof.proof()).isEqualTo(Certificate.Proof.PROVEN);
        assertThat(proof.gapBound()).isLessThan(1e-9 * scale);
        assertThat(proof.unique()).isEqualTo(known.unique());
    }
}
