package stackelberg.data.io;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.data.CategoricalColumn;
import stackelberg.data.Column;
import stackelberg.data.DataException;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.linalg.Workers;

@Tag("database")
class DatabaseTest {
    private static final Workers TWO = Workers.of(2);

    @TempDir
    Path folder;

    private static Table ask(String query) {
        return ask(query, DataFile.Options.DEFAULT);
    }

    private static Table ask(String query, DataFile.Options options) {
        return Database.ofFiles().read(query, options, TWO);
    }

    private static double number(Table table, String name) {
        return table.numeric(name).value(0);
    }

    private static String text(Table table, String name) {
        assertThat(table.column(name)).as(name).isInstanceOf(CategoricalColumn.class);
        return table.column(name).text(0).orElse(null);
    }

    @Test
    void numbersDecimalsAndBooleansAreReadAsNumbers() {
        Table table = ask(
                "select 7::tinyint a, -7::smallint b, 7::integer c, 9007199254740993 d, 170141183460469231731687303715884105727::hugeint e,"
                        + " 18446744073709551615::ubigint f, 0.1::double g, 0.5::real h, 12.345::decimal(9,3) i,"
                        + " 123456789012345678901234567.8901::decimal(38,4) j, true k, false l, sum(3) over () m, count(*) over () n");

        assertThat(number(table, "a")).isEqualTo(7);
        assertThat(number(table, "b")).isEqualTo(-7);
        assertThat(number(table, "c")).isEqualTo(7);
        assertThat(number(table, "d")).isEqualTo(NumericColumn.parse("9007199254740993"));
        assertThat(number(table, "e")).isEqualTo(NumericColumn.parse("170141183460469231731687303715884105727"));
        assertThat(number(table, "f")).isEqualTo(NumericColumn.parse("18446744073709551615"));
        assertThat(number(table, "g")).isEqualTo(0.1);
        assertThat(number(table, "h")).isEqualTo(0.5);
        assertThat(number(table, "i")).isEqualTo(12.345);
        assertThat(number(table, "j")).isEqualTo(NumericColumn.parse("123456789012345678901234567.8901"));
        assertThat(number(table, "k")).isEqualTo(1);
        assertThat(number(table, "l")).isZero();
        assertThat(number(table, "m")).isEqualTo(3);
        assertThat(number(table, "n")).isEqualTo(1);
    }

    @Test
    void textIsReadAsCategoriesEvenIfItLooksLikeNumbers() {
        Table table = ask("select * from (values ('10', ' red '), ('9', 'blue'), ('10', 'red')) t(zip, colour)");

        assertThat(((CategoricalColumn) table.column("zip")).levels()).containsExactly("9", "10");
        assertThat(((CategoricalColumn) table.column("colour")).levels()).containsExactly("blue", "red");
        assertThat(table.column("colour").text(0)).contains("red");
    }

    @Test
    void datesAndTimesAreReadAsTheTextThatCsvHas() {
        Table table = ask(
                "select date '2024-01-31' a, timestamp '2024-01-31 12:34:56' b, timestamp '2024-01-31 12:34:56.789' c,"
                        + " timestamptz '2024-01-31 12:34:56+02' d, time '12:34:56' e, timestamp_ns '2024-01-31 12:34:56.123456789' f");

        assertThat(text(table, "a")).isEqualTo("2024-01-31");
        assertThat(text(table, "b")).isEqualTo("2024-01-31 12:34:56");
        assertThat(text(table, "c")).isEqualTo("2024-01-31 12:34:56.789");
        assertThat(text(table, "d")).isEqualTo("2024-01-31 10:34:56+00");
        assertThat(text(table, "e")).isEqualTo("12:34:56");
        assertThat(text(table, "f")).isEqualTo("2024-01-31 12:34:56.123456789");
    }

