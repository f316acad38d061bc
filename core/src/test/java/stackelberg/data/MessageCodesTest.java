package stackelberg.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The codes of messages in the sources of all modules: programs rely on them, so each has one meaning and one spelling. */
class MessageCodesTest {
    private static final Pattern MADE =
            Pattern.compile("(?:Message\\.(?:of|plain|joined)|(?:Refused|DataException)\\.of)\\(\\s*\"([^\"]+)\"");

    /** What is found in several places, and worded by each for its readers. Any other code stands in one place. */
    private static final Set<String> SEVERAL_PLACES = Set.of(
            "array-of-other-length",
            "array-of-other-width",
            "coefficient-not-finite",
            "collinear",
            "column-constant",
            "column-empty",
            "column-identifies-rows",
            "column-of-dates",
            "column-twice",
            "column-unknown",
            "file-unreadable",
            "memory-too-small",
            "model-damaged",
            "moves-too-small",
            "nearly-dependent",
            "no-driver",
            "no-rows",
            "not-a-model",
            "not-certified",
            "not-finite",
            "not-one-sphere-problem",
            "not-proven",
            "nothing-rewarded",
            "rows-left-out",
            "rule-column-unknown",
            "solver-of-squared-loss",
            "solver-without-hedge",
            "too-many-values",
            "value-missing",
            "value-too-large",
            "values-filled-in");

    @Test
    void aCodeIsWordsInLowerCaseWithHyphens() {
        assertThat(codes().keySet()).hasSizeGreaterThan(250).allMatch(code -> code.matches("[a-z]+(-[a-z0-9]+)*"));
    }

    @Test
    void aCodeHasOneMeaning() {
        Set<String> repeated = codes().entrySet().stream()
                .filter(code -> code.getValue() > 1)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());

        assertThat(repeated)
                .as(
                        "Codes in several places: give a new message a code of its own, or list the code here if it is the same finding")
                .isEqualTo(SEVERAL_PLACES);
    }

    /** How often each code stands in the main sources. */
    private static Map<String, Long> codes() {
        return Stream.of("core", "cli", "spark", "bench")
                .map(module -> Path.of("..", module, "src", "main", "java"))
                .flatMap(MessageCodesTest::javaFiles)
                .flatMap(text -> MADE.matcher(text).results())
                .map((MatchResult made) -> made.group(1))
                .collect(Collectors.groupingBy(code -> code, TreeMap::new, Collectors.counting()));
    }

    private static Stream<String> javaFiles(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            List<Path> java =
                    files.filter(file -> file.toString().endsWith(".java")).toList();
            return java.stream().map(MessageCodesTest::text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
