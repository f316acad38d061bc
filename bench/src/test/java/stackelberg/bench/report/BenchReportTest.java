package stackelberg.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stackelberg.bench.Row;
import stackelberg.bench.Row.Protocol;
import stackelberg.bench.TracePoint;

/** The files that come out. */
class BenchReportTest {
    @TempDir
    private Path folder;

    /** Something for every table and every figure. */
    private static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        Random random = new Random(11);
        for (String solver : List.of("sdp", "socp", "ltrsr", "admm", "cd-admm", "rtr-newton", "krylov", "direct")) {
            for (String name : List.of("wine modest", "wine severe", "blog modest")) {
                for (int m : new int[] {150, 240, 330}) {
                    rows.addAll(Given.real(name, m, solver)
                            .takes(random.nextDouble())
                            .trials(3));
                }
            }
            rows.addAll(
                    Given.dense(2000, 1000, solver).takes(random.nextDouble()).trials(3));
            rows.addAll(Given.sparse(5000, 10_000, 1e-3, solver)
                    .takes(random.nextDouble())
                    .trials(1));
            rows.addAll(Given.dense(2000, 1000, solver).in("scaling").trials(1));
            rows.addAll(Given.dense(4000, 1000, solver).in("scaling").trials(1));
            rows.addAll(Given.dense(2000, 1000, solver).in("memory").trials(1));
        }
        Given admm = Given.real("wine modest", 1500, "cd-admm").under(Protocol.PAPER);
        rows.addAll(admm.in("adaptive").with("adaptive").trials(2));
        rows.addAll(admm.in("adaptive").with("rho=50").gap(1e-5).trials(2));
        rows.addAll(admm.in("rho").with("rho=50").trials(1));
        rows.addAll(Given.dense(2000, 1000, "krylov").in("tune").with("fit").trials(1));
        return rows;
    }

    private static List<TracePoint> traces() {
        List<TracePoint> traces = new ArrayList<>();
        for (String run : List.of("rho=50", "rho=0.5", "rho=5")) {
            for (int k = 1; k <= 300; k++) {
                traces.add(new TracePoint("rho", run, k, 10 + 5.0 / k, 10));
            }
        }
        return traces;
    }

    private SortedMap<String, String> write(List<Row> rows, List<TracePoint> traces, String name) throws IOException {
        Path target = folder.resolve(name);
        BenchReport.write(rows, traces, target);
        SortedMap<String, String> files = new TreeMap<>();
        try (var all = Files.walk(target)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                files.put(target.relativize(file).toString(), Files.readString(file));
            }
        }
        return files;
    }

    @Test
    void sameRowsInAnyOrderGiveTheSameBytes() throws IOException {
        List<Row> shuffled = new ArrayList<>(rows());
        Collections.shuffle(shuffled, new Random(5));
        assertThat(write(shuffled, traces(), "b")).isEqualTo(write(rows(), traces(), "a"));
    }

    @Test
    void everyFigureIsAFileAndInTheReport() throws IOException {
        var files = write(rows(), traces(), "a");
        List<String> figures = files.keySet().stream()
                .filter(name -> name.startsWith("figures"))
                .toList();
        assertThat(figures)
                .contains(
                        "figures/wine-modest-paper.svg",
                        "figures/wine-severe-fair.svg",
                        "figures/blog-modest-fair.svg",
                        "figures/rho-objective.svg",
                        "figures/rho-gap.svg",
                        "figures/scaling-m-dense.svg",
                        "figures/memory.svg");
        assertThat(figures).allSatisfy(name -> {
            PlotTest.parse(files.get(name));
            assertThat(files.get("report.md")).contains("](" + name + ")");
        });
    }

    @Test
    void figuresHaveACurveForEverySolverAndEveryRho() throws IOException {
        var files = write(rows(), traces(), "a");
        assertThat(polylines(files.get("figures/wine-modest-fair.svg"))).isEqualTo(8);
        // three curves and the optimum
        assertThat(polylines(files.get("figures/rho-objective.svg"))).isEqualTo(4);
        assertThat(polylines(files.get("figures/rho-gap.svg"))).isEqualTo(3);
        // eight solvers and the data themselves
        assertThat(polylines(files.get("figures/memory.svg"))).isEqualTo(9);
        // two rho and the minimum
        assertThat(polylines(files.get("figures/counterexample-published.svg"))).isEqualTo(3);
        assertThat(polylines(files.get("figures/counterexample-repaired.svg"))).isEqualTo(3);
        String legend = files.get("figures/rho-gap.svg");
        assertThat(legend.indexOf("rho=0.5<")).isLessThan(legend.indexOf("rho=5<"));
        assertThat(legend.indexOf("rho=5<")).isLessThan(legend.indexOf("rho=50<"));
    }

    private static int polylines(String svg) {
        return PlotTest.parse(svg).getElementsByTagName("polyline").getLength();
    }

    @Test
    void uncertifiedPointsAreHollow() throws IOException {
        var files = write(
                List.of(
                        Given.real("wine modest", 150, "krylov").row(),
                        Given.real("wine modest", 240, "krylov").gap(1e-3).row()),
                List.of(),
                "a");
        assertThat(files.get("figures/wine-modest-fair.svg").split("class=\"ink hole\"", -1))
                .hasSize(2);
    }

    @Test
    void textOfARowIsEscaped() throws IOException {
        String evil = "</td></svg><script>alert('x')</script>\n# head | [a](b) `c` ![d](e) \u0000 & \"q\" \uD800";
        var files = write(
                List.of(
                        Given.dense(2000, 1000, "socp").skippedBecause(evil).row(),
                        Given.dense(2000, 1000, evil).with(evil).row(),
                        Given.real("wine ../../" + evil, 150, evil).with(evil).row()),
                List.of(new TracePoint("rho", evil, 1, 2, 1), new TracePoint("rho", evil, 2, 1.5, 1)),
                "a");
        assertThat(files.values()).allSatisfy(text -> assertThat(text).doesNotContain("<script", "\u0000"));
        assertThat(files.keySet()).allMatch(name -> name.matches("report\\.md|figures/[a-z0-9-]+\\.svg"));
        files.forEach((name, text) -> {
            if (name.endsWith(".svg")) {
                PlotTest.parse(text);
            }
        });
        String markdown = files.get("report.md");
        assertThat(markdown.lines().filter(line -> line.startsWith("# "))).hasSize(1);
        assertThat(markdown.lines()).noneMatch(line -> line.startsWith("# head"));
        assertThat(markdown).contains("\\| \\[a\\](b) \\`c\\` !\\[d\\](e)");
        assertThat(tableWidths(markdown)).allMatch(width -> width > 0);
    }

    /** The width of every table, or -1 for one whose lines differ in width. */
    private static List<Integer> tableWidths(String markdown) {
        List<Integer> widths = new ArrayList<>();
        for (String block : markdown.split("\n\n")) {
            if (block.startsWith("| ")) {
                var distinct = block.lines()
                        .map(line -> line.replace("\\|", "").split("\\|", -1).length)
                        .collect(Collectors.toSet());
                widths.add(distinct.size() == 1 ? distinct.iterator().next() : -1);
            }
        }
        return widths;
    }

    @Test
    void noRowsGiveAReportThatSaysSo() throws IOException {
        var files = write(List.of(), List.of(), "a");
        assertThat(files.keySet())
                .containsExactly(
                        "figures/counterexample-published.svg", "figures/counterexample-repaired.svg", "report.md");
        assertThat(files.get("report.md")).contains("0, of which 0 ran", "There are no traces for this figure.");
    }
}
