package stackelberg.cli.terminal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Refuses words that name standard input or output, by whatever name, where requests and answers go there. */
final class StandardStreams {
    private static final Path INPUT = Path.of("/dev/stdin");
    private static final Path OUTPUT = Path.of("/dev/stdout");

    /** Anywhere in a word: a query may name a file as well. */
    private static final Pattern NAMES =
            Pattern.compile("/dev/(stdin|stdout|fd/[01])\\b|/proc/[^/]+/(task/[^/]+/)?fd/[01]\\b");

    private StandardStreams() {}

    /** Why the words are refused, if they are. */
    static Optional<String> refusal(List<String> words) {
        for (String word : words) {
            if (word.equals("-") || NAMES.matcher(word).find() || names(word).anyMatch(StandardStreams::isOne)) {
                return Optional.of(Visible.line(word)
                        + " is standard input or output, which bring requests and carry answers here.\n"
                        + "Maybe name a file.");
            }
        }
        return Optional.empty();
    }

    /** What may be the name of a file in a word: all of it, or the value of an option, or what follows the scheme of an address. */
    private static Stream<String> names(String word) {
        return Stream.of(
                word,
                word.substring(word.indexOf('=') + 1),
                word.substring(word.lastIndexOf(':') + 1),
                word.matches("-[a-z]..*") ? word.substring(2) : "");
    }

    /** Links are followed, to a pipe too. */
    private static boolean isOne(String name) {
        try {
            Path file = Path.of(name);
            return !name.isEmpty() && Files.exists(file) && (isSame(file, INPUT) || isSame(file, OUTPUT));
        } catch (InvalidPathException e) {
            return false;
        }
    }

    private static boolean isSame(Path file, Path stream) {
        try {
            return Files.exists(stream) && Files.isSameFile(file, stream);
        } catch (IOException e) {
            return false;
        }
    }
}
