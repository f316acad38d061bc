package stackelberg.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import stackelberg.bench.Row;
import stackelberg.bench.Row.Protocol;

class SampleTest {
    private static final Given ADMM = Given.dense(2000, 1000, "admm").under(Protocol.PAPER);

    private static Sample chosen(List<List<Row>> variants) {
        return Sample.of(variants.stream().flatMap(List::stream).toList(), Protocol.PAPER)
                .orElseThrow();
    }

    @Test
    void theVariantWithTheMostTrialsIsShown() {
        Sample sample = chosen(List.of(
                ADMM.with("rho=5").takes(1).trials(1),
                ADMM.with("rho=50").takes(9).trials(3)));
        assertThat(sample.options()).isEqualTo("rho=50");
        assertThat(sample.trials()).isEqualTo(3);
    }

    @Test
    void ofEqualTrialsTheFastestCertifiedVariantIsShown() {
        Sample sample = chosen(List.of(
                ADMM.with("rho=1").takes(1).gap(1e-3).trials(2),
                ADMM.with("rho=5").takes(3).trials(2),
                ADMM.with("rho=50").takes(2).trials(2)));
        assertThat(sample.options()).isEqualTo("rho=50");
    }

    @Test
    void aVariantWithAnUncertifiedTrialIsNotCertified() {
        List<Row> mixed = new ArrayList<>(ADMM.with("rho=1").takes(1).trials(1));
        mixed.add(ADMM.with("rho=1").takes(1).trial(2).gap(1e-8).row());
        Sample sample = chosen(List.of(mixed, ADMM.with("rho=5").takes(3).trials(2)));
        assertThat(sample.options()).isEqualTo("rho=5");
    }

    @Test
    void withoutACertifiedVariantTheSmallestGapIsShown() {
        Sample sample = chosen(List.of(
                ADMM.with("rho=1").takes(1).gap(1e-3).trials(1),
                ADMM.with("rho=5").takes(5).gap(1e-6).trials(1),
                ADMM.with("rho=9").takes(2).gap(Double.NaN).trials(1)));
        assertThat(sample.options()).isEqualTo("rho=5");
        assertThat(sample.certified()).isFalse();
    }

    /** Half a second of factorisation and a quarter each of solving and certifying: only the paper leaves the last one out. */
    @Test
    void theProtocolDecidesWhatIsTimed() {
        List<Row> rows = Given.dense(2000, 1000, "krylov").trials(2);
        assertThat(Sample.of(rows, Protocol.PAPER).orElseThrow().mean()).isCloseTo(0.75, within(1e-15));
        assertThat(Sample.of(rows, Protocol.FAIR).orElseThrow().mean()).isCloseTo(1, within(1e-15));
    }

    @Test
    void rowsOfTheOtherProtocolDoNotCount() {
        assertThat(Sample.of(ADMM.trials(3), Protocol.FAIR)).isEmpty();
    }

    @Test
    void skippedRowsKeepTheirReasonAndAreNotTrials() {
        List<Row> rows =
                List.of(ADMM.row(), ADMM.trial(2).skippedBecause("too long").row());
        Sample sample = Sample.of(rows, Protocol.PAPER).orElseThrow();
        assertThat(sample.trials()).isEqualTo(1);
        assertThat(sample.certified()).isTrue();
        assertThat(sample.reasons()).containsExactly("too long");
    }
}
