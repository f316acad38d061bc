package stackelberg.data.io;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import stackelberg.data.DataException;
import stackelberg.data.Message;

/**
 * Writes a file completely or not at all: the content goes to a temporary file in the same folder, which is then renamed.
 *
 * <p>For a symbolic link the file that it points to is replaced, and the link stays. The new file gets the permissions of the one it replaces. A process holds
 * a lock on its temporary file while it writes; one without a lock was left behind by a process that was killed, and the next write in that folder removes it.
 */
public final class AtomicFile {
    /** The longest chain of symbolic links that is followed; a longer one is taken for a circle. Linux has the same limit. */
    private static final int MAX_LINKS = 40;

    /** The age in milliseconds from which a temporary file without a lock is an orphan; a younger one may be about to be locked. */
    private static final long SURELY_LOCKED_MILLIS = 1000;

    /** The names of temporary files: .NAME.UUID.tmp. */
    private static final Pattern TEMPORARY_NAME =
            Pattern.compile("\\..+\\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\\.tmp", Pattern.DOTALL);

    /** The temporary files of this process, which {@link #abandon} removes. */
    private static final Set<Path> TEMPORARY = ConcurrentHashMap.newKeySet();

    private static volatile boolean abandoned;

    private AtomicFile() {}

    /** Writes the content of a file. */
    @FunctionalInterface
    public interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    /** Writes a file with the given content. */
    public static void write(Path file, byte[] content) {
        write(file, out -> out.write(content));
    }

    /** Writes a file; if the content throws an exception, the file stays as it was. */
    public static void write(Path file, Content content) {
        Path target = requireWritable(file);
        try {
            if (isDevice(target)) {
                // A pipe or a device cannot be replaced by a file, and has no earlier content that could be lost.
                try (OutputStream out = Files.newOutputStream(target)) {
                    content.writeTo(out);
                }
            } else {
                // Not null: requireWritable has checked the folder.
                sweep(Objects.requireNonNull(target.getParent()));
                replace(target, content);
            }
        } catch (IOException e) {
            throw notWritten(file, e);
        } catch (UncheckedIOException e) {
            throw notWritten(file, Objects.requireNonNull(e.getCause()));
        }
    }

    /**
     * Refuses a path to which no file can be written, so that commands can report it before a long computation.
     *
     * @return the absolute path of the file, links followed
     */
    public static Path requireWritable(Path file) {
        Path target = followed(file);
        Path folder = target.getParent();
        if (Files.isDirectory(target)) {
            throw DataException.of(
                    "output-is-folder",
                    "'{}' is a folder and cannot be written as a file.\n" + "Maybe add a file name.",
                    file);
        }
        if (folder == null || !Files.isDirectory(folder)) {
            throw DataException.of(
                    "output-folder-missing",
                    "'{}' cannot be written: the folder '{}' {}.\n" + "Maybe create it first, or correct the path.",
                    file,
                    folder,
                    folder != null && Files.exists(folder) ? "is not a folder" : "does not exist");
        }
        boolean device = isDevice(target);
        if (!device && !Files.isWritable(folder)) {
            throw DataException.of(
                    "output-folder-read-only",
                    "'{}' cannot be written: the folder '{}' is not writable.\n"
                            + "Maybe choose another folder, or change its permissions.",
                    file,
                    folder);
        }
        if (Files.exists(target) && !Files.isWritable(target)) {
            throw DataException.of(
                    "output-read-only",
                    "'{}' cannot be written: it exists and is write-protected.\n"
                            + "Maybe choose another name, or change its permissions.",
                    file);
        }
        return target;
    }

    /** Removes the temporary files of this process and lets no further write succeed; called when the process is about to end. */
    public static void abandon() {
        abandoned = true;
        TEMPORARY.forEach(AtomicFile::remove);
    }

    /** Creates an empty temporary file, which the caller removes with {@link #discard}; {@link #abandon} removes it, too. */
    static Path scratch(String suffix) {
        try {
            Path made = Files.createTempFile("stackelberg", suffix);
            TEMPORARY.add(made);
            return made;
        } catch (IOException e) {
            throw new DataException(
                    Message.of(
                            "temporary-file-failed",
                            "No temporary file could be created: {}.\n" + "Maybe the disk is full.",
                            e.getMessage()),
                    e);
        }
    }

    /** Removes a file that {@link #scratch} created. */
    static void discard(Path scratch) {
        remove(scratch);
        TEMPORARY.remove(scratch);
    }

