package stackelberg.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import stackelberg.data.Table;
import stackelberg.linalg.Workers;

/** The folder of the paper's four real data sets; every file is read at most once. */
public final class RealData {
    private final Path folder;
    private final Map<String, Table> tables = new HashMap<>();

    private RealData(Path folder) {
        this.folder = folder;
    }

    public static RealData in(Path folder) {
        return new RealData(folder);
    }

    /** The folder named by STACKELBERG_DATA, or shared/data beside the working directory or beside a folder above it. */
    public static Optional<RealData> find() {
        String set = System.getenv("STACKELBERG_DATA");
        if (set != null && !set.isBlank()) {
            return Optional.of(in(Path.of(set)));
        }
        for (Path above = Path.of("").toAbsolutePath(); above != null; above = above.getParent()) {
            Path folder = above.resolve("shared").resolve("data");
            if (Files.isDirectory(folder)) {
                return Optional.of(in(folder));
            }
        }
        return Optional.empty();
    }

    Table table(RealGame game, Workers workers) {
        return tables.computeIfAbsent(game.data(), name -> game.read(folder, workers));
    }
}
