package stackelberg;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a module ships: the texts in its jar, and the libraries that it needs beside it. */
public final class Shipped {
    private static final Pattern LIBRARY = Pattern.compile("(?m)^\\s*([a-z][\\w.-]*:[\\w.-]+)(:jar:|\\s+\\S)");

    private Shipped() {}

    /** A text in the jar of a class, or in the folder that becomes the jar; null if there is none. */
    public static String text(Class<?> of, String name) {
        URL place = of.getProtectionDomain().getCodeSource().getLocation();
        try (URLClassLoader alone = new URLClassLoader(new URL[] {place}, null);
                InputStream in = alone.getResourceAsStream(name)) {
            return in == null ? null : new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** group:artifact of everything that the module of this test needs at run time, as Maven lists it while it builds. */
    public static Set<String> libraries() {
        return named(read(Path.of("target/runtime-dependencies.txt")));
    }

    /** group:artifact at the beginnings of lines. */
    public static Set<String> named(String text) {
        Set<String> found = new TreeSet<>();
        Matcher lines = LIBRARY.matcher(text);
        while (lines.find()) {
            found.add(lines.group(1));
        }
        return found;
    }

    /** A file of the repository, by its path in it. */
    public static String source(String path) {
        return read(Path.of("..").resolve(path));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
