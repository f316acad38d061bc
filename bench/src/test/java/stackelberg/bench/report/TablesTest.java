package stackelberg.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import stackelberg.bench.Row;
import stackelberg.bench.Row.Protocol;

/** Cells against values computed by hand. */
class TablesTest {
    private static final String TABLE_2 = "Table 2: times, dense, gamma 0.1, protocol ";

    private static Document report(Given... rows) {
        List<Row> all = new ArrayList<>();
        List.of(rows).forEach(row -> all.addAll(row.trials(2)));
        return BenchReport.document(all, List.of());
    }

    private static final Given[] LINE = {
        Given.dense(2000, 1000, "socp").takes(0.8),
        Given.dense(2000, 1000, "ltrsr").takes(0.2).with("formed"),
        Given.dense(2000, 1000, "admm").takes(0.1).gap(2e-6).with("rho=50"),
        Given.dense(2000, 1000, "cd-admm").takes(0.4),
        Given.dense(2000, 1000, "krylov").takes(0.01),
    };

    @Test
    void timesAreShownBesideThePublishedOnes() {
        Found table = Found.below(report(LINE), TABLE_2 + "fair");
        var line = table.line("2n", "1,000");
        assertThat(table.cell(line, "trials", 0)).isEqualTo("2");
        assertThat(table.cell(line, "SOCP (eig)", 0)).isEqualTo("0.800 (0.400)");
        assertThat(table.cell(line, "SOCP (eig)", 1)).isEqualTo("0.167 (0.0870)");
        assertThat(table.cell(line, "LTRSR", 0)).isEqualTo("**0.200** (formed)");
        assertThat(table.cell(line, "direct", 0)).isEqualTo("–");
        assertThat(table.cell(line, "Ratio1", 0)).isEqualTo("2.00");
        // 0.167 / 0.071 and 0.027 / 0.071
        assertThat(table.cell(line, "Ratio1", 1)).isEqualTo("2.35");
        assertThat(table.cell(line, "Ratio2", 1)).isEqualTo("0.380");
        assertThat(table.cell(line, "Ratio3", 0)).isEqualTo("20.0");
    }

    @Test
    void thePapersProtocolExcludesTheCertificate() {
        Found table = Found.below(report(LINE), TABLE_2 + "paper");
        var line = table.line("2n", "1,000");
        assertThat(table.cell(line, "SOCP (eig)", 0)).isEqualTo("0.600 (0.400)");
    }

    @Test
    void onlyCertifiedSolversWin() {
        Found table = Found.below(report(LINE), TABLE_2 + "fair");
        var line = table.line("2n", "1,000");
        assertThat(table.cell(line, "ADMM", 0)).isEqualTo("0.100 †2e-6 (rho=50)");
        assertThat(table.cell(line, "LTRSR", 0)).isEqualTo("**0.200** (formed)");
        assertThat(table.cell(line, "krylov", 0)).isEqualTo("0.0100 ★");
        // the paper's own winner
        assertThat(table.cell(line, "ADMM", 1)).isEqualTo("**0.0270**");
        assertThat(table.cell(line, "Ratio2", 0)).isEqualTo("0.250 †");
    }

    @Test
    void publishedLinesWithoutRunsAreShown() {
        Found table = Found.below(report(LINE), TABLE_2 + "fair");
        assertThat(table.lines()).hasSize(18);
        var line = table.line("0.5n", "10,000");
        assertThat(table.cell(line, "trials", 0)).isEqualTo("–");
        assertThat(table.cell(line, "CD-ADMM", 0)).isEqualTo("–");
        assertThat(table.cell(line, "CD-ADMM", 1)).isEqualTo("12.5");
    }

    @Test
    void linesWithoutPublishedTimesAreAdded() {
        Found table = Found.below(report(LINE[0], Given.dense(400, 200, "krylov")), TABLE_2 + "fair");
        assertThat(table.lines()).hasSize(19);
        var line = table.line("2n", "200");
        assertThat(table.cell(line, "krylov", 0)).isEqualTo("1.00 ★");
        assertThat(table.cell(line, "SOCP (eig)", 1)).isEqualTo("–");
    }

    @Test
    void withoutAPublishedSizeNoPublishedLineIsShown() {
        Document quick = report(Given.dense(400, 200, "krylov"));
        assertThat(Found.below(quick, TABLE_2 + "fair").lines()).hasSize(1);
        assertThat(quick.markdown()).contains("None of the published sizes is among these rows");
    }

    @Test
    void tablesWithoutRowsAreASentence() {
        assertThat(report(LINE).markdown())
                .contains(
                        "### Table 5: times, dense, gamma 0.01, protocol fair\n\nThere are no rows for this table.\n");
    }

