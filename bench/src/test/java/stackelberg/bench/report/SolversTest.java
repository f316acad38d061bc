package stackelberg.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SolversTest {
    /** The default is one of the others in turn, and has no curve of its own. */
    @Test
    void everySolverHasItsOwnPen() {
        List<String> names = new ArrayList<>(stackelberg.solver.auto.Solvers.names());
        names.remove("auto");
        assertThat(names.stream().map(Solvers::pen))
                .doesNotHaveDuplicates()
                .doesNotContain(Solvers.pen("somebody else"));
    }

    @Test
    void thePapersSolversComeFirstAndUnknownOnesLast() {
        List<String> names = new ArrayList<>(List.of("b", "direct", "cd-admm", "a", "krylov", "socp", "rtr-newton"));
        names.sort(Solvers.ORDER);
        assertThat(names).containsExactly("socp", "cd-admm", "rtr-newton", "krylov", "direct", "a", "b");
        assertThat(names.stream().map(Solvers::label))
                .containsExactly("SOCP", "CD-ADMM", "RTRNewton", "krylov", "direct", "a", "b");
    }
}
