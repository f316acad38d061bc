package stackelberg;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every statement of docs/theory.md names the tests that check it; this test checks that these exist. */
class TheoryTest {
    private static final Pattern NAMED = Pattern.compile("`(\\w+Test)#(\\w+)`");

    @Test
    void everyTestThatTheTheoryNamesExists() throws IOException {
        List<MatchResult> named = NAMED.matcher(Files.readString(Path.of("..", "docs", "theory.md")))
                .results()
                .toList();
        assertThat(named).hasSizeGreaterThan(50);
        try (Stream<Path> files = Files.walk(Path.of("src", "test", "java"))) {
            List<Path> sources =
                    files.filter(file -> file.toString().endsWith("Test.java")).toList();
            assertThat(named)
                    .allSatisfy(test -> assertThat(sources).as(test.group()).anySatisfy(source -> {
                        assertThat(source.getFileName()).hasToString(test.group(1) + ".java");
                        assertThat(text(source)).contains("void " + test.group(2) + "(");
                    }));
        }
    }

    @Test
    void everySectionOfTheTheoryNamesATest() throws IOException {
        String[] sections = Files.readString(Path.of("..", "docs", "theory.md")).split("\n## ");
        assertThat(sections).hasSizeGreaterThan(15);
        assertThat(List.of(sections).subList(1, sections.length))
                .allSatisfy(section -> assertThat(section).containsPattern(NAMED));
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
