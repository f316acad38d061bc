package stackelberg.cli.report;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import stackelberg.cli.answer.Numbers;
import stackelberg.data.Encoding;
import stackelberg.data.Encoding.EncodedColumn;
import stackelberg.data.NumericColumn;
import stackelberg.game.Sample;

/** Why somebody may be unable to make a move: the closed form of the response knows no bounds, and no whole numbers. */
final class Doubts {
    /** The figure is one that nobody in training had. */
    static final String OUTSIDE = "outside";

    /** The figure lies between two that people can have. */
    static final String BETWEEN = "between";

    /** A declared limit stops the move. */
    static final String LIMIT = "limit";

    /** A column whose whole numbers span more is measured and not counted: a fraction of its unit is no matter. */
    private static final double MOST_COUNTED = 100;

    private static final double ROUNDING = 1e-6;

    private final Sample people;
    private final List<Encoding.Feature> features = new ArrayList<>();
    private final List<EncodedColumn> columns;
    private final Map<String, Boolean> counted = new HashMap<>();

    /** Of moves of these people, by the encoding of their rule. */
    Doubts(Encoding encoding, Sample people) {
        this.people = people;
        this.columns = encoding.columns();
        encoding.features().forEach(feature -> feature.columns().forEach(column -> features.add(feature)));
    }

    /** Whether a move of an encoded column leads where nobody in training was; whoever was there before does not count. */
    boolean outside(int j, double from, double to) {
        Encoding.Feature.Range reach = features.get(j).reach();
        return reach != null && reach.left(from, to);
    }

    /** What speaks against a move of an encoded column, in the units of the data; null if nothing does. */
    ReportData.Doubt of(int j, double from, double to) {
        Encoding.Feature feature = features.get(j);
        Encoding.Feature.Range reach = feature.reach();
        if (outside(j, from, to)) {
            String words = feature.categorical()
                    ? "People are " + columns.get(j).level() + " or they are not: 1 or 0, and nothing beyond."
                    : to < 0 && reach.min() >= 0
                            ? "Below zero, where nobody in training was."
                            : to > reach.max()
                                    ? "Nobody in training had more than " + Numbers.number(reach.max()) + "."
                                    : "Nobody in training had less than " + Numbers.number(reach.min()) + ".";
            return new ReportData.Doubt(OUTSIDE, words);
        }
        if (Math.abs(to - Math.rint(to)) <= ROUNDING * Math.max(1, Math.abs(to))) {
            return null;
        }
        if (feature.categorical()) {
            String words = "People are " + columns.get(j).level() + " or they are not: 1 or 0, and nothing between.";
            return new ReportData.Doubt(BETWEEN, words);
        }
        boolean whole = reach != null
                && reach.max() - reach.min() <= MOST_COUNTED
                && counted.computeIfAbsent(feature.column(), this::whole);
        return whole ? new ReportData.Doubt(BETWEEN, "Everybody has a whole number.") : null;
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