    @Test
    void skippedRunsAreADashWithTheReasonBelowTheTable() {
        Given[] rows = {
            Given.dense(2000, 1000, "socp").skippedBecause("eigenvalues take an hour"),
            Given.dense(4000, 2000, "socp").skippedBecause("eigenvalues take an hour"),
            Given.dense(2000, 1000, "krylov")
        };
        Document report = report(rows);
        Found table = Found.below(report, TABLE_2 + "fair");
        assertThat(table.cell(table.line("2n", "1,000"), "SOCP (eig)", 0)).isEqualTo("–");
        assertThat(report.markdown())
                .contains(
                        "* Not run, SOCP: eigenvalues take an hour (dense 2,000 x 1,000, gamma 0.1; dense 4,000 x 2,000, gamma 0.1)\n");
    }

    /** Errors (100 - 99) / 100 and (100 - 102) / 100: average 0.015, one below and one above. */
    @Test
    void relativeErrorsAreComparedBySizeAndCountedBySign() {
        List<Row> rows = List.of(
                Given.real("wine modest", 150, "socp").row(),
                Given.real("wine modest", 240, "socp").row(),
                Given.real("wine modest", 150, "ltrsr").reaches(99).gap(1e-11).row(),
                Given.real("wine modest", 240, "ltrsr").reaches(102).gap(1e-3).row(),
                // no SOCP to compare with
                Given.real("wine modest", 240, "ltrsr").trial(2).reaches(500).row());
        Found table = Found.below(
                BenchReport.document(rows, List.of()), "Table 1: relative errors on real data, protocol fair");
        var line = table.line("wine modest", "LTRSR");
        assertThat(line)
                .containsExactly(
                        "wine modest",
                        "LTRSR",
                        "1.50e-02",
                        "1.00e-02",
                        "2.00e-02",
                        "7.10e-10",
                        "2.44e-12",
                        "5.23e-09",
                        "2",
                        "1",
                        "1",
                        "1.00e-03",
                        "1.00e-12");
        assertThat(table.cell(table.line("building severe", "ADMM"), "average", 0))
                .isEqualTo("–");
    }

    /** Published on these two games: 0.049 against 0.502, and 2.006 against 1.694. */
    @Test
    void conclusionsCountTheSameWinner() {
        Document report = report(
                Given.sparse(10_000, 10_000, 1e-4, "cd-admm").takes(2),
                Given.sparse(10_000, 10_000, 1e-4, "ltrsr").takes(1),
                Given.sparse(30_000, 30_000, 1e-4, "cd-admm").takes(2),
                Given.sparse(30_000, 30_000, 1e-4, "ltrsr").takes(1),
                Given.sparse(20_000, 20_000, 1e-4, "cd-admm").takes(1).gap(1e-5),
                Given.sparse(20_000, 20_000, 1e-4, "ltrsr").takes(2));
        var line = Found.below(report, "Published conclusions")
                .line("CD-ADMM beats LTRSR", "sparse, density 0.0001", "fair");
        assertThat(line.subList(3, 8)).containsExactly("29 of 40", "0 of 2", "1 of 2", "1", "1 of 3");
    }

    @Test
    void variantsAreMultiplesOfTheirBase() {
        Given path = Given.dense(2000, 1000, "krylov").in("path");
        Found table = Found.below(
                report(path.with("gammas=1").takes(2), path.with("gammas=40").takes(3)),
                "Time for many gammas and for one");
        assertThat(table.lines()).hasSize(2);
        var many = table.line("dense 2,000 x 1,000, gamma 0.1", "krylov", "gammas=40");
        assertThat(many.subList(3, 8)).containsExactly("2", "3.00", "1.50", "7", "3");
    }

    /** X of 1,000 x 999 and a column of ones: 8 MB; the process went from 100 to 300 MB. */
    @Test
    void memoryIsShownAsAMultipleOfTheData() {
        Found table = Found.below(report(Given.dense(1000, 999, "krylov").in("memory")), "Memory");
        assertThat(table.lines().get(0))
                .containsExactly("dense 1,000 x 999, gamma 0.1", "krylov", "2", "8.00", "100", "300", "37.5", "25.0");
    }

    @Test
    void theHeadCountsRowsAndNamesTheCommit() {
        Document report = report(
                LINE[0],
                LINE[2],
                Given.dense(8000, 4000, "sdp").under(Protocol.FAIR).skippedBecause("too large"));
        Found table = Found.below(report, "The paper's experiments, run again");
        assertThat(table.line("rows").get(1)).isEqualTo("6, of which 4 ran and 2 were skipped");
        assertThat(table.line("certified").get(1)).isEqualTo("2 of 4");
        assertThat(table.line("commit").get(1)).isEqualTo("c0ffee");
    }
}
