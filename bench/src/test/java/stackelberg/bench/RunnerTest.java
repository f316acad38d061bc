package stackelberg.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stackelberg.bench.Row.Protocol;
import stackelberg.linalg.Workers;

/** The smallest bench of all: what must hold whatever the machine. */
class RunnerTest {
    private static final RunLimits NO_LIMITS =
            new RunLimits(Double.POSITIVE_INFINITY, 60, Set.of(), Integer.MAX_VALUE, 10, Protocol.BOTH);
    private static final Workers WORKERS = Workers.of(2);

    @TempDir
    static Path shared;

    private static List<Row> rows;

    /** Every synthetic experiment, run once for the tests that ask. */
    private static List<Row> rows() {
        if (rows == null) {
            Results results = Results.in(shared);
            run(results, NO_LIMITS, synthetic());
            rows = results.rows();
        }
        return rows;
    }

    @Test
    @Tag("slow")
    void everySyntheticExperimentHasRows() {
        assertThat(rows().stream().map(Row::experiment).distinct())
                .containsExactlyInAnyOrder("dense", "sparse", "path", "tune", "scaling", "memory");
    }

    @Test
    @Tag("slow")
    void solversAtTheirBestAreCertified() {
        assertThat(rows())
                .filteredOn(row -> row.protocol() != Protocol.PAPER)
                .isNotEmpty()
                .allSatisfy(row -> {
                    assertThat(row.certified()).isTrue();
                    if (!row.experiment().equals("tune")) {
                        assertThat(row.relativeGap()).isLessThanOrEqualTo(1e-9);
                    }
                });
    }

    @Test
    @Tag("slow")
    void allSolversFindTheSameMinimum() {
        Map<String, List<Row>> games = rows().stream()
                .filter(row -> row.certified() && Set.of("dense", "sparse").contains(row.experiment()))
                .collect(Collectors.groupingBy(row -> row.game() + " " + row.trial()));
        assertThat(games).isNotEmpty().allSatisfy((game, ofGame) -> {
            assertThat(ofGame.stream().map(Row::solver).distinct().count()).isGreaterThan(3);
            double f = ofGame.get(0).objective();
            assertThat(ofGame).allSatisfy(row -> assertThat(row.objective()).isCloseTo(f, within(3e-9 * f)));
        });
    }

    @Test
    @Tag("slow")
    void krylovNeedsFewPasses() {
        assertThat(rows())
                .filteredOn(row -> row.solver().equals("krylov"))
                .isNotEmpty()
                .allSatisfy(row -> assertThat(row.outcome().passes()).isBetween(1, 8));
    }

    @Test
    @Tag("slow")
    void phasesAreDisjointAndNotNegative() {
        assertThat(rows()).allSatisfy(row -> {
            Row.Seconds s = row.seconds();
            assertThat(List.of(s.assemble(), s.factor(), s.solve(), s.certify(), s.recover()))
                    .allSatisfy(phase -> assertThat(phase).isNotNegative());
            assertThat(s.total()).isPositive();
        });
    }

    @Test
    void anInterruptedBenchmarkResumesWhereItStopped(@TempDir Path folder) {
        Results results = Results.in(folder);
        List<Row> all = new ArrayList<>();
        var few = experiments("table2");
        run(
                results,
                new RunLimits(Double.POSITIVE_INFINITY, 60, Set.of("krylov"), Integer.MAX_VALUE, 10, Protocol.BOTH),
                few);
        int first = results.rows().size();
        assertThat(first).isPositive();
        assertThat(results.rows()).allSatisfy(row -> assertThat(row.solver()).isEqualTo("krylov"));
        var more = new RunLimits(
                Double.POSITIVE_INFINITY,
                60,
                Set.of("krylov", "direct", "ltrsr"),
                Integer.MAX_VALUE,
                10,
                Protocol.BOTH);
        run(results, more, few);
        all.addAll(results.rows());
        assertThat(all.size()).isGreaterThan(first);
        assertThat(run(results, more, few).made()).isZero();
        assertThat(results.rows()).isEqualTo(all);
    }

