package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The script at the root, with a java and an mvn that only say what they were asked for. */
@DisabledOnOs(OS.WINDOWS)
class LauncherTest {
    private static final String JAVA = """
            #!/bin/sh
            for word; do case $word in -XX:ArchiveClassesAtExit=* | -XX:AOTCacheOutput=*) echo "$@" >"${word#*=}" ;; esac; done
            printf '%s\\n' "$@"
            """;

    private static final String MVN = """
            #!/bin/sh
            echo built >>"$BUILDS"
            """;

    @TempDir
    private Path folder;

    private Path home;
    private Path jdk;
    private Path user;

    /** What is set, or not set, of the locale. */
    private final Map<String, String> locale = new HashMap<>();

    @BeforeEach
    void unpack() throws IOException {
        Path launcher = Path.of("..", "stackelberg");
        assumeThat(launcher).exists();
        // with a space, as many folders have
        home = Files.createDirectories(folder.resolve("the program"));
        user = Files.createDirectories(folder.resolve("some body"));
        jdk = folder.resolve("jdk");
        Files.copy(launcher, home.resolve("stackelberg"));
        script(jdk.resolve("bin/java"), JAVA);
        script(folder.resolve("bin/mvn"), MVN);
        java("17.0.15");
    }

    /** A file in place of the build folder stops the build for every user, root included. */
    @Test
    void aCheckoutThatCannotBeBuiltSaysSo() throws IOException, InterruptedException {
        Files.createDirectories(home.resolve("cli"));
        Files.writeString(home.resolve("cli/target"), "in the way");

        Said said = launch("--version");

        assertThat(said.code).isEqualTo(1);
        assertThat(said.lines)
                .singleElement()
                .asString()
                .startsWith("Error: Stackelberg cannot be built: it is not built yet, and ")
                .contains("cannot be written");
    }

    @Test
    void theDriverOfParquetIsFetchedOnceAndOnlyWhereItIsNeeded() throws IOException, InterruptedException {
        download("1");
        script(
                folder.resolve("bin/mvn"),
                "#!/bin/sh\nfor word; do case $word in -DoutputDirectory=*) mkdir -p \"${word#*=}\" && touch \"${word#*=}/duckdb_jdbc-$(sed -n"
                        + " 's/^duckdb=.*:\\(.*\\)/\\1/p' '" + home.resolve("stackelberg")
                        + "').jar\" ;; esac; done\n");
        Path drivers = user.resolve(".cache/stackelberg/drivers");
        String fetching = "Fetching DuckDB's driver, which reads Parquet (80 MB, once)...";

        assertThat(launch("fit", "x.csv", "--query", "x").lines)
                .contains("-Dstackelberg.drivers=" + drivers)
                .doesNotContain(fetching);
        assertThat(launch("fit", "x.parquet", "--driver", "x.jar").lines).doesNotContain(fetching);
        assertThat(launch("predict", "m.json", "jdbc:duckdb:x.db", "--driver", "x.jar", "-o", "out.parquet").lines)
                .doesNotContain(fetching);
        // the driver that is named is PostgreSQL's, and Parquet needs DuckDB's beside it
        assertThat(launch(
                                "predict",
                                "m.json",
                                "jdbc:postgresql://localhost/bank",
                                "--driver",
                                "postgresql.jar",
                                "-o",
                                "out.parquet")
                        .lines)
                .contains(fetching);
        assertThat(drivers).isDirectoryContaining("glob:**/duckdb_jdbc-*.jar");
        assertThat(launch("fit", "jdbc:duckdb:x.db").lines).doesNotContain(fetching);
    }

    @Test
    void aCheckoutIsBuiltOnceAndAgainWhenASourceChanges() throws IOException, InterruptedException {
        Path source = Files.createDirectories(home.resolve("cli/src/main")).resolve("Main.java");
        Files.writeString(source, "");
        Files.writeString(home.resolve("pom.xml"), "");
        Files.writeString(home.resolve("cli/pom.xml"), "");

        List<String> lines = launch("fit").lines;
        assertThat(lines.get(0)).isEqualTo("Building Stackelberg (first use)...");
        assertThat(lines.get(1)).as("one message is enough").startsWith("-XX:");
        Files.setLastModifiedTime(
                Files.writeString(home.resolve("cli/target/stackelberg.jar"), ""),
                FileTime.fromMillis(1_700_000_000_000L));
        assertThat(launch("fit").lines.get(0)).startsWith("-XX:+UseParallelGC");
        Files.setLastModifiedTime(source, FileTime.fromMillis(System.currentTimeMillis() + 60_000));
        assertThat(launch("fit").lines.get(0)).isEqualTo("Building Stackelberg (sources have changed)...");

        assertThat(Files.readAllLines(folder.resolve("builds"))).hasSize(2);
    }

