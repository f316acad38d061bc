package stackelberg.bench.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import stackelberg.bench.Row;
import stackelberg.bench.TracePoint;
import stackelberg.data.DataException;
import stackelberg.data.Message;
import stackelberg.data.io.AtomicFile;

/** Makes the report from rows and traces alone: {@code report.md} and {@code figures/*.svg}. */
public final class BenchReport {
    private BenchReport() {}

    /** Writes the report into the folder, which is created if needed. The same rows, in any order, give the same bytes. */
    public static void write(List<Row> rows, List<TracePoint> traces, Path folder) {
        Document report = document(rows, traces);
        try {
            Files.createDirectories(folder.resolve("figures"));
        } catch (IOException e) {
            throw new DataException(
                    Message.of(
                            "folder-not-made",
                            "The folder '{}' cannot be made: {}.\n"
                                    + "Maybe a file of that name exists, or the folder above it is not writable.",
                            folder,
                            e.getMessage()),
                    e);
        }
        report.figures().forEach((file, svg) -> write(folder.resolve("figures").resolve(file), svg));
        write(folder.resolve("report.md"), report.markdown());
    }

    private static void write(Path file, String text) {
        AtomicFile.write(file, text.getBytes(StandardCharsets.UTF_8));
    }

    static Document document(List<Row> unsorted, List<TracePoint> traces) {
        // rows are sorted, because sums of floating-point numbers depend on their order, and a resumed benchmark has
        // its rows in another one
        List<Row> rows = unsorted.stream()
                .sorted(Comparator.comparing(Row::key).thenComparing(Row::toString))
                .toList();
        Document report = new Document("The paper's experiments, run again");
        introduce(report, rows);
        report.heading(2, "Published conclusions");
        Conclusions.add(report, rows);
        realData(report, rows);
        synthetic(report, rows);
        ours(report, rows, traces);
        return report;
    }

    private static void introduce(Document report, List<Row> rows) {
        long ran = rows.stream().filter(row -> !row.skipped()).count();
        long certified =
                rows.stream().filter(row -> !row.skipped() && row.certified()).count();
        var trials = rows.stream()
                .filter(row -> !row.skipped())
                .mapToInt(row -> row.task().trials())
                .summaryStatistics();
        report.paragraph(
                "Our numbers beside the published ones, which are copied from the source of the paper's tables 1 to 3 and 5 to 10;"
                        + " they were measured on other machines, so compare ratios, not times. The published ratios are"
                        + " computed from the published times: Ratio2 of the paper's"
                        + " two dense tables is ADMM/LTRSR, although the caption says ADMM/CD-ADMM.");
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put(
                "rows",
                Show.count(rows.size()) + ", of which " + Show.count(ran) + " ran and " + Show.count(rows.size() - ran)
                        + " were skipped");
        facts.put("certified", Show.count(certified) + " of " + Show.count(ran));
        facts.put(
                "trials planned", trials.getCount() == 0 ? Show.NOTHING : Show.range(trials.getMin(), trials.getMax()));
        facts.put("processor", distinct(rows, row -> row.machine().cpu()));
        facts.put("threads", distinct(rows, row -> "" + row.machine().threads()));
        facts.put("virtual machine", distinct(rows, row -> row.machine().jvm()));
        facts.put("commit", distinct(rows, row -> row.machine().commit()));
        Table<Map.Entry<String, String>> table = new Table<Map.Entry<String, String>>()
                .text("what", Map.Entry::getKey)
                .text("value", Map.Entry::getValue);
        facts.entrySet().forEach(table::add);
        report.table(table);
        report.paragraph(
                "Times are seconds, means over the trials. Protocol paper: each solver plain with its own stopping"
                        + " rule, the certificate not timed."
                        + " Protocol fair: every solver to the same certified accuracy, every phase timed. A run counts"
                        + " as solved only with a certificate: "
                        + Sample.UNCERTIFIED
                        + " marks a time for which some trial has none, with the largest relative gap. Bold is the"
                        + " fastest certified time of the paper's four solvers, "
                        + Solvers.FASTEST
                        + " the fastest certified time of all. The variant follows the time: the options with the"
                        + " most trials, then the fastest"
                        + " certified ones, then those with the smallest gap. A dash means not run.");
    }

