package stackelberg.data.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stackelberg.data.DataException;

class AtomicFileTest {
    private static final byte[] NEW = "new".getBytes(StandardCharsets.UTF_8);

    @TempDir
    Path folder;

    @Test
    void replacesTheContent() throws IOException {
        Path file = Files.writeString(folder.resolve("model.json"), "old and longer");
        AtomicFile.write(file, NEW);
        assertThat(file).hasContent("new");
        assertOnlyFile(file);
    }

    @Test
    void aFailureLeavesTheFileAsItWas() throws IOException {
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
    void foldersThatCannotBeWrittenTo() {
        assertThatThrownBy(() -> AtomicFile.write(folder.resolve("none/model.json"), NEW))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("does not exist")
                .hasMessageContaining("Maybe create it");
        assertThatThrownBy(() -> AtomicFile.write(folder, NEW)).hasMessageContaining("is a folder");
    }

    @Test
    void aReadOnlyFolderIsNamed() {
        assertThat(folder.toFile().setWritable(false)).isTrue();
        try {
            Assumptions.assumeFalse(Files.isWritable(folder), "This user may write everywhere.");
            assertThatThrownBy(() -> AtomicFile.write(folder.resolve("model.json"), NEW))
                    .hasMessageContaining("not writable");
        } finally {
            folder.toFile().setWritable(true);
        }
    }

    private void assertOnlyFile(Path file) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(file);
        }
    }
}
