package stackelberg.game;

import java.util.List;
import java.util.Set;
import stackelberg.data.Encoding;
import stackelberg.data.Table;
import stackelberg.data.wish.Wish;

/** What a user should know about data before anything is learned from them. */
final class SampleWarnings {
    /** A line holds no more names. */
    private static final int CONSTANTS_NAMED = 10;

    /** Below this many rows a column of categories may well have a level for most of them. */
    private static final int ROWS_TO_TELL = 20;

    private SampleWarnings() {}

    static void rows(int dropped, int left, List<String> warnings) {
        if (dropped > 0) {
            warnings.add(dropped + (dropped == 1 ? " row was" : " rows were") + " left out because a value is missing; "
                    + left + " remain.");
        }
    }

    /** Whoever names immutable columns may not have meant to free the categories, which are immutable by default. */
    static void categories(Encoding encoding, Set<String> immutable, GameSpec spec, List<String> warnings) {
        List<String> freed = encoding.features().stream()
                .filter(f -> f.categorical() && !immutable.contains(f.column()))
                .map(Encoding.Feature::column)
                .toList();
        Set<String> declared = spec.moves().immutable();
        if (!freed.isEmpty() && declared != null && !declared.isEmpty()) {
            warnings.add(
                    "What is declared immutable replaces the default, the categorical columns: people can now change "
                            + String.join(", ", freed) + ".");
        }
    }

    /** Wishes that come from the target tell it, to whoever knows them exactly. */
    static void wish(World world, Table rows, List<String> warnings) {
        // statistics of the target are numbers by now
        boolean depends = Wish.parse(world.wish(), rows.names()).usesTarget();
        if (depends && world.spec().wishNoise() == 0) {
            warnings.add(
                    "The wish depends on the target and is taken as known exactly, so that it hands the truth to whoever"
                            + " publishes the rule: real losses will be larger. Maybe say how uncertain wishes are with"
                            + " wishNoise(...).");
        }
    }

    static void constants(Encoding encoding, List<String> warnings) {
        if (!encoding.constantColumns().isEmpty()) {
            List<String> constants = encoding.constantColumns();
            int more = constants.size() - CONSTANTS_NAMED;
            warnings.add("The same value in all rows, so no information: "
                    + String.join(", ", constants.subList(0, Math.min(CONSTANTS_NAMED, constants.size())))
                    + (more > 0 ? " and " + more + " more columns." : "."));
        }
    }

    /** Categories with more levels than half the rows name people instead of describing them, and a rule can learn each by heart. */
    static void identifiers(Encoding encoding, int rows, List<String> warnings) {
        for (Encoding.Feature feature : encoding.features()) {
            int levels = feature.levels().size();
            if (feature.categorical() && rows >= ROWS_TO_TELL && 2L * levels > rows) {
                warnings.add("Column '" + feature.column() + "' has "
                        + (levels == rows
                                ? "a value of its own in every row"
                                : levels + " different values in " + rows + " rows")
                        + ", as a name or a date has: a rule can learn such rows by heart, and what it loses on them says"
                        + " nothing of others. Maybe ignore(\"" + feature.column() + "\").");
            }
        }
    }
}