    @Test
    void nullAndMissingValueMarksAreMissingInEveryType() {
        Table table = ask(
                "select * from (values (1.5, 1, true, 'a', 0.1::decimal(3,1), date '2024-01-31'), (null, null, null, null, null, null),"
                        + " ('nan'::double, 0, false, 'NA', 0, null), (0, 0, false, '', 0, null)) t(a, b, c, d, e, f)");

        for (String name : table.names()) {
            assertThat(table.column(name).isMissing(0)).as(name).isFalse();
            assertThat(table.column(name).isMissing(1)).as(name).isTrue();
        }
        assertThat(table.column("a").isMissing(2)).isTrue();
        assertThat(table.column("d").isMissing(2)).isTrue();
        assertThat(table.column("d").isMissing(3)).isTrue();
        assertThat(List.of(
                        table.numeric("a").value(3),
                        table.numeric("b").value(2),
                        table.numeric("c").value(2),
                        table.numeric("e").value(2)))
                .containsOnly(0.0);
    }

    @Test
    void aTextColumnWithoutTextIsNumericWithAllValuesMissing() {
        Table table = ask("select null::varchar a, null::double b, 1 c");

        assertThat(table.numeric("a").isMissing(0)).isTrue();
        assertThat(table.numeric("b").isMissing(0)).isTrue();
    }

    @Test
    void numbersDeclaredCategoricalAreWrittenAsInCsv() {
        DataFile.Options said = DataFile.Options.DEFAULT
                .withCategorical(Set.of("a", "b", "c", "d"))
                .withNames(Set.of("id"));
        Table table = ask("select 12 a, 3.0::double b, true c, 1.50::decimal(5,2) d, 7::bigint id", said);

        assertThat(List.of(text(table, "a"), text(table, "b"), text(table, "c"), text(table, "d"), text(table, "id")))
                .containsExactly("12", "3", "true", "1.50", "7");
        assertThat(((CategoricalColumn) table.column("a")).declared()).isTrue();
        assertThatThrownBy(() -> ask("select 1 a", DataFile.Options.DEFAULT.withCategorical(Set.of("aa"))))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("no column 'aa' to read as categories")
                .hasMessageContaining("'a'");
    }

    @Test
    void rowsOfManyChunksKeepTheirOrder() {
        int rows = 2 * ResultColumn.CHUNK + 17;
        Table table = ask("select i, i % 3 = 0 as third, 'g' || (i % 5) as g from range(" + rows + ") t(i) order by i");

        assertThat(table.rows()).isEqualTo(rows);
        for (int i = 0; i < rows; i++) {
            assertThat(table.numeric("i").value(i)).isEqualTo(i);
            assertThat(table.numeric("third").value(i)).isEqualTo(i % 3 == 0 ? 1 : 0);
            assertThat(table.column("g").text(i)).contains("g" + i % 5);
        }
        assertThat(ask("from range(" + ResultColumn.CHUNK + ")").rows()).isEqualTo(ResultColumn.CHUNK);
    }

    @Test
    void theDigestDependsOnTheContentAlone() {
        String query = "select i, 'g' || (i % 5) as g, i * 0.5 as h from range(20000) t(i) order by i";
        DataFile.Options other =
                DataFile.Options.DEFAULT.withColumns(Set.of("i")::contains).withNames(Set.of("i"));

        Table.Source whole = ask(query).source().orElseThrow();
        Table.Source part = ask(query, other).source().orElseThrow();
        Table.Source changed = ask(query.replace("0.5", "0.25")).source().orElseThrow();

        assertThat(part).isEqualTo(whole);
        assertThat(changed.sha256()).isNotEqualTo(whole.sha256());
        assertThat(whole.name()).startsWith("jdbc:duckdb:: select i, ");
    }

    @Test
    void unusedColumnsAreKnownByNameOnly() {
        DataFile.Options some = DataFile.Options.DEFAULT.withColumns(Set.of("a")::contains);
        Table table = ask("select 1 a, 'x'::blob b, [1,2] c, {'k': 1} d, map{'k': 1} e, 2 f", some);

        assertThat(table.names()).containsExactly("a", "b", "c", "d", "e", "f");
        assertThat(table.columns()).extracting(Column::name).containsExactly("a");
    }

