package stackelberg.data.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.data.DataException;
import stackelberg.data.io.SqlQuery.Dialect;

class SqlQueryTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "select 1",
                " ( select 1 ) ; ; -- done; really",
                "SELECT ';', 'it''s; fine', \"a;b\" FROM t;",
                "/* a; b */ values (1), (2)",
                "table loans",
                "with t as (select 'insert into', \"delete\" from x) select * from t",
                "select updated, deleted from t",
                "select a from t where b = 'C:\\'",
                "select \u00e9tat, e\u0301tat, \ud83d\ude00, '\u00a0' from \u8868 -- \u00a0"
            })
    void aSingleQueryIsAcceptedForAnyDatabase(String query) {
        for (Dialect dialect : Dialect.values()) {
            SqlQuery.requireOne(query, dialect);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-- nothing",
                "'select'; delete from t",
                "\"select\" 1",
                "delete from t",
                "commit; select 1",
                "select 1; select 2",
                "select 1 /* ; */ ; /* */ drop table t",
                "explain analyze delete from t",
                "copy t to program 'x'",
                "call f()",
                "do $$ begin end $$",
                "begin",
                "with t as (delete from x returning *) select * from t",
                "( with t as (update x set a = 1 returning *) select * from t )",
                "select 1 /*! into outfile 'x' */",
                "select 1 from U&\"x\""
            })
    void aTextThatIsNotASingleQueryIsRefusedForAnyDatabase(String query) {
        for (Dialect dialect : Dialect.values()) {
            assertThatThrownBy(() -> SqlQuery.requireOne(query, dialect))
                    .as(dialect.name())
                    .isInstanceOf(DataException.class)
                    .hasMessageContaining("Only one statement that reads");
        }
    }

    /** Each text hides a second statement from a reader with other rules for quotes and comments. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "POSTGRESQL | select '\\'; delete from t; --'",
                "POSTGRESQL | select '\\''; delete from t; --'",
                "POSTGRESQL | select E'\\''; delete from t; --'",
                "POSTGRESQL | ~select E'a'\n'\\''; delete from t; --'~",
                "POSTGRESQL | select $a$ $b$ ' $a$; delete from t; --'",
                "POSTGRESQL | select 1$$'$$; delete from t; --'",
                "POSTGRESQL | /* /* */ ' */ select 1; delete from t; --'",
                "POSTGRESQL | select 1 # 2; delete from t",
                "POSTGRESQL | select a[1]; delete from t; --]",
                "POSTGRESQL | select $\u20ac$ ' $\u20ac$; delete from t; --'",
                "POSTGRESQL | select $\u0663$ ' $\u0663$; delete from t; --'",
                "POSTGRESQL | select $a\u0301$ ' $a\u0301$; delete from t; --'",
                "POSTGRESQL | select $\u00a0$ ' $\u00a0$; delete from t; --'",
                "POSTGRESQL | select \u20ace'\\'; delete from t; --'",
                "POSTGRESQL | select 1 as \u00a0e'\\'; delete from t; --'",
                "DUCKDB | select $\u20ac$ ' $\u20ac$; delete from t; --'",
                "SQL_SERVER | select * from t delete from t",
                "SQL_SERVER | select 1 as a exec xp_cmdshell 'x'",
                "SQL_SERVER | select * from t commit",
                "OTHER | select * from old table (delete from t)",
                "MYSQL | select 1 --1; delete from t",
                "MYSQL | ~select 1 # '\n; delete from t; -- '~",
                "MYSQL | select `'`; delete from t; -- '",
                "MYSQL | select '\\''; delete from t; -- '",
                "MYSQL | select \"\\\"'\"; delete from t; -- '",
                "MYSQL | /* /* */ select 1; delete from t; -- */",
                "MYSQL | select * into outfile 'x' from t",
                "OTHER | select [']; delete from t; --']",
                "OTHER | select $$'$$; delete from t; --'",
                "OTHER | select '\\''; delete from t; --'",
                "OTHER | select * into x from t",
                "OTHER | select csvwrite('x', 'select 1')"
            })
    void aSecondStatementIsFoundHoweverTheDatabaseReadsQuotes(Dialect dialect, String query) {
        assertThatThrownBy(() -> SqlQuery.requireOne(query, dialect)).isInstanceOf(DataException.class);
    }

    @Test
    void namesBeforeAParenthesisAreFoundHoweverTheyAreWritten() {
        assertThat(Stream.of(
                        "select LO_EXPORT(1)",
                        "select \"lo_export\" (1)",
                        "select pg_catalog.lo_export/* */(1)",
                        "select pg_catalog . \"lo_export\"\n-- (\n(1)"))
                .allSatisfy(query -> assertThat(SqlQuery.requireOne(query, Dialect.POSTGRESQL))
                        .containsExactly("lo_export"));
        assertThat(SqlQuery.requireOne("select 'f(1)', $$f(1)$$ /* f(1) */", Dialect.POSTGRESQL))
                .isEmpty();
    }
}
