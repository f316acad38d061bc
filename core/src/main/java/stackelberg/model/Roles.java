package stackelberg.model;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import stackelberg.data.DataException;
import stackelberg.data.Encoding;
import stackelberg.data.Feature;

/** What a column is to a game; choices that make one column two things that contradict each other are refused by name. */
final class Roles {
    /** Below this many rows a column of categories may well have a level for most of them. */
    private static final int ROWS_TO_TELL = 20;

    private Roles() {}

    /**
     * Refuses one column in two roles.
     *
     * <p>The wish may be the target (people who wish for the truth), and the group may be anything but the target: the weight and the gamma
     * may well be those of a group.
     *
     * @param wish the wish, if it is a column
     */
    static void refuseClashes(StackelbergRegression.Builder choices, Optional<String> wish) {
        Map<String, String> roleOf = new LinkedHashMap<>();
        claim(choices.target, "the target", roleOf);
        claim(choices.weight, "the weight (--weight)", roleOf);
        claim(choices.rowGamma, "everybody's gamma (--row-gamma)", roleOf);
        if (wish.isPresent() && !wish.get().equals(choices.target)) {
            claim(wish.get(), "the wish", roleOf);
        }
        if (choices.group != null && choices.group.equals(choices.target)) {
            claim(choices.group, "the group (--group)", roleOf);
        }
        if (choices.features != null) {
            choices.features.stream()
                    .filter(choices.ignore::contains)
                    .findFirst()
                    .ifPresent(both -> {
                        throw new DataException(
                                "Column '" + both + "' is both among the features (--features) and to be ignored"
                                        + " (--ignore).\nMaybe leave out one of the two: --features says all that is needed.");
                    });
        }
    }

    private static void claim(String column, String role, Map<String, String> roleOf) {
        String other = column == null ? null : roleOf.put(column, role);
        if (other != null) {
            throw new DataException("Column '" + column + "' cannot be both " + other + " and " + role
                    + ".\nMaybe another column was meant for one of them.");
        }
    }

    /** Categories with more levels than half the rows name people instead of describing them, and a rule can learn each by heart. */
    static void warnAboutIdentifiers(Encoding encoding, int rows, List<String> warnings) {
        for (Feature feature : encoding.features()) {
            int levels = feature.levels().size();
            if (feature.categorical() && rows >= ROWS_TO_TELL && 2L * levels > rows) {
                warnings.add("Column '" + feature.column() + "' has "
                        + (levels == rows
                                ? "a value of its own in every row"
                                : levels + " different values in " + rows + " rows")
                        + ", as a name or a date has: a rule can learn such rows by heart, and what it loses on them says"
                        + " nothing of others. Maybe --ignore " + feature.column() + ".");
            }
        }
    }

    /** Why a feature that nobody can change has no cost. */
    static DataException costOfImmutable(String column, StackelbergRegression.Builder choices) {
        boolean declared = choices.immutable != null;
        return new DataException("Column '" + column + "' has a cost of moving, but "
                + (declared
                        ? "it is declared immutable (--immutable): nobody can move it."
                        : "it holds categories, which nobody can change unless --immutable says otherwise.")
                + "\nMaybe leave out its cost, or "
                + (declared
                        ? "take it off the list of immutable columns."
                        : "name with --immutable all that cannot be changed (none: nothing)."));
    }

    /** Why a column that is not among the features is not, as the end of "..., which is not a feature". */
    static String whyNoFeature(String column, StackelbergRegression.Builder choices) {
        return choices.ignore.contains(column)
                ? ": it is to be ignored (--ignore).\nMaybe leave out one of the two."
                : choices.features != null
                        ? ": it is not on the list of features (--features).\nMaybe add it there, or its name is misspelt."
                        : ".\nMaybe its name is misspelt.";
    }
}
