package stackelberg.data.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.OutputStream;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.jar.JarOutputStream;
import java.util.logging.Logger;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stackelberg.data.DataException;
import stackelberg.data.Table;
import stackelberg.linalg.Workers;

/** The calls to a connection and their order, recorded by a driver that can refuse some of them. */
class ConnectionTest {
    private static final List<String> CALLS = new ArrayList<>();

    @TempDir
    Path folder;

    private Path jar;

    /** A driver over DuckDB that refuses the methods named in its address: jdbc:mind:setReadOnly,rollback. */
    public static final class Minding implements Driver {
        @Override
        public boolean acceptsURL(String url) {
            return url.startsWith("jdbc:mind:");
        }

        @Override
        public Connection connect(String url, Properties properties) throws SQLException {
            if (url.endsWith(":null")) {
                return null;
            }
            List<String> refused = List.of(url.split(":", 3)[2].split(","));
            Connection real = DriverManager.getConnection("jdbc:duckdb:");
            return proxy(Connection.class, real, refused);
        }

        private static <T> T proxy(Class<T> type, T real, List<String> refused) {
            boolean[] within = new boolean[1];
            InvocationHandler handler = (self, method, arguments) -> {
                String name = method.getName();
                if (!name.startsWith("get") && !name.startsWith("execute")) {
                    CALLS.add((type == Statement.class ? "statement." : "") + name);
                }
                if (refused.contains(name)) {
                    throw new SQLFeatureNotSupportedException(name + " is not for us");
                }
                if (name.equals("close") && within[0] && type == Connection.class) {
                    throw new SQLException("Cannot close a connection while a transaction is active");
                }
                switch (name) {
                    case "setAutoCommit" -> within[0] = Boolean.FALSE.equals(arguments[0]);
                    case "rollback", "commit" -> within[0] = false;
                    default -> {}
                }
                if (name.equals("setReadOnly")) {
                    return null;
                }
                try {
                    Object result = method.invoke(real, arguments);
                    return result instanceof Statement statement ? proxy(Statement.class, statement, refused) : result;
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            };
            return type.cast(Proxy.newProxyInstance(Minding.class.getClassLoader(), new Class<?>[] {type}, handler));
        }

        @Override
        public DriverPropertyInfo[] getPropertyInfo(String url, Properties properties) {
            return new DriverPropertyInfo[0];
        }

        @Override
        public int getMajorVersion() {
            return 1;
        }

        @Override
        public int getMinorVersion() {
            return 0;
        }

        @Override
        public boolean jdbcCompliant() {
            return false;
        }

        @Override
        public Logger getParentLogger() {
            return Logger.getGlobal();
        }
    }

    @BeforeEach
    void aDriverIsFoundInANamedJar() throws Exception {
        CALLS.clear();
        jar = folder.resolve("mind.jar");
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out)) {
            entries.putNextEntry(new ZipEntry("META-INF/services/java.sql.Driver"));
            entries.write(Minding.class.getName().getBytes(StandardCharsets.UTF_8));
            entries.closeEntry();
        }
    }

    private Table ask(String refused, String query) {
        return Database.at("jdbc:mind:" + refused)
                .withDrivers(List.of(jar))
                .read(query, DataFile.Options.DEFAULT, Workers.of(1));
    }

    @Test
    void aTransactionIsRolledBackBeforeTheConnectionIsClosed() {
        assertThat(ask("", "select 1 as a").rows()).isEqualTo(1);

        assertThat(CALLS)
                .containsSubsequence("setAutoCommit", "statement.close", "rollback", "close")
                .doesNotContain("commit");
    }

    @Test
    void aTransactionIsRolledBackIfItsQueryFails() {
        assertThatThrownBy(() -> ask("", "select * from nowhere"))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("The query was not answered by jdbc:mind:")
                .hasMessageContaining("nowhere");

        assertThat(CALLS).containsSubsequence("rollback", "close");
    }

    @Test
    void aDriverThatSupportsNoHintsCanBeRead() {
        assertThat(ask("setFetchSize,setReadOnly", "select 1 as a").rows()).isEqualTo(1);

        assertThat(CALLS).contains("setReadOnly", "statement.setFetchSize", "close");
    }

    @Test
    void theErrorOfTheQueryIsReportedEvenIfTheRollbackFails() {
        assertThatThrownBy(() -> ask("rollback", "select * from nowhere"))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("nowhere")
                .message()
                .doesNotContain("not for us");
        assertThat(CALLS).containsSubsequence("rollback", "close");
    }

    @Test
    void aConnectionThatCannotBePreparedIsClosed() {
        assertThatThrownBy(() -> ask("setAutoCommit", "select 1 as a"))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("could not be opened")
                .hasMessageContaining("setAutoCommit is not for us");
        assertThat(CALLS).containsExactly("setAutoCommit", "close");
    }

    @Test
    void aDriverThatReturnsNoConnectionIsReportedAsMissing() {
        assertThatThrownBy(() -> ask("null", "select 1 as a"))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("No driver in [" + jar + "] accepts addresses that begin with jdbc:mind");
    }
}
