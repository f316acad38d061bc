package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Answers that may not change unless on purpose: exit codes, statuses and booleans exactly, numbers to 1e-9 of their size.
 *
 * <p>{@code bench/src/script/differential --golden cli/src/test/resources/stackelberg/cli/golden} writes them again. Keys that are not in the file, such
 * as iterations and seconds, depend on the route or the clock; the gap bound of a certified answer is only held against its objective.
 */
class GoldenAnswersTest {
    private static final Path FOLDER = Path.of("src/test/resources/stackelberg/cli/golden");
    private static final double RELATIVE = 1e-9;
    /** Of numbers whose true value is 0. */
    private static final double ABSOLUTE = 1e-11;

    static Stream<JsonNode> answers() throws IOException {
        JsonNode all = JsonMapper.shared().readTree(Files.readString(FOLDER.resolve("answers.json")));
        return StreamSupport.stream(all.spliterator(), false);
    }

    @ParameterizedTest
    @MethodSource("answers")
    void answersEqualTheGoldenAnswers(JsonNode golden) {
        Object[] words = StreamSupport.stream(golden.get("run").spliterator(), false)
                .map(word -> word.stringValue().replace("IN/", FOLDER + "/"))
                .toArray();
        Run run = Run.stackelberg(words);
        assertThat(run.code()).as(run.err()).isEqualTo(golden.get("exit").intValue());
        if (golden.has("answer")) {
            JsonNode answer = run.json();
            List<String> differences = new ArrayList<>();
            compare("", golden.get("answer"), answer, 0, differences);
            assertThat(differences).isEmpty();
            if (answer.path("certified").asBoolean(false) && answer.has("gapBound")) {
                assertThat(answer.get("gapBound").doubleValue())
                        .isBetween(0.0, 1e-6 * answer.get("objective").doubleValue() + ABSOLUTE);
            }
        }
    }

    /** Adds what differs. Size is that of the largest number beside this one, for coefficients that are zero but for rounding. */
    private static void compare(String path, JsonNode golden, JsonNode now, double size, List<String> differences) {
        if (now == null) {
            differences.add(path + ": missing");
        } else if (golden.isObject()) {
            double largest = largest(golden);
            for (Map.Entry<String, JsonNode> entry : golden.properties()) {
                compare(path + "." + entry.getKey(), entry.getValue(), now.get(entry.getKey()), largest, differences);
            }
        } else if (golden.isArray()) {
            if (golden.size() != now.size()) {
                differences.add(path + ": " + golden.size() + " entries became " + now.size());
                return;
            }
            double largest = largest(golden);
            for (int i = 0; i < golden.size(); i++) {
                compare(path + "[" + i + "]", golden.get(i), now.get(i), largest, differences);
            }
        } else if (golden.isNumber() && now.isNumber()) {
            double was = golden.doubleValue();
            double difference = Math.abs(was - now.doubleValue());
            boolean ofManyTerms = path.contains("coefficients");
            if (!(difference <= RELATIVE * Math.max(Math.abs(was), ofManyTerms ? size : 0) + ABSOLUTE)) {
                differences.add(path + ": " + golden + " became " + now);
            }
        } else if (!golden.equals(now)) {
            differences.add(path + ": " + golden + " became " + now);
        }
    }

    private static double largest(JsonNode numbers) {
        return StreamSupport.stream(numbers.spliterator(), false)
                .filter(JsonNode::isNumber)
                .mapToDouble(number -> Math.abs(number.doubleValue()))
                .max()
                .orElse(0);
    }
}
