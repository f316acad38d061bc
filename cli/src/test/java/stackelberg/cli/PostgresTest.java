package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.cli.terminal.ExitCode;
import stackelberg.data.io.Postgres;

/** A real PostgreSQL as DATA: the same rules as from CSV, and a password that is never printed. */
@Tag("database")
class PostgresTest {
    private static Postgres server;

    @TempDir
    Path folder;

    private Path csv;
    private Path credentials;

    @BeforeAll
    static void start() {
        assumeTrue(Postgres.present(), Postgres.ABSENT);
        server = Postgres.start();
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void people() throws Exception {
        csv = Samples.csv(folder);
        credentials = secret("user=" + Postgres.USER + "\npassword=" + Postgres.PASSWORD + "\n");
        List<String> lines = Files.readAllLines(csv);
        StringBuilder rows = new StringBuilder();
        for (int i = 1; i < lines.size(); i++) {
            String[] c = lines.get(i).split(",");
            rows.append(i == 1 ? "" : ",").append("(%d,%s,%s,'%s',%s,%s)".formatted(i, c[0], c[1], c[2], c[3], c[4]));
        }
        server.execute(
                "drop table if exists people",
                "create table people (i int, a double precision, b numeric(9,4), kind text, y double precision, hope double precision)",
                "insert into people values " + rows);
    }

    private Path secret(String text) throws Exception {
        Path file = folder.resolve("credentials");
        Files.deleteIfExists(file);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.writeString(file, text);
    }

    private Run ask(Object... more) {
        List<Object> words = new ArrayList<>(Arrays.asList(more));
        words.addAll(List.of("--credentials", credentials));
        return Run.stackelberg(words.toArray());
    }

    private static final String QUERY = "select a, b, kind, y, hope from people order by i";

    @Test
    void fromPostgresComesTheRuleOfTheCsvFile() throws Exception {
        Path model = folder.resolve("model.json");
        Path expected = folder.resolve("expected.json");
        Path page = folder.resolve("page.html");

        Run fit = ask(
                "fit",
                server.address(),
                "--query",
                QUERY,
                "--target",
                "y",
                "--wish",
                "hope",
                "-o",
                model,
                "--report",
                page);
        Run.stackelberg("fit", csv, "--target", "y", "--wish", "hope", "-o", expected, "-q");
        Run verify = ask("verify", model, server.address(), "--query", QUERY);
        Run predict = ask("predict", model, server.address(), "--query", QUERY);

        assertThat(fit.code()).as(fit.err()).isZero();
        assertThat(coefficients(model)).isEqualTo(coefficients(expected));
        assertThat(verify.out()).contains("These are the data that the model was fitted to, byte for byte.");
        assertThat(predict.out())
                .isEqualTo(Run.stackelberg("predict", expected, csv).out());
        for (String text :
                List.of(Samples.read(model), Samples.read(page), fit.out(), fit.err(), verify.out(), predict.err())) {
            assertThat(text).doesNotContain(Postgres.PASSWORD).doesNotContain("battery");
        }
        assertThat(Samples.read(model)).contains(server.address() + ": " + QUERY);
    }

    private static String coefficients(Path model) {
        return Samples.read(model).replaceAll("(?s).*(\"coefficients\"\\s*:\\s*\\{[^}]*}).*", "$1");
    }

    @Test
    void aWrongPasswordIsNotPrinted() throws Exception {
        credentials = secret("user=" + Postgres.USER + "\npassword=wrong horse\n");

        Run run = ask("fit", server.address(), "--query", QUERY, "--target", "y", "--wish", "hope");

        assertThat(run.code()).isEqualTo(ExitCode.BAD_DATA);
        assertThat(run.err())
                .contains(server.address() + " could not be opened: ")
                .contains("for user \"***\"")
                .doesNotContain("wrong horse")
                .doesNotContain(Postgres.USER + "\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"delete from people", "drop table people", "update people set y = 0 returning y"})
    void queriesThatWriteAreRefused(String query) {
        Run run = ask("fit", server.address(), "--query", query, "--target", "y", "--wish", "hope");

        assertThat(run.code()).isEqualTo(ExitCode.BAD_DATA);
        assertThat(run.err()).contains("Only one statement that reads is sent to the database");
        assertThat(ask("describe", server.address(), "--query", QUERY).out()).contains("60");
    }

    @Test
    void credentialsThatOthersMayReadAreRefused() throws Exception {
        Files.setPosixFilePermissions(credentials, PosixFilePermissions.fromString("rw-r--r--"));
        Run others = ask("describe", server.address(), "--query", QUERY);
        credentials = secret("user=" + Postgres.USER + "\nhorse battery\n");
        Run line = ask("describe", server.address(), "--query", QUERY);
        credentials = folder.resolve("nowhere");
        Run nowhere = ask("describe", server.address(), "--query", QUERY);

        assertThat(List.of(others.code(), line.code(), nowhere.code())).containsOnly(ExitCode.BAD_DATA);
        assertThat(others.err()).contains("may be read by others").contains("chmod 600");
        assertThat(line.err()).contains("neither user=... nor password=...").doesNotContain("battery");
        assertThat(nowhere.err()).contains("could not be read");
    }

    @Test
    void theEnvironmentHasCredentialsToo() throws Exception {
        for (String prefix : List.of("STACKELBERG_DB_", "PG")) {
            ProcessBuilder process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            "stackelberg.cli.Main",
                            "describe",
                            server.address(),
                            "--query",
                            QUERY)
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("said").toFile());
            process.environment().put(prefix + "USER", Postgres.USER);
            process.environment().put(prefix + "PASSWORD", Postgres.PASSWORD);
            Process run = process.start();

            assertThat(run.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(run.exitValue()).as(Samples.read(folder.resolve("said"))).isZero();
        }
    }

    @Test
    void anUnreachableServerIsBadData() {
        Run run = ask("describe", "jdbc:postgresql://127.0.0.1:1/x", "--query", "select 1");

        assertThat(run.code()).isEqualTo(ExitCode.BAD_DATA);
        assertThat(run.err()).contains("could not be opened").contains("refused");
    }
}
