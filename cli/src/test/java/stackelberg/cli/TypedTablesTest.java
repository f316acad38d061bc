package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.RealData;
import stackelberg.cli.terminal.ExitCode;
import stackelberg.data.Table;
import stackelberg.data.io.DataFile;
import stackelberg.linalg.Workers;

/** Parquet files and DuckDB databases as DATA, in every command: what CSV of the same data gives, to the last bit. */
class TypedTablesTest {
    @TempDir
    Path folder;

    private Path csv;
    private Path parquet;
    private Path database;

    @BeforeEach
    void sameDataThreeTimes() throws SQLException {
        csv = Samples.csv(folder);
        parquet = folder.resolve("sample.parquet");
        database = folder.resolve("sample.duckdb");
        convert(csv, parquet);
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:" + database);
                Statement statement = connection.createStatement()) {
            statement.execute("create table people as select * from '" + csv + "'");
        }
    }

    /** DuckDB would make booleans, which are numbers, of the words yes and no. */
    private static void convert(Path csv, Path parquet) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            statement.execute("copy (select * from read_csv('" + csv
                    + "', nullstr = ['', 'NA'], auto_type_candidates = ['BIGINT', 'DOUBLE', 'VARCHAR'])) to '" + parquet
                    + "' (format parquet)");
        }
    }

    /** The words with the data in the place of DATA. */
    private static Object[] words(List<?> words, List<?> data) {
        List<Object> all = new ArrayList<>();
        words.forEach(word -> all.addAll(word.equals("DATA") ? data : List.of(word)));
        return all.toArray();
    }

    /** What a model file or an answer says, but for what the data are called and how long it took. */
    private static String comparable(String json) {
        return json.replaceAll("(?s)\"data\"\\s*:\\s*\\{[^}]*}", "")
                .replaceAll("(?s)\"seconds\"\\s*:\\s*\\{[^}]*}", "")
                .replaceAll("\"(createdAt|created|time)\"\\s*:\\s*\"[^\"]*\"", "");
    }

    private void sameModel(Path csv, Path parquet, String... options) {
        List<Object> words = new ArrayList<>(List.of("fit", "DATA", "-q", "-o"));
        List<String> models = new ArrayList<>();
        for (Path data : List.of(csv, parquet)) {
            Path model = folder.resolve(data.getFileName() + ".json");
            List<Object> all = new ArrayList<>(words);
            all.add(model);
            all.addAll(List.of(options));
            Run run = Run.stackelberg(words(all, List.of(data)));
            assertThat(run.code()).as(run.err()).isZero();
            models.add(comparable(Samples.read(model)));
        }
        assertThat(models.get(1)).isEqualTo(models.get(0)).contains("coefficients");
    }

    @Test
    void parquetAndCsvGiveTheSameModelToTheLastBit() {
        sameModel(csv, parquet, "--target", "y", "--wish", "hope", "--cost", "b=2");
    }

    @ParameterizedTest
    @CsvSource({"insurance.csv,charges", "wine.csv,quality", "building.csv,"})
    void parquetAndCsvOfRealDataGiveTheSameModel(String name, String target) throws Exception {
        Path real = RealData.file(name).toAbsolutePath().normalize();
        Table table = DataFile.read(real, Workers.of(2));
        String named = target == null ? table.names().get(table.names().size() - 1) : target;
        Path typed = folder.resolve("real.parquet");
        convert(real, typed);
        sameModel(
                real,
                typed,
                "--target",
                named,
                "--wish",
                "max(today,quantile(today,0.75))",
                "--gamma",
                "30%",
                "--missing",
                "mean");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "describe DATA --json",
                "fit DATA --target y --wish hope --json",
                "path DATA --target y --wish hope --gammas 5%:80%:3 --json",
                "tune DATA --target y --wish hope --world-gamma 30% --folds 3 --json",
                "compare DATA --target y --wish hope --json",
                "compare CSV --test DATA --target y --wish hope --json",
                "simulate DATA --target y --wish hope --rounds 3 --json",
                "export DATA --target y --wish hope --as sdpa",
                "predict MODEL DATA",
                "respond MODEL DATA --group kind",
                "evaluate MODEL DATA --json",
                "verify MODEL CSV --json",
                "gamma MODEL --before DATA --after CSV --json",
                "gamma MODEL --before CSV --after DATA --json",
                "effect MODEL --before DATA --after CSV --json"
            })
    void everyCommandTakesEveryTable(String line) {
        Path model = folder.resolve("model.json");
        Run.stackelberg("fit", csv, "--target", "y", "--wish", "hope", "-q", "-o", model);
        List<String> words = Arrays.stream(line.split(" "))
                .map(word -> word.equals("MODEL") ? model.toString() : word.equals("CSV") ? csv.toString() : word)
                .toList();

        Run expected = Run.stackelberg(words(words, List.of(csv)));
        Run fromParquet = Run.stackelberg(words(words, List.of(parquet)));
        Run fromDatabase = Run.stackelberg(words(words, List.of("jdbc:duckdb:" + database, "--query", "from people")));

        assertThat(expected.code()).as(expected.err()).isIn(ExitCode.CERTIFIED, ExitCode.NOT_CERTIFIED);
        for (Run run : List.of(fromParquet, fromDatabase)) {
            assertThat(run.code()).as(run.err()).isEqualTo(expected.code());
            assertThat(unnamed(run.out())).isEqualTo(unnamed(expected.out())).isNotEmpty();
        }
    }

    private String unnamed(String out) {
        return comparable(out)
                .replace("jdbc:duckdb:" + database + ": from people", "DATA")
                .replace("jdbc:duckdb:" + database, "DATA")
                .replace(parquet.toString(), "DATA")
                .replace(csv.toString(), "DATA")
                .replaceAll("(, )?\"--query\",\\s*\"from people\"|( --query (\\\\\"|')from people(\\\\\"|'))", "")
                .replaceAll("\"(sha256|bytes)\" *: *[^,}]*", "");
    }

    @Test
    void aModelRecognisesItsTrainingData() {
        Path model = folder.resolve("model.json");
        Object[] fit = {
            "fit",
            database,
            "--query",
            "select y, hope, b, a from people",
            "--target",
            "y",
            "--wish",
            "hope",
            "-o",
            model
        };
        assertThat(Run.stackelberg(fit).code()).isZero();

        Run same = Run.stackelberg("verify", model, database, "--query", "select y, hope, b, a from people");
        Run other =
                Run.stackelberg("verify", model, database, "--query", "select y, hope, b, a from people where b < 2");

        assertThat(same.out()).contains("These are the data that the model was fitted to, byte for byte.");
        assertThat(same.code()).isZero();
        assertThat(other.out()).doesNotContain("very data");
        assertThat(Run.stackelberg("summary", model).out()).contains("sample.duckdb: select y, hope, b, a from people");
    }

    @Test
    void twoTablesOfOneDatabaseTakeTwoQueriesInTheirOrder() {
        Path model = folder.resolve("model.json");
        Run.stackelberg("fit", csv, "--target", "y", "--wish", "hope", "-q", "-o", model);

        Run expected = Run.stackelberg("gamma", model, "--before", csv, "--after", csv, "--json");
        Run run = Run.stackelberg(
                "gamma",
                model,
                "--before",
                database,
                "--after",
                database,
                "--query",
                "from people",
                "--query",
                "select a + 0 as a, * exclude a from people",
                "--json");
        Run one = Run.stackelberg("gamma", model, "--before", database, "--after", database, "--query", "from people");

        Run rubbish = Run.stackelberg(
                "gamma",
                model,
                "--before",
                database,
                "--after",
                database,
                "--query",
                "from people",
                "--query",
                "select this is rubbish");
        Run judged = Run.stackelberg(
                "compare",
                database,
                "--test",
                database,
                "--query",
                "from people limit 30",
                "--query",
                "from people limit 10",
                "--target",
                "y",
                "--wish",
                "hope",
                "--json");

        assertThat(run.out()).isEqualTo(expected.out());
        assertThat(rubbish.code()).isEqualTo(ExitCode.BAD_DATA);
        assertThat(judged.out()).as(judged.err()).contains("\"judgedPeople\" : 10");
        assertThat(one.code()).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(one.err()).contains("--query is given once for tables from databases, of which there are 2");
    }

    @Test
    void predictionsAreWrittenAsParquet() {
        Path model = folder.resolve("model.json");
        Run.stackelberg("fit", csv, "--target", "y", "--wish", "hope", "-q", "-o", model);
        for (String command : List.of("predict", "respond")) {
            Path plain = folder.resolve(command + ".csv");
            Path typed = folder.resolve(command + ".parquet");
            for (Path out : List.of(plain, typed)) {
                Run run = Run.stackelberg(command, model, parquet, "--id", "hope", "--wish", "p+1", "-o", out);
                assertThat(run.code()).as(run.err()).isZero();
            }

            Table expected = DataFile.read(plain, Workers.of(1));
            Table written = DataFile.read(typed, Workers.of(1));
            assertThat(written.names()).isEqualTo(expected.names()).startsWith("hope", "row", "prediction");
            for (String name : expected.names()) {
                for (int i = 0; i < expected.rows(); i++) {
                    assertThat(written.column(name).text(i))
                            .isEqualTo(expected.column(name).text(i));
                }
            }
        }
    }

    @Test
    void onlyTablesAreWrittenAsParquet() {
        Path out = folder.resolve("out.parquet");
        Path model = folder.resolve("model.json");
        Run.stackelberg("fit", csv, "--target", "y", "--wish", "hope", "-q", "-o", model);

        Run fit = Run.stackelberg("fit", csv, "--target", "y", "--wish", "hope", "-o", out);
        Run json = Run.stackelberg("predict", model, csv, "--json", "-o", out);
        Run self = Run.stackelberg("predict", model, parquet, "-o", parquet);
        Run base =
                Run.stackelberg("predict", model, "jdbc:duckdb:" + database, "--query", "from people", "-o", database);

        assertThat(List.of(fit.code(), json.code(), self.code(), base.code())).containsOnly(ExitCode.WRONG_USAGE);
        assertThat(fit.err()).contains("only the tables of predict and respond can be Parquet");
        assertThat(json.err()).contains("a Parquet file cannot hold JSON");
        assertThat(self.err()).contains("would be overwritten");
        assertThat(base.err()).contains("would be overwritten");
        assertThat(out).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "fit CSV --query x | --query is for databases, but 'CSV' is not one",
                "fit PARQUET --query x | --query is for databases, but 'PARQUET' is not one",
                "fit CSV --credentials x | --credentials is for databases",
                "fit CSV --driver x.jar | --driver is for databases and Parquet files",
                "fit --x x.npy --y y.npy --query x | --query is for databases, but none is given",
                "fit DB --query x --credentials c | --credentials: a DuckDB database takes no",
                "fit DB | Which data should be read from the database?",
                "fit DB --query x --query y | --query is given 2 times for tables from databases, of which there is 1",
                "describe PARQUET --decimal , | --decimal is for CSV",
                "describe PARQUET --no-header | --no-header is for CSV",
                "describe DB --query x --header | --header is for CSV",
                "fit jdbc:postgresql://clerk:xyzzy@localhost/b --query x | contains a user or a password",
                "export MODEL --as sql --query x | --query is for databases"
            })
    void contradictoryOptionsAreRefusedByName(String line, String expected) {
        Object[] words = Arrays.stream(line.split(" "))
                .map(word -> word.replace("CSV", csv.toString())
                        .replace("PARQUET", parquet.toString())
                        .replace("DB", "jdbc:duckdb:" + database))
                .toArray();
        Run run = Run.stackelberg(words);

        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(run.err())
                .contains(expected.replace("CSV' is", csv + "' is").replace("PARQUET", parquet.toString()))
                .doesNotContain("xyzzy");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "selec | The query begins with 'selec'",
                "from nowhere | nowhere does not exist",
                "select y, hope, a, a from people | two columns named 'a'",
                "select y, hope, a from people where false | has 3 columns but no rows",
                "select y, hope, [a] as list from people | Column 'list' has the type DOUBLE[]",
                "select y as other, hope, a from people | no column 'y'"
            })
    void aWrongQueryIsWrongDataNotABug(String query, String expected) {
        Run run = Run.stackelberg("fit", database, "--query", query, "--target", "y", "--wish", "hope");

        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.BAD_DATA);
        assertThat(run.err()).contains(expected);
    }

    /** A database of which nothing here knows anything. */
    @Test
    void anyJdbcDriverForParquetWorks() throws Exception {
        String address = "jdbc:h2:" + folder.resolve("h2");
        try (Connection connection = DriverManager.getConnection(address, "clerk", "secret");
                Statement statement = connection.createStatement()) {
            statement.execute("create table people as select * from csvread('" + csv + "')");
        }
        Path credentials = folder.resolve("credentials");
        Files.createFile(
                credentials, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(credentials, "# of the clerk\nuser=clerk\npassword=secret\n");
        String query = "select cast(a as double precision) \"a\", cast(b as decimal(9,4)) \"b\", kind \"kind\","
                + " cast(y as double precision) \"y\", cast(hope as double precision) \"hope\" from people";

        Run run = Run.stackelberg(
                "fit",
                address,
                "--query",
                query,
                "--credentials",
                credentials,
                "--target",
                "y",
                "--wish",
                "hope",
                "--json");
        Run expected = Run.stackelberg("fit", csv, "--target", "y", "--wish", "hope", "--json");

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(comparable(run.out())).isEqualTo(comparable(expected.out()));
    }

    @Test
    void withoutTheDriverTheMessageHasTheCommandThatFetchesIt() throws Exception {
        String path = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.contains("duckdb"))
                .collect(Collectors.joining(File.pathSeparator));
        Path jar = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> entry.contains("duckdb_jdbc"))
                .map(Path::of)
                .findFirst()
                .orElseThrow();
        List<String> start = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                path,
                "-Dstackelberg.drivers=" + folder.resolve("drivers"),
                "-Dstackelberg.duckdb=org.duckdb:duckdb_jdbc:1",
                "stackelberg.cli.Main");
        List<String> describe = new ArrayList<>(start);
        describe.addAll(List.of("describe", parquet.toString()));

        String without = said(describe, ExitCode.BAD_DATA);
        describe.addAll(List.of("--driver", jar.toString()));
        String named = said(describe, ExitCode.CERTIFIED);

        assertThat(without)
                .isEqualTo(
                        "Error: DuckDB's driver, which reads and writes Parquet, is not installed.\nMaybe fetch it (80 MB) with mvn"
                                + " dependency:copy -Dartifact=org.duckdb:duckdb_jdbc:1 -DoutputDirectory="
                                + folder.resolve("drivers") + ", or name its jar with --driver duckdb_jdbc.jar.\n");
        assertThat(named).contains("sample.parquet");
    }

    private static String said(List<String> words, int code) throws Exception {
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isEqualTo(code);
        return said;
    }

    @Test
    void theLauncherFetchesTheDriverThatTheTestsUse() {
        Path launcher = Path.of("..", "stackelberg");
        assumeThat(launcher).exists();
        String version = Samples.read(Path.of("..", "pom.xml"))
                .replaceAll("(?s).*<duckdb.version>(.*)</duckdb.version>.*", "$1");

        assertThat(Samples.read(launcher)).contains("duckdb=org.duckdb:duckdb_jdbc:" + version + "\n");
    }
}
