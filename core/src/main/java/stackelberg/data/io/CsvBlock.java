package stackelberg.data.io;

import de.siegmar.fastcsv.reader.CsvParseException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import stackelberg.data.NumericColumn;

/** One block of a CSV file, parsed. Cells are stored by column as doubles: the number, or the code of the text; NaN for a missing value. */
final class CsvBlock extends CsvFields {
    /** A cell that its column should not hold; row and line are counted within the block, from 0. */
    record Cell(int row, int line, String text) {}

    /** The first unexpected cell of a column, and the number of such cells. */
    record Cells(Cell first, int count) {}

    /** The number of rows that are transposed together: their cells stay in the first-level cache. */
    private static final int TILE = 16;

    /** The usual number of characters of a number with its delimiter; for the first size of {@link #cells}, which grows if needed. */
    private static final int USUAL_WIDTH = 8;

    /** The estimated memory for a text and its entry in {@link TextLevels}. */
    private static final long BYTES_PER_TEXT = 100;

    private static final String QUOTES = "\nMaybe a quote is missing, or one inside a quoted field is not doubled.";

    /** The number of lines in the block. */
    final int lines;
    /** The distinct texts of each column that is read as text; null for the other columns. */
    final @Nullable TextLevels[] levels;
    /** Texts in columns that are read as numbers, by column. */
    final Map<Integer, Cells> texts = new TreeMap<>();
    /** Infinite numbers, by column. */
    final Map<Integer, Cells> infinities = new TreeMap<>();
    /** The record at which parsing stopped, with the reason as its text; absent if the whole block was parsed. */
    @Nullable
    Cell broken;

    private final CsvPlan plan;
    private final int columns;
    private final int kept;
    private final Spelling.Cut cut = new Spelling.Cut();
    /** The cells row by row while the block is parsed; emptied when they are transposed. */
    private double[] cells;

    private double[][] byColumn = {};
    /** The line on which each row begins. */
    private int[] rowLines = new int[1024];

    private int rows;
    /** The number of cells, the current record's included. */
    private int size;
    /** The line on which the current record begins. */
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
        // An estimate of the number of cells: columns that are not read take no place.
        this.cells = new double[Math.max(kept, (int) ((long) bytes / USUAL_WIDTH * kept / columns))];
        this.lines = lines;
    }

    /** Parses a block; {@code skipFirst} says that its first record is the header. */
    static CsvBlock parse(CsvBlocks.Block source, char delimiter, CsvPlan plan, boolean skipFirst) {
        byte[] bytes = source.bytes();
        int length = source.length();
        CsvBlock block = new CsvBlock(plan, skipFirst, length, CsvBlocks.lines(bytes, length));
        String text = new String(bytes, 0, length, StandardCharsets.UTF_8);
        try {
            // From a Reader the parser works with a small buffer; a String it would copy as a whole.
            var records = CsvDialect.parser(delimiter)
                    .build(block, new StringReader(text))
                    .iterator();
            while (block.broken == null && records.hasNext()) {
                records.next();
            }
        } catch (CsvParseException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            if (cause instanceof Error error) {
                // Running out of memory, for example, is not a fault of the file.
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
        block.transpose();
        return block;
    }

    /** The number of rows. */
    int rows() {
        return rows;
    }

    /** The memory that the block takes: cells, lines and distinct texts. */
    long bytes() {
        long different = 0;
        for (int j : plan.kept()) {
            TextLevels texts = levels[j];
            different += texts == null ? 0 : texts.texts().size();
        }
        return (long) rows * (Double.BYTES * kept + Integer.BYTES) + BYTES_PER_TEXT * different;
    }

    /** The line on which a row begins, counted within the block from 0. */
    int line(int row) {
        return rowLines[row];
    }

    /** The cells of a column, by its index among the columns that are read. */
    double[] column(int place) {
        return byColumn[place];
    }

    /** Copies the cells from row order, in which they were parsed, to column order, while the block is still in cache. */
    private void transpose() {
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
        cells = new double[0];
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
        TextLevels known = levels[column];
        if (known != null) {
            cells[size++] =
                    FieldText.isMissing(text, from, to, plan.names[column]) ? Double.NaN : known.code(text, from, to);
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
            // Forget the cells of this record.
            size = rows * kept;
            broken = new Cell(
                    rows,
                    line,
                    "it has " + field + " fields instead of " + columns
                            + ".\nMaybe there is a delimiter too few or too many, or a text that contains one needs quotes.");
            return Boolean.TRUE;
        }
        if (rows == rowLines.length) {
            rowLines = Arrays.copyOf(rowLines, 2 * rows);
        }
        rowLines[rows++] = line;
        return Boolean.TRUE;
    }

    /** Records a cell of a column of numbers that is not a finite number, unless it marks a missing value. */
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

    /** Refuses bytes that are not UTF-8, for a text with the replacement character U+FFFD: either it was in the file, or decoding put it there. */
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
                    "its text is not UTF-8.\n"
                            + "Maybe it was saved as Latin-1: convert it with iconv -f latin1 -t utf-8.");
        }
    }
}
