package stackelberg.cli.text;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import stackelberg.data.Column;
import stackelberg.data.io.AtomicFile;

/** A CSV file in the making, written whole or not at all; what is not a finite number is an empty cell. */
public final class CsvText {
    private static final Map<String, String> WHOLE = Map.of("row", "BIGINT", "stopped", "BIGINT", "stuck", "BIGINT");

    /** What a spreadsheet would compute; a number with a sign, or a sign alone, is none. */
    private static final Pattern FORMULA = Pattern.compile("(?s)\\s*([=@]|[+-]\\s*[\\p{L}(=@+\"]).*");

    private final boolean raw;
    private final StringWriter text = new StringWriter();
    // the text is a buffer already
    private final CsvWriter writer =
            CsvWriter.builder().lineDelimiter(LineDelimiter.LF).bufferSize(0).build(text);

    /** One whose texts are no formulas of a spreadsheet. */
    public CsvText(List<String> header) {
        this(header, false);
    }

    /** @param raw whether texts are written as they are, also where a spreadsheet would compute them */
    public CsvText(List<String> header, boolean raw) {
        this.raw = raw;
        row(List.copyOf(header));
    }

    public void row(List<Object> cells) {
        writer.writeRecord(cells.stream().map(this::cell).toList());
    }

    public void save(Path file) {
        AtomicFile.write(file, text.toString().getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String toString() {
        return text.toString();
    }

    /** What the column that names people is called before these others: as it is in the data, unless one of them is called so. */
    public static String idName(Column column, List<String> others) {
        return others.contains(column.name()) ? "id" : column.name();
    }

    /** The types of columns that hold no numbers with decimals, of tables about people; the first column may name them. */
    public static Map<String, String> types(List<String> header, boolean named) {
        Map<String, String> types = new HashMap<>(WHOLE);
        if (named) {
            types.put(header.get(0), "VARCHAR");
        }
        return types;
    }

    private String cell(Object value) {
        return value instanceof String words
                ? text(words, raw)
                : value == null || value instanceof Double number && !Double.isFinite(number)
                        ? ""
                        : String.valueOf(value);
    }

    /** A text as a cell: with an apostrophe before what a spreadsheet would take for a formula, unless it is to be raw. */
    static String text(String words, boolean raw) {
        return raw || !FORMULA.matcher(words).matches() ? words : "'" + words;
    }
}
