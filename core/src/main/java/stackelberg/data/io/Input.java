package stackelberg.data.io;

import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import stackelberg.data.DataException;
import stackelberg.data.Message;
import stackelberg.data.Table;
import stackelberg.linalg.Workers;

/** The bytes of a file or stream, decompressed if they are gzip (detected by the content, not the name); computes their SHA-256 while they are read. */
final class Input implements Closeable {
    private static final int BUFFER = 1 << 16;

    private final String name;
    private final InputStream in;
    private final boolean gzip;
    private final MessageDigest digest;
    private long bytes;

    private Input(String name, InputStream in, boolean gzip) {
        this.name = name;
        this.in = in;
        this.gzip = gzip;
        try {
            this.digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256.", e);
        }
    }

    /** Opens a file; the message about one that does not exist names a similar one in the same folder. */
    static Input open(Path file) {
        if (Files.isDirectory(file)) {
            throw DataException.of(
                    "file-is-folder", "'{}' is a folder, not a file.\n" + "Maybe name a file in it.", file);
        }
        if (!Files.exists(file)) {
            throw DataException.of("file-missing", "There is no file '{}'.{}", file, similarFile(file));
        }
        try {
            return unpacked(file.toString(), Files.newInputStream(file));
        } catch (AccessDeniedException e) {
            throw new DataException(
                    Message.of(
                            "file-access-denied",
                            "The file '{}' may not be read: access is denied.\n" + "Maybe change its permissions.",
                            file),
                    e);
        } catch (IOException e) {
            throw failed(file.toString(), e);
        }
    }

    /** Whether the path is a pipe or a device rather than a file, so that it can be read only once. */
    static boolean isReadableOnce(Path file) {
        return Files.exists(file) && !Files.isRegularFile(file) && !Files.isDirectory(file);
    }

    /** All bytes of a stream, kept in memory so that they can be read again. */
    static byte[] drain(InputStream in, String name) {
        try {
            byte[] all = in.readNBytes(Integer.MAX_VALUE - 8);
            if (in.read() >= 0) {
                throw DataException.of(
                        "stream-too-long",
                        "There are more than 2 GB in {}, the most that can be read from a stream.\n"
                                + "Maybe save them to a file and read that.",
                        name);
            }
            return all;
        } catch (IOException e) {
            throw failed(name, e);
        }
    }

    static Input of(byte[] content, String name) {
        try {
            return unpacked(name, new ByteArrayInputStream(content));
        } catch (IOException e) {
            throw failed(name, e);
        }
    }

    /** The input, decompressed if it begins with gzip's two magic bytes. */
    private static Input unpacked(String name, InputStream raw) throws IOException {
        PushbackInputStream in = new PushbackInputStream(raw, 2);
        byte[] magic = in.readNBytes(2);
        in.unread(magic);
        boolean gzip = magic.length == 2 && magic[0] == (byte) 0x1f && magic[1] == (byte) 0x8b;
        if (!gzip && name.endsWith(".gz")) {
            in.close();
            throw DataException.of(
                    "gzip-misnamed",
                    "'{}' is named .gz, but its content is not gzip.\n"
                            + "Maybe it is already decompressed: rename it without .gz.",
                    name);
        }
        return new Input(name, gzip ? new GZIPInputStream(in, BUFFER) : in, gzip);
    }

    String name() {
        return name;
    }

    /** Reads into target[from..to - 1] until it is full or the input ends; returns the number of bytes read. */
    int read(byte[] target, int from, int to) {
        Workers.throwIfInterrupted();
        try {
            int count = in.readNBytes(target, from, to - from);
            digest.update(target, from, count);
            bytes += count;
            if (gzip) {
                Memory.requireUnpacked(name, bytes);
            }
            return count;
        } catch (IOException e) {
            throw failed(name, e);
        }
    }

    /** The name, hash and length of what has been read. May be called only once, at the end: it resets the hash. */
    Table.Source source() {
        return new Table.Source(name, HexFormat.of().formatHex(digest.digest()), bytes);
    }

    @Override
    public void close() {
        try {
            in.close();
        } catch (IOException e) {
            throw failed(name, e);
        }
    }

    private static DataException failed(String name, IOException e) {
        if (e instanceof ZipException || e instanceof EOFException) {
            return new DataException(
                    Message.of(
                            "gzip-damaged",
                            "'{}' is a damaged gzip file: {}.\n" + "Maybe it was cut off: download or copy it again.",
                            name,
                            e.getMessage()),
                    e);
        }
        return new DataException(Message.of("file-unreadable", "'{}' could not be read: {}.", name, e.getMessage()), e);
    }

    /** The second line of the message about a file that does not exist. */
    private static String similarFile(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            return "\nMaybe the folder is misspelt: '" + folder + "' does not exist.";
        }
        try (Stream<Path> files = Files.list(folder)) {
            List<String> names =
                    files.map(f -> f.getFileName().toString()).sorted().toList();
            String nearest = DataException.nearest(file.getFileName().toString(), names);
            return nearest == null ? "\nMaybe the name is misspelt." : "\nMaybe you meant '" + nearest + "'.";
        } catch (IOException e) {
            return "\nMaybe the name is misspelt.";
        }
    }
}
