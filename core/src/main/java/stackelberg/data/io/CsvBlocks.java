package stackelberg.data.io;

import java.util.Arrays;
import stackelberg.data.DataException;

/** The input in blocks of whole records: cut at line ends that are not inside quotes, wherever the threads are. */
final class CsvBlocks {
    private static final int BLOCK = 1 << 20;
    private static final int LARGEST_RECORD = 1 << 28;

    private final Input input;
    private final char delimiter;
    private byte[] rest;
    private boolean ended;
    private int count;

    /**
     * Whole records: the first {@code length} bytes.
     *
     * @param index the place of the block in the order
     * @param openQuote the position of a quote after them that is never closed, -1 if there is none
     */
    record Block(int index, byte[] bytes, int length, int openQuote) {}

    /** Begins with bytes that were already read from the input. */
    CsvBlocks(Input input, char delimiter, byte[] head) {
        this.input = input;
        this.delimiter = delimiter;
        this.rest = head;
    }

    /** The next block, null at the end. Threads may take turns; each brings the bytes of its last block to be used again. */
    synchronized Block next(byte[] reused) {
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
            boolean unclosed = scan[1] >= 0 && (ended || length >= LARGEST_RECORD);
            int cut = ended && !unclosed ? length : scan[0];
            if (cut > 0 || ended || unclosed) {
                ended |= unclosed;
                rest = Arrays.copyOfRange(buffer, cut, length);
                return length == 0 ? null : new Block(count++, buffer, cut, unclosed ? scan[1] : -1);
            }
            if (length >= LARGEST_RECORD) {
                throw new DataException(
                        "'" + input.name() + "' has a line of more than " + LARGEST_RECORD
                                + " bytes, which is too long.\nMaybe it is no table, or its lines do not end with a line feed.");
            }
            Memory.requireLine(input.name(), length);
            buffer = Arrays.copyOf(buffer, 2 * buffer.length);
        }
    }

    synchronized void stop() {
        ended = true;
    }

    /** Line ends in the first bytes. Lone carriage returns do not count: a file that ends its lines so is one block anyway. */
    static int lines(byte[] bytes, int length) {
        int lines = 0;
        for (int i = 0; i < length; i++) {
            lines += bytes[i] == '\n' ? 1 : 0;
        }
        return lines;
    }

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

    /** The end of the last whole record (0: none), and the position of a quote left open (-1: none). */
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
                    // A quote right after a closing one was a doubled quote: the field goes on.
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
