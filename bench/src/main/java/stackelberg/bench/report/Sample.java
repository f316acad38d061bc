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
 * The trials of one solver on one game under one protocol: the variant that is shown.
 *
 * @param options of the variant
 * @param rows the trials that were run; none if all were skipped
 * @param reasons why trials were skipped
 */
record Sample(Row.Game game, Protocol protocol, String solver, String options, List<Row> rows, List<String> reasons) {

    /**
     * From the rows of one solver on one game: the options with the most trials; among these the fastest that is certified throughout; and if there is
     * none the one with the smallest gap. Empty if no row counts for the protocol.
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

    /** The same with every phase counted. */
    Sample everyPhase() {
        return new Sample(game, Protocol.FAIR, solver, options, rows, reasons);
    }

    boolean ran() {
        return !rows.isEmpty();
    }

    long trials() {
        return rows.stream().map(Row::trial).distinct().count();
    }

    /** Whether every trial was solved: only a certificate says so. */
    boolean certified() {
        return ran() && rows.stream().allMatch(Row::certified);
    }

    /** The largest relative gap; infinite if one is not known. */
    double worstGap() {
        return rows.stream()
                .mapToDouble(row -> Double.isNaN(row.relativeGap()) ? Double.POSITIVE_INFINITY : row.relativeGap())
                .max()
                .orElse(Double.POSITIVE_INFINITY);
    }

    /** What the protocol counts: the paper did not time a certificate. */
    double seconds(Row row) {
        return protocol == Protocol.PAPER
                ? row.seconds().withoutCertificate()
                : row.seconds().total();
    }

    /** Mean time; NaN if nothing ran. */
    double mean() {
        return mean(this::seconds);
    }

    /** Mean time of the factorisation or the eigenvalues. */
    double factor() {
        return mean(row -> row.seconds().factor());
    }

    DoubleSummaryStatistics times() {
        return rows.stream().mapToDouble(this::seconds).summaryStatistics();
    }

    private double mean(ToDoubleFunction<Row> value) {
        return rows.stream().mapToDouble(value).average().orElse(Double.NaN);
    }

    /** Trials and spread, for whoever wants more than the mean. */
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
