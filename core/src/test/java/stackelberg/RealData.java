package stackelberg;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** The folder of real datasets beside the project: STACKELBERG_DATA, or shared/data next to a folder above the working directory. */
public final class RealData {
    private RealData() {}

    /** A file of that folder; skips the test, saying why, if it is not there. */
    public static Path file(String name) {
        Path folder = folder();
        Assumptions.assumeTrue(
                folder != null,
                "No real data: set STACKELBERG_DATA, or put them into ../shared/data beside the project.");
        Path file = folder.resolve(name);
        Assumptions.assumeTrue(Files.exists(file), "No real data: " + file + " does not exist.");
        return file;
    }

    private static Path folder() {
        String set = System.getenv("STACKELBERG_DATA");
        if (set != null && !set.isBlank()) {
            return Path.of(set);
        }
        for (Path above = Path.of("").toAbsolutePath(); above != null; above = above.getParent()) {
            Path folder = above.resolve("shared").resolve("data");
            if (Files.isDirectory(folder)) {
                return folder;
            }
        }
        return null;
    }
}
