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

/** How a CSV file is written: its delimiter, whether its first record is a header, the column names, and that record. */
record CsvDialect(char delimiter, boolean header, List<String> names, List<String> first) {
    private static final char[] DELIMITERS = {',', ';', '\t', '|'};
    private static final int RECORDS = 20;
    private static final int SHOWN = 60;

    /** How many columns the first line can have at most, whatever separates them. */
    static long mostColumns(String head) {
        int end = head.indexOf('\n');
        String line = head.substring(0, end < 0 ? head.length() : end);
        long most = 0;
        for (char delimiter : DELIMITERS) {
            most = Math.max(most, line.chars().filter(c -> c == delimiter).count());
        }
        return most + 1;
    }

    /** Told from the first records; the head is the start of the file, cut at the end of a line. */
    static CsvDialect detect(String head, DataFile.Options options, String source) {
        char delimiter = delimiter(head);
        List<List<String>> records = records(head, delimiter);
        if (records.isEmpty()) {
            throw new DataException(
                    head.isBlank()
                            ? "'" + source
                                    + "' is empty.\nMaybe it was not written to the end, or another file was meant."
                            : "'" + source + "', line 1 cannot be cut into fields: " + start(head)
                                    + "\nMaybe a quote is not closed, or one delimiter differs from the others.");
        }
        if (cutByBlanks(records)) {
            throw new DataException(
                    "'" + source + "' has blanks between its fields: " + start(head)
                            + "\nA delimiter is a comma, a semicolon, a tab or |.\nMaybe replace the blanks with tr -s ' ' , < FILE.");
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

    static CsvReaderBuilder parser(char delimiter) {
        return de.siegmar.fastcsv.reader.CsvReader.builder()
                .fieldSeparator(delimiter)
                .allowExtraFields(true)
                .allowMissingFields(true);
    }

    /** The delimiter that cuts the first records into the most fields, the same number each; else the most in the first record. */
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

    /** Whether semicolons cut all records alike, and every comma is inside a number: 1,5;2,7 has more commas than semicolons. */
    private static boolean hasDecimalCommas(String head) {
        List<List<String>> records = records(head, ';');
        int fields = records.isEmpty() ? 0 : records.get(0).size();
        // a header may have commas of its own
        List<List<String>> rows = records.size() > 1 ? records.subList(1, records.size()) : records;
        return fields > 1
                && records.stream().allMatch(r -> r.size() == fields)
                && rows.stream()
                        .flatMap(List::stream)
                        .map(String::strip)
                        .allMatch(field -> field.indexOf(',') < 0 || FieldText.isNumber(field));
    }

    /** Whether the records are one field each, but blanks would cut all of them alike, into numbers but for the first. */
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

    /** The first line, not more of it than a message can hold. */
    private static String start(String head) {
        String line = head.strip().lines().findFirst().orElse("");
        return line.length() <= SHOWN ? line : line.substring(0, SHOWN) + " ...";
    }

    private static List<List<String>> records(String head, char delimiter) {
        List<List<String>> records = new ArrayList<>();
        try {
            // By itself the library refuses more than 16,384 fields; the head is all the memory that they can take.
            var unlimited = CsvRecordHandler.builder()
                    .maxFields(Integer.MAX_VALUE)
                    .maxRecordSize(Integer.MAX_VALUE)
                    .build();
            Iterator<CsvRecord> all = parser(delimiter).build(unlimited, head).iterator();
            while (records.size() < RECORDS && all.hasNext()) {
                records.add(List.copyOf(all.next().getFields()));
            }
        } catch (CsvParseException e) {
            // With this delimiter the head is not CSV from here on; the parse of the whole file says where and why.
        }
        return records;
    }

    /** A header has text above numbers, or at least no number at all. */
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

    private static List<String> named(List<String> fields) {
        Map<String, Integer> positions = new LinkedHashMap<>();
        for (int j = 1; j <= fields.size(); j++) {
            String name = fields.get(j - 1);
            // Tools that write row numbers leave the name of that column empty.
            String unique = name.isEmpty() ? Integer.toString(j) : name;
            Integer earlier = positions.putIfAbsent(unique, j);
            if (earlier != null) {
                throw new DataException(
                        "Columns " + earlier + " and " + j + " are both named '" + unique
                                + "'.\nMaybe rename one in the header, or read without a header (noHeader(...)) if there is none.");
            }
        }
        return List.copyOf(positions.keySet());
    }
}
