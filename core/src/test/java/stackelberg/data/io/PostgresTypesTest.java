package stackelberg.data.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.data.CategoricalColumn;
import stackelberg.data.DataException;
import stackelberg.data.Table;
import stackelberg.linalg.Workers;

/** Every type of a real PostgreSQL is read as the same data in a CSV file. */
@Tag("database")
class PostgresTypesTest {
    private static Postgres server;

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

    private static Table ask(String query) {
        return Database.at(server.address())
                .withCredentials(Postgres.USER, Postgres.PASSWORD)
                .read(query, DataFile.Options.DEFAULT, Workers.of(1));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "true | 1",
                "false | 0",
                "7::smallint | 7",
                "-7::integer | -7",
                "9007199254740993::bigint | 9007199254740992",
                "0.1::double precision | 0.1",
                "0.5::real | 0.5",
                "1e-320::double precision | 1e-320",
                "12.345::numeric(9,3) | 12.345",
                "0.1::numeric | 0.1",
                "123456789012345678901234567.8901::numeric | 123456789012345678901234567.8901",
                "0::numeric | 0",
                "12.5::money | 12.5",
                "5::oid | 5",
                "B'1'::bit(1) | 1",
                "count(*) over () | 1"
            })
    void numericTypesAreReadAsNumbers(String value, double expected) {
        Table table = ask("select " + value + " as x union all select null");

        assertThat(table.numeric("x").value(0)).isEqualTo(expected);
        assertThat(table.numeric("x").isMissing(1)).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "'red'::text | red",
                "' red '::varchar(9) | red",
                "'red'::char(9) | red",
                "'12'::text | 12",
                "date '2024-01-31' | 2024-01-31",
                "timestamp '2024-01-31 12:34:56' | 2024-01-31 12:34:56",
                "timestamp '2024-01-31 12:34:56.789' | 2024-01-31 12:34:56.789",
                "timestamptz '2024-01-31 12:34:56+02' | 2024-01-31 10:34:56+00",
                "time '12:34:56' | 12:34:56",
                "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid | a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
                "interval '3 days' | 3 days",
                "'10.0.0.1'::inet | 10.0.0.1",
                "'[1]'::json | [1]"
            })
    void otherTypesAreReadAsText(String value, String expected) {
        Table table = ask("select * from (select " + value + " as x) t union all select null");

        assertThat(table.column("x")).isInstanceOf(CategoricalColumn.class);
        assertThat(table.column("x").text(0)).contains(expected);
        assertThat(table.column("x").isMissing(1)).isTrue();
    }

    @Test
    void aStringOfBitsIsTextAndASingleBitIsABoolean() {
        server.execute("create table bits (one bit(1), three bit(3))", "insert into bits values (B'1', B'101')");
        Table table = ask("select * from bits");

        assertThat(table.numeric("one").value(0)).isEqualTo(1);
        assertThat(table.column("three").text(0)).contains("101");
    }

    @ParameterizedTest
    @ValueSource(strings = {"'abc'::bytea", "array[1,2]"})
    void typesThatAreNeitherNumberNorTextAreRefused(String value) {
        assertThatThrownBy(() -> ask("select 1 as a, " + value + " as x"))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("Column 'x' has the type");
    }

    @Test
    void notANumberIsMissingAndInfinityIsRefused() {
        assertThat(ask("select 'NaN'::numeric as x, 'NaN'::float8 as y")
                        .numeric("x")
                        .isMissing(0))
                .isTrue();
        assertThatThrownBy(() -> ask("select 'Infinity'::float8 as x"))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("Column 'x', row 1: Infinity is not a finite number");
    }

    @Test
    void manyRowsKeepTheirOrderThroughACursor() {
        Table table = ask("select i, i * 0.1 as tenth, case when i % 7 = 0 then null else i::text end as t"
                + " from generate_series(0, 29999) i order by i");

        assertThat(table.rows()).isEqualTo(30000);
        for (int i = 0; i < table.rows(); i++) {
            assertThat(table.numeric("i").value(i)).isEqualTo(i);
            assertThat(table.numeric("tenth").value(i)).isEqualTo(Double.parseDouble(i / 10 + "." + i % 10));
            assertThat(table.column("t").isMissing(i)).isEqualTo(i % 7 == 0);
        }
    }

    @Test
    void anErrorWhileRowsAreFetchedIsReported() {
        assertThatThrownBy(() -> ask("select 1 / (i - 20000) as x from generate_series(1, 30000) i"))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("The query was not answered")
                .hasMessageContaining("division by zero");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "select * from nowhere | relation \"nowhere\" does not exist",
                "selec | The query begins with 'selec'",
                "select from where | syntax error",
                "select 1 a, 2 a | two columns named 'a'",
                "select 1 a where false | 1 column but no rows"
            })
    void anInvalidQueryIsReported(String query, String expected) {
        assertThatThrownBy(() -> ask(query)).isInstanceOf(DataException.class).hasMessageContaining(expected);
    }
}