    /** Where time is short every game gets its fair run first. */
    @Test
    @Tag("slow")
    void fairRunsOfAGameComeBeforeTheOthers(@TempDir Path folder) {
        Results results = Results.in(folder);
        var few = experiments("sparse-gamma0.1");
        Set<String> solvers = Set.of("cd-admm");
        run(results, new RunLimits(600, 60, solvers, Integer.MAX_VALUE, 1, Protocol.FAIR), few);
        int fair = results.rows().size();
        assertThat(results.rows()).isNotEmpty().allSatisfy(row -> assertThat(row.protocol())
                .isEqualTo(Row.Protocol.FAIR));
        run(results, new RunLimits(600, 60, solvers, Integer.MAX_VALUE, 1, Protocol.BOTH), few);
        assertThat(results.rows().subList(fair, results.rows().size()))
                .isNotEmpty()
                .allSatisfy(row -> assertThat(row.protocol()).isEqualTo(Row.Protocol.PAPER));
    }

    @Test
    void runsBeyondTheBudgetAreLeftForLater(@TempDir Path folder) {
        Runner.Tally tally = run(
                Results.in(folder),
                new RunLimits(1e-6, 60, Set.of(), Integer.MAX_VALUE, 10, Protocol.BOTH),
                experiments("table2"));
        assertThat(tally.made()).isZero();
        assertThat(tally.left()).isPositive();
    }

    @Test
    void runsThatWouldTakeTooLongAreRecordedAsSkipped(@TempDir Path folder) {
        Results results = Results.in(folder);
        Runner.Tally tally = run(
                results,
                new RunLimits(60, 1e-6, Set.of("socp"), Integer.MAX_VALUE, 10, Protocol.BOTH),
                experiments("table2"));
        assertThat(tally.skipped()).isPositive();
        assertThat(results.rows()).isNotEmpty().allSatisfy(row -> {
            assertThat(row.skipped()).isTrue();
            assertThat(row.certified()).isFalse();
            assertThat(row.note()).contains("would take");
        });
    }

    @Test
    void aStoppedRunIsRepeatedUnderALargerLimit(@TempDir Path folder) {
        Results results = Results.in(folder);
        run(
                results,
                new RunLimits(60, 60, Set.of("krylov"), Integer.MAX_VALUE, 1, Protocol.BOTH),
                experiments("table2"));
        Row row = results.rows().get(0);
        results.add(Rows.stopped(row));
        int made = run(
                        results,
                        new RunLimits(60, 60, Set.of("krylov"), Integer.MAX_VALUE, 1, Protocol.BOTH),
                        experiments("table2"))
                .made();
        assertThat(made).isEqualTo(1);
        assertThat(results.rows())
                .allSatisfy(again -> assertThat(again.certified()).isTrue());
    }

    /** The known counts of the plain method on wine modest at eps 1e-8. */
    @Test
    void convergenceForDifferentRhoIsTraced(@TempDir Path folder) {
        Path data = stackelberg.RealData.file("wine.csv").getParent();
        Results results = Results.in(folder);
        new Runner(results, NO_LIMITS, now -> {}, WORKERS)
                .run(experiments("figure-rho"), Profile.SMOKE, RealData.in(data));
        Map<String, Integer> iterations = results.rows().stream()
                .filter(row -> row.solver().equals("cd-admm"))
                .collect(Collectors.toMap(Row::options, row -> row.outcome().iterations()));
        assertThat(iterations)
                .containsEntry("rho=0.5", 5718)
                .containsEntry("rho=5", 579)
                .containsEntry("rho=50", 65);
        assertThat(results.traces()).filteredOn(p -> p.run().equals("rho=50")).hasSize(65);
        TracePoint last = results.traces().stream()
                .filter(point -> point.run().equals("rho=50"))
                .reduce((a, b) -> b)
                .orElseThrow();
        assertThat(last.objective()).isCloseTo(last.optimum(), within(1e-7 * last.optimum()));
    }

    private static Runner.Tally run(Results results, RunLimits limits, List<Experiment> experiments) {
        return new Runner(results, limits, now -> {}, WORKERS).run(experiments, Profile.SMOKE, null);
    }

    private static List<Experiment> synthetic() {
        return Experiments.all().stream().filter(e -> !e.real()).toList();
    }

    private static List<Experiment> experiments(String name) {
        return Experiments.all().stream().filter(e -> e.name().equals(name)).toList();
    }
}