    private static String distinct(List<Row> rows, Function<Row, String> value) {
        String all = rows.stream()
                .map(value)
                .filter(text -> !text.isBlank())
                .distinct()
                .sorted()
                .collect(Collectors.joining("; "));
        return all.isEmpty() ? Show.NOTHING : all;
    }

    private static void realData(Document report, List<Row> rows) {
        report.heading(2, "Real data");
        report.paragraph(
                "Relative errors are |f_SOCP - f_X| / |f_SOCP| over all sizes and trials of a case. The paper defines"
                        + " them with a sign but prints none, so sizes are compared;"
                        + " how often f is below or above SOCP's is counted. They measure SOCP's error as much as"
                        + " X's: the certified gap shows which, without a second solver.");
        ErrorTable.add(report, rows, "Table 1: relative errors on real data", "real", 0.1);
        report.paragraph(
                "In the figures a hollow mark is a size at which not every trial is certified. The tables below them"
                        + " show the smallest, the middle and the largest size.");
        TimeFigures.REAL.forEach(experiment -> TimeFigures.addReal(report, rows, experiment));
    }

    private static void synthetic(Document report, List<Row> rows) {
        report.heading(2, "Dense synthetic games");
        report.paragraph(
                "Ratio1 = SOCP/CD-ADMM, Ratio2 = ADMM/CD-ADMM, Ratio3 = the fastest certified one of the paper's"
                        + " four/krylov. In brackets: the time of the eigenvalues, which is part of the time before it.");
        TimeTable.add(report, "Table 2: times, dense, gamma 0.1", rows, "dense", game -> game.gamma() == 0.1);
        TimeTable.add(report, "Table 5: times, dense, gamma 0.01", rows, "dense", game -> game.gamma() == 0.01);
        ErrorTable.add(report, rows, "Table 6: relative errors, dense, gamma 0.1", "dense", 0.1);
        ErrorTable.add(report, rows, "Table 7: relative errors, dense, gamma 0.01", "dense", 0.01);
        report.heading(2, "Sparse synthetic games");
        // the paper's density of 0.0001, or the smallest density of a quick run
        double sparsest = rows.stream()
                .filter(row -> row.experiment().equals("sparse"))
                .mapToDouble(row -> row.game().density())
                .min()
                .orElse(1e-4);
        TimeTable.add(
                report,
                "Table 3: times, density " + Show.plain(sparsest) + ", gamma 0.1",
                rows,
                "sparse",
                game -> game.gamma() == 0.1 && game.density() == sparsest);
        TimeTable.add(report, "Table 8: times, sparse, gamma 0.1", rows, "sparse", game -> game.gamma() == 0.1);
        TimeTable.add(report, "Table 9: times, sparse, gamma 0.01", rows, "sparse", game -> game.gamma() == 0.01);
        ErrorTable.add(report, rows, "Table 10: relative errors, sparse, gamma 0.1", "sparse", 0.1);
        ErrorTable.add(report, rows, "Table 10: relative errors, sparse, gamma 0.01", "sparse", 0.01);
    }

    private static void ours(Document report, List<Row> rows, List<TracePoint> traces) {
        report.heading(2, "Convergence");
        RhoFigures.add(report, traces);
        CounterexampleFigures.add(report);
        VariantTable.add(report, "Plain CD-ADMM until its own rule stops it", rows, "rho", "rho=50");
        report.heading(2, "Our own experiments");
        report.paragraph("Every phase counts here, the certificate included.");
        VariantTable.add(report, "Time for many gammas and for one", rows, "path", "gammas=1");
        VariantTable.add(report, "Time for a cross-validation and for one fit", rows, "tune", "fit");
        VariantTable.add(report, "Time with fixed rho and with adaptive rho", rows, "adaptive", "adaptive");
        TimeFigures.addScaling(report, rows);
        TimeFigures.addMemory(report, rows);
    }
}
