package stackelberg.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import example.OneJarJob;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.model.ModelFile;
import stackelberg.model.StackelbergModel;
import stackelberg.model.StackelbergRegression.FitOptions;

/** The one jar: all that a cluster which knows nothing of this project needs. */
class OneJarIT {
    /** Enough that native code multiplies, on the executor and on the driver. */
    private static final int FEATURES = 260;

    private static final int PEOPLE = 600;
    private static final Path JAR = Path.of(System.getProperty("stackelberg.one.jar"));

    @TempDir
    private Path folder;

    @Test
    void theJarSubmittedToAClusterFitsLikeTheLibrary() throws Exception {
        Random random = new Random(60);
        double[][] features = new double[PEOPLE][];
        double[] y = new double[PEOPLE];
        for (int i = 0; i < PEOPLE; i++) {
            features[i] = random.doubles(FEATURES, -2, 2).toArray();
            y[i] = 3 + random.nextGaussian() + Arrays.stream(features[i], 0, 20).sum();
        }
        double[] z = Arrays.stream(y).map(truth -> Math.max(truth, 4)).toArray();
        Path model = folder.resolve("model");
        Path responses = folder.resolve("responses");
        Path places = folder.resolve("places");
        Path natives = folder.resolve("natives");
        try (StandaloneCluster cluster =
                StandaloneCluster.unconnected(folder, "512m", 1, 1, StandaloneCluster.sparkAlone())) {
            cluster.submit(
                    "-Dorg.bytedeco.javacpp.cachedir=" + natives,
                    "--jars",
                    JAR.toString(),
                    "--class",
                    OneJarJob.class.getName(),
                    job().toString(),
                    libsvm(features, y).toString(),
                    String.valueOf(FEATURES),
                    model.toString(),
                    responses.toString(),
                    places.toString());
        }
        StackelbergModel fitted = ModelFile.load(model.resolve("model.json"));
        Table table = Table.of(
                features, Table.positions(FEATURES), NumericColumn.of("label", y), NumericColumn.of("wish", z));
        FitOptions options = FitOptions.defaults().withThreads(1);
        StackelbergModel expected = new stackelberg.model.StackelbergRegression(fitted.game(), options)
                .fitPath(table, fitted.gamma())
                .get(0);
        assertThat(fitted.game().gamma()).isEqualTo(0.5);
        assertThat(fitted.game().immutable()).containsExactly("1");
        assertThat(fitted.optimality().certified()).isTrue();
        double largest = expected.coefficients().values().stream()
                .mapToDouble(Math::abs)
                .max()
                .orElseThrow();
        expected.coefficients()
                .forEach((name, value) ->
                        assertThat(fitted.coefficients().get(name)).isCloseTo(value, within(1e-9 * largest)));
        assertThat(fitted.intercept()).isCloseTo(expected.intercept(), within(1e-9 * largest));
        assertThat(fitted.pullThrough()).isCloseTo(expected.pullThrough(), within(1e-9));
        double[] after = expected.afterResponse(expected.predict(features), z);
        assertThat(Files.readAllLines(responses).stream()
                        .mapToDouble(Double::parseDouble)
                        .toArray())
                .containsExactly(after, within(1e-8));

        // here from where it was submitted, there from what was sent
        assertThat(Files.readAllLines(places))
                .satisfiesExactly(here -> assertThat(here).endsWith(JAR.toString()), there -> assertThat(there)
                        .contains("/worker0/")
                        .endsWith(JAR.getFileName().toString()));
        try (Stream<Path> files = Files.walk(natives)) {
            assertThat(files.map(Path::toString))
                    .anyMatch(file -> file.contains(JAR.getFileName().toString()) && file.contains("jniopenblas"));
        }
    }

    /** Otherwise the test above would show nothing. */
    @Test
    void sparkHasNoClassOfThisProject() throws IOException, ClassNotFoundException {
        List<URL> urls = new ArrayList<>();
        for (String entry : StandaloneCluster.sparkAlone().split(File.pathSeparator)) {
            urls.add(Path.of(entry).toUri().toURL());
        }
        try (URLClassLoader alone =
                new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            assertThat(alone.loadClass("org.apache.spark.ml.Estimator")).isNotNull();
            for (String name : List.of(
                    "stackelberg.spark.StackelbergRegression",
                    "stackelberg.model.StackelbergModel",
                    "example.OneJarJob",
                    "tools.jackson.databind.ObjectMapper",
                    "org.bytedeco.javacpp.Loader",
                    "org.ejml.data.DMatrixRMaj")) {
                assertThatThrownBy(() -> alone.loadClass(name)).isInstanceOf(ClassNotFoundException.class);
            }
        }
    }

    /** What is in it under its own name could meet another version of itself. */
    @Test
    void allShadedPackagesButNativeCodeAreRenamed() throws IOException {
        try (JarFile jar = new JarFile(JAR.toFile())) {
            List<String> names = jar.stream().map(ZipEntry::getName).toList();
            assertThat(names)
                    .filteredOn(name -> name.endsWith(".class"))
                    .allMatch(name -> name.startsWith("stackelberg/") || name.startsWith("org/bytedeco/"));
            assertThat(names)
                    .contains("META-INF/LICENSE", "META-INF/NOTICE", "META-INF/THIRD-PARTY.txt")
                    .contains("stackelberg/model/version.properties");
            for (String platform : List.of("linux-x86_64", "linux-arm64", "macosx-arm64", "windows-x86_64")) {
                for (String library : List.of("javacpp/%s/%sjnijavacpp.%s", "openblas/%s/%sjniopenblas.%s")) {
                    boolean windows = platform.startsWith("windows");
                    String ending = windows ? "dll" : platform.startsWith("mac") ? "dylib" : "so";
                    assertThat(names)
                            .contains("org/bytedeco/" + String.format(library, platform, windows ? "" : "lib", ending));
                }
            }
            // what parsers are found by has moved with them
            assertThat(names)
                    .filteredOn(name -> name.matches("META-INF/services/.+"))
                    .isNotEmpty()
                    .allMatch(name -> name.startsWith("META-INF/services/stackelberg.shaded."));
        }
    }

    private Path libsvm(double[][] features, double[] y) throws IOException {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < y.length; i++) {
            StringBuilder line = new StringBuilder().append(y[i]);
            for (int j = 0; j < FEATURES; j++) {
                line.append(' ').append(j + 1).append(':').append(features[i][j]);
            }
            lines.add(line.toString());
        }
        return Files.write(folder.resolve("people.libsvm"), lines);
    }

    /** A jar with the job alone. */
    private Path job() throws IOException {
        Path file = folder.resolve("job.jar");
        String name = OneJarJob.class.getName().replace('.', '/') + ".class";
        try (OutputStream out = Files.newOutputStream(file);
                JarOutputStream jar = new JarOutputStream(out);
                var in = OneJarJob.class.getClassLoader().getResourceAsStream(name)) {
            jar.putNextEntry(new ZipEntry(name));
            in.transferTo(jar);
        }
        return file;
    }
}
