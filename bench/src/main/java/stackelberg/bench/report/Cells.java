package stackelberg.bench.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import stackelberg.bench.Row;

/** Cells that several tables share, and what is said below a table. */
final class Cells {
    /** The mark of a time that is not a solution's: not every trial has a certificate. */
    static final String UNCERTIFIED = "†";
    /** The mark of the fastest of all solvers. */
    static final String FASTEST = "★";

    /** More games than this are counted, not listed. */
    private static final int MOST_NAMES = 4;

    private Cells() {}

    /** The mean time, with the variant, and with the worst gap if it is not certified throughout. */
    static Table.Cell time(Optional<Sample> sample) {
        return sample.filter(Sample::ran)
                .map(one ->
                        new Table.Cell(Show.digits(one.mean()), certificate(one), one.options(), false, one.details()))
                .orElse(Table.Cell.NOTHING);
    }

    /** The mean time and, in brackets, that of the eigenvalues. */
    static Table.Cell timeWithFactor(Optional<Sample> sample) {
        Table.Cell cell = time(sample);
        return sample.filter(Sample::ran)
                .map(one -> new Table.Cell(
                        cell.text() + " (" + Show.digits(one.factor()) + ")",
                        cell.mark(),
                        cell.note(),
                        false,
                        cell.title()))
                .orElse(cell);
    }

    private static String certificate(Sample sample) {
        if (sample.certified()) {
            return "";
        }
        return UNCERTIFIED + (Double.isInfinite(sample.worstGap()) ? "no bound" : Show.order(sample.worstGap()));
    }

    /** Mean time of one solver over that of another on the same game. */
    static Table.Cell ratio(Optional<Sample> above, Optional<Sample> below) {
        if (above.filter(Sample::ran).isEmpty() || below.filter(Sample::ran).isEmpty()) {
            return Table.Cell.NOTHING;
        }
        boolean certified = above.get().certified() && below.get().certified();
        return Table.Cell.of(Show.digits(above.get().mean() / below.get().mean()))
                .marked(certified ? "" : UNCERTIFIED);
    }

    /** How many trials the samples have. */
    static Table.Cell trials(Collection<Sample> samples) {
        var count =
                samples.stream().filter(Sample::ran).mapToLong(Sample::trials).summaryStatistics();
        return count.getCount() == 0 ? Table.Cell.NOTHING : Table.Cell.of(Show.range(count.getMin(), count.getMax()));
    }

    /** Every reason for a run that was not made, with the games it was given for. */
    static List<String> reasons(Collection<Sample> samples) {
        Map<String, List<String>> games = new TreeMap<>();
        for (Sample sample : samples) {
            for (String reason : sample.reasons()) {
                games.computeIfAbsent(Solvers.label(sample.solver()) + ": " + reason, unused -> new ArrayList<>())
                        .add(name(sample.game()));
            }
        }
        List<String> lines = new ArrayList<>();
        games.forEach((reason, where) -> lines.add("Not run, " + reason + " ("
                + (where.size() <= MOST_NAMES
                        ? String.join("; ", where)
                        : where.size() + " games, " + where.get(0) + " to " + where.get(where.size() - 1))
                + ")"));
        return lines;
    }

    static String name(Row.Protocol protocol) {
        return protocol.name().toLowerCase(Locale.ROOT);
    }

    /** A game in a few words. */
    static String name(Row.Game game) {
        String size = Show.count(game.m()) + " x " + Show.count(game.n());
        String kind = game.name().isEmpty() ? game.family() : game.name();
        String density = game.density() < 1 ? ", density " + Show.plain(game.density()) : "";
        return kind + " " + size + density + ", gamma " + Show.plain(game.gamma());
    }

    /** m as a multiple of n where the paper says it so. */
    static String multiple(double multiple) {
        return multiple == 1 ? "n" : Show.plain(multiple) + "n";
    }
}
