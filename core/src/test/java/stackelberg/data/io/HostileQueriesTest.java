package stackelberg.data.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stackelberg.data.DataException;
import stackelberg.data.Table;
import stackelberg.linalg.Workers;

/** Queries that try to change tables, settings and files of a real PostgreSQL, run as its superuser, leave all of them unchanged. */
class HostileQueriesTest {
    private static final List<String> QUERIES = List.of(
            "commit; begin read write; delete from loans where age > 50; commit; select * from loans",
            "select * from loans; commit; delete from loans",
            "delete from loans",
            "delete from loans returning *",
            "update loans set age = 0 returning age",
            "insert into loans values (1) returning age",
            "truncate loans",
            "drop table loans",
            "create table other as select * from loans",
            "select * into other from loans",
            "copy loans to 'FILE'",
            "copy loans to program 'cat > FILE'",
            "copy (select 1) to program 'touch FILE'; select 1",
            "with gone as (delete from loans returning *) select * from gone",
            "with gone as (update loans set age = 1 returning *) table gone",
            "with new as (insert into loans values (7) returning *) select * from new",
            "(with gone as (merge into loans l using loans k on true when matched then delete returning l.*) select * from gone)",
            "select lo_export(LARGE, 'FILE')",
            "select \"lo_export\" (LARGE, 'FILE')",
            "select pg_catalog . lo_export /* ( */ (LARGE, 'FILE')",
            "select U&\"lo\\005Fexport\"(LARGE, 'FILE')",
            "select lo_from_bytea(4711, 'x')",
            "select lo_unlink(LARGE)",
            "select set_config('transaction_read_only', 'off', true), nextval('counter')",
            "select nextval('counter')",
            "select setval('counter', 99)",
            "select * from query_to_xml('select lo_export(LARGE, ''FILE'')', true, false, '')",
            "select remove_all()",
            "select write_file('FILE')",
            "select pg_read_file('/etc/passwd')",
            "select pg_reload_conf(), pg_terminate_backend(pid) from pg_stat_activity",
            "select pg_create_physical_replication_slot('slot', true)",
            "select * from loans for update",
            "do $$ begin delete from loans; end $$",
            "explain analyze delete from loans",
            "alter system set work_mem = '1GB'",
            "prepare gone as delete from loans; execute gone",
            "call remove_it()",
            "select '\\'; delete from loans; --'",
            "select E'\\''; delete from loans; --'",
            "select $a$ ' $a$; delete from loans; --'",
            "/* /* */ ' */ select 1; delete from loans; --'",
            "select $\u20ac$ ' $\u20ac$; commit; begin read write; delete from loans; commit; select 1 --'",
            "set session characteristics as transaction read write; delete from loans");

    private static Postgres server;

    @TempDir
    Path folder;

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

    @Test
    void hostileQueriesChangeNoTablesAndFiles() throws IOException, SQLException {
        // also the server's user could write here
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        server.execute(
                "create table loans (age integer)",
                "insert into loans select generate_series(1, 200)",
                "create sequence counter",
                "create function remove_all() returns int language sql as 'delete from loans; select 1'",
                "create function write_file(name text) returns int language plpgsql as"
                        + " 'begin execute ''copy loans to '' || quote_literal(name); return 1; end'",
                "create procedure remove_it() language sql as 'delete from loans'",
                "select lo_from_bytea(4242, 'content')");
        String before = state();
        assertThat(QUERIES).hasSizeGreaterThan(30).doesNotHaveDuplicates();
        for (String hostile : QUERIES) {
            String query = hostile.replace("FILE", folder.resolve("written").toString())
                    .replace("LARGE", "4242");
            assertThatThrownBy(() -> ask(query)).as(query).isInstanceOf(DataException.class);
            assertThat(state()).as(query).isEqualTo(before);
        }
        assertThat(ask("select * from loans where random() >= 0 and now() is not null order by age")
                        .rows())
                .isEqualTo(200);
    }

    /** The read-only transaction is the last defence: the check passes a function that is declared to read only. */
    @Test
    void aFunctionWronglyDeclaredStableStillCannotWrite() throws SQLException {
        server.execute(
                "create table savings (age integer)",
                "insert into savings values (1)",
                "create function sweep(text) returns int stable language plpgsql as 'begin execute $1; return 1; end'");
        for (String statement : List.of("delete from savings", "set transaction read write", "commit")) {
            assertThatThrownBy(() -> ask("select sweep('" + statement + "')"))
                    .as(statement)
                    .isInstanceOf(DataException.class);
        }
        assertThat(ask("select * from savings").rows()).isEqualTo(1);
    }

    private static Table ask(String query) {
        return Database.at(server.address())
                .withCredentials(Postgres.USER, Postgres.PASSWORD)
                .read(query, DataFile.Options.DEFAULT, Workers.of(1));
    }

    /** The state that a query could have changed: tables and their rows, large objects, counters, replication slots, settings and files. */
    private String state() throws SQLException, IOException {
        List<String> state = new ArrayList<>();
        for (String query : List.of(
                "select relname from pg_class order by 1",
                "select age from loans order by age",
                "select oid || ' ' || encode(lo_get(oid), 'hex') from pg_largeobject_metadata order by 1",
                "select last_value || ' ' || is_called from counter",
                "select slot_name from pg_replication_slots",
                "select name || setting from pg_settings where name in ('work_mem', 'default_transaction_read_only')")) {
            try (Connection connection = server.connect();
                    Statement statement = connection.createStatement();
                    ResultSet result = statement.executeQuery(query)) {
                while (result.next()) {
                    state.add(result.getString(1));
                }
            }
        }
        try (Stream<Path> files = Files.list(folder)) {
            files.forEach(file -> state.add(file.toString()));
        }
        return String.join("\n", state);
    }
}
