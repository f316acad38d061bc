package stackelberg.cli.answer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

class JsonTextTest {
    private static final JsonMapper JACKSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    record Point(double x, List<Double> rest) {}

    @Test
    void anObjectIsWrittenAsTheLibraryWritesIt() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("none", null);
        object.put("numbers", Arrays.asList(1, 2.5, -0.0, 1e-9, 2e10, Long.MAX_VALUE, null));
        object.put("empty", List.of(Map.of(), List.of(), ""));
        object.put("nested", List.of(Map.of("a", List.of(List.of(1), Map.of("b", true)))));
        object.put("a \"text\"\\", "tab\t, line\n, bell\u0007, \u001f, \u00e9\u20ac\u2028\ud83d\ude00</script>");
        object.put("words", new TreeSet<>(List.of("x", "y")));
        object.put("kind", Thread.State.RUNNABLE);
        object.put("other", Map.of("record", new Point(1, List.of(2.5)), "array", new double[] {1, 2}));

        assertThat(JsonText.of(object)).isEqualTo(JACKSON.writeValueAsString(object));
        assertThat(JsonText.of(Map.of())).isEqualTo(JACKSON.writeValueAsString(Map.of()));
    }

    record Inner(String c, Double d) {}

    record Outer(
            int a,
            @JsonUnwrapped Inner inner,
            Inner nested,
            @JsonUnwrapped Inner none,
            @JsonInclude(JsonInclude.Include.NON_NULL) String given,
            @JsonInclude(JsonInclude.Include.NON_NULL) String notGiven) {}

    @Test
    void aRecordIsWrittenWithTheKeysOfItsUnwrappedComponentsInTheirPlace() {
        Outer outer = new Outer(1, new Inner("x", 2.5), new Inner("y", null), null, "z", null);

        assertThat(JsonText.of(outer)).isEqualTo(JACKSON.writeValueAsString(outer));
    }

    record Without(
            @JsonIgnoreProperties({"a", "c"}) List<Outer> list,
            @JsonUnwrapped @JsonIgnoreProperties("a") Outer outer) {}

    @Test
    void keysThatAComponentIgnoresAreLeftOutOfItsRecords() {
        Outer outer = new Outer(1, new Inner("x", 2.5), new Inner("y", null), null, null, null);

        assertThat(JsonText.of(new Without(List.of(outer), outer)).replaceAll("\\s", ""))
                .isEqualTo("{\"list\":[{\"d\":2.5,\"nested\":{\"c\":\"y\",\"d\":null}}],"
                        + "\"c\":\"x\",\"d\":2.5,\"nested\":{\"c\":\"y\",\"d\":null}}");
    }

    @Test
    void aNumberThatIsNotFiniteIsNull() {
        assertThat(JACKSON.readTree(JsonText.of(new Point(Double.NaN, List.of(Double.POSITIVE_INFINITY)))))
                .isEqualTo(JACKSON.readTree("{\"x\" : null, \"rest\" : [null]}"));
    }

    @Test
    void everyNumberIsReadBackToTheLastBit() {
        SplittableRandom random = new SplittableRandom(1);
        List<Double> numbers = random.longs(2000)
                .mapToObj(Double::longBitsToDouble)
                .filter(Double::isFinite)
                .toList();

        JsonNode read =
                JACKSON.readTree(JsonText.of(Map.of("numbers", numbers))).get("numbers");

        for (int i = 0; i < numbers.size(); i++) {
            assertThat(read.get(i).asDouble()).isEqualTo(numbers.get(i));
        }
    }
}
