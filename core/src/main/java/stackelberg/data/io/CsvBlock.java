package stackelberg.data.io;

import de.siegmar.fastcsv.reader.CsvParseException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import stackelberg.data.NumericColumn;

/** The records of one block of a CSV file, parsed: cells by column, numbers or codes of texts, NaN where there is none. */
final class CsvBlock extends CsvFields {
    /** A cell that is not what its column should hold; row and line count within the block, from 0. */
    record Cell(int row, int line, String text) {}

    /** The first cell of its kind in a column, and how many there are. */
    record Cells(Cell first, int count) {}

    /** Rows that are turned together. */
    private static final int TILE = 16;

    /** Characters of a number and what separates it from the next. */
    private static final int USUAL_WIDTH = 8;

    /** A text, and its place among the different ones of its column: an estimate. */
    private static final long BYTES_PER_TEXT = 100;

    private static final String QUOTES = "\nMaybe a quote is missing, or one inside a quoted field is not doubled.";

    final int lines;
    /** Texts in the columns that are read as text, null in the others. */
    final TextLevels[] levels;
    /** Texts in columns that are read as numbers, by column. */
    final Map<Integer, Cells> texts = new TreeMap<>();
    /** Infinite numbers, by column. */
    final Map<Integer, Cells> infinities = new TreeMap<>();
    /** Why parsing stopped early (a Cell with the reason as its text), null if it did not. */
    Cell broken;

    private final CsvPlan plan;
    private final int columns;
    private final int kept;
    private final Spelling.Cut cut = new Spelling.Cut();
    /** Row by row, while the block is parsed. */
    private double[] cells;

    private double[][] byColumn;
    private int[] rowLines = new int[1024];
    private int rows;
    private int size;
    private int line;
    private boolean skipRecord;

    private CsvBlock(CsvPlan plan, boolean skipFirst, int bytes, int lines) {
        this.plan = plan;
        this.columns = plan.columns();
        this.kept = plan.kept().length;
        this.levels = new TextLevels[columns];
        for (int j : plan.kept()) {
            levels[j] = plan.text[j] ? new TextLevels() : null;
        }
        this.skipRecord = skipFirst;
        // numbers take eight characters or so, and those of columns that are not read take no place
        this.cells = new double[Math.max(kept, (int) ((long) bytes / USUAL_WIDTH * kept / columns))];
        this.lines = lines;
    }

    /** Parses whole records. {@code skipFirst} says that the first one is the header. */
    static CsvBlock parse(CsvBlocks.Block source, char delimiter, CsvPlan plan, boolean skipFirst) {
        byte[] bytes = source.bytes();
        int length = source.length();
        CsvBlock block = new CsvBlock(plan, skipFirst, length, CsvBlocks.lines(bytes, length));
        String text = new String(bytes, 0, length, StandardCharsets.UTF_8);
        try {
            // A reader, because from a string the parser would make one large array of characters.
            var records = CsvDialect.parser(delimiter)
                    .build(block, new StringReader(text))
                    .iterator();
            while (block.broken == null && records.hasNext()) {
                records.next();
            }
        } catch (CsvParseException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            if (cause instanceof Error error) {
                // out of memory, for example, which is not the file's fault
                throw error;
            }
            block.broken = new Cell(
                    block.rows, block.line, "it is not well-formed CSV (" + cause.getMessage() + ")." + QUOTES);
        }
        if (block.broken == null && source.openQuote() >= 0) {
            int line = CsvBlocks.lines(bytes, source.openQuote());
            block.broken = new Cell(block.rows, line, "the quote that opens there is never closed." + QUOTES);
        }
        if (text.indexOf('\uFFFD') >= 0) {
            block.refuseOtherThanUtf8(bytes, length);
        }
        block.turn();
        return block;
    }

    int rows() {
        return rows;
    }

