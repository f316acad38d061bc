package stackelberg.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The jar says what it is licensed under; what it ships besides is the core's, because Spark is there already. */
class LicencesTest {
    @ParameterizedTest
    @ValueSource(strings = {"LICENSE", "NOTICE", "THIRD-PARTY.txt"})
    void theJarHoldsTheLegalTexts(String name) throws IOException, URISyntaxException {
        Path classes = Path.of(StackelbergRegression.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());

        assertThat(classes.resolve("META-INF").resolve(name)).hasSameTextualContentAs(Path.of("..", name));
        assertThat(Files.readString(Path.of("target/runtime-dependencies.txt"))).doesNotContain("org.apache.spark");
    }
}
