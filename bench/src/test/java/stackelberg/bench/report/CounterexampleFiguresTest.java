package stackelberg.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.bench.report.CounterexampleFigures.Way;
import stackelberg.solver.SphereResult;

/** What the figure shows: published to the wrong point or nowhere, repaired to the minimum. */
class CounterexampleFiguresTest {
    @ParameterizedTest
    @ValueSource(doubles = {1, 10})
    void onlyTheRepairedIterationEndsAtTheMinimum(double rho) {
        Way published = CounterexampleFigures.way(CounterexampleFigures.problem(), rho, true);
        Way repaired = CounterexampleFigures.way(CounterexampleFigures.problem(), rho, false);

        assertThat(published.proof().certified(1e-9)).isFalse();
        assertThat(repaired.proof().certified(1e-9)).isTrue();
        assertThat(repaired.result().status()).isEqualTo(SphereResult.Status.CONVERGED);
        assertThat(repaired.last()).hasSize(repaired.result().effort().iterations());
        assertThat(repaired.result().r()[1]).isCloseTo(-0.78276721, within(1e-4));
        // the answer is the iterate on the sphere, the figure shows the one before it is put there
        assertThat(repaired.last().get(repaired.last().size() - 1)).isCloseTo(-0.78276721, within(1e-3));
    }
}
