package stackelberg.data.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import stackelberg.data.DataException;

class AtomicFileTest {
    private static final byte[] NEW = "new".getBytes(StandardCharsets.UTF_8);

    @TempDir
    Path folder;

    @Test
    void anExistingFileIsReplaced() throws IOException {
        Path file = Files.writeString(folder.resolve("model.json"), "old and longer");
        AtomicFile.write(file, NEW);
        assertThat(file).hasContent("new");
        assertOnlyFile(file);
    }

    @Test
    void aFailureWhileWritingLeavesTheFileUnchanged() throws IOException {
        Path file = Files.writeString(folder.resolve("model.json"), "old");
        assertThatThrownBy(() -> AtomicFile.write(file, out -> {
                    out.write(NEW);
                    throw new IOException("No space left");
                }))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("model.json' could not be written: No space left");
        assertThatThrownBy(() -> AtomicFile.write(file, out -> {
                    out.write(NEW);
                    throw new IllegalStateException("bug");
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(file).hasContent("old");
        assertOnlyFile(file);
    }

    @Test
    void aMissingFolderIsReported() {
        assertThatThrownBy(() -> AtomicFile.write(folder.resolve("none/model.json"), NEW))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("does not exist")
                .hasMessageContaining("Maybe create it");
        assertThatThrownBy(() -> AtomicFile.write(folder, NEW)).hasMessageContaining("is a folder");
    }

    @Test
    void aReadOnlyFolderIsReported() {
        assertThat(folder.toFile().setWritable(false)).isTrue();
        try {
            Assumptions.assumeFalse(Files.isWritable(folder), "This user may write everywhere.");
            assertThatThrownBy(() -> AtomicFile.write(folder.resolve("model.json"), NEW))
                    .hasMessageContaining("not writable");
        } finally {
            folder.toFile().setWritable(true);
        }
    }

    /** A CSV writer wraps the exceptions of the stream below it. */
    @Test
    void aFullDiskIsReportedWhateverExceptionWrapsIt() throws IOException {
        Path file = Files.writeString(folder.resolve("moves.csv"), "old");
        assertThatThrownBy(() -> AtomicFile.write(file, out -> {
                    out.write(NEW);
                    throw new UncheckedIOException(new IOException("No space left on device"));
                }))
                .isInstanceOf(DataException.class)
                .hasMessage("'" + file + "' could not be written: No space left on device.\n"
                        + "Maybe free some space, or choose another folder.");
        assertThat(file).hasContent("old");
        assertOnlyFile(file);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aFullDeviceIsReported() {
        assertThatThrownBy(() -> AtomicFile.write(Path.of("/dev/full"), NEW))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("No space left on device");
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void aReplacedFileKeepsItsPermissions() throws IOException {
        Path file = Files.writeString(folder.resolve("model.json"), "old");
        for (String mode : new String[] {"rw-------", "rw-rw-r--", "rwxr-x---"}) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
            AtomicFile.write(file, out -> {
                try (Stream<Path> beside = Files.list(folder)) {
                    // nor is what is being written open to others
                    assertThat(beside).allSatisfy(one -> assertThat(
                                    PosixFilePermissions.toString(Files.getPosixFilePermissions(one)))
                            .isEqualTo(mode));
                }
                out.write(NEW);
            });
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo(mode);
        }
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void writingToALinkReplacesItsTarget() throws IOException {
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        Path file = Files.writeString(elsewhere.resolve("v1.json"), "old");
        Path link = Files.createSymbolicLink(folder.resolve("latest.json"), Path.of("elsewhere/v1.json"));
        Path toLink = Files.createSymbolicLink(folder.resolve("link.json"), link);
        Path dangling = Files.createSymbolicLink(folder.resolve("new.json"), Path.of("elsewhere/v2.json"));
        Path lost = Files.createSymbolicLink(folder.resolve("lost.json"), Path.of("nowhere/v2.json"));
        Path circle = Files.createSymbolicLink(folder.resolve("circle.json"), Path.of("circle.json"));

        AtomicFile.write(toLink, NEW);
        AtomicFile.write(dangling, NEW);

        assertThat(toLink).isSymbolicLink();
        assertThat(link).isSymbolicLink();
        assertThat(file).hasContent("new");
        assertThat(dangling).isSymbolicLink();
        assertThat(elsewhere.resolve("v2.json")).isRegularFile().hasContent("new");
        assertThatThrownBy(() -> AtomicFile.write(lost, NEW)).hasMessageContaining("nowhere' does not exist");
        assertThatThrownBy(() -> AtomicFile.write(circle, NEW)).hasMessageContaining("a link to itself");
    }

    @Test
    void temporaryFilesOfKilledProcessesAreRemoved() throws IOException {
        String id = "." + UUID.randomUUID() + ".tmp";
        Path orphan = old(".model.json" + id);
        Path another = old(".other.csv" + id);
        Path young = Files.writeString(folder.resolve(".young.csv" + id), "just made");
        Path locked = old(".locked.csv" + id);
        Path theirs = old(".model.json.tmp");
        Path visible = old("model.json" + id);
        try (FileChannel channel = FileChannel.open(locked, StandardOpenOption.WRITE)) {
            assertThat(channel.tryLock()).isNotNull();

            AtomicFile.write(folder.resolve("model.json"), NEW);
        }

        assertThat(orphan).doesNotExist();
        assertThat(another).doesNotExist();
        assertThat(young).exists();
        assertThat(locked).exists();
        assertThat(theirs).exists();
        assertThat(visible).exists();
    }

    /** Nested writes, as of a report that writes its data to another file. */
    @Test
    void temporaryFilesThatAreBeingWrittenAreKept() throws IOException {
        Path file = folder.resolve("slow.json");
        AtomicFile.write(file, out -> {
            out.write(NEW);
            out.flush();
            try (Stream<Path> files = Files.list(folder)) {
                for (Path one : files.toList()) {
                    Files.setLastModifiedTime(one, FileTime.fromMillis(0));
                }
            }
            AtomicFile.write(folder.resolve("quick.json"), NEW);
        });
        assertThat(file).hasContent("new");
    }

    private Path old(String name) throws IOException {
        Path file = Files.writeString(folder.resolve(name), "half of it");
        return Files.setLastModifiedTime(file, FileTime.fromMillis(System.currentTimeMillis() - 60_000));
    }

    @Test
    void requireWritableRefusesWhatCannotBeWritten() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "old");
        assertThatThrownBy(() -> AtomicFile.requireWritable(file.resolve("model.json")))
                .hasMessageContaining("is not a folder");
        assertThatThrownBy(() -> AtomicFile.requireWritable(folder)).hasMessageContaining("is a folder");
        assertThat(file.toFile().setWritable(false)).isTrue();
        Assumptions.assumeFalse(Files.isWritable(file), "This user may write everything.");
        assertThatThrownBy(() -> AtomicFile.requireWritable(file)).hasMessageContaining("write-protected");
    }

    private void assertOnlyFile(Path file) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(file);
        }
    }
}
