package stackelberg.model;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of this library, written by the build. */
public final class Version {
    private Version() {}

    public static String current() {
        Properties properties = new Properties();
        try (InputStream in = Version.class.getResourceAsStream("version.properties")) {
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException("The library's own version.properties cannot be read.", e);
        }
        return properties.getProperty("version");
    }
}
