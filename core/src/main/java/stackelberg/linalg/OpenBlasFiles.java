package stackelberg.linalg;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.bytedeco.javacpp.ClassProperties;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.openblas.global.openblas;
import org.bytedeco.openblas.global.openblas_nolapack;

/**
 * Loads OpenBLAS, from a list of files that an earlier process has written if there is one.
 *
 * <p>JavaCPP finds the libraries by reading annotations and searching every jar, which takes 0.15 s in every process; loading them takes 0.01 s. So the launcher
 * names a file in the system property {@code stackelberg.openblas}. The first process writes the paths of the loaded libraries to it, and later ones load these
 * paths directly. If the libraries are no longer there, JavaCPP searches for them again.
 */
final class OpenBlasFiles {
    /** The system property with the file that lists the libraries. */
    private static final String LIST = "stackelberg.openblas";

    /** The property of JavaCPP that says whether its classes load their libraries when they are initialised. */
    private static final String JAVACPP_LOADS = "org.bytedeco.javacpp.loadlibraries";

    private OpenBlasFiles() {}

    /** Loads the libraries; throws a LinkageError if OpenBLAS is not available. */
    static void load() {
        String list = System.getProperty(LIST);
        if (list != null && loadListed(list)) {
            return;
        }
        Loader.load(Pointer.class);
        Loader.load(openblas.class);
        if (list != null) {
            writeList(list);
        }
    }

    /** Loads the libraries in the list; false if there is no list or one of them cannot be loaded. */
    private static boolean loadListed(String list) {
        try {
            Path path = Path.of(list);
            List<String> files = Files.exists(path) ? Files.readAllLines(path) : List.of();
            System.setProperty(JAVACPP_LOADS, "false");
            for (String file : files) {
                System.load(file);
            }
            if (!files.isEmpty()) {
                return true;
            }
        } catch (IOException | InvalidPathException | UnsatisfiedLinkError e) {
            // The files were removed or changed, or the locale cannot represent the path: JavaCPP searches again.
        }
        System.clearProperty(JAVACPP_LOADS);
        return false;
    }

    /** Writes the paths of the loaded libraries in the order of loading, each after those that it depends on. */
    private static void writeList(String list) {
        Map<String, String> loaded = Loader.getLoadedLibraries();
        List<String> names = new ArrayList<>();
        for (Class<?> wanted : List.of(Pointer.class, openblas_nolapack.class, openblas.class)) {
            ClassProperties all = Loader.loadProperties(wanted, Loader.loadProperties(), true);
            names.addAll(all.get("platform.preload"));
            names.addAll(all.get("platform.link"));
            names.addAll(all.get("platform.library"));
        }
        // Entries are name[#name of the extracted file]; not every system has all of these libraries.
        List<String> files = names.stream()
                .map(name -> loaded.get(name.substring(name.indexOf('#') + 1)))
                .filter(Objects::nonNull)
                .toList();
        try {
            Files.write(Path.of(list), new LinkedHashSet<>(files));
        } catch (IOException | InvalidPathException e) {
            // Without a list the next process searches again.
        }
    }
}
