package stackelberg.cli.terminal;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Standard output that remembers why writing failed. A reader that closes the pipe, as {@code head} does, is not a failure. */
public final class StandardOutput extends FileOutputStream {
    private @Nullable IOException failure;

    public StandardOutput() {
        super(FileDescriptor.out);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        try {
            super.write(bytes, from, length);
        } catch (IOException e) {
            failure = failure == null ? e : failure;
            throw e;
        }
    }

    /** Why output could not be written; absent if all was written, or if the reading end of a pipe was closed. */
    public @Nullable String lost() {
        if (failure == null) {
            return null;
        }
        String reason = String.valueOf(failure.getMessage());
        // Java has no separate exception for a closed pipe, only the messages "Broken pipe" and "The pipe is being
        // closed"
        return reason.toLowerCase(Locale.ROOT).contains("pipe") ? null : reason;
    }
}
