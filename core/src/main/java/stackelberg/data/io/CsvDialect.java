package stackelberg.data.io;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader.CsvReaderBuilder;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.CsvRecordHandler;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import stackelberg.data.DataException;
import stackelberg.data.Message;

/**
 * The format of a CSV file.
 *
 * @param delimiter the character between fields
 * @param header whether the first record is a header
 * @param names the column names; 1, 2, 3, ... without a header
 * @param first the fields of the first record
 */
record CsvDialect(char delimiter, boolean header, List<String> names, List<String> first) {
    private static final char[] DELIMITERS = {',', ';', '\t', '|'};

    /** The number of records that detection looks at. */
    private static final int RECORDS = 20;

    /** The number of characters of a line that a message shows. */
    private static final int SHOWN = 60;

    /** An upper bound on the number of columns in the first line, for any delimiter; cheap, so that memory can be checked before the line is parsed. */
    static long mostColumns(String head) {
        int end = head.indexOf('\n');
        String line = head.substring(0, end < 0 ? head.length() : end);
        long most = 0;
        for (char delimiter : DELIMITERS) {
            most = Math.max(most, line.chars().filter(c -> c == delimiter).count());
        }
        return most + 1;
    }

    /** Detects the format from the first records; {@code head} is the beginning of the file, cut at the end of a line. */
    static CsvDialect detect(String head, DataFile.Options options, String source) {
        char delimiter = delimiter(head);
        List<List<String>> records = records(head, delimiter);
        if (records.isEmpty()) {
            throw head.isBlank()
                    ? DataException.of(
                            "file-empty",
                            "'{}' is empty.\nMaybe it was not written to the end, or another file was meant.",
                            source)
                    : DataException.of(
                            "header-unreadable",
                            "'{}', line 1 cannot be split into fields: {}\n"
                                    + "Maybe a quote is not closed, or one delimiter differs from the others.",
                            source,
                            start(head));
        }
        if (cutByBlanks(records)) {
            throw DataException.of(
                    "delimiter-is-blank",
                    "'{}' has blanks between its fields: {}\n"
                            + "The delimiter must be a comma, a semicolon, a tab or |.\n"
                            + "Maybe replace the blanks with tr -s ' ' , < FILE.",
                    source,
                    start(head));
        }
        List<String> first = records.get(0).stream().map(String::strip).toList();
        boolean header =
                switch (options.header()) {
                    case DETECTED -> looksLikeHeader(records);
                    case PRESENT -> true;
                    case ABSENT -> false;
                };
        return new CsvDialect(delimiter, header, header ? named(first) : numbered(first.size()), first);
    }

    /** A parser for the delimiter. It accepts records of any length: {@link CsvBlock} checks them and reports row and line. */
    static CsvReaderBuilder parser(char delimiter) {
        return de.siegmar.fastcsv.reader.CsvReader.builder()
                .fieldSeparator(delimiter)
                .allowExtraFields(true)
                .allowMissingFields(true);
    }

    /** The delimiter that splits the first records into the most fields, with equally many in each; if none does, the one with the most in the first record. */
    private static char delimiter(String head) {
        char best = DELIMITERS[0];
        int most = 1;
        char bestOfFirst = DELIMITERS[0];
        int mostOfFirst = 1;
        for (char delimiter : DELIMITERS) {
            List<List<String>> records = records(head, delimiter);
            int fields = records.isEmpty() ? 0 : records.get(0).size();
            if (fields > mostOfFirst) {
                mostOfFirst = fields;
                bestOfFirst = delimiter;
            }
            if (fields > most && records.stream().allMatch(r -> r.size() == fields)) {
                most = fields;
                best = delimiter;
            }
        }
        char found = most > 1 ? best : bestOfFirst;
        return found == ',' && hasDecimalCommas(head) ? ';' : found;
    }

