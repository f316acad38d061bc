package stackelberg.bench.report;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import stackelberg.bench.Row;
import stackelberg.bench.Row.Protocol;

/**
 * The trials of one solver on one game under one protocol, for the variant that is shown.
 *
 * @param options the options of the variant
 * @param rows the trials that were run; none if all were skipped
 * @param reasons why trials were skipped
 */
record Sample(Row.Game game, Protocol protocol, String solver, String options, List<Row> rows, List<String> reasons) {
    /** The mark of a time for which not every trial is certified. */
    static final String UNCERTIFIED = "†";

    /**
     * Chooses the variant of one solver on one game: of the options with the most trials, the fastest one with all trials certified; if there is none, the one
     * with the smallest gap. Empty if no row counts for the protocol.
     */
    static Optional<Sample> of(List<Row> all, Protocol protocol) {
        List<Row> counting =
                all.stream().filter(row -> row.protocol().countsFor(protocol)).toList();
        if (counting.isEmpty()) {
            return Optional.empty();
        }
        Row any = counting.get(0);
        List<String> reasons = counting.stream()
                .filter(Row::skipped)
                .map(row -> row.note().isBlank() ? "no reason given" : row.note())
                .distinct()
                .sorted()
                .toList();
        Map<String, List<Row>> variants = counting.stream()
                .filter(row -> !row.skipped())
                .collect(Collectors.groupingBy(Row::options, TreeMap::new, Collectors.toList()));
        return variants.entrySet().stream()
                .map(one -> new Sample(any.game(), protocol, any.solver(), one.getKey(), one.getValue(), reasons))
                .min(Comparator.comparingLong((Sample one) -> -one.trials())
                        .thenComparing(one -> !one.certified())
                        .thenComparingDouble(one -> one.certified() ? one.mean() : one.worstGap()))
                .or(() ->
                        Optional.of(new Sample(any.game(), protocol, any.solver(), any.options(), List.of(), reasons)));
    }

    /** A copy whose times include every phase, the certificate too. */
    Sample everyPhase() {
        return new Sample(game, Protocol.FAIR, solver, options, rows, reasons);
    }

    boolean ran() {
        return !rows.isEmpty();
    }

    long trials() {
        return rows.stream().map(Row::trial).distinct().count();
    }

    /** Whether every trial is certified. */
    boolean certified() {
        return ran() && rows.stream().allMatch(Row::certified);
    }

    /** The largest relative gap of all trials; infinite if one is not known. */
    double worstGap() {
        return rows.stream()
                .mapToDouble(row -> Double.isNaN(row.relativeGap()) ? Double.POSITIVE_INFINITY : row.relativeGap())
                .max()
                .orElse(Double.POSITIVE_INFINITY);
    }

    /** The seconds of a row that the protocol counts: without the certificate under the paper's protocol. */
    private double seconds(Row row) {
        return protocol == Protocol.PAPER
                ? row.seconds().withoutCertificate()
                : row.seconds().total();
    }

    /** The mean time in seconds; NaN if no trial was run. */
    double mean() {
        return mean(this::seconds);
    }

    double mean(ToDoubleFunction<Row> value) {
        return rows.stream().mapToDouble(value).average().orElse(Double.NaN);
    }

    /** The mean time with its variant, and the largest gap if not every trial is certified. */
    Cell cell() {
        if (!ran()) {
            return Cell.NOTHING;
        }
        String gap = Double.isInfinite(worstGap()) ? "no bound" : Show.order(worstGap());
        return new Cell(Show.digits(mean()), certified() ? "" : UNCERTIFIED + gap, options, false);
    }

    /** The mean time divided by the mean time of another solver on the same game. */
    Cell ratioTo(Sample other) {
        return ran() && other.ran()
                ? Cell.of(Show.digits(mean() / other.mean()))
                        .marked(certified() && other.certified() ? "" : UNCERTIFIED)
                : Cell.NOTHING;
    }

    /** The number of trials of the samples, or its range. */
    static String trials(Collection<Sample> samples) {
        var count =
                samples.stream().filter(Sample::ran).mapToLong(Sample::trials).summaryStatistics();
        return count.getCount() == 0 ? Show.NOTHING : Show.range(count.getMin(), count.getMax());
    }

    /** The shortest mean time of the certified samples; NaN if none is certified. */
    static double fastest(Collection<Sample> samples) {
        return samples.stream()
                .filter(Sample::certified)
                .mapToDouble(Sample::mean)
                .min()
                .orElse(Double.NaN);
    }

    boolean isFastestOf(Collection<Sample> samples) {
        return certified() && mean() == fastest(samples);
    }

    /** The reasons for skipped runs, each with its games: up to four by name, more only counted. */
    static List<String> reasons(Collection<Sample> samples) {
        Map<String, List<String>> games = new TreeMap<>();
        samples.forEach(sample -> sample.reasons.forEach(reason -> games.computeIfAbsent(
                        Solvers.label(sample.solver) + ": " + reason, unused -> new java.util.ArrayList<>())
                .add(Show.name(sample.game))));
        return games.entrySet().stream()
                .map(one -> {
                    List<String> where = one.getValue();
                    String shown = where.size() <= 4
                            ? String.join("; ", where)
                            : where.size() + " games, " + where.get(0) + " to " + where.get(where.size() - 1);
                    return "Not run, " + one.getKey() + " (" + shown + ")";
                })
                .toList();
    }
}