    /** The error that a file could not be written; the advice depends on whether the system reported a full disk. */
    private static DataException notWritten(Path file, IOException e) {
        boolean full = e.getMessage() != null && e.getMessage().matches("(?i).*(no space|not enough space|quota).*");
        String reason = e instanceof FileSystemException known && known.getReason() != null
                ? known.getReason()
                : e.getMessage() == null ? e.toString() : e.getMessage();
        return new DataException(
                Message.of(
                        "output-failed",
                        "'{}' could not be written: {}.\n" + "Maybe {}",
                        file,
                        reason,
                        full ? "free some space, or choose another folder." : "the disk is full."),
                e);
    }

    private static boolean isDevice(Path file) {
        return Files.exists(file) && !Files.isRegularFile(file);
    }

    /** The absolute path with symbolic links followed; the file need not exist. */
    private static Path followed(Path file) {
        Path at = file.toAbsolutePath();
        try {
            for (int links = 0; Files.isSymbolicLink(at); links++) {
                if (links == MAX_LINKS) {
                    throw DataException.of(
                            "output-link-to-itself",
                            "'{}' cannot be written: it is a link to itself.\n" + "Maybe remove it.",
                            file);
                }
                at = at.resolveSibling(Files.readSymbolicLink(at));
            }
        } catch (IOException e) {
            throw notWritten(file, e);
        }
        return at;
    }

    /** Writes the content to a temporary file and renames it. */
    private static void replace(Path file, Content content) throws IOException {
        Path temporary = file.resolveSibling("." + file.getFileName() + "." + UUID.randomUUID() + ".tmp");
        TEMPORARY.add(temporary);
        try {
            try (FileChannel channel =
                            FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
                    OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16)) {
                lock(channel);
                // Set before there is content, so that it is never readable by more users than the file is.
                keepPermissions(file, temporary);
                content.writeTo(out);
                out.flush();
                channel.force(true);
                // Renamed while it is still locked, so that another process cannot take it for an orphan.
                move(temporary, file);
            }
        } finally {
            Files.deleteIfExists(temporary);
            TEMPORARY.remove(temporary);
        }
    }

    private static void move(Path temporary, Path file) throws IOException {
        if (abandoned) {
            throw new IOException("the process is about to end");
        }
        try {
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /** Locks a temporary file until the channel is closed or the process ends. */
    private static void lock(FileChannel channel) {
        try {
            channel.tryLock();
        } catch (IOException | OverlappingFileLockException e) {
            // Some file systems have no locks. Writing works without; only orphans are not removed there.
        }
    }

    /** Gives a temporary file the owner, group and permissions of the file that it will replace, as far as the system allows. */
    private static void keepPermissions(Path file, Path temporary) throws IOException {
        PosixFileAttributeView to = Files.getFileAttributeView(temporary, PosixFileAttributeView.class);
        if (to == null || !Files.exists(file)) {
            return;
        }
        PosixFileAttributes from = Files.readAttributes(file, PosixFileAttributes.class);
        PosixFileAttributes made = to.readAttributes();
        try {
            if (!made.owner().equals(from.owner())) {
                to.setOwner(from.owner());
            }
            if (!made.group().equals(from.group())) {
                to.setGroup(from.group());
            }
        } catch (IOException e) {
            // Only privileged users may change the owner.
        }
        to.setPermissions(from.permissions());
    }

    /** Removes temporary files in a folder that were left behind by processes that no longer run. */
    private static void sweep(Path folder) {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, ".*.tmp")) {
            for (Path one : all) {
                if (TEMPORARY_NAME.matcher(one.getFileName().toString()).matches()
                        && !TEMPORARY.contains(one)
                        && isOrphan(one)) {
                    remove(one);
                }
            }
        } catch (IOException | RuntimeException e) {
            // Files that cannot be listed or opened stay: cleaning up must not prevent writing.
        }
    }

    /** Whether no process holds a lock on a temporary file that is old enough to be locked. */
    private static boolean isOrphan(Path temporary) throws IOException {
        if (!Files.isRegularFile(temporary, LinkOption.NOFOLLOW_LINKS)
                || System.currentTimeMillis()
                                - Files.getLastModifiedTime(temporary).toMillis()
                        < SURELY_LOCKED_MILLIS) {
            return false;
        }
        try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            return lock != null;
        } catch (IOException | OverlappingFileLockException e) {
            return false;
        }
    }

    private static void remove(Path temporary) {
        try {
            Files.deleteIfExists(temporary);
        } catch (IOException e) {
            // Another process may have removed it.
        }
    }
}
