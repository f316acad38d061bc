package stackelberg.bench.report;

import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
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
                .map(row -> row.outcome().note().isBlank()
                        ? "no reason given"
                        : row.outcome().note())
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
                .or(() -> Optional.of(new Sample(any.game(), protocol, any.solver(), "", List.of(), reasons)));
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
    double seconds(Row row) {
        return protocol == Protocol.PAPER
                ? row.seconds().withoutCertificate()
                : row.seconds().total();
    }

    /** The mean time in seconds; NaN if no trial was run. */
    double mean() {
        return mean(this::seconds);
    }

    /** The mean time of the factorisation or the eigenvalues in seconds. */
    double factor() {
        return mean(row -> row.seconds().factor());
    }

    DoubleSummaryStatistics times() {
        return rows.stream().mapToDouble(this::seconds).summaryStatistics();
    }

    private double mean(ToDoubleFunction<Row> value) {
        return rows.stream().mapToDouble(value).average().orElse(Double.NaN);
    }

    /** The number of trials and the range of times, as the tooltip of a cell. */
    String details() {
        var iterations = rows.stream()
                .mapToInt(row -> row.outcome().effort().iterations())
                .summaryStatistics();
        return (trials() == 1 ? "1 trial" : trials() + " trials") + ", " + Show.digits(times().getMin()) + " to "
                + Show.digits(times().getMax()) + " s, iterations "
                + Show.range(iterations.getMin(), iterations.getMax()) + ", largest relative gap "
                + Show.order(worstGap());
    }
}
