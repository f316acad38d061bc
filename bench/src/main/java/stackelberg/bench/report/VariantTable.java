package stackelberg.bench.report;

import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import stackelberg.bench.Row;

/** Makes tables of variants, one per line, with their time as a multiple of a base variant: one gamma beside many, or one rho beside others. All phases count. */
final class VariantTable {
    private static final Comparator<Sample> ORDER = Comparator.comparing(Sample::game, Runs.BY_SIZE)
            .thenComparing(Sample::solver, Solvers.ORDER)
            .thenComparing(Sample::protocol)
            .thenComparingDouble(sample -> Show.lastNumber(sample.options()))
            .thenComparing(Sample::options);

    private VariantTable() {}

    /**
     * Adds a table of all variants.
     *
     * @param base the options whose time is the unit
     */
    static void add(Document document, String title, List<Row> rows, String experiment, String base) {
        document.heading(3, title);
        SortedSet<Sample> samples = new TreeSet<>(ORDER);
        rows.stream()
                .filter(row -> row.experiment().equals(experiment))
                .collect(Collectors.groupingBy(row -> List.of(row.game(), row.protocol(), row.player())))
                .values()
                .forEach(
                        own -> samples.add(Sample.of(own, own.get(0).protocol()).orElseThrow()));
        if (samples.isEmpty()) {
            document.paragraph("There are no rows for this table.");
            return;
        }
        // a row that counts for both protocols is timed with all phases here, as under the fair protocol
        Table<Sample> table = new Table<Sample>()
                .text("game", sample -> Show.name(sample.game()))
                .text("solver", sample -> Solvers.label(sample.solver()))
                .text("variant", sample -> sample.options().isEmpty() ? "default" : sample.options())
                .number("trials", sample -> Sample.trials(List.of(sample)))
                .number("seconds", sample -> sample.everyPhase().cell().withoutNote())
                .number("times " + base, sample -> ratio(samples, sample, base))
                .number(
                        "iterations",
                        sample -> mean(sample, row -> row.outcome().iterations()))
                .number("passes", sample -> mean(sample, row -> row.outcome().passes()));
        samples.forEach(table::add);
        document.table(table).bullets(Sample.reasons(samples));
    }

    /** The time over that of the base variant on the same game, preferably of the same solver and protocol. */
    private static Cell ratio(SortedSet<Sample> samples, Sample sample, String base) {
        return samples.stream()
                .filter(one -> one.game().equals(sample.game()) && one.options().equals(base) && one.ran())
                .min(Comparator.comparing((Sample one) -> !one.solver().equals(sample.solver()))
                        .thenComparing(one -> one.protocol() != sample.protocol()))
                .map(one -> sample.everyPhase().ratioTo(one.everyPhase()))
                .orElse(Cell.NOTHING);
    }

    private static String mean(Sample sample, ToIntFunction<Row> count) {
        var known = sample.rows().stream()
                .mapToInt(count)
                .filter(value -> value >= 0)
                .average();
        return known.isPresent() ? Show.count(Math.round(known.getAsDouble())) : Show.NOTHING;
    }
}
