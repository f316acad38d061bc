package stackelberg.data;

import java.util.Collection;
import java.util.Locale;
import java.util.stream.Collectors;

/** Names in messages: the nearest known one, and lists that stay readable. */
final class Names {
    private static final int SHOWN = 12;

    private Names() {}

    /** The known name with the fewest edits to the given one, null if none is close enough to be meant. */
    static String nearest(String name, Collection<String> known) {
        String best = null;
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

    /** "Maybe you meant 'quality'.", or else the list of what there is. */
    static String suggestion(String name, Collection<String> known, String what) {
        String nearest = nearest(name, known);
        return nearest == null
                ? "Maybe you meant one of the " + what + ": " + list(known) + "."
                : "Maybe you meant '" + nearest + "'.";
    }

    /** 'a', 'b', 'c' and 5 more. */
    static String list(Collection<String> names) {
        String shown = names.stream().limit(SHOWN).map(n -> "'" + n + "'").collect(Collectors.joining(", "));
        return names.size() <= SHOWN ? shown : shown + " and " + (names.size() - SHOWN) + " more";
    }

    /** Levenshtein distance. */
    private static int edits(String a, String b) {
        int[] previous = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] current = new int[b.length() + 1];
            current[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(replaced, 1 + Math.min(previous[j], current[j - 1]));
            }
            previous = current;
        }
        return previous[b.length()];
    }
}
