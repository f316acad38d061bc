package stackelberg.data.io;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import stackelberg.data.DataException;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.linalg.CsrMatrix;

/**
 * Reads LIBSVM files into a sparse matrix. A line holds a label and pairs {@code index:value} with increasing indices from 1; {@code qid:} fields and
 * comments after {@code #} are skipped. Gzip is detected by the content.
 */
final class LibsvmReader {
    private static final int BUFFER = 1 << 20;

    private final Input input;
    private final Memory.Budget budget;
    private final byte[] buffer = new byte[BUFFER];
    private int position;
    private int limit;

    private char[] line = new char[1024];
    private int lineNumber;
    private double[] labels = new double[1024];
    private int rows;
    private final CsrMatrix.Builder features = new CsrMatrix.Builder();

    private LibsvmReader(Input input) {
        this.input = input;
        this.budget = new Memory.Budget(input.name());
    }

    /** A table with the features as a sparse block and the labels as the column {@link DataFile#TRUTH}. */
    static Table read(Path file) {
        return read(Input.open(file));
    }

    static Table read(Input opened) {
        try (opened) {
            return new LibsvmReader(opened).read();
        }
    }

    private Table read() {
        for (int length = nextLine(); length >= 0; length = nextLine()) {
            int end = 0;
            while (end < length && line[end] != '#') {
                end++;
            }
            addRow(end);
        }
        if (rows == 0) {
            throw DataException.of(
                    "no-rows", "'{}' has no rows.\n" + "Maybe it was not written to the end.", input.name());
        }
        Memory.requireColumns(input.name(), features.columnsSeen(), features.entries());
        NumericColumn truth = new NumericColumn(DataFile.TRUTH, Arrays.copyOf(labels, rows));
        return DataFile.block(features.build(features.columnsSeen()), truth).withSource(input.source());
    }

    /** Copies the next line into {@code line} and returns its length, -1 at the end of the input. */
    private int nextLine() {
        int length = 0;
        boolean any = false;
        while (position < limit || fill()) {
            any = true;
            byte b = buffer[position++];
            if (b == '\n') {
                break;
            }
            if (length == line.length) {
                Memory.requireLine(input.name(), length);
                line = Arrays.copyOf(line, 2 * length);
            }
            // One char per byte is enough: labels and pairs are ASCII, and comments are not used.
            line[length++] = (char) (b & 0xff);
        }
        lineNumber++;
        return any ? length : -1;
    }

    /** Reads the next bytes into the buffer; false at the end of the input. */
    private boolean fill() {
        // 12 bytes per row (label, start of row) and per entry (column, value); 2.5 times that while an array grows,
        // because the old one is copied.
        budget.require(2.5 * (12.0 * rows + 12.0 * features.entries()));
        limit = input.read(buffer, 0, buffer.length);
        position = 0;
        return limit > 0;
    }

    /** Adds the row in line[0..end - 1]; ignores a blank one. */
    private void addRow(int end) {
        int from = skipBlanks(0, end);
        if (from == end) {
            return;
        }
        int to = wordEnd(from, end);
        if (rows == labels.length) {
            labels = Arrays.copyOf(labels, 2 * rows);
        }
        labels[rows] = number(from, to, "the label");
        int previous = 0;
        for (from = skipBlanks(to, end); from < end; from = skipBlanks(to, end)) {
            to = wordEnd(from, end);
            if (to - from >= 4 && line[from] == 'q' && line[from + 1] == 'i' && line[from + 2] == 'd') {
                continue;
            }
            previous = addPair(from, to, previous);
        }
        rows++;
        features.endRow();
    }

    /** Adds the pair index:value in line[from..to - 1] and returns its index, which must exceed the previous one. */
    private int addPair(int from, int to, int previous) {
        int colon = from;
        while (colon < to && line[colon] != ':') {
            colon++;
        }
        long index = 0;
        for (int i = from; i < colon; i++) {
            int digit = line[i] - '0';
            if (digit < 0 || digit > 9) {
                throw bad(from, to, "is not index:value");
            }
            // Capped, so that long digit strings do not overflow; the cap itself is refused below.
            index = Math.min(10 * index + digit, Integer.MAX_VALUE);
        }
        if (colon == from || colon == to) {
            throw bad(from, to, "is not index:value");
        }
        if (index < 1) {
            throw bad(from, to, "has the index 0, but indices count from 1");
        }
        if (index == Integer.MAX_VALUE) {
            throw bad(from, to, "has an index of " + Integer.MAX_VALUE + " or more, too large for a column");
        }
        if (index <= previous) {
            throw bad(from, to, "follows the index " + previous + ", but the indices of a line must increase");
        }
        features.put((int) index - 1, number(colon + 1, to, "the value of index " + index));
        return (int) index;
    }

    private double number(int from, int to, String what) {
        double value = NumericColumn.parse(line, from, to);
        if (!Double.isFinite(value)) {
            throw bad(from, to, "is not a finite number, as " + what + " must be");
        }
        return value;
    }

    /** The error about the word line[from..to - 1]. */
    private DataException bad(int from, int to, String why) {
        byte[] word = new String(line, from, to - from).getBytes(StandardCharsets.ISO_8859_1);
        return DataException.of(
                "libsvm-line",
                "'{}', line {}: \"{}\" {}.\n"
                        + "Maybe the file is not LIBSVM (\"label index:value index:value ...\"), or the line is damaged.",
                input.name(),
                lineNumber,
                new String(word, StandardCharsets.UTF_8),
                why);
    }

    private int skipBlanks(int from, int end) {
        int i = from;
        while (i < end && line[i] <= ' ') {
            i++;
        }
        return i;
    }

    private int wordEnd(int from, int end) {
        int i = from;
        while (i < end && line[i] > ' ') {
            i++;
        }
        return i;
    }
}