    /** Whether semicolons split all records into equally many fields and every comma is inside a number: 1,5;2,7 has more commas than semicolons. */
    private static boolean hasDecimalCommas(String head) {
        List<List<String>> records = records(head, ';');
        int fields = records.isEmpty() ? 0 : records.get(0).size();
        // Names in a header may contain commas.
        List<List<String>> rows = records.size() > 1 ? records.subList(1, records.size()) : records;
        return fields > 1
                && records.stream().allMatch(r -> r.size() == fields)
                && rows.stream()
                        .flatMap(List::stream)
                        .map(String::strip)
                        .allMatch(field -> field.indexOf(',') < 0 || FieldText.isNumber(field));
    }

    /** Whether every record is a single field that blanks would split into equally many parts, with numbers in all but the first record. */
    private static boolean cutByBlanks(List<List<String>> records) {
        int fields = records.get(0).get(0).strip().split(" +").length;
        return fields > 1
                && records.size() > 1
                && records.stream()
                        .allMatch(r -> r.size() == 1 && r.get(0).strip().split(" +").length == fields)
                && records.subList(1, records.size()).stream()
                        .allMatch(r -> Arrays.stream(r.get(0).strip().split(" +"))
                                        .filter(FieldText::isNumber)
                                        .count()
                                > 1);
    }

    /** The first line, cut to {@link #SHOWN} characters. */
    private static String start(String head) {
        String line = head.strip().lines().findFirst().orElse("");
        return line.length() <= SHOWN ? line : line.substring(0, SHOWN) + " ...";
    }

    /** The fields of the first records, split at a delimiter. */
    private static List<List<String>> records(String head, char delimiter) {
        List<List<String>> records = new ArrayList<>();
        try {
            // The library's default limit is 16,384 fields. It protects memory, which the limited length of the head
            // does already.
            var unlimited = CsvRecordHandler.builder()
                    .maxFields(Integer.MAX_VALUE)
                    .maxRecordSize(Integer.MAX_VALUE)
                    .build();
            Iterator<CsvRecord> all = parser(delimiter).build(unlimited, head).iterator();
            while (records.size() < RECORDS && all.hasNext()) {
                records.add(List.copyOf(all.next().getFields()));
            }
        } catch (CsvParseException e) {
            // With this delimiter the head is not valid CSV from here on. Reading the whole file reports where and why.
        }
        return records;
    }

    /** Whether the first record is a header: it has text above a number in some column, or no number at all. */
    private static boolean looksLikeHeader(List<List<String>> records) {
        List<String> first = records.get(0);
        boolean numberInFirst = first.stream().anyMatch(FieldText::isNumber);
        for (List<String> record : records.subList(1, records.size())) {
            for (int j = 0; j < Math.min(first.size(), record.size()); j++) {
                boolean text = !FieldText.isNumber(first.get(j)) && !FieldText.isMissing(first.get(j));
                if (numberInFirst && text && FieldText.isNumber(record.get(j))) {
                    return true;
                }
            }
        }
        return !numberInFirst;
    }

    private static List<String> numbered(int count) {
        List<String> names = new ArrayList<>();
        for (int j = 1; j <= count; j++) {
            names.add(Integer.toString(j));
        }
        return names;
    }

    /** The names in a header, which must differ. */
    private static List<String> named(List<String> fields) {
        Map<String, Integer> positions = new LinkedHashMap<>();
        for (int j = 1; j <= fields.size(); j++) {
            String name = fields.get(j - 1);
            // Tools that write row numbers (R, pandas) leave the name of that column empty.
            String unique = name.isEmpty() ? Integer.toString(j) : name;
            Integer earlier = positions.putIfAbsent(unique, j);
            if (earlier != null) {
                throw new DataException(Message.of(
                        "columns-of-one-name",
                        "Columns {} and {} are both named '{}'.\n"
                                + "Maybe rename one in the header, or read without a header ({}) if there is none.",
                        earlier,
                        j,
                        unique,
                        Message.Choice.any("noHeader")));
            }
        }
        return List.copyOf(positions.keySet());
    }
}
