package stackelberg.data.io;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import stackelberg.data.DataException;
import stackelberg.data.Message;
import stackelberg.data.Table;
import stackelberg.linalg.Workers;

/**
 * Reads CSV files and their variants (delimiters {@code , ; tab |}, UTF-8, possibly gzip) into a {@link Table}.
 *
 * <p>Delimiter, header and the notation of numbers are detected from the first lines ({@link CsvDialect}, {@link CsvPlan}). Then threads parse blocks of whole
 * records ({@link CsvBlocks}, {@link CsvBlock}), and {@link CsvTables} joins them. The table does not depend on the number of threads.
 */
final class CsvReader {
    /** The number of bytes that are looked at before reading: 64 kB. */
    private static final int HEAD = 1 << 16;

    /** The most bytes that are looked at if lines are longer than that: 64 MB. */
    private static final int LARGEST_HEAD = 1 << 26;

    private final Supplier<Input> opener;
    private final DataFile.Options options;
    private final Workers workers;

    private CsvReader(Supplier<Input> opener, DataFile.Options options, Workers workers) {
        this.opener = opener;
        this.options = options;
        this.workers = workers;
    }

    /** Reads a file; a pipe is read into memory first, because {@link #read()} may read its input more than once. */
    static Table read(Path file, DataFile.Options options, Workers workers) {
        if (Input.isReadableOnce(file)) {
            try (InputStream in = Files.newInputStream(file)) {
                return read(in, file.toString(), options, workers);
            } catch (IOException e) {
                throw new DataException(
                        Message.of("file-unreadable", "'{}' could not be read: {}.", file, e.getMessage()), e);
            }
        }
        return new CsvReader(() -> Input.open(file), options, workers).read();
    }

    /** Reads a stream to its end, for example standard input; messages call it {@code name}. */
    static Table read(InputStream in, String name, DataFile.Options options, Workers workers) {
        byte[] content = Input.drain(in, name);
        return new CsvReader(() -> Input.of(content, name), options, workers).read();
    }

    /**
     * Reads the input, a second time if the first lines were misleading.
     *
     * <p>A column with text in the first lines is read as text from the start. If text appears only later, the numbers before it have lost their spelling
     * (1.50 became 1.5), so the input is read again with that column as text; and once more if these texts have decimal commas but the first lines had none.
     */
    private Table read() {
        Set<Integer> textColumns = new TreeSet<>();
        Spellings.Decimal decimal = Spellings.Decimal.of(options.decimal());
        while (true) {
            CsvTables parsed = parse(textColumns, decimal);
            Set<Integer> late = parsed.columnsWithLateText();
            textColumns.addAll(late);
            if (late.isEmpty() && !parsed.showsCommas()) {
                return parsed.table(workers);
            }
            decimal = parsed.showsCommas() ? Spellings.Decimal.COMMA : decimal;
        }
    }

    /** Reads the input once; {@code textColumns} and {@code decimal} are what earlier readings found. */
    private CsvTables parse(Set<Integer> textColumns, Spellings.Decimal decimal) {
        try (Input input = opener.get()) {
            byte[] head = withoutByteOrderMark(head(input), input.name());
            int cut = head.length;
            while (cut > 0 && head.length >= HEAD && head[cut - 1] != '\n') {
                cut--;
            }
            String headText = new String(head, 0, cut == 0 ? head.length : cut, StandardCharsets.UTF_8);
            Memory.requireColumns(input.name(), CsvDialect.mostColumns(headText));
            CsvDialect dialect = CsvDialect.detect(headText, options, input.name());
            CsvPlan plan = CsvPlan.of(dialect, options, textColumns, decimal, headText);
            Map<Integer, CsvBlock> blocks = parseBlocks(
                    new CsvBlocks(input, dialect.delimiter(), head), dialect, plan, new Memory.Budget(input.name()));
            return new CsvTables(dialect, options, plan, blocks.values().toArray(CsvBlock[]::new), input.source());
        }
    }

    /** The parsed blocks in the order of the file. */
    private Map<Integer, CsvBlock> parseBlocks(
            CsvBlocks blocks, CsvDialect dialect, CsvPlan plan, Memory.Budget budget) {
        Map<Integer, CsvBlock> parsed = new ConcurrentHashMap<>();
        workers.run(workers.threads(), task -> {
            CsvBlocks.Block next = blocks.next(new byte[0]);
            while (next != null) {
                boolean skipFirst = next.index() == 0 && dialect.header();
                CsvBlock block = CsvBlock.parse(next, dialect.delimiter(), plan, skipFirst);
                budget.take(block.bytes());
                parsed.put(next.index(), block);
                if (block.broken != null) {
                    // Blocks are handed out in order, so all blocks before this one are being parsed: the first broken
                    // one of the file will be found, whichever thread meets one first.
                    blocks.stop();
                }
                next = blocks.next(next.bytes());
            }
        });
        return new TreeMap<>(parsed);
    }

    /** The first bytes of the input: at least three lines, unless lines are very long. */
    private static byte[] head(Input input) {
        byte[] head = new byte[HEAD];
        int length = input.read(head, 0, head.length);
        while (length == head.length && CsvBlocks.lines(head, length) < 3 && length < LARGEST_HEAD) {
            Memory.requireLine(input.name(), length);
            head = Arrays.copyOf(head, 2 * length);
            length += input.read(head, length, head.length);
        }
        return Arrays.copyOf(head, length);
    }

    /** The bytes without UTF-8's byte order mark; refuses zero bytes, which text in UTF-8 does not have. */
    private static byte[] withoutByteOrderMark(byte[] head, String name) {
        boolean utf8 = head.length >= 3 && head[0] == (byte) 0xEF && head[1] == (byte) 0xBB && head[2] == (byte) 0xBF;
        for (byte b : head) {
            if (b == 0) {
                throw DataException.of(
                        "text-not-utf-8",
                        "'{}' is not a text file in UTF-8: it contains zero bytes.\n"
                                + "Maybe it is a spreadsheet or UTF-16: save it as CSV in UTF-8.",
                        name);
            }
        }
        return utf8 ? Arrays.copyOfRange(head, 3, head.length) : head;
    }
}
