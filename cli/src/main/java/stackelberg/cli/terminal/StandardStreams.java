package stackelberg.cli.terminal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Refuses words of a request that name standard input or output, under any name: requests and answers of {@code serve} use them. */
final class StandardStreams {
    private static final Path INPUT = Path.of("/dev/stdin");
    private static final Path OUTPUT = Path.of("/dev/stdout");

    /** Matched anywhere in a word, because a database query may name a file as well. */
    private static final Pattern NAMES =
            Pattern.compile("/dev/(stdin|stdout|fd/[01])\\b|/proc/[^/]+/(task/[^/]+/)?fd/[01]\\b");

    private StandardStreams() {}

    /** Why the words are refused; empty if they are not. */
    static Optional<String> refusal(List<String> words) {
        for (String word : words) {
            if (word.equals("-") || NAMES.matcher(word).find() || names(word).anyMatch(StandardStreams::isOne)) {
                return Optional.of(Visible.line(word)
                        + " is standard input or output, which serve uses for requests and answers.\n"
                        + "Maybe name a file.");
            }
        }
        return Optional.empty();
    }

    /** The parts of a word that may name a file: the whole word, the value of an option, or the part of an address after its scheme. */
    private static Stream<String> names(String word) {
        return Stream.of(
                word,
                word.substring(word.indexOf('=') + 1),
                word.substring(word.lastIndexOf(':') + 1),
                word.matches("-[a-z]..*") ? word.substring(2) : "");
    }

    /** Whether a name leads to standard input or output; links are followed, also those to a pipe. */
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
