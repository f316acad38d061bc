package stackelberg.bench.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import stackelberg.bench.Row;
import stackelberg.bench.Row.Protocol;

/** Makes tables of variants, one per line, with their time as a multiple of a base variant: one gamma beside many, or one rho beside others. All phases count. */
final class VariantTable {
    /** The key of a line. */
    private record Variant(Row.Game game, Protocol protocol, String solver, String options) {
        static final Comparator<Variant> ORDER = Comparator.comparing(Variant::game, Runs.BY_SIZE)
                .thenComparing(Variant::solver, Solvers.ORDER)
                .thenComparing(Variant::protocol)
                .thenComparingDouble(variant -> number(variant.options()))
                .thenComparing(Variant::options);

        /** The last number in the options, by which lines are sorted, so that rho=50 follows rho=5. */
        private static double number(String options) {
            String tail = options.substring(options.lastIndexOf('=') + 1);
            return tail.matches("\\d+(\\.\\d+)?") ? Double.parseDouble(tail) : -1;
        }
    }

    private VariantTable() {}

    /**
     * Adds a table of all variants.
     *
     * @param base the options whose time is the unit
     */
    static void add(Document document, String title, List<Row> rows, String experiment, String base) {
        document.heading(3, title);
        Map<Variant, List<Row>> variants = rows.stream()
                .filter(row -> row.experiment().equals(experiment))
                .collect(Collectors.groupingBy(
                        row -> new Variant(row.game(), row.protocol(), row.solver(), row.options()),
                        () -> new TreeMap<>(Variant.ORDER),
                        Collectors.toList()));
        if (variants.isEmpty()) {
            document.paragraph("There are no rows for this table.");
            return;
        }
        // a row that counts for both protocols is timed with all phases here, as under the fair protocol
        Map<Variant, Sample> samples = new TreeMap<>(Variant.ORDER);
        variants.forEach((variant, own) -> samples.put(
                variant, Sample.of(own, variant.protocol()).orElseThrow().everyPhase()));
        Table table = new Table()
                .text("game", "solver", "variant")
                .ours("trials", "seconds", "times " + base, "iterations", "passes");
        samples.forEach((variant, sample) -> {
            List<Table.Cell> cells = new ArrayList<>();
            cells.add(Table.Cell.of(Cells.name(variant.game())));
            cells.add(Table.Cell.of(Solvers.label(variant.solver())));
            cells.add(Table.Cell.of(variant.options().isEmpty() ? "default" : variant.options()));
            cells.add(Cells.trials(List.of(sample)));
            cells.add(Cells.time(Optional.of(sample)).withoutNote());
            cells.add(Cells.ratio(Optional.of(sample), base(samples, variant, base)));
            cells.add(mean(sample, Row.Effort::iterations));
            cells.add(mean(sample, Row.Effort::passes));
            table.add(Cells.name(variant.game()) + variant.solver(), cells);
        });
        document.table(table).bullets(Cells.reasons(samples.values()));
    }

    /** The base variant on the same game, preferably of the same solver and protocol. */
    private static Optional<Sample> base(Map<Variant, Sample> samples, Variant variant, String base) {
        return samples.entrySet().stream()
                .filter(one -> one.getKey().game().equals(variant.game())
                        && one.getKey().options().equals(base)
                        && one.getValue().ran())
                .min(Comparator.comparing((Map.Entry<Variant, Sample> one) ->
                                !one.getKey().solver().equals(variant.solver()))
                        .thenComparing(one -> one.getKey().protocol() != variant.protocol()))
                .map(Map.Entry::getValue);
    }

    private static Table.Cell mean(Sample sample, java.util.function.ToIntFunction<Row.Effort> count) {
        var known = sample.rows().stream()
                .map(row -> row.outcome().effort())
                .mapToInt(count)
                .filter(value -> value >= 0)
                .average();
        return known.isPresent() ? Table.Cell.of(Show.count(Math.round(known.getAsDouble()))) : Table.Cell.NOTHING;
    }
}
