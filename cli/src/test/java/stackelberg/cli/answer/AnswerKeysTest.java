package stackelberg.cli.answer;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import stackelberg.cli.Run;
import stackelberg.cli.Samples;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Answers are their records: every key says what it holds, commands print the keys of their record, and the JSON reference is made from them.
 *
 * <p>{@code -Dstackelberg.update=true} writes the tables into the reference instead of comparing them.
 */
class AnswerKeysTest {
    private static final Path REFERENCE = Path.of("../docs/reference/json.md");
    private static final String BEGIN =
            "<!-- generated from the records of stackelberg.cli.answer by AnswerKeysTest -->\n";
    private static final String END = "<!-- end of the generated tables -->\n";

    @TempDir
    Path folder;

    /** Those that are JSON: of the classes called ...Answer, and of those that hold a record of an answer. Others hold what the wording needs. */
    static Stream<Class<?>> records() {
        Set<Class<?>> used = used();
        Set<Class<?>> answers = used.stream().map(AnswerKeysTest::outermost).collect(Collectors.toSet());
        List<Class<?>> all = new ClassFileImporter()
                        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                        .importPackages("stackelberg.cli.answer")
                        .stream()
                        .<Class<?>>map(JavaClass::reflect)
                        .filter(Class::isRecord)
                        .toList();
        Set<Class<?>> ignored = all.stream()
                .flatMap(type -> Arrays.stream(type.getRecordComponents()))
                .filter(JsonText::isIgnored)
                .map(RecordComponent::getType)
                .collect(Collectors.toSet());
        return all.stream()
                .filter(type -> used.contains(type)
                        || answers.contains(outermost(type))
                        || outermost(type).getSimpleName().endsWith("Answer") && outermost(type) != Answer.class)
                .filter(type -> used.contains(type) || !ignored.contains(type) && declaresKeys(type));
    }

    private static boolean declaresKeys(Class<?> type) {
        return Arrays.stream(type.getRecordComponents())
                .anyMatch(component -> !JsonText.isIgnored(component) && !JsonText.isUnwrapped(component));
    }

    private static Class<?> outermost(Class<?> type) {
        return type.getEnclosingClass() == null ? type : outermost(type.getEnclosingClass());
    }

    @Test
    void everyKeyHasADescription() {
        List<String> silent = records()
                .flatMap(type -> Arrays.stream(type.getRecordComponents()))
                .filter(component ->
                        !(JsonText.isUnwrapped(component) && component.getType().isRecord()))
                .filter(component -> !JsonText.isIgnored(component))
                .filter(component -> AnswerKeys.meaning(component) == null)
                .map(component -> component.getDeclaringRecord().getName() + "." + component.getName())
                .toList();

        assertThat(silent)
                .as("Components without @param, which the JSON reference prints")
                .isEmpty();
    }

    @Test
    void everyRecordIsPartOfTheAnswerOfACommand() {
        assertThat(records().filter(record -> !used().contains(record)))
                .as(
                        "Records with keys that no command prints: add each to AnswerKeys.COMMANDS, or to the record of a command")
                .isEmpty();
    }

    private static Set<Class<?>> used() {
        Set<Class<?>> used = new HashSet<>();
        AnswerKeys.COMMANDS.values().forEach(type -> collect(type, used));
        return used;
    }

