package stackelberg.data;

import java.util.Collection;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** How messages name columns and levels: the nearest known name to a misspelt one, and lists that stay short. */
final class Names {
    /** The number of names in a list; more would push the advice at the end of a message out of sight. */
    private static final int SHOWN = 12;

    private Names() {}

    /** The known name with the fewest edits to the given one, ignoring case; absent if none is close enough to be a typing error. */
    static @Nullable String nearest(String name, Collection<String> known) {
        String best = null;
        // One edit per three letters is a typing error; more edits turn one short word into a different one.
        int fewest = Math.max(1, name.length() / 3) + 1;
        for (String candidate : known) {
            int edits = edits(name.toLowerCase(Locale.ROOT), candidate.toLowerCase(Locale.ROOT));
            if (edits < fewest) {
                fewest = edits;
                best = candidate;
            }
        }
        return best;
    }

    /** "Maybe you meant 'quality'.", or, if no known name is near, the list of the known names; {@code what} describes the known names, such as "5 columns". */
    static String suggestion(String name, Collection<String> known, String what) {
        String nearest = nearest(name, known);
        return nearest == null
                ? "Maybe you meant one of the " + what + ": " + list(known) + "."
                : "Maybe you meant '" + nearest + "'.";
    }

    /** The names in quotes, cut after {@link #SHOWN}: 'a', 'b', 'c' and 5 more. */
    static String list(Collection<String> names) {
        String shown = names.stream().limit(SHOWN).map(n -> "'" + n + "'").collect(Collectors.joining(", "));
        return names.size() <= SHOWN ? shown : shown + " and " + (names.size() - SHOWN) + " more";
    }

    /** The number of letters to insert, delete, replace or swap with a neighbour to turn a into b (restricted Damerau-Levenshtein distance). */
    private static int edits(String a, String b) {
        // edits[i][j]: the distance between the first i letters of a and the first j letters of b
        int[][] edits = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    edits[i][j] = i + j;
                    continue;
                }
                int replaced = edits[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                edits[i][j] = Math.min(replaced, 1 + Math.min(edits[i - 1][j], edits[i][j - 1]));
                boolean swapped =
                        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
                if (swapped) {
                    edits[i][j] = Math.min(edits[i][j], edits[i - 2][j - 2] + 1);
                }
            }
        }
        return edits[a.length()][b.length()];
    }
}
