package stackelberg.bench;

import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;

/** Turns records into fields of CSV and back: a field for each component in their order, a record inside a record in its place. NaN is an empty field. */
final class RecordFields {
    private RecordFields() {}

    static List<String> of(Record line) {
        List<String> fields = new ArrayList<>();
        for (RecordComponent component : line.getClass().getRecordComponents()) {
            Object value = call(() -> component.getAccessor().invoke(line));
            if (value instanceof Record inner) {
                fields.addAll(of(inner));
            } else if (value instanceof Enum<?> word) {
                fields.add(word.name().toLowerCase(Locale.ROOT));
            } else if (value instanceof Double number && !Double.isFinite(number)) {
                fields.add("");
            } else if (component.isAnnotationPresent(Row.Measured.class)) {
                fields.add(new BigDecimal((double) value)
                        .round(new MathContext(4))
                        .stripTrailingZeros()
                        .toString());
            } else {
                fields.add(value.toString());
            }
        }
        return fields;
    }

    /** Makes a record from its fields, which are taken from the iterator. */
    static <T> T read(Class<T> type, Iterator<String> fields) {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        Object[] values = Arrays.stream(types).map(each -> value(each, fields)).toArray();
        return call(() -> type.getDeclaredConstructor(types).newInstance(values));
    }

    private static Object value(Class<?> type, Iterator<String> fields) {
        if (type.isRecord()) {
            return read(type, fields);
        }
        String text = fields.next();
        if (type == int.class) {
            return Integer.parseInt(text);
        } else if (type == long.class) {
            return Long.parseLong(text);
        } else if (type == double.class) {
            return text.isEmpty() ? Double.NaN : Double.parseDouble(text);
        } else if (type == boolean.class) {
            return Boolean.parseBoolean(text);
        }
        return type.isEnum() ? Row.Protocol.valueOf(text.toUpperCase(Locale.ROOT)) : text;
    }

    @FunctionalInterface
    private interface Call<T> {
        T run() throws ReflectiveOperationException;
    }

    private static <T> T call(Call<T> call) {
        try {
            return call.run();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