    @ParameterizedTest
    @ValueSource(strings = {"'x'::blob", "[1,2]", "{'k': 1}", "map{'k': 1}"})
    void aTypeThatIsNeitherNumberNorTextIsRefused(String value) {
        assertThatThrownBy(() -> ask("select 1 a, " + value + " as photo"))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("Column 'photo' has the type")
                .hasMessageContaining("cast it in a query");
    }

    @Test
    void infiniteNumbersAreRefusedWithTheirRow() {
        assertThatThrownBy(() -> ask("select * from (values (1.0::double), ('inf'::double)) t(x)"))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("Column 'x', row 2: Infinity is not a finite number");
    }

    @Test
    void messagesAboutRowsOfAQueryHaveNoLineNumber() {
        assertThat(ask("select 1 a").where(0)).isEqualTo("row 1");
    }

    @Test
    void duplicateColumnsOfAQueryAreRefused() {
        assertThatThrownBy(() -> ask("select 1 a, 2 b, 3 a"))
                .isInstanceOf(DataException.class)
                .hasMessage("There are two columns named 'a'.\nMaybe rename one in the query, with as.");
    }

    @Test
    void aQueryWithoutRowsIsRefused() {
        assertThatThrownBy(() -> ask("select 1 a, 2 b where false"))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("The query has 2 columns but no rows");
    }