    @Test
    void ofTwoFirstUsesAtOnceOneBuildsAndBothRun() throws IOException, InterruptedException {
        assumeThat(Stream.of(System.getenv("PATH").split(":")).map(p -> Path.of(p, "flock")))
                .as("flock, without which both build")
                .anyMatch(Files::isExecutable);
        Files.createDirectories(home.resolve("cli/src/main"));
        Files.writeString(home.resolve("pom.xml"), "");
        Files.writeString(home.resolve("cli/pom.xml"), "");
        script(folder.resolve("bin/mvn"), MVN + "sleep 0.5\n");
        List<String> words = List.of(home.resolve("stackelberg").toString(), "fit");

        Process first = start(words);
        Said second = run(words);
        String said = new String(first.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(first.waitFor()).isZero();
        assertThat(second.code).isZero();
        assertThat(said.lines().toList()).endsWith("fit").contains("-jar");
        assertThat(second.lines).endsWith("fit").contains("-jar");
        assertThat(Files.readAllLines(folder.resolve("builds"))).hasSize(1);
        assertThat(everything(home.resolve("cli/target")))
                .extracting(path -> path.getFileName().toString())
                .containsExactlyInAnyOrder(
                        "target",
                        "build.log",
                        "built",
                        "archive-17.0.15+6-x86_64",
                        "archive-17.0.15+6-x86_64.openblas",
                        "lock");
    }

    @Test
    void aDownloadWritesItsArchiveIntoTheUsersCacheAndUsesIt() throws IOException, InterruptedException {
        download("1");
        List<Path> before = everything(home);

        Said first = launch("fit", "my data.csv");
        Said second = launch("fit", "my data.csv");

        Path archive = user.resolve(".cache/stackelberg/archive-17.0.15+6-x86_64-1");
        assertThat(first.code).isZero();
        assertThat(first.lines.get(0)).isEqualTo("Preparing Stackelberg for this Java (once)...");
        assertThat(second.lines)
                .contains("-XX:SharedArchiveFile=" + archive, "my data.csv")
                .isEqualTo(first.lines.subList(1, first.lines.size()));
        assertThat(first.lines)
                .contains("-Dorg.bytedeco.javacpp.cachedir=" + user.resolve(".cache/stackelberg/natives"));
        assertThat(everything(user))
                .contains(archive, archive.resolveSibling(archive.getFileName() + ".openblas"))
                .hasSize(5);
        assertThat(Files.readString(archive)).contains("stackelberg.cli.Rehearsal");
        assertThat(everything(home)).isEqualTo(before);
        assertThat(folder.resolve("builds")).doesNotExist();
    }

    @Test
    void anotherDownloadInTheSamePlaceMakesItsOwnArchive() throws IOException, InterruptedException {
        download("1");
        launch("--version");
        download("2");

        assertThat(launch("--version").lines)
                .contains("-XX:SharedArchiveFile=" + user.resolve(".cache/stackelberg/archive-17.0.15+6-x86_64-2"));
    }

    @Test
    void jdk25GetsItsOwnKindOfArchive() throws IOException, InterruptedException {
        download("1");
        java("25.0.3");

        assertThat(launch("--version").lines)
                .contains("-XX:AOTCache=" + user.resolve(".cache/stackelberg/archive-25.0.3+6-x86_64-1"))
                .noneMatch(word -> word.startsWith("-XX:SharedArchiveFile"));
    }

    /** A Java that does not know a flag does not start. */
    @Test
    void jvmFlagsAreGivenOnlyToVersionsThatHaveThem() throws IOException, InterruptedException {
        String flag = "-XX:-UsePSAdaptiveSurvivorSizePolicy";
        download("1");
        assertThat(launch("--version").lines).contains(flag);
        java("25.0.3");
        assertThat(launch("--version").lines).contains(flag);
        java("26");
        assertThat(launch("--version").lines).doesNotContain(flag);
        Files.delete(jdk.resolve("release"));
        assertThat(launch("--version").lines).doesNotContain(flag);
    }

    /** A file where the cache would be: the superuser cannot write there either. */
    @Test
    void withoutACacheADownloadWritesNothingAndWorks() throws IOException, InterruptedException {
        download("1");
        Files.writeString(user.resolve(".cache"), "in the way");
        List<Path> before = everything(folder);

        Said said = launch("--version");

        assertThat(said.code).isZero();
        assertThat(said.lines)
                .contains("-jar", "--version")
                .noneMatch(word -> word.contains("Archive") || word.contains("cachedir"));
        assertThat(everything(folder)).isEqualTo(before);
    }

    @Test
    void aJavaThatIsTooOldIsRefused() throws IOException, InterruptedException {
        download("1");
        java("11.0.2");

        assertThat(launch("--version").lines)
                .singleElement()
                .asString()
                .startsWith("Error: The Java in " + jdk + " is too old.");
    }

    /** Where there is no locale Java takes file names for ASCII, and finds none with an umlaut. */
    @ParameterizedTest
    @CsvSource(
            value = {
                "C, , C.UTF-8",
                "POSIX, de_DE.UTF-8, C.UTF-8",
                ", , C.UTF-8",
                ", de_DE.UTF-8, ''",
                "de_AT.UTF-8, , de_AT.UTF-8"
            })
    void namesOfFilesMayHaveUmlautsWhateverTheLocale(String all, String lang, String expected)
            throws IOException, InterruptedException {
        download("1");
        script(jdk.resolve("bin/java"), "#!/bin/sh\necho \"locale $LC_ALL\"\n");
        locale.put("LC_ALL", all);
        locale.put("LANG", lang);
        locale.put("LC_CTYPE", null);

        assertThat(launch("--version").lines).contains("locale " + expected);
    }

    @Test
    void theLauncherWorksThroughLinks() throws IOException, InterruptedException {
        download("1");
        Path link = Files.createSymbolicLink(folder.resolve("bin/stackelberg"), Path.of("../other"));
        Files.createSymbolicLink(folder.resolve("other"), home.resolve("stackelberg"));

        assertThat(run(List.of(link.toString(), "--version")).lines)
                .contains(home.toRealPath().resolve("stackelberg.jar").toString());
    }

    private void download(String build) throws IOException {
        Files.createDirectories(home.resolve("lib"));
        Files.writeString(home.resolve("lib/build"), build + "\n");
        // as archives keep the time of packing
        Files.setLastModifiedTime(
                Files.writeString(home.resolve("stackelberg.jar"), build), FileTime.fromMillis(1_700_000_000_000L));
    }

    private void java(String version) throws IOException {
        Files.writeString(
                jdk.resolve("release"),
                "IMPLEMENTOR=\"Some Body\"\nJAVA_RUNTIME_VERSION=\"%s+6\"\nJAVA_VERSION=\"%s\"\nOS_ARCH=\"x86_64\"\n"
                        .formatted(version, version));
    }

    private static void script(Path path, String text) throws IOException {
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static List<Path> everything(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.sorted().toList();
        }
    }

    private Said launch(String... words) throws IOException, InterruptedException {
        return run(Stream.concat(Stream.of(home.resolve("stackelberg").toString()), Stream.of(words))
                .toList());
    }

    private Said run(List<String> words) throws IOException, InterruptedException {
        Process run = start(words);
        List<String> lines = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
        return new Said(run.waitFor(), lines);
    }

    private Process start(List<String> words) throws IOException {
        ProcessBuilder process = new ProcessBuilder(
                Stream.concat(Stream.of("sh"), words.stream()).toList());
        process.redirectErrorStream(true);
        process.environment().put("JAVA_HOME", jdk.toString());
        process.environment().put("HOME", user.toString());
        process.environment().put("BUILDS", folder.resolve("builds").toString());
        process.environment().put("PATH", folder.resolve("bin") + ":" + System.getenv("PATH"));
        process.environment().remove("XDG_CACHE_HOME");
        process.environment().remove("STACKELBERG_JAVA_OPTS");
        process.environment().keySet().removeAll(locale.keySet());
        locale.values().removeIf(Objects::isNull);
        process.environment().putAll(locale);
        return process.start();
    }

    private record Said(int code, List<String> lines) {}
}
