package stackelberg.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import stackelberg.data.Table;
import stackelberg.linalg.Workers;

/** The paper's four real data sets in a folder. Each file is read at most once. */
public final class RealData {
    private final Path folder;
    private final Map<RealGame.Source, Table> tables = new EnumMap<>(RealGame.Source.class);

    private RealData(Path folder) {
        this.folder = folder;
    }

    public static RealData in(Path folder) {
        return new RealData(folder);
    }

    /** The folder named by STACKELBERG_DATA; otherwise a folder shared/data in the working directory, the program's folder or any folder above these. */
    public static Optional<RealData> find() {
        String set = System.getenv("STACKELBERG_DATA");
        if (set != null && !set.isBlank()) {
            return Optional.of(in(Path.of(set)));
        }
        return Stream.of(Path.of(""), Path.of(System.getProperty("stackelberg.home", "")))
                .flatMap(from -> Stream.iterate(from.toAbsolutePath(), Objects::nonNull, Path::getParent))
                .map(above -> above.resolve("shared").resolve("data"))
                .filter(Files::isDirectory)
                .findFirst()
                .map(RealData::in);
    }

    Table table(RealGame game, Workers workers) {
        return tables.computeIfAbsent(game.source(), source -> source.read(folder, workers));
    }
}
