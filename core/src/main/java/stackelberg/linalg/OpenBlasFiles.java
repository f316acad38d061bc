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
 * Loads OpenBLAS.
 *
 * <p>JavaCPP finds its files by annotations and by looking into every jar, in every process again: 0.15 s, of which loading them is 0.01. So who
 * starts many processes names a file in the system property {@code stackelberg.openblas}: a process that finds nothing there notes in it what
 * was loaded, and one that finds a note loads that. Where the files are not there any more, JavaCPP looks for them as ever.
 */
final class OpenBlasFiles {
    private static final String NOTE = "stackelberg.openblas";

    /** Whether JavaCPP's classes look for their libraries. */
    private static final String LOOKING = "org.bytedeco.javacpp.loadlibraries";

    private OpenBlasFiles() {}

    /** Throws a LinkageError where there is no OpenBLAS. */
    static void load() {
        String named = System.getProperty(NOTE);
        if (named != null && loadNoted(named)) {
            return;
        }
        Loader.load(Pointer.class);
        Loader.load(openblas.class);
        if (named != null) {
            note(named);
        }
    }

    private static boolean loadNoted(String named) {
        try {
            Path note = Path.of(named);
            List<String> files = Files.exists(note) ? Files.readAllLines(note) : List.of();
            System.setProperty(LOOKING, "false");
            for (String file : files) {
                System.load(file);
            }
            if (!files.isEmpty()) {
                return true;
            }
        } catch (IOException | InvalidPathException | UnsatisfiedLinkError e) {
            // not there any more, not as it was, or a path that the locale cannot say
        }
        System.clearProperty(LOOKING);
        return false;
    }

    /** In the order of loading: each after those that it needs. */
    private static void note(String named) {
        Map<String, String> loaded = Loader.getLoadedLibraries();
        List<String> names = new ArrayList<>();
        for (Class<?> wanted : List.of(Pointer.class, openblas_nolapack.class, openblas.class)) {
            ClassProperties all = Loader.loadProperties(wanted, Loader.loadProperties(), true);
            names.addAll(all.get("platform.preload"));
            names.addAll(all.get("platform.link"));
            names.addAll(all.get("platform.library"));
        }
        // name[#name it is unpacked under], of which not every system has all
        List<String> files = names.stream()
                .map(name -> loaded.get(name.substring(name.indexOf('#') + 1)))
                .filter(Objects::nonNull)
                .toList();
        try {
            Files.write(Path.of(named), new LinkedHashSet<>(files));
        } catch (IOException | InvalidPathException e) {
            // the next process looks again
        }
    }
}
