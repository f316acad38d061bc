package stackelberg.cli.terminal;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Quotes words for a shell, where blanks and signs have a meaning of their own, so that printed command lines can be pasted. */
public final class ShellWords {
    private ShellWords() {}

    public static String of(List<String> words) {
        return words.stream().map(ShellWords::quoted).collect(Collectors.joining(" "));
    }

    public static String quoted(String word) {
        if (!Visible.line(word).equals(word)) {
            return escaped(word);
        }
        if (word.matches("[A-Za-z0-9_./:@%+,=-]+")) {
            return word;
        }
        // an interactive shell expands ! to earlier commands even within double quotes
        return word.matches("[^\"$`\\\\!]*") ? '"' + word + '"' : "'" + word.replace("'", "'\\''") + "'";
    }

    /** A word with control characters, which must not reach a terminal, in the form $'...' of bash, zsh and ksh. */
    private static String escaped(String word) {
        StringBuilder text = new StringBuilder("$'");
        for (char c : word.toCharArray()) {
            if (!Visible.line(String.valueOf(c)).equals(String.valueOf(c))) {
                text.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                text.append(c == '\'' || c == '\\' ? "\\" : "").append(c);
            }
        }
        return text.append('\'').toString();
    }
}
