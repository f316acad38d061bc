package stackelberg.data;

import java.util.Arrays;

/** The input in blocks of whole records: cut at line ends that are not inside quotes, wherever the threads are. */
final class CsvBlocks {
    private static final int BLOCK = 1 << 20;
    private static final int LARGEST_RECORD = 1 << 28;

    private final Input input;
    private final char delimiter;
    private byte[] rest;
    private int restLength;
    private boolean ended;
    private int count;
    private long linesBefore;

    /** Bytes of whole records, with their place in the order. */
    record Block(int index, byte[] bytes, int length) {}

    /** Begins with bytes that were already read from the input. */
    CsvBlocks(Input input, char delimiter, byte[] head) {
        this.input = input;
        this.delimiter = delimiter;
        this.rest = head;
        this.restLength = head.length;
    }

    /** The next block, null at the end. Threads may take turns. */
    synchronized Block next() {
        if (ended) {
            return null;
        }
        byte[] buffer = Arrays.copyOf(rest, Math.max(BLOCK, restLength));
        int length = restLength;
        while (true) {
            int read = input.read(buffer, length, buffer.length);
            length += read;
            ended = length < buffer.length;
            int cut = ended ? endOfInput(buffer, length) : lastRecordEnd(buffer, length);
            if (cut > 0 || ended) {
                rest = Arrays.copyOfRange(buffer, cut, length);
                restLength = rest.length;
                linesBefore += lines(buffer, cut);
                return length == 0 ? null : new Block(count++, buffer, cut);
            }
            if (length >= LARGEST_RECORD) {
                throw unclosedQuote(buffer, length);
            }
            buffer = Arrays.copyOf(buffer, 2 * buffer.length);
        }
    }

    synchronized void stop() {
        ended = true;
    }

    /** Line ends in the first bytes: LF, CR LF or CR. */
    static int lines(byte[] bytes, int length) {
        int lines = 0;
        for (int i = 0; i < length; i++) {
            if (bytes[i] == '\n' || (bytes[i] == '\r' && (i + 1 == length || bytes[i + 1] != '\n'))) {
                lines++;
            }
        }
        return lines;
    }

    private int endOfInput(byte[] bytes, int length) {
        if (hasQuote(bytes, length) && openQuote(bytes, length) >= 0) {
            throw unclosedQuote(bytes, length);
        }
        return length;
    }

    private DataException unclosedQuote(byte[] bytes, int length) {
        long line = linesBefore + 1 + lines(bytes, Math.max(0, openQuote(bytes, length)));
        return new DataException(
                "'" + input.name() + "', line " + line + ": the quote that opens there is never closed.\n"
                        + "Maybe a quote is missing, or one inside a quoted field is not doubled.");
    }

    private int lastRecordEnd(byte[] bytes, int length) {
        if (!hasQuote(bytes, length)) {
            for (int i = length; i > 0; i--) {
                if (bytes[i - 1] == '\n') {
                    return i;
                }
            }
            return 0;
        }
        return scan(bytes, length)[0];
    }

    private int openQuote(byte[] bytes, int length) {
        return scan(bytes, length)[1];
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