    @ParameterizedTest
    @ValueSource(strings = {"select * from nowhere", "select 1/0 as", "select 'x'::integer", "select 'open"})
    void theMessageOfTheDatabaseIsReported(String query) {
        assertThatThrownBy(() -> ask(query))
                .isInstanceOf(DataException.class)
                .hasMessageStartingWith("The query was not answered by jdbc:duckdb:: ")
                .hasMessageEndingWith("Maybe correct the query.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "copy (select 1) to 'FILE'",
                "-- of a file\ncopy (select 1) to 'FILE'",
                "-- a comment\rcopy (select 1) to 'FILE';\nselect 1",
                "/* /* */ select 1 */ copy (select 1) to 'FILE'",
                "select 1; copy (select 1) to 'FILE'",
                "copy (select 1) to 'FILE'; select 1",
                "attach 'FILE' as f; select 1",
                "select 1; select 2",
                "create table t as select 1",
                "with t as (select 1 as a) insert into people select a from t returning *",
                "selec 1",
                "",
                "; select 1",
                "explain analyze select 1",
                "from enable_logging(level = 'trace', storage = 'file', storage_path = 'FILE')",
                "select * from \"Enable_Logging\" /* */ (storage = 'file', storage_path = 'FILE')",
                "from query('from enable_logging(storage = ''file'', storage_path = ''FILE'')')",
                "from enable_profiling(save_location = 'FILE.json')",
                "select E'\\''; copy (select 1) to 'FILE'; --'",
                "select $$'$$; copy (select 1) to 'FILE'; --'",
                "with\u00a0t as (delete\u00a0from people returning *) from t"
            })
    void aTextThatIsNotASingleQueryIsRefusedBeforeItRuns(String query) throws SQLException {
        Path bank = folder.resolve("bank.duckdb");
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:" + bank);
                Statement statement = connection.createStatement()) {
            statement.execute("create table people(a integer)");
        }
        Path file = folder.resolve("written");
        for (Database database : List.of(Database.ofFiles(), Database.at(bank.toString()))) {
            assertThatThrownBy(
                            () -> database.read(query.replace("FILE", file.toString()), DataFile.Options.DEFAULT, TWO))
                    .isInstanceOf(DataException.class)
                    .hasMessageContaining("Only one statement that reads is sent to the database");
            assertThat(file).doesNotExist();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select ';' as a;",
                " -- one; two\n select $$a;b$$ as a ; ",
                "/* first */ from range(1)",
                "(select 1 as a)",
                "with t as (select 1 as a) from t",
                "values (1)",
                "describe select 1 as a",
                "summarize select 1 as a",
                "pivot (select 1 as a, 2 as b) on a using sum(b)",
                "-- wide\nwith t as (select 1 as a, 2 as b) pivot t on a using sum(b);",
                "select 1 as \"delete\"",
                "with t as (select 'insert' as a) from t"
            })
    void aSingleQueryIsReadHoweverItIsWritten(String query) {
        assertThat(ask(query).rows()).isPositive();
    }

    /** DuckDB's reader changes such names, but its description of the file's schema shows them unchanged. */
    @Test
    void namesThatDifferOnlyInCaseAreKeptInParquet() throws Exception {
        Path file = folder.resolve("alike.parquet");
        StringBuilder csv = new StringBuilder("a,A,Ä b,ä b,column 0,long " + "x".repeat(300) + "\n");
        for (int i = 0; i < 200_000; i++) {
            csv.append(i).append(",column 0,").append(i % 7 == 0 ? "" : "-1.5").append(",3,4,5\n");
        }
        Database.ofFiles()
                .writeParquet(
                        file,
                        Map.of("A", "VARCHAR"),
                        out -> out.write(csv.toString().getBytes(UTF_8)),
                        TWO);

        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            assertThat(first(statement, "select name from parquet_schema('" + file + "')"))
                    .containsExactly("duckdb_schema", "a", "A", "Ä b", "ä b", "column 0", "long " + "x".repeat(300));
            assertThat(first(
                            statement,
                            "select distinct path_in_schema from parquet_metadata('" + file + "') order by 1"))
                    .containsExactlyInAnyOrder("a", "A", "Ä b", "ä b", "column 0", "long " + "x".repeat(300));
            assertThat(first(
                            statement,
                            "select distinct stats_min from parquet_metadata('" + file + "') where column_id = 1"))
                    .as("a value that looks like a placeholder")
                    .containsExactly("column 0");
            assertThat(first(statement, "select count(distinct a) || ' ' || sum(\"Ä b\") from '" + file + "'"))
                    .containsExactly("200000 " + -1.5 * (200_000 - 28_572));
        }
    }

    private static List<String> first(Statement statement, String query) throws Exception {
        List<String> texts = new ArrayList<>();
        try (ResultSet result = statement.executeQuery(query)) {
            while (result.next()) {
                texts.add(result.getString(1));
            }
        }
        return texts;
    }

    @Test
    void duplicateColumnsAreNotWrittenToParquet() {
        Path file = folder.resolve("twice.parquet");
        assertThatThrownBy(() -> Database.ofFiles()
                        .writeParquet(file, Map.of(), out -> out.write("a,b,a\n1,2,3\n".getBytes(UTF_8)), TWO))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("would have two columns 'a'");
        assertThat(file).doesNotExist();
    }

    @Test
    void aPropertyOfTheAddressCannotRunASqlScript() throws Exception {
        Path written = folder.resolve("written");
        Path script = Files.writeString(folder.resolve("init.sql"), "copy (select 1) to '" + written + "';");
        for (String property : List.of(
                ";session_init_sql_file=" + script,
                "?session_init_sql_file=" + script,
                ";Session_Init_Sql_File=" + script,
                ";threads=1;temp_directory=" + folder,
                ";custom_extension_repository=http://127.0.0.1:1",
                ";allow_unsigned_extensions=true")) {
            assertThatThrownBy(() ->
                            Database.at("jdbc:duckdb:" + property).read("select 1 as a", DataFile.Options.DEFAULT, TWO))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("The address of the database has the property");
        }
        assertThat(written).doesNotExist();
        assertThat(Database.at("jdbc:duckdb:;threads=1;memory_limit=1GB")
                        .read("select 1 as a", DataFile.Options.DEFAULT, TWO)
                        .rows())
                .isEqualTo(1);
    }

    @Test
    void aQueryOfADatabaseFileCannotReadOtherFilesOrLoadExtensions() throws Exception {
        Path bank = folder.resolve("bank.duckdb");
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:" + bank);
                Statement statement = connection.createStatement()) {
            statement.execute("create table people(a integer)");
        }
        Path other = Files.writeString(folder.resolve("other.csv"), "a\n1\n");
        assertThatThrownBy(() -> Database.at(bank.toString())
                        .read("from read_csv('" + other + "')", DataFile.Options.DEFAULT, TWO))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("disabled by configuration");
        assertThatThrownBy(() -> ask("from sqlite_scan('" + other + "', 'people')"))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("sqlite");
        assertThat(ask("select value from duckdb_settings() where name in ('autoinstall_known_extensions',"
                                + " 'autoload_known_extensions')")
                        .column("value")
                        .text(0))
                .contains("false");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://localhost/bank?options=-c%20default_transaction_read_only=off",
                "jdbc:postgresql://localhost/bank?readOnlyMode=ignore",
                "jdbc:postgresql://localhost/bank?ssl=true&preferQueryMode=simple",
                "jdbc:postgresql://localhost/bank?socketFactory=x.Y&socketFactoryArg=z",
                "jdbc:postgresql://localhost/bank?sslfact%6Fry=x.Y",
                "jdbc:postgresql://localhost/bank?loggerFile=/tmp/log",
                "jdbc:mysql://localhost/bank?allowMultiQueries=true",
                "jdbc:mysql://localhost/bank?queryInterceptors=x.Y",
                "jdbc:mysql://localhost/bank?autoDeserialize=true",
                "jdbc:mysql://localhost/bank?allowLoadLocalInfile=true",
                "jdbc:mysql://(host=localhost,allowMultiQueries=true)/bank",
                "jdbc:mysql://address=(host=localhost)(queryInterceptors=x.Y)/bank",
                "jdbc:db2://localhost:50000/bank:traceFile=/tmp/log;",
                "jdbc:h2:mem:bank;INIT=runscript from 'x.sql'",
                "jdbc:h2:mem:bank;TRACE_LEVEL_FILE=3"
            })
    void aPropertyThatRunsCodeOrWritesFilesIsRefused(String address) {
        assertThatThrownBy(() -> Database.at(address))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("The address of the database has the property");
    }

    @Test
    void aDatabaseFileIsNeverCreatedOrWritten() throws SQLException {
        Path file = folder.resolve("bank.duckdb");
        assertThatThrownBy(() -> Database.at(file.toString()).read("select 1", DataFile.Options.DEFAULT, TWO))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("could not be opened")
                .hasMessageContaining("does not exist");
        assertThat(file).doesNotExist();
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:" + file);
                Statement statement = connection.createStatement()) {
            statement.execute("create table people as select i as age from range(3) t(i)");
        }

        assertThat(Database.file("jdbc:duckdb:" + file)).contains(file);
        assertThat(Database.file("jdbc:postgresql://localhost/bank")).isEmpty();
        assertThat(Database.at("jdbc:duckdb:" + file)
                        .read("from people", DataFile.Options.DEFAULT, TWO)
                        .rows())
                .isEqualTo(3);
        assertThatThrownBy(() -> Database.at(file.toString()).read("delete from people", DataFile.Options.DEFAULT, TWO))
                .isInstanceOf(DataException.class);
        assertThat(Database.at(file.toString())
                        .read("from people", DataFile.Options.DEFAULT, TWO)
                        .rows())
                .isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://clerk:secret@localhost/bank",
                "jdbc:postgresql://localhost/bank?user=clerk",
                "jdbc:postgresql://localhost/bank?ssl=true&password=secret",
                "jdbc:postgresql://localhost/bank?pass%77ord=secret",
                "jdbc:postgresql://localhost/bank?sslpassword=secret",
                "jdbc:sqlserver://localhost;databaseName=bank;User ID=clerk;Password=secret",
                "jdbc:oracle:thin:clerk/secret@//localhost:1521/bank",
                "jdbc:mysql://address=(host=localhost)(user=clerk)/bank",
                "jdbc:h2:mem:bank;USER=clerk",
                "jdbc:duckdb:md:bank?motherduck_token=secret",
                "jdbc:postgresql://clerk:se/secret@localhost/bank",
                "jdbc:mysql://clerk:p?secret@localhost/bank",
                "jdbc:mysql://clerk:p;secret@localhost/bank",
                "jdbc:mysql://clerk:p%3Fsecret@localhost/bank",
                "jdbc:some://localhost/bank;passphrase=secret",
                "jdbc:some://localhost/bank?passcode=secret",
                "jdbc:some://localhost/bank?apiKey=secret",
                "jdbc:some://localhost/bank?x=1&API_KEY=secret"
            })
    void anAddressWithCredentialsIsRefusedAndNotRepeated(String address) {
        assertThatThrownBy(() -> Database.at(address))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("contains a user or a password")
                .hasMessageContaining("credentials(...)")
                .message()
                .doesNotContain("secret")
                .doesNotContain("clerk");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://localhost:5432/users?currentSchema=user_data",
                "jdbc:duckdb:/home/user/a@b/x=1.db",
                "jdbc:oracle:thin:@//localhost:1521/bank",
                "jdbc:h2:mem:service",
                "jdbc:postgresql://localhost:5432,other:5433/bank?ssl=true",
                "jdbc:sqlserver://localhost;databaseName=bank;integratedSecurity=true",
                "bank.duckdb"
            })
    void anAddressWithoutCredentialsIsAccepted(String address) {
        assertThat(Database.at(address)).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select * from dblink('host=h password=secret', 'select 1')",
                "select * from postgres_scan('postgresql://clerk:secret@h/db', 'public', 't')",
                "select * from postgres_scan('postgresql://clerk:/secret@h/db', 'public', 't')",
                "select * from x('host=h passphrase=secret')",
                "select * from x('host=h api_key=secret')"
            })
    void aQueryWithAPasswordInItIsRefusedAndNotRepeated(String query) {
        assertThatThrownBy(() -> ask(query))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("The query contains a password")
                .message()
                .doesNotContain("secret");
        assertThat(ask("select 'pass' as password where 'a' = 'a'").rows()).isEqualTo(1);
    }

    @Test
    void aMissingDriverIsReportedWithWhatToDo() {
        assertThatThrownBy(
                        () -> Database.at("jdbc:unknown://localhost/x").read("select 1", DataFile.Options.DEFAULT, TWO))
                .isInstanceOf(DataException.class)
                .hasMessage("There is no driver for jdbc:unknown.\nMaybe name its jar with driver(\"driver.jar\").");
        Path jar = folder.resolve("no.jar");
        assertThatThrownBy(() -> Database.at("jdbc:unknown://localhost/x")
                        .withDrivers(List.of(jar))
                        .read("select 1", DataFile.Options.DEFAULT, TWO))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("There is no driver file '" + jar + "'");
    }

    @Test
    void aJarOfAnotherDatabaseIsReported() throws Exception {
        Path jar = Files.write(folder.resolve("not.jar"), new byte[] {1, 2, 3});
        assertThatThrownBy(() -> Database.at("jdbc:unknown://localhost/x")
                        .withDrivers(List.of(jar))
                        .read("select 1", DataFile.Options.DEFAULT, TWO))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("No driver in [" + jar + "] accepts addresses that begin with jdbc:unknown");
    }

    @Test
    void parquetRowsKeepTheirOrderAndOnlyUsedColumnsAreRead() throws SQLException {
        Path file = folder.resolve("it's.parquet");
        execute("copy (select i, 'g' || (i % 5) as \"the g\", i * 0.25 as h from range(100000) t(i) order by i) to '"
                + file.toString().replace("'", "''") + "' (format parquet, row_group_size 10000)");

        Table all = DataFile.read(file, TWO);
        Table some = DataFile.read(file, DataFile.Options.DEFAULT.withColumns(Set.of("the g")::contains), TWO);

        assertThat(all.numeric("i").values())
                .isEqualTo(IntStream.range(0, 100000).asDoubleStream().toArray());
        assertThat(all.names()).containsExactly("i", "the g", "h").isEqualTo(some.names());
        assertThat(some.columns()).extracting(Column::name).containsExactly("the g");
        assertThat(some.source()).isEqualTo(all.source());
        assertThat(all.source().orElseThrow().name()).isEqualTo(file.toString());
    }

    @Test
    void aFolderOfParquetFilesIsReadInTheOrderOfTheirNames() throws Exception {
        Path parts = Files.createDirectory(folder.resolve("people.parquet"));
        for (int k : new int[] {1, 0, 2}) {
            execute("copy (select " + k + " as k) to '" + parts.resolve("part-" + k + ".parquet")
                    + "' (format parquet)");
        }
        Files.createFile(parts.resolve("_SUCCESS"));
        Files.write(parts.resolve(".part-0.parquet"), new byte[] {1});

        assertThat(DataFile.read(parts, TWO).numeric("k").values()).containsExactly(0, 1, 2);
    }

    private static Path parquet(Path file, String query) throws Exception {
        Files.createDirectories(file.getParent());
        execute("copy (" + query + ") to '" + file + "' (format parquet)");
        return file;
    }

    private static Table read(Path file) {
        return DataFile.read(file, TWO);
    }

    @ParameterizedTest
    @CsvSource({
        "data[1].parquet, data1.parquet",
        "w*.parquet, w2.parquet",
        "w?.parquet, w2.parquet",
        "[a]*[b]?.parquet, a1b2.parquet",
        "in[1]/p.parquet, in1/p.parquet",
        "d[1].parquet/w*.parquet, d[1].parquet/w2.parquet"
    })
    void charactersOfGlobPatternsInFileNamesAreLiteral(String named, String other) throws Exception {
        Path file = parquet(folder.resolve(named), "select 1 as k");
        parquet(folder.resolve(other), "select 2 as k");

        assertThat(read(file).numeric("k").values()).containsExactly(1);
        if (file.getParent().toString().endsWith(".parquet")) {
            assertThat(read(file.getParent()).numeric("k").values()).containsExactly(1, 2);
        }
    }

    @Test
    void hiddenFilesAndFoldersAreSkipped() throws Exception {
        Path people = folder.resolve("_out/.x/people.parquet");
        parquet(people.resolve("part-0.parquet"), "select 0 as k");
        parquet(people.resolve("more/part-1.parquet"), "select 1 as k");
        parquet(people.resolve("_temporary/0/part-0.parquet"), "select 2 as k");
        parquet(people.resolve(".staging/part-0.parquet"), "select 3 as k");

        assertThat(read(people).numeric("k").values()).containsExactlyInAnyOrder(0, 1);
    }

    @Test
    void aDeltaLakeTableIsRefused() throws Exception {
        Path people = folder.resolve("people.parquet");
        parquet(people.resolve("part-0.parquet"), "select 0 as k");
        Files.createDirectory(people.resolve("_delta_log"));

        assertThatThrownBy(() -> read(people))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("people.parquet' has a '_delta_log'")
                .hasMessageContaining("Maybe");
    }

    @Test
    void foldersAroundAParquetFileAreNotColumns() throws Exception {
        Path file = parquet(folder.resolve("run=5/a.parquet"), "select 1 as k");
        Path parts = folder.resolve("run=5/people.parquet");
        parquet(parts.resolve("part-0.parquet"), "select 1 as k");

        assertThat(read(file).names()).containsExactly("k");
        assertThat(read(parts).names()).containsExactly("k");
        assertThat(read(parts.resolve("part-0.parquet")).names()).containsExactly("k");
    }

    @Test
    void foldersWithinAParquetFolderAreColumnsAndThoseAroundItAreNot() throws Exception {
        Path parts = folder.resolve("run=5/people.parquet");
        parquet(parts.resolve("year=2023/_k=a/part-0.parquet"), "select 1 as x");
        parquet(parts.resolve("year=2024/_k=b/part-0.parquet"), "select 2 as x");

        Table all = read(parts);
        Table some = DataFile.read(parts, DataFile.Options.DEFAULT.withColumns(Set.of("year")::contains), TWO);
        Table none = DataFile.read(parts, DataFile.Options.DEFAULT.withColumns(Set.of()::contains), TWO);

        assertThat(all.names())
                .containsExactlyInAnyOrder("x", "year", "_k")
                .isEqualTo(some.names())
                .isEqualTo(none.names());
        assertThat(all.numeric("year").values()).containsExactly(2023, 2024);
        assertThat(some.numeric("year").values()).containsExactly(2023, 2024);
        assertThat(all.column("_k").text(1)).contains("b");
    }

    @ParameterizedTest
    @CsvSource({"run=5, 77 as run", "RUN=5, 77 as run", "year=1, 77 as x"})
    void aFolderAroundTheDataWithTheNameOfAColumnIsRefused(String around, String column) throws Exception {
        Path parts = folder.resolve(around).resolve("people.parquet");
        parquet(parts.resolve("year=2024/part-0.parquet"), "select 1 as k, " + column);

        assertThatThrownBy(() -> read(parts))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("'" + around + "'")
                .hasMessageContaining("Maybe");
    }

    @Test
    void errorsAboutParquetFilesDoNotMentionAQuery() throws Exception {
        Path damaged = Files.write(folder.resolve("c.parquet"), "PAR1 and no more".getBytes());
        Path empty = parquet(folder.resolve("d.parquet"), "select 1 as k where false");
        Path parts = folder.resolve("e.parquet");
        parquet(parts.resolve("a.parquet"), "select 1 as a");
        parquet(parts.resolve("b.parquet"), "select 1 as b");

        for (Path file : List.of(damaged, empty, parts)) {
            assertThatThrownBy(() -> read(file))
                    .isInstanceOf(DataException.class)
                    .hasMessageContaining("'" + file + "'")
                    .hasMessageContaining("Maybe")
                    .message()
                    .doesNotContain("query.")
                    .doesNotContain("condition")
                    .doesNotContain("jdbc:");
        }
        Database none = Database.ofFiles();
        assertThatThrownBy(() -> none.writeParquet(
                        folder.resolve("f.parquet"), Map.of("a", "NOTYPE"), out -> out.write("a\n1\n".getBytes()), TWO))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("f.parquet' could not be written")
                .message()
                .doesNotContain("query.");
    }

    @Test
    void contentThatIsNotParquetIsRefused() throws Exception {
        Path file = Files.writeString(folder.resolve("a.parquet"), "a,b\n1,2\n");
        assertThatThrownBy(() -> DataFile.read(file, TWO))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("is named as Parquet, but its content is not");
        assertThatThrownBy(() -> DataFile.read(folder.resolve("b.parquet"), TWO))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("There is no file")
                .hasMessageContaining("a.parquet");
        Files.write(folder.resolve("c.parquet"), "PAR1 and no more".getBytes());
        assertThatThrownBy(() -> DataFile.read(folder.resolve("c.parquet"), TWO))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("c.parquet' could not be read");
    }

    @Test
    void writtenParquetIsReadBackUnchanged() {
        Path file = folder.resolve("out.parquet");
        Map<String, String> types = Map.of("id", "VARCHAR", "row", "BIGINT");
        String csv = "id,row,prediction,\"move \"\"a\"\"\"\n007,1,0.1,\n\"x,\ny\",2,1e-300,3\n,3,NaN,-0.0\n";

        Database.ofFiles().writeParquet(file, types, out -> out.write(csv.getBytes()), TWO);

        Table table = DataFile.read(file, TWO);
        assertThat(table.names()).containsExactly("id", "row", "prediction", "move \"a\"");
        assertThat(table.column("id").text(0)).contains("007");
        assertThat(table.column("id").text(1)).contains("x,\ny");
        assertThat(table.column("id").isMissing(2)).isTrue();
        assertThat(table.numeric("prediction").values()).containsExactly(0.1, 1e-300, Double.NaN);
        assertThat(table.numeric("move \"a\"").values()).containsExactly(Double.NaN, 3, -0.0);
        assertThat(describe(file)).containsExactly("VARCHAR", "BIGINT", "DOUBLE", "DOUBLE");
    }

    private static List<String> describe(Path file) {
        Table described = ask("select column_type from (describe select * from '" + file + "')");
        return IntStream.range(0, described.rows())
                .mapToObj(i -> described.column("column_type").text(i).orElseThrow())
                .toList();
    }

    private static void execute(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