    /** The memory that is kept of it: cells, lines and different texts. */
    long bytes() {
        long different = 0;
        for (int j : plan.kept()) {
            different += levels[j] == null ? 0 : levels[j].texts().size();
        }
        return (long) rows * (Double.BYTES * kept + Integer.BYTES) + BYTES_PER_TEXT * different;
    }

    /** The line on which a row begins, within the block, from 0. */
    int line(int row) {
        return rowLines[row];
    }

    /** The cells of a column, by its place among those that are read. */
    double[] column(int place) {
        return byColumn[place];
    }

    /** From rows, as they were parsed, to columns: a block is still in cache. */
    private void turn() {
        byColumn = new double[kept][rows];
        for (int from = 0; from < rows; from += TILE) {
            int to = Math.min(from + TILE, rows);
            for (int k = 0; k < kept; k++) {
                double[] column = byColumn[k];
                for (int i = from; i < to; i++) {
                    column[i] = cells[i * kept + k];
                }
            }
        }
        cells = null;
    }

    @Override
    protected void beginRecord(long startingLine) {
        super.beginRecord(startingLine);
        line = (int) startingLine - 1;
    }

    @Override
    protected void addField(char[] text, int offset, int length, boolean quoted) {
        int column = field++;
        if (column >= columns || skipRecord || plan.skipped[column]) {
            return;
        }
        int from = FieldText.start(text, offset, offset + length);
        int to = FieldText.end(text, from, offset + length);
        if (size == cells.length) {
            cells = Arrays.copyOf(cells, cells.length + cells.length / 2 + kept);
        }
        if (levels[column] != null) {
            cells[size++] = FieldText.isMissing(text, from, to, plan.names[column])
                    ? Double.NaN
                    : levels[column].code(text, from, to);
            return;
        }
        Spelling spelling = plan.spellings[column];
        double value = spelling == null ? NumericColumn.parse(text, from, to) : spelling.parse(text, from, to, cut);
        cells[size++] = value;
        if (!Double.isFinite(value)) {
            note(column, value, text, from, to);
        }
    }

    @Override
    protected Boolean buildRecord() {
        if (empty) {
            return Boolean.TRUE;
        }
        if (skipRecord) {
            skipRecord = false;
            return Boolean.TRUE;
        }
        if (field != columns) {
            size = rows * kept;
            broken = new Cell(
                    rows,
                    line,
                    "it has " + field + " fields instead of " + columns
                            + ".\nMaybe a delimiter is missing or too many, or a text that contains one wants quotes.");
            return Boolean.TRUE;
        }
        if (rows == rowLines.length) {
            rowLines = Arrays.copyOf(rowLines, 2 * rows);
        }
        rowLines[rows++] = line;
        return Boolean.TRUE;
    }

    private void note(int column, double value, char[] text, int from, int to) {
        Map<Integer, Cells> kind = infinities;
        if (Double.isNaN(value)) {
            if (FieldText.isMissing(text, from, to)) {
                return;
            }
            kind = texts;
        }
        Cells known = kind.get(column);
        kind.put(
                column,
                known == null
                        ? new Cells(new Cell(rows, line, new String(text, from, to - from)), 1)
                        : new Cells(known.first(), known.count() + 1));
    }

    /** The text has the replacement character: it was in the file, or it stands for bytes that are not UTF-8. */
    private void refuseOtherThanUtf8(byte[] bytes, int length) {
        ByteBuffer source = ByteBuffer.wrap(bytes, 0, length);
        if (StandardCharsets.UTF_8
                .newDecoder()
                .decode(source, CharBuffer.allocate(length), true)
                .isError()) {
            int badLine = CsvBlocks.lines(bytes, source.position());
            int row = 0;
            while (row + 1 < rows && rowLines[row + 1] <= badLine) {
                row++;
            }
            broken = new Cell(
                    row,
                    badLine,
                    "there is text that is not UTF-8.\n"
                            + "Maybe it was saved as Latin-1: convert it with iconv -f latin1 -t utf-8.");
        }
    }
}
