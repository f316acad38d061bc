package stackelberg.bench.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import stackelberg.bench.Row;

/** Makes cells that several tables share, and the notes below a table. */
final class Cells {
    /** The mark of a time for which not every trial is certified. */
    static final String UNCERTIFIED = "†";
    /** The mark of the fastest certified solver. */
    static final String FASTEST = "★";

    /** Up to this many games are listed by name, more are only counted. */
    private static final int MOST_NAMES = 4;

    private Cells() {}

    /** The mean time with its variant, and with the largest gap if not every trial is certified. */
    static Table.Cell time(Optional<Sample> sample) {
        return sample.filter(Sample::ran)
                .map(one ->
                        new Table.Cell(Show.digits(one.mean()), certificate(one), one.options(), false, one.details()))
                .orElse(Table.Cell.NOTHING);
    }

    /** The mean time and, in brackets, the part of it spent on eigenvalues. */
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

    /** The mean time of one solver divided by that of another on the same game. */
    static Table.Cell ratio(Optional<Sample> above, Optional<Sample> below) {
        if (above.filter(Sample::ran).isEmpty() || below.filter(Sample::ran).isEmpty()) {
            return Table.Cell.NOTHING;
        }
        boolean certified = above.get().certified() && below.get().certified();
        return Table.Cell.of(Show.digits(above.get().mean() / below.get().mean()))
                .marked(certified ? "" : UNCERTIFIED);
    }

    /** The number of trials of the samples. */
    static Table.Cell trials(Collection<Sample> samples) {
        var count =
                samples.stream().filter(Sample::ran).mapToLong(Sample::trials).summaryStatistics();
        return count.getCount() == 0 ? Table.Cell.NOTHING : Table.Cell.of(Show.range(count.getMin(), count.getMax()));
    }

    /** The reasons for skipped runs, each with its games. */
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

    /** A short name of a game. */
    static String name(Row.Game game) {
        String size = Show.count(game.m()) + " x " + Show.count(game.n());
        String kind = game.name().isEmpty() ? game.family() : game.name();
        String density = game.density() < 1 ? ", density " + Show.plain(game.density()) : "";
        return kind + " " + size + density + ", gamma " + Show.plain(game.gamma());
    }

    /** m written as a multiple of n if it is one of the paper's multiples. */
    static String multiple(double multiple) {
        return multiple == 1 ? "n" : Show.plain(multiple) + "n";
    }
}
