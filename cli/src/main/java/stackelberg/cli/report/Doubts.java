package stackelberg.cli.report;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import stackelberg.cli.answer.Numbers;
import stackelberg.data.Encoding;
import stackelberg.data.Encoding.EncodedColumn;
import stackelberg.data.NumericColumn;
import stackelberg.game.Sample;

/** Reasons why a move may be impossible: the closed form of the response has no bounds and ignores that some values must be whole numbers. */
final class Doubts {
    /** The value lies outside the range seen in training. */
    static final String OUTSIDE = "outside";

    /** The value lies between two whole numbers. */
    static final String BETWEEN = "between";

    /** A declared limit stops the move. */
    static final String LIMIT = "limit";

    /** The signs before moves that may be impossible, by the kind of doubt. */
    static final Map<String, String> FLAGS = Map.of(OUTSIDE, "⚠", BETWEEN, "½", LIMIT, "■");

    /** If whole numbers span more than this, they are measurements rather than counts, and fractions are acceptable. */
    private static final double MOST_COUNTED = 100;

    private static final double ROUNDING = 1e-6;

    private final Sample people;
    private final List<Encoding.Feature> features = new ArrayList<>();
    private final List<EncodedColumn> columns;
    private final Map<String, Boolean> counted = new HashMap<>();

    /** Creates the doubts about moves of these people. */
    Doubts(Encoding encoding, Sample people) {
        this.people = people;
        this.columns = encoding.columns();
        encoding.features().forEach(feature -> feature.columns().forEach(column -> features.add(feature)));
    }

    /** Whether a move takes an encoded column out of the range seen in training; a value that was outside before does not count. */
    boolean outside(int j, double from, double to) {
        Encoding.Feature.Range reach = features.get(j).reach();
        return reach != null && reach.isLeft(from, to);
    }

    /** The reason, if any, why a move of an encoded column, in the units of the data, may be impossible. */
    ReportData.@Nullable Doubt of(int j, double from, double to) {
        Encoding.Feature feature = features.get(j);
        Encoding.Feature.Range reach = feature.reach();
        if (reach != null && reach.isLeft(from, to)) {
            String words = feature.categorical()
                    ? "A person is " + columns.get(j).level() + " or is not, so only 0 and 1 are possible."
                    : to < 0 && reach.min() >= 0
                            ? "No one in training was below zero."
                            : to > reach.max()
                                    ? "No one in training had more than " + Numbers.number(reach.max()) + "."
                                    : "No one in training had less than " + Numbers.number(reach.min()) + ".";
            return new ReportData.Doubt(OUTSIDE, words);
        }
        if (Math.abs(to - Math.rint(to)) <= ROUNDING * Math.max(1, Math.abs(to))) {
            return null;
        }
        if (feature.categorical()) {
            String words = "A person is " + columns.get(j).level() + " or is not, so only 0 and 1 are possible.";
            return new ReportData.Doubt(BETWEEN, words);
        }
        boolean whole = reach != null
                && reach.max() - reach.min() <= MOST_COUNTED
                && counted.computeIfAbsent(feature.column(), this::whole);
        return whole ? new ReportData.Doubt(BETWEEN, "All values in the data are whole numbers.") : null;
    }

    private boolean whole(String column) {
        if (!people.rows().has(column) || !(people.rows().column(column) instanceof NumericColumn numbers)) {
            return false;
        }
        for (int i = 0; i < people.size(); i++) {
            if (!numbers.isMissing(i) && numbers.value(i) != Math.rint(numbers.value(i))) {
                return false;
            }
        }
        return true;
    }
}
