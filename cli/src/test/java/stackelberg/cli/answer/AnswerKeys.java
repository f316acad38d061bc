package stackelberg.cli.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import stackelberg.data.Message;

/** The keys that a record is printed with, as its components declare them. */
final class AnswerKeys {
    /**
     * One key.
     *
     * @param path names of objects around it and its own, as in {@code standardErrors.coefficients.NAME.low} and {@code whatIf[].world}
     * @param type of the component
     * @param without keys that the records in it are printed without
     * @param optional whether it may be missing
     */
    record Key(String path, Type type, String meaning, List<String> without, boolean optional) {
        Class<?> inside() {
            return AnswerKeys.inside(type);
        }

        Key below(Key around) {
            return new Key(around.path + around.suffix() + "." + path, type, meaning, without, optional);
        }

        private String suffix() {
            Class<?> outer = raw(type);
            return Map.class.isAssignableFrom(outer) ? ".NAME" : Iterable.class.isAssignableFrom(outer) ? "[]" : "";
        }
    }

    /** What each command prints; the first is part of others. */
    static final Map<String, Class<?>> COMMANDS = new LinkedHashMap<>();

    static {
        COMMANDS.put("demo", ModelAnswer.class);
        COMMANDS.put("fit", FitAnswer.class);
        COMMANDS.put("path", PathAnswer.class);
        COMMANDS.put("tune", TuneAnswer.class);
        COMMANDS.put("summary", SummaryAnswer.class);
        COMMANDS.put("verify", VerifyAnswer.class);
        COMMANDS.put("describe", DescriptionAnswer.class);
        COMMANDS.put("predict", PredictionAnswer.class);
        COMMANDS.put("respond", ResponseAnswer.class);
        COMMANDS.put("evaluate", EvaluationAnswer.class);
        COMMANDS.put("compare", ComparisonAnswer.class);
        COMMANDS.put("simulate", RetrainingAnswer.class);
        COMMANDS.put("gamma", GammaAnswer.class);
        COMMANDS.put("gamma --population", GammaAnswer.ByPopulation.class);
        COMMANDS.put("effect", EffectAnswer.class);
        COMMANDS.put("export --as points", PointsAnswer.class);
    }

    /** The type of a list of codes. */
    private record Codes(List<String> codes) {}

    private static final Type CODES = Codes.class.getRecordComponents()[0].getGenericType();

    /** A key that is not always printed says when it is. */
    private static final Pattern OPTIONAL = Pattern.compile("(; only|\\. Only) (where|with)\\b");

    private AnswerKeys() {}

    /** The keys of the object itself, in their order. */
    static List<Key> of(Class<?> answer) {
        List<Key> keys = new ArrayList<>();
        for (RecordComponent component : answer.getRecordComponents()) {
            if (JsonText.isIgnored(component)) {
                continue;
            }
            if (JsonText.isUnwrapped(component)) {
                of(component.getType()).stream()
                        .filter(key -> !JsonText.ignored(component).contains(key.path))
                        .forEach(keys::add);
            } else {
                keys.add(new Key(
                        component.getName(),
                        component.getGenericType(),
                        meaning(component),
                        JsonText.ignored(component),
                        isOptional(component)));
                if (JsonText.isMessages(component)) {
                    keys.add(new Key(
                            JsonText.codes(component.getName()),
                            CODES,
                            "The code of each warning or note, in the same order; empty if an older model file has the text only.",
                            List.of(),
                            false));
                }
            }
        }
        return keys;
    }

    /** The same with the keys of objects inside, each after the object; records that are commands' answers themselves are not opened. */
    static List<Key> all(Class<?> answer) {
        List<Key> keys = new ArrayList<>();
        for (Key key : of(answer)) {
            keys.add(key);
            if (key.inside() != null && !COMMANDS.containsValue(key.inside())) {
                all(key.inside()).forEach(inner -> keys.add(inner.below(key)));
            }
        }
        return keys;
    }

    /** A record, or that within a list or a map; null where there is none. */
    static Class<?> inside(Type type) {
        Type inner = type;
        while (inner instanceof ParameterizedType of) {
            inner = of.getActualTypeArguments()[of.getActualTypeArguments().length - 1];
        }
        return inner instanceof Class<?> one && one.isRecord() ? one : null;
    }

    /** Null where it has none. */
    static String meaning(RecordComponent component) {
        Meaning shown = component.getAnnotation(Meaning.class);
        String meaning =
                shown == null ? RecordComments.of(component.getDeclaringRecord(), component.getName()) : shown.value();
        return meaning == null ? null : sentence(meaning);
    }

    private static boolean isOptional(RecordComponent component) {
        return component.getAccessor().isAnnotationPresent(JsonInclude.class)
                || meaning(component) != null
                        && OPTIONAL.matcher(meaning(component)).find();
    }

    private static String sentence(String text) {
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1) + (text.endsWith(".") ? "" : ".");
    }

    /** A type as a reader of JSON knows it. */
    static String type(Type type) {
        Class<?> raw = raw(type);
        List<Type> of = type instanceof ParameterizedType some ? List.of(some.getActualTypeArguments()) : List.of();
        if (Map.class.isAssignableFrom(raw)) {
            return "{name: " + type(of.get(1)) + "}";
        }
        if (Iterable.class.isAssignableFrom(raw)) {
            return "[" + type(of.get(0)) + "]";
        }
        if (raw.isEnum()) {
            return Arrays.stream(raw.getEnumConstants())
                    .map(constant -> "`" + constant + "`")
                    .collect(Collectors.joining(", "));
        }
        return raw.isRecord()
                ? "object"
                : raw == String.class || raw == Message.class
                        ? "text"
                        : raw == boolean.class || raw == Boolean.class
                                ? "true or false"
                                : raw == int.class || raw == long.class || raw == Integer.class || raw == Long.class
                                        ? "integer"
                                        : raw == double.class || raw == Double.class || raw == DoubleSupplier.class
                                                ? "number"
                                                : "any";
    }

    private static Class<?> raw(Type type) {
        return (Class<?>) (type instanceof ParameterizedType some ? some.getRawType() : type);
    }
}
