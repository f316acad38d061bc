package stackelberg.cli.terminal;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads lines of UTF-8 that end with a line feed. Of a line that is too long, never more than the limit is held in memory. */
final class LimitedLines {
    /** The value that {@link #next} returns, to be compared by identity, as soon as a line is longer than the limit. */
    @SuppressWarnings("StringOperationCanBeSimplified")
    static final String TOO_LONG = new String("too long");

    private static final int CHUNK = 1 << 16;

    private final InputStream in;
    private final int limit;
    private final byte[] chunk = new byte[CHUNK];
    private int position;
    private int end;
    /** Whether the rest of a line that was too long is still to come. */
    private boolean skipping;

    /** @param limit in bytes */
    LimitedLines(InputStream in, int limit) {
        this.in = in;
        this.limit = limit;
    }

    /** The next line without its line end; null at the end of the input, {@link #TOO_LONG} for a line beyond the limit. */
    @Nullable
    String next() throws IOException {
        while (skipping && fill()) {
            int feed = lineFeed();
            skipping = feed == end;
            position = Math.min(end, feed + 1);
        }
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        boolean any = false;
        while (fill()) {
            any = true;
            int feed = lineFeed();
            if (line.size() + (feed - position) > limit) {
                skipping = true;
                return TOO_LONG;
            }
            line.write(chunk, position, feed - position);
            position = Math.min(end, feed + 1);
            if (feed < end) {
                break;
            }
        }
        return any ? line.toString(StandardCharsets.UTF_8) : null;
    }

    /** Reads more bytes; returns whether there were any. */
    private boolean fill() throws IOException {
        if (position == end) {
            position = 0;
            end = Math.max(0, in.read(chunk));
        }
        return position < end;
    }

    /** The index of the line's end in the bytes read so far, or their number if it does not end there. */
    private int lineFeed() {
        int at = position;
        while (at < end && chunk[at] != '\n') {
            at++;
        }
        return at;
    }
}
