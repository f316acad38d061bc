package stackelberg.cli.terminal;

import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Text as a terminal may show it: control characters, which can move the cursor, change colours or worse, and marks that turn the direction of
 * writing are written as {@code \u001b}. Names of columns, levels and files may hold them; files that are written keep them as they are.
 */
public final class Visible {
    private static final String UNSEEN = "\\p{Cc}\\u200E\\u200F\\u2028-\\u202E\\u2066-\\u2069";

    private static final Pattern IN_TEXT = Pattern.compile("[" + UNSEEN + "&&[^\\n]]");
    private static final Pattern IN_LINE = Pattern.compile("[" + UNSEEN + "]");

    private Visible() {}

    /** A text of one or more lines, whose line ends stay. */
    public static String text(String text) {
        return escaped(IN_TEXT, text);
    }

    /** A text that must be one line: line ends are escaped too. */
    public static String line(String text) {
        return escaped(IN_LINE, text);
    }

    private static String escaped(Pattern unseen, String text) {
        return unseen.matcher(text)
                .replaceAll((MatchResult found) -> String.format(
                        Locale.ROOT, "\\\\u%04x", (int) found.group().charAt(0)));
    }
}
