package stackelberg.cli.answer;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;
import stackelberg.data.Message;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes records, maps, lists and plain values as JSON, indented by two spaces per object.
 *
 * <p>A record is an object with its components as keys, in their order. A component marked {@link JsonUnwrapped} has its own components in the same object; one
 * marked {@link JsonIgnoreProperties} leaves out these keys of the record, or of the records of the list, that it holds; one marked {@link JsonInclude} has no
 * key where it is null, one marked {@link JsonIgnore} never has. After a list of messages, {@code warnings}, comes the list of their codes, {@code
 * warningCodes}. Numbers that are not finite are null. The text is what Jackson would write; Jackson itself takes longer to load than a small fit, so it is
 * used for other kinds of values only.
 */
public final class JsonText {
    private static final class Library {
        static final JsonMapper MAPPER =
                JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
    }

    /** A component of a record. */
    private record Key(
            String name, Method accessor, boolean unwrapped, boolean optional, boolean messages, List<String> ignored) {
        static List<Key> of(Class<?> answer) {
            return Arrays.stream(answer.getRecordComponents())
                    .filter(component -> !isIgnored(component))
                    .map(Key::of)
                    .toList();
        }

        private static Key of(RecordComponent component) {
            Method accessor = component.getAccessor();
            accessor.setAccessible(true);
            boolean optional = accessor.isAnnotationPresent(JsonInclude.class);
            return new Key(
                    component.getName(),
                    accessor,
                    isUnwrapped(component),
                    optional,
                    isMessages(component),
                    JsonText.ignored(component));
        }

        @Nullable
        Object of(Record answer) {
            try {
                return accessor.invoke(answer);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(accessor.toString(), e);
            }
        }
    }

    private final Map<Class<?>, List<Key>> keys = new HashMap<>();
    private final StringBuilder text = new StringBuilder(1 << 12);
    private final Message.Wording wording;

    private JsonText(Message.Wording wording) {
        this.wording = wording;
    }

    /** @param object a record or a map */
    public static String of(Object object) {
        return of(object, Message.Choice::inJava);
    }

    /** @param wording how messages name settings */
    public static String of(Object object, Message.Wording wording) {
        JsonText json = new JsonText(wording);
        json.value(object, "\n");
        return json.text.toString();
    }

    /** @param line the line end and indentation of the object that contains the value */
    private void value(@Nullable Object value, String line) {
        if (value instanceof Map<?, ?> map) {
            object(map, line);
        } else if (value instanceof Record answer) {
            object(object(answer), line);
        } else if (value instanceof Iterable<?> list) {
            list(list, line);
        } else if (value instanceof Double number && !Double.isFinite(number)) {
            text.append("null");
        } else if (value instanceof DoubleSupplier late) {
            value(late.getAsDouble(), line);
        } else if (value == null || value instanceof Boolean || value instanceof Number) {
            text.append(value);
        } else if (value instanceof Message message) {
            quoted(message.text(wording));
        } else if (value instanceof CharSequence || value instanceof Enum<?>) {
            quoted(value.toString());
        } else {
            text.append(Library.MAPPER.writeValueAsString(value).replace("\n", line));
        }
    }

    /** A record's keys and values, in their order. */
    public static Map<String, @Nullable Object> components(Record answer) {
        return new JsonText(Message.Choice::inJava).object(answer);
    }

    /** A record's keys and values; those of an unwrapped component are among them, and one that is null has none. */
    private Map<String, @Nullable Object> object(Record answer) {
        Map<String, @Nullable Object> components = new LinkedHashMap<>();
        for (Key key : keys.computeIfAbsent(answer.getClass(), Key::of)) {
            Object value = key.of(answer);
            if (!key.unwrapped) {
                if (value != null || !key.optional) {
                    components.put(key.name, without(key.ignored, value));
                }
                if (key.messages && value instanceof List<?> messages) {
                    components.put(codes(key.name), codes(messages));
                }
            } else if (value instanceof Record part) {
                components.putAll(without(key.ignored, part));
            }
        }
        return components;
    }

    private static List<String> codes(List<?> messages) {
        return messages.stream().map(message -> ((Message) message).code()).toList();
    }

    /** The key of the codes of messages: {@code warningCodes} for {@code warnings}. */
    static String codes(String messages) {
        return messages.substring(0, messages.length() - 1) + "Codes";
    }

    /** Whether a component is a list of messages. */
    static boolean isMessages(RecordComponent component) {
        return component.getGenericType() instanceof ParameterizedType list
                && list.getActualTypeArguments()[0] == Message.class;
    }

    static boolean isUnwrapped(RecordComponent component) {
        return component.getAccessor().isAnnotationPresent(JsonUnwrapped.class);
    }

    /** Whether a component is for the wording only and has no key. */
    static boolean isIgnored(RecordComponent component) {
        return component.getAccessor().isAnnotationPresent(JsonIgnore.class);
    }

    /** The keys that a component leaves out of its record. */
    static List<String> ignored(RecordComponent component) {
        JsonIgnoreProperties ignored = component.getAccessor().getAnnotation(JsonIgnoreProperties.class);
        return ignored == null ? List.of() : List.of(ignored.value());
    }

    private @Nullable Object without(List<String> keys, @Nullable Object value) {
        return keys.isEmpty() || value == null
                ? value
                : value instanceof Record answer
                        ? without(keys, answer)
                        : ((List<?>) value)
                                .stream().map(one -> without(keys, one)).toList();
    }

    private Map<String, @Nullable Object> without(List<String> keys, Record answer) {
        Map<String, @Nullable Object> components = object(answer);
        components.keySet().removeAll(keys);
        return components;
    }

    private void object(Map<?, ?> map, String line) {
        if (map.isEmpty()) {
            text.append("{ }");
            return;
        }
        String deeper = line + "  ";
        char before = '{';
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            text.append(before).append(deeper);
            quoted(String.valueOf(entry.getKey()));
            text.append(" : ");
            value(entry.getValue(), deeper);
            before = ',';
        }
        text.append(line).append('}');
    }

    private void list(Iterable<?> list, String line) {
        text.append('[');
        for (Iterator<?> values = list.iterator(); values.hasNext(); ) {
            text.append(' ');
            value(values.next(), line);
            text.append(values.hasNext() ? "," : "");
        }
        text.append(" ]");
    }

    private void quoted(String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '"', '\\' -> text.append('\\').append(c);
                case '\n' -> text.append("\\n");
                case '\r' -> text.append("\\r");
                case '\t' -> text.append("\\t");
                case '\b' -> text.append("\\b");
                case '\f' -> text.append("\\f");
                default -> {
                    if (c < ' ') {
                        text.append(String.format(Locale.ROOT, "\\u%04X", (int) c));
                    } else {
                        text.append(c);
                    }
                }
            }
        }
        text.append('"');
    }
}
