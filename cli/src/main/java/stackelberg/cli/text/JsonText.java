package stackelberg.cli.text;

import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleSupplier;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Maps, lists, texts, numbers (some known only when they are written), truths and null as JSON, two spaces deeper for every object; other values as the library writes them. A command that runs
 * once would spend more on loading that library than on its answer.
 */
final class JsonText {
    private static final class Library {
        static final JsonMapper MAPPER =
                JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
    }

    private final StringBuilder text = new StringBuilder(1 << 12);

    private JsonText() {}

    static String of(Map<?, ?> object) {
        JsonText json = new JsonText();
        json.value(object, "\n");
        return json.text.toString();
    }

    /** @param line a new line of the object that the value stands in */
    private void value(Object value, String line) {
        if (value instanceof Map<?, ?> map) {
            object(map, line);
        } else if (value instanceof Iterable<?> list) {
            list(list, line);
        } else if (value instanceof Double number && !Double.isFinite(number)) {
            quoted(number.toString());
        } else if (value instanceof DoubleSupplier late) {
            value(late.getAsDouble(), line);
        } else if (value == null || value instanceof Boolean || value instanceof Number) {
            text.append(value);
        } else if (value instanceof CharSequence || value instanceof Enum<?>) {
            quoted(value.toString());
        } else {
            text.append(Library.MAPPER.writeValueAsString(value).replace("\n", line));
        }
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