    private static void collect(Class<?> type, Set<Class<?>> used) {
        if (used.add(type)) {
            for (RecordComponent component : type.getRecordComponents()) {
                Class<?> inside = AnswerKeys.inside(component.getGenericType());
                if (inside != null && !JsonText.isIgnored(component)) {
                    collect(inside, used);
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "demo, demo --no-report",
        "fit, fit DATA --target y --wish hope --group kind",
        "fit, fit DATA --target y --wish hope --truthful-share 0.3",
        "path, 'path DATA --target y --wish hope --gammas 0.5,2'",
        "tune, 'tune DATA --target y --wish hope --gammas 0.5,2 --folds 3'",
        "tune, 'tune DATA --target y --wish hope --gammas 0.5,2 --folds 3 --world-gamma 1'",
        "summary, summary MODEL",
        "verify, verify MODEL DATA",
        "describe, describe DATA --target y --wish hope",
        "predict, predict MODEL DATA",
        "respond, respond MODEL DATA",
        "respond, respond MIXED DATA --group kind",
        "evaluate, evaluate MODEL DATA --group kind",
        "evaluate, evaluate MIXED DATA",
        "compare, compare DATA --target y --wish hope --bootstrap 20",
        "simulate, simulate DATA --target y --wish hope --rounds 3",
        "gamma, gamma MODEL --before DATA --after DATA",
        "gamma --population, gamma MODEL --before DATA --after DATA --population kind",
        "effect, effect MODEL --before DATA --after DATA"
    })
    void aCommandPrintsTheKeysOfItsRecordInTheirOrder(String command, String line) {
        Path data = Samples.csv(folder);
        Path model = folder.resolve("model.json");
        Path mixed = folder.resolve("mixed.json");
        Run.stackelberg("fit", data, "--target", "y", "--wish", "hope", "-o", model);
        Run.stackelberg("fit", data, "--target", "y", "--wish", "hope", "--truthful-share", "0.3", "-o", mixed);
        Object[] words = Stream.of((line + " --json").split(" "))
                .map(word ->
                        word.equals("DATA") ? data : word.equals("MODEL") ? model : word.equals("MIXED") ? mixed : word)
                .toArray();

        Run run = Run.stackelberg(words);

        List<String> differing = new ArrayList<>();
        compare("", JsonMapper.shared().readTree(run.out()), AnswerKeys.COMMANDS.get(command), List.of(), differing);
        assertThat(differing).as(run.err()).isEmpty();
    }

    /** Adds the objects, at any depth, whose keys are not those of their record in its order; keys that a record may leave out may be missing. */
    private static void compare(
            String path, JsonNode printed, Class<?> answer, List<String> without, List<String> differing) {
        Map<String, AnswerKeys.Key> keys = new LinkedHashMap<>();
        AnswerKeys.of(answer).stream()
                .filter(key -> !without.contains(key.path()))
                .forEach(key -> keys.put(key.path(), key));
        List<String> expected = keys.values().stream()
                .filter(key -> !key.optional() || printed.has(key.path()))
                .map(AnswerKeys.Key::path)
                .toList();
        List<String> met = printed.properties().stream().map(Map.Entry::getKey).toList();
        if (!met.equals(expected)) {
            differing.add(path + " has " + met + " instead of " + expected);
            return;
        }
        printed.properties().forEach(entry -> {
            AnswerKeys.Key key = keys.get(entry.getKey());
            if (key.inside() != null) {
                boolean one = AnswerKeys.type(key.type()).equals("object");
                (one ? Stream.of(entry.getValue()) : entry.getValue().valueStream())
                        .filter(JsonNode::isObject)
                        .forEach(object ->
                                compare(path + "." + entry.getKey(), object, key.inside(), key.without(), differing));
            }
        });
    }

    @Test
    void theReferenceOfJsonKeysIsMadeFromTheRecords() throws IOException {
        String page = Files.readString(REFERENCE);
        String before = page.substring(0, page.indexOf(BEGIN) + BEGIN.length());
        String whole = before + tables() + page.substring(page.indexOf(END));
        if (Boolean.getBoolean("stackelberg.update")) {
            Files.writeString(REFERENCE, whole);
        } else {
            assertThat(page)
                    .as("%s differs from the records: run this test with -Dstackelberg.update=true", REFERENCE)
                    .isEqualTo(whole);
        }
    }

    private static String tables() {
        StringBuilder text = new StringBuilder();
        AnswerKeys.COMMANDS.forEach((command, answer) -> {
            text.append("\n## ").append(command).append("\n\n");
            Set<String> shared = new HashSet<>();
            for (RecordComponent component : answer.getRecordComponents()) {
                if (JsonText.isUnwrapped(component) && AnswerKeys.COMMANDS.containsValue(component.getType())) {
                    AnswerKeys.of(component.getType()).forEach(key -> shared.add(key.path()));
                    text.append("First ")
                            .append(keysOf(component.getType(), JsonText.ignored(component)))
                            .append(". Then:\n\n");
                    shared.removeAll(JsonText.ignored(component));
                }
            }
            text.append("| key | type | meaning |\n| --- | --- | --- |\n");
            AnswerKeys.all(answer).stream()
                    .filter(key -> !shared.contains(key.path().split("[.\\[]")[0]))
                    .forEach(key -> text.append(row(key)));
        });
        return text + "\n";
    }

    private static String row(AnswerKeys.Key key) {
        boolean other = AnswerKeys.COMMANDS.containsValue(key.inside());
        return "| `" + key.path() + "` | " + AnswerKeys.type(key.type()) + " | " + key.meaning()
                + (other ? " It has " + keysOf(key.inside(), key.without()) + "." : "") + " |\n";
    }

    private static String keysOf(Class<?> answer, List<String> without) {
        String command = AnswerKeys.COMMANDS.entrySet().stream()
                .filter(entry -> entry.getValue() == answer)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
        return "the keys of [`" + command + "`](#" + command + ")"
                + (without.isEmpty()
                        ? ""
                        : " without "
                                + without.stream().map(key -> "`" + key + "`").collect(Collectors.joining(", ")));
    }
}
