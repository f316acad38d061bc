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
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import stackelberg.data.DataException;

/**
 * Writes a file whole or not at all: into a temporary neighbour, which then takes its name.
 *
 * <p>A link is written through: what it points to is replaced, and it stays a link. A file that is replaced keeps its permissions. Whoever writes
 * holds a lock on its neighbour, so that one without is of a process that is gone, and is removed at the next write beside it.
 */
public final class AtomicFile {
    /** Links to links, after which a name is taken for a circle, as by the system. */
    private static final int MAX_LINKS = 40;

    /** A neighbour is locked right after it was made, and left alone for so long before. */
    private static final long SURELY_LOCKED_MILLIS = 1000;

    private static final Pattern NEIGHBOUR =
            Pattern.compile("\\..+\\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\\.tmp", Pattern.DOTALL);

    /** Those of this process, which {@link #abandon} removes. */
    private static final Set<Path> TEMPORARY = ConcurrentHashMap.newKeySet();

    private static volatile boolean abandoned;

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
        Path target = requireWritable(file);
        try {
            if (isDevice(target)) {
                // A pipe or a device cannot be replaced, and has no content to protect.
                try (OutputStream out = Files.newOutputStream(target)) {
                    content.writeTo(out);
                }
            } else {
                sweep(target.getParent());
                replace(target, content);
            }
        } catch (IOException e) {
            throw notWritten(file, e);
        } catch (UncheckedIOException e) {
            throw notWritten(file, e.getCause());
        }
    }

    /**
     * Refuses a file that cannot be written as things are, before there is anything to write.
     *
     * @return where it is, links followed
     */
    public static Path requireWritable(Path file) {
        Path target = followed(file);
        Path folder = target.getParent();
        if (Files.isDirectory(target)) {
            throw new DataException(
                    "'" + file + "' is a folder and cannot be written as a file.\nMaybe add a file name.");
        }
        if (folder == null || !Files.isDirectory(folder)) {
            throw new DataException("'" + file + "' cannot be written: the folder '" + folder + "' "
                    + (folder != null && Files.exists(folder) ? "is no folder" : "does not exist")
                    + ".\nMaybe create it first, or mend the path.");
        }
        boolean device = isDevice(target);
        if (!device && !Files.isWritable(folder)) {
            throw new DataException("'" + file + "' cannot be written: the folder '" + folder
                    + "' is not writable.\nMaybe choose another folder, or change its permissions.");
        }
        if (Files.exists(target) && !Files.isWritable(target)) {
            throw new DataException("'" + file + "' cannot be written: it is there and write-protected.\nMaybe choose"
                    + " another name, or change its permissions.");
        }
        return target;
    }

    /** Removes what this process has begun to write, which it will not write on: for a process that is about to end. */
    public static void abandon() {
        abandoned = true;
        TEMPORARY.forEach(AtomicFile::remove);
    }

    /** An empty file of this process's own, which {@link #abandon} removes and whoever asked for it discards. */
    static Path scratch(String suffix) {
        try {
            Path made = Files.createTempFile("stackelberg", suffix);
            TEMPORARY.add(made);
            return made;
        } catch (IOException e) {
            throw new DataException(
                    "No temporary file could be made: " + e.getMessage() + ".\nMaybe the disk is full.", e);
        }
    }

    static void discard(Path scratch) {
        remove(scratch);
        TEMPORARY.remove(scratch);
    }

    private static DataException notWritten(Path file, IOException e) {
        boolean full = e.getMessage() != null && e.getMessage().matches("(?i).*(no space|not enough space|quota).*");
        String reason = e instanceof FileSystemException known && known.getReason() != null
                ? known.getReason()
                : e.getMessage() == null ? e.toString() : e.getMessage();
        return new DataException(
                "'" + file + "' could not be written: " + reason + ".\nMaybe "
                        + (full ? "make room, or choose another folder." : "the disk is full."),
                e);
    }

    private static boolean isDevice(Path file) {
        return Files.exists(file) && !Files.isRegularFile(file);
    }

    /** What a link points to in the end, there or not. */
    private static Path followed(Path file) {
        Path at = file.toAbsolutePath();
        try {
            for (int links = 0; Files.isSymbolicLink(at); links++) {
                if (links == MAX_LINKS) {
                    throw new DataException(
                            "'" + file + "' cannot be written: it is a link to itself.\nMaybe remove it.");
                }
                at = at.resolveSibling(Files.readSymbolicLink(at));
            }
        } catch (IOException e) {
            throw notWritten(file, e);
        }
        return at;
    }

    private static void replace(Path file, Content content) throws IOException {
        Path temporary = file.resolveSibling("." + file.getFileName() + "." + UUID.randomUUID() + ".tmp");
        TEMPORARY.add(temporary);
        try {
            try (FileChannel channel =
                            FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
                    OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16)) {
                lock(channel);
                // before there is anything to read in it
                keepPermissions(file, temporary);
                content.writeTo(out);
                out.flush();
                channel.force(true);
                // locked until it has its name
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

    /** Held until the channel is closed or the process is gone; file systems without locks keep what is left behind. */
    private static void lock(FileChannel channel) {
        try {
            channel.tryLock();
        } catch (IOException | OverlappingFileLockException e) {
            // nothing depends on it but the sweeping
        }
    }

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
            // only some may give files away
        }
        to.setPermissions(from.permissions());
    }

    /** Removes what processes that are gone left behind. */
    private static void sweep(Path folder) {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, ".*.tmp")) {
            for (Path one : all) {
                if (NEIGHBOUR.matcher(one.getFileName().toString()).matches()
                        && !TEMPORARY.contains(one)
                        && isOrphan(one)) {
                    remove(one);
                }
            }
        } catch (IOException | RuntimeException e) {
            // what cannot be listed or looked at stays; the file that is to be written matters more
        }
    }

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
            // somebody else may have been faster
        }
    }
}
