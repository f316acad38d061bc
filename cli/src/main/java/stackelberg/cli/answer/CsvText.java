package stackelberg.cli.answer;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import stackelberg.data.Column;
import stackelberg.data.io.AtomicFile;

/** Builds the text of a CSV file, in which numbers that are not finite are empty cells. */
public final class CsvText {
    private static final Map<String, String> WHOLE = Map.of("row", "BIGINT", "stopped", "BIGINT", "stuck", "BIGINT");

    /** Texts that a spreadsheet would evaluate as formulas. A signed number or a sign alone is not a formula. */
    private static final Pattern FORMULA = Pattern.compile("(?s)\\s*([=@]|[+-]\\s*[\\p{L}(=@+\"]).*");

    private final boolean raw;
    private final StringWriter text = new StringWriter();
    // no further buffer: the text is in memory
    private final CsvWriter writer =
            CsvWriter.builder().lineDelimiter(LineDelimiter.LF).bufferSize(0).build(text);

    /** A CSV file in which no text can be read as a spreadsheet formula. */
    public CsvText(List<String> header) {
        this(header, false);
    }

    /** @param raw whether texts are written as they are, even if a spreadsheet would compute them as formulas */
    public CsvText(List<String> header, boolean raw) {
        this.raw = raw;
        row(List.copyOf(header));
    }

    public void row(List<? extends @Nullable Object> cells) {
        writer.writeRecord(cells.stream().map(this::cell).toList());
    }

    public void save(Path file) {
        AtomicFile.write(file, text.toString().getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String toString() {
        return text.toString();
    }

    /** The heading of the identifier column beside these other columns: its name in the data, unless one of them has that name. */
    public static String idName(Column column, List<String> others) {
        return others.contains(column.name()) ? "id" : column.name();
    }

    /** The types of the columns of a table of people that are not DOUBLE; the first column may hold their identifiers. */
    public static Map<String, String> types(List<String> header, boolean named) {
        Map<String, String> types = new HashMap<>(WHOLE);
        if (named) {
            types.put(header.get(0), "VARCHAR");
        }
        return types;
    }

    private String cell(@Nullable Object value) {
        return value instanceof String words
                ? text(words, raw)
                : value == null || value instanceof Double number && !Double.isFinite(number)
                        ? ""
                        : String.valueOf(value);
    }

    /** A text as a cell: preceded by an apostrophe if a spreadsheet would take it for a formula, unless raw text is wanted. */
    static String text(String words, boolean raw) {
        return raw || !FORMULA.matcher(words).matches() ? words : "'" + words;
    }
}
