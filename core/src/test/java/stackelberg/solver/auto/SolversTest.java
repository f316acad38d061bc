package stackelberg.solver.auto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import stackelberg.linalg.Workers;
import stackelberg.solver.SphereSolver;

/** What the solvers tell about themselves is what documentation and reports say of them. */
class SolversTest {
    private static final Workers ONE = Workers.of(1);

    @Test
    void everySolverIsFoundByItsName() {
        assertThat(Solvers.names())
                .containsExactly("auto", "krylov", "direct", "cd-admm", "admm", "ltrsr", "rtr-newton", "socp", "sdp")
                .allSatisfy(name -> assertThat(Solvers.named(name, ONE).name()).isEqualTo(name));
    }

    @Test
    void anUnknownNameIsAnsweredWithTheKnownOnes() {
        assertThatThrownBy(() -> Solvers.named("newton", ONE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("There is no solver \"newton\". Maybe one of auto, krylov, direct, cd-admm, admm, ltrsr,"
                        + " rtr-newton, socp, sdp.");
    }

    @Test
    void solversReportWhatTheyShareAndNeed() {
        assertThat(Solvers.names(SphereSolver::sharesGammas)).containsExactly("auto", "krylov", "direct");
        assertThat(Solvers.names(SphereSolver::needsFactor))
                .containsExactly("direct", "cd-admm", "admm", "socp", "sdp");
        assertThat(Solvers.names(solver -> solver.asPublished().isPresent())).containsExactly("rtr-newton");
    }
}
