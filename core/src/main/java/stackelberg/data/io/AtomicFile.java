package stackelberg.data.io;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import stackelberg.data.DataException;

/** Writes a file whole or not at all: into a temporary neighbour, which then takes its name. */
public final class AtomicFile {
    private AtomicFile() {}

    /** What writes the content. */
    @FunctionalInterface
    public interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    public static void write(Path file, byte[] content) {
        write(file, out -> out.write(content));
    }

    /** If the content throws, the file stays as it was. */
    public static void write(Path file, Content content) {
        Path folder = file.toAbsolutePath().getParent();
        if (Files.isDirectory(file)) {
            throw new DataException(
                    "'" + file + "' is a folder and cannot be written as a file.\nMaybe add a file name.");
        }
        if (folder == null || !Files.isDirectory(folder)) {
            throw new DataException("'" + file + "' cannot be written: the folder '" + folder
                    + "' does not exist.\nMaybe create it first, or mend the path.");
        }
        boolean device = Files.exists(file) && !Files.isRegularFile(file);
        if (!device && !Files.isWritable(folder)) {
            throw new DataException("'" + file + "' cannot be written: the folder '" + folder
                    + "' is not writable.\nMaybe choose another folder, or change its permissions.");
        }
        try {
            if (device) {
                // A pipe or a device cannot be replaced, and has no content to protect.
                try (OutputStream out = Files.newOutputStream(file)) {
                    content.writeTo(out);
                }
            } else {
                replace(file, folder, content);
            }
        } catch (IOException e) {
            throw new DataException(
                    "'" + file + "' could not be written: " + e.getMessage() + ".\nMaybe the disk is full.", e);
        }
    }

    private static void replace(Path file, Path folder, Content content) throws IOException {
        Path temporary = folder.resolve("." + file.getFileName() + "." + UUID.randomUUID() + ".tmp");
        try {
            try (FileChannel channel =
                            FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
                    OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16)) {
                content.writeTo(out);
                out.flush();
                channel.force(true);
            }
            try {
                Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
            } catch (AtomicMoveNotSupportedException e) {
                Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING);
            }
        } finally {
            Files.deleteIfExists(temporary);
        }
    }
}
