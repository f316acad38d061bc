package stackelberg.cli.terminal;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Words of a command line as they are typed into a shell, where blanks and signs would mean something else. */
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
        // ! is history to a shell that somebody types into
        return word.matches("[^\"$`\\\\!]*") ? '"' + word + '"' : "'" + word.replace("'", "'\\''") + "'";
    }

    /** What a terminal must not show, as bash, zsh and ksh read it. */
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
