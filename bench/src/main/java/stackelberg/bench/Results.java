package stackelberg.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import stackelberg.data.DataException;
import stackelberg.data.Message;
import stackelberg.data.io.AtomicFile;

/**
 * A folder of results: {@code rows.csv} with one line per run, and {@code traces.csv} with one line per iteration.
 *
 * <p>Each line is appended as soon as its run ends, so that an interrupted benchmark loses nothing; an incomplete last line is removed before the next one is
 * appended. If a file is missing but its compressed form ({@code rows.csv.gz}) exists, that is read, and unpacked before the first line is appended.
 */
public final class Results {
    private final Path folder;

    private Results(Path folder) {
        this.folder = folder;
    }

    /** The results in this folder, which is created when the first row is added. */
    public static Results in(Path folder) {
        return new Results(folder);
    }

    /** All runs; if a run was repeated, its last row. */
    public List<Row> rows() {
        Map<String, Row> last = new LinkedHashMap<>();
        read("rows.csv", Row.HEADER, Row.class).forEach(row -> last.put(row.key(), row));
        return List.copyOf(last.values());
    }

    /** All points of all traces; if a run was repeated, its last points. */
    public List<TracePoint> traces() {
        Map<String, TracePoint> last = new LinkedHashMap<>();
        read("traces.csv", TracePoint.HEADER, TracePoint.class)
                .forEach(point -> last.put(point.experiment() + "|" + point.run() + "|" + point.iteration(), point));
        return List.copyOf(last.values());
    }

    public void add(Row row) {
        append("rows.csv", Row.HEADER, List.of(row));
    }

    public void add(List<TracePoint> trace) {
        append("traces.csv", TracePoint.HEADER, trace);
    }

    private <T> List<T> read(String name, List<String> header, Class<T> type) {
        Path plain = folder.resolve(name);
        Path file = Files.exists(plain) ? plain : packed(plain);
        if (!Files.exists(file)) {
            return List.of();
        }
        try {
            String text = file == plain
                    ? Files.readString(file)
                    : UTF_8.newDecoder().decode(ByteBuffer.wrap(unpacked(file))).toString();
            List<T> rows = new ArrayList<>();
            boolean first = true;
            for (var fields : CsvReader.builder().ofCsvRecord(text.substring(0, text.lastIndexOf('\n') + 1))) {
                if (!first) {
                    rows.add(RecordFields.read(type, fields.getFields().iterator()));
                } else if (!fields.getFields().equals(header)) {
                    throw DataException.of(
                            "results-of-other-columns",
                            "{} begins with the columns {} instead of {}.\n"
                                    + "Maybe it was written by another version; use another folder.",
                            file,
                            fields.getFields(),
                            header);
                }
                first = false;
            }
            return rows;
        } catch (IOException e) {
            throw new DataException(
                    Message.of("results-unreadable", "The results in {} cannot be read: {}.", file, e.getMessage()), e);
        }
    }

    private void append(String name, List<String> header, List<? extends Record> lines) {
        Path file = folder.resolve(name);
        try {
            Files.createDirectories(folder);
            if (!Files.exists(file) && Files.exists(packed(file))) {
                AtomicFile.write(file, unpacked(packed(file)));
            }
            if (Files.exists(file)) {
                dropHalfLine(file);
            }
            boolean fresh = !Files.exists(file) || Files.size(file) == 0;
            StringWriter text = new StringWriter();
            try (CsvWriter csv =
                    CsvWriter.builder().lineDelimiter(LineDelimiter.LF).build(text)) {
                if (fresh) {
                    csv.writeRecord(header);
                }
                lines.forEach(line -> csv.writeRecord(RecordFields.of(line)));
            }
            Files.writeString(file, text.toString(), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new DataException(
                    Message.of(
                            "results-not-written",
                            "Results cannot be written to {} ({}).\n" + "Maybe name another folder with --results.",
                            folder,
                            e),
                    e);
        }
    }

    private static Path packed(Path file) {
        return file.resolveSibling(file.getFileName() + ".gz");
    }

    private static byte[] unpacked(Path file) throws IOException {
        try (var in = new GZIPInputStream(Files.newInputStream(file))) {
            return in.readAllBytes();
        }
    }

    private static void dropHalfLine(Path file) throws IOException {
        try (var channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer last = ByteBuffer.allocate(1);
            long size = channel.size();
            while (size > 0) {
                last.clear();
                channel.read(last, size - 1);
                if (last.get(0) == '\n') {
                    break;
                }
                size--;
            }
            channel.truncate(size);
        }
    }
}
