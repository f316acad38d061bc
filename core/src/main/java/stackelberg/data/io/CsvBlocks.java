package stackelberg.data.io;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import stackelberg.data.DataException;

/**
 * Cuts the input into blocks of whole records, for threads to parse. A block ends at a line end that is not inside quotes; where the cuts are depends on the
 * input alone, not on the threads.
 */
final class CsvBlocks {
    /** The usual size of a block: 1 MB, enough work for a thread to outweigh taking turns, and little enough for its cache. */
    private static final int BLOCK = 1 << 20;

    /** The largest size of a record, 256 MB: longer ones are a quote that is never closed, or a file that is not a table. */
    private static final int LARGEST_RECORD = 1 << 28;

    private final Input input;
    private final char delimiter;
    /** The bytes after the last cut, with which the next block begins. */
    private byte[] rest;

    private boolean ended;
    private int count;

    /**
     * A block: the first {@code length} bytes of an array.
     *
     * @param index the number of the block in the file, from 0
     * @param openQuote the position of a quote after these bytes that is never closed, -1 if there is none
     */
    record Block(int index, byte[] bytes, int length, int openQuote) {}

    /** Blocks of an input; {@code head} are the bytes that were already read from it. */
    CsvBlocks(Input input, char delimiter, byte[] head) {
        this.input = input;
        this.delimiter = delimiter;
        this.rest = head;
    }

    /** The next block, null at the end of the input. Threads take turns; each passes the array of its previous block, which is reused. */
    synchronized @Nullable Block next(byte[] reused) {
        if (ended) {
            return null;
        }
        byte[] buffer = reused.length >= Math.max(BLOCK, rest.length) ? reused : new byte[Math.max(BLOCK, rest.length)];
        System.arraycopy(rest, 0, buffer, 0, rest.length);
        int length = rest.length;
        while (true) {
            length += input.read(buffer, length, buffer.length);
            ended = length < buffer.length;
            int[] scan = hasQuote(buffer, length) ? scan(buffer, length) : new int[] {lastLineEnd(buffer, length), -1};
            // A quote that is open at the end of the buffer may be closed in the next bytes, unless there are none or
            // they are too far away.
            boolean unclosed = scan[1] >= 0 && (ended || length >= LARGEST_RECORD);
            int cut = ended && !unclosed ? length : scan[0];
            if (cut > 0 || ended || unclosed) {
                ended |= unclosed;
                rest = Arrays.copyOfRange(buffer, cut, length);
                return length == 0 ? null : new Block(count++, buffer, cut, unclosed ? scan[1] : -1);
            }
            if (length >= LARGEST_RECORD) {
                throw DataException.of(
                        "line-too-long",
                        "'{}' has a line of more than {} bytes, which is too long.\n"
                                + "Maybe it is not a table, or its lines do not end with a line feed.",
                        input.name(),
                        LARGEST_RECORD);
            }
            // No record ends in this buffer: read on into a larger one.
            Memory.requireLine(input.name(), length);
            buffer = Arrays.copyOf(buffer, 2 * buffer.length);
        }
    }

    /** Ends the blocks: no more are needed. */
    synchronized void stop() {
        ended = true;
    }

    /** The number of line feeds in the first bytes. Lone carriage returns are not counted: a file that ends its lines with them is a single block. */
    static int lines(byte[] bytes, int length) {
        int lines = 0;
        for (int i = 0; i < length; i++) {
            lines += bytes[i] == '\n' ? 1 : 0;
        }
        return lines;
    }

    /** The index after the last line feed, 0 if there is none: the cut for bytes without quotes. */
    private static int lastLineEnd(byte[] bytes, int length) {
        int end = length;
        while (end > 0 && bytes[end - 1] != '\n') {
            end--;
        }
        return end;
    }

    private static boolean hasQuote(byte[] bytes, int length) {
        for (int i = 0; i < length; i++) {
            if (bytes[i] == '"') {
                return true;
            }
        }
        return false;
    }

    /** The end of the last whole record (0 for none) and the position of a quote that is open at the end (-1 for none). */
    private int[] scan(byte[] bytes, int length) {
        int end = 0;
        int opened = -1;
        int closed = -1;
        for (int i = 0; i < length; i++) {
            byte b = bytes[i];
            if (b == '"') {
                if (opened >= 0) {
                    closed = i;
                    opened = -1;
                } else if (i == 0 || closed == i - 1 && closed >= 0 || startsField(bytes[i - 1])) {
                    // A quote opens at the start of a field, or right after a closing quote: "" within quotes stands
                    // for one quote.
                    opened = i;
                }
            } else if (b == '\n' && opened < 0) {
                end = i + 1;
            }
        }
        return new int[] {end, opened};
    }

    private boolean startsField(byte previous) {
        return previous == delimiter || previous == '\n' || previous == '\r';
    }
}
