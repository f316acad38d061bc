package stackelberg.data.io;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import stackelberg.data.DataException;
import stackelberg.data.Message;

/**
 * Checks that a text is exactly one SQL statement that reads, before it is sent to a database.
 *
 * <p>Databases differ in how they read quotes and comments, some depending on their configuration, and a second statement could be hidden in what another
 * database takes for a string. So the text must be a single query in every way in which its database may read it. If a quote stays open in one of them, that
 * reading is ignored: the database would report the error itself.
 */
final class SqlQuery {
    /** A rule of syntax that only some databases have; {@code sign} is the text without which it makes no difference. */
    private enum Habit {
        /** A backslash escapes in '...'. */
        BACKSLASHES("\\"),
        /** A backslash escapes in "...", too. */
        BACKSLASHES_IN_DOUBLE_QUOTES("\\"),
        /** A backslash escapes in E'...'. */
        ESCAPE_STRINGS("\\"),
        /** Comments nest. */
        NESTED_COMMENTS("/*"),
        /** $$...$$ and $tag$...$tag$ are strings. */
        DOLLAR_QUOTES("$"),
        /** A # begins a comment. */
        HASH_COMMENTS("#"),
        /** `...` is an identifier. */
        BACKTICKS("`"),
        /** [...] is an identifier. */
        BRACKETS("["),
        /** Two dashes begin a comment only before a blank. */
        BLANK_AFTER_DASHES("--"),
        /** A carriage return ends a comment of two dashes. */
        RETURN_ENDS_COMMENT("\r");

        private final String sign;

        Habit(String sign) {
            this.sign = sign;
        }
    }

    /** The syntax of a kind of database: the rules that it has, and those that it may have, depending on its configuration. */
    enum Dialect {
        // The setting standard_conforming_strings decides whether a backslash escapes.
        POSTGRESQL(
                EnumSet.of(Habit.ESCAPE_STRINGS, Habit.NESTED_COMMENTS, Habit.DOLLAR_QUOTES, Habit.RETURN_ENDS_COMMENT),
                EnumSet.of(Habit.BACKSLASHES)),
        DUCKDB(
                EnumSet.of(Habit.ESCAPE_STRINGS, Habit.NESTED_COMMENTS, Habit.DOLLAR_QUOTES, Habit.RETURN_ENDS_COMMENT),
                EnumSet.noneOf(Habit.class)),
        MYSQL(
                EnumSet.of(Habit.HASH_COMMENTS, Habit.BACKTICKS, Habit.BLANK_AFTER_DASHES),
                EnumSet.of(Habit.BACKSLASHES, Habit.BACKSLASHES_IN_DOUBLE_QUOTES)),
        SQL_SERVER(
                EnumSet.of(Habit.NESTED_COMMENTS, Habit.BRACKETS),
                EnumSet.of(Habit.BACKSLASHES, Habit.RETURN_ENDS_COMMENT)),
        OTHER(EnumSet.noneOf(Habit.class), EnumSet.allOf(Habit.class));

        private final Set<Habit> has;
        private final Set<Habit> mayHave;

        Dialect(Set<Habit> has, Set<Habit> mayHave) {
            this.has = has;
            this.mayHave = mayHave;
        }

        /** The dialect of the database at an address. */
        static Dialect of(String address) {
            return switch (Database.kind(address)) {
                case "jdbc:postgresql" -> POSTGRESQL;
                case "jdbc:duckdb" -> DUCKDB;
                case "jdbc:mysql", "jdbc:mariadb" -> MYSQL;
                case "jdbc:sqlserver", "jdbc:jtds", "jdbc:sybase" -> SQL_SERVER;
                default -> OTHER;
            };
        }
    }

    /** The words with which a query may begin. */
    private static final Set<String> QUERIES = Set.of("select", "with", "values", "table");

    private static final Set<String> QUERIES_OF_DUCKDB =
            Set.of("select", "with", "values", "table", "from", "pivot", "unpivot", "describe", "summarize");
    /** The words that begin a part of a statement that writes. */
    private static final Set<String> WRITES = Set.of("insert", "update", "delete", "merge");

    /** The reserved words of SQL Server that begin a statement; in that database a statement may follow another one without a semicolon. */
    private static final Set<String> BEGIN_STATEMENTS = Set.of(
            "alter",
            "backup",
            "begin",
            "bulk",
            "checkpoint",
            "close",
            "commit",
            "create",
            "dbcc",
            "deallocate",
            "declare",
            "delete",
            "deny",
            "drop",
            "exec",
            "execute",
            "goto",
            "grant",
            "if",
            "insert",
            "kill",
            "open",
            "print",
            "raiserror",
            "readtext",
            "reconfigure",
            "restore",
            "return",
            "revert",
            "revoke",
            "rollback",
            "save",
            "set",
            "setuser",
            "shutdown",
            "truncate",
            "update",
            "updatetext",
            "use",
            "waitfor",
            "while",
            "writetext");

    /** Functions of DuckDB, H2, SQLite, SQL Server and extensions of MySQL that write, load code, change settings or run a text as SQL. */
    private static final Set<String> FORBIDDEN = Set.of(
            "enable_logging",
            "disable_logging",
            "enable_profiling",
            "disable_profiling",
            "truncate_duckdb_logs",
            "write_log",
            "checkpoint",
            "force_checkpoint",
            "query",
            "json_execute_serialized_sql",
            "csvwrite",
            "file_write",
            "link_schema",
            "load_extension",
            "writefile",
            "openquery",
            "openrowset",
            "opendatasource",
            "sys_exec",
            "sys_eval");

    private static final char MOST_ASCII = 127;

    private static final String RULE = "Only one statement that reads is sent to the database.";

    private final String text;
    private final Dialect dialect;
    private final Set<Habit> habits;
    /** The words outside of quotes and comments, in lower case, in order. */
    private final List<String> words = new ArrayList<>();
    /** The names that stand before a parenthesis: functions, and others such as "in". */
    private final Set<String> called = new LinkedHashSet<>();
    /** The position of the scan. */
    private int at;

    private SqlQuery(String text, Dialect dialect, Set<Habit> habits) {
        this.text = text;
        this.dialect = dialect;
        this.habits = habits;
    }

    /** Refuses a text that is not a single query; returns the names that stand before a parenthesis, which include all functions that it calls. */
    static Set<String> requireOne(String text, Dialect dialect) {
        if (text.contains("/*!") || text.contains("/*M!")) {
            throw DataException.of(
                    "query-mysql-comment",
                    "The query has a comment /*!, which MySQL runs as SQL. {}\n" + "Maybe leave the comment out.",
                    RULE);
        }
        List<Habit> open = dialect.mayHave.stream()
                .filter(habit -> text.contains(habit.sign))
                .toList();
        // One reading for each subset of the rules that the database may have.
        Set<String> called = new LinkedHashSet<>();
        for (int reading = 0; reading < 1 << open.size(); reading++) {
            EnumSet<Habit> habits = EnumSet.copyOf(dialect.has);
            for (int k = 0; k < open.size(); k++) {
                if ((reading >> k & 1) == 1) {
                    habits.add(open.get(k));
                }
            }
            SqlQuery query = new SqlQuery(text, dialect, habits);
            query.scan();
            query.requireQuery();
            called.addAll(query.called);
        }
        return called;
    }

    /** Refuses a statement that begins with another word than a query, contains a part that writes, or calls a forbidden function. */
    private void requireQuery() {
        String first = words.isEmpty() ? "" : words.get(0);
        if (!(dialect == Dialect.DUCKDB ? QUERIES_OF_DUCKDB : QUERIES).contains(first)) {
            throw DataException.of(
                    "query-first-word",
                    "{}{}\n" + "Maybe begin with select, with, values or table.",
                    first.isEmpty()
                            ? "The query does not begin with a word. "
                            : "The query begins with '" + first + "'. ",
                    RULE);
        }
        // Statements that write can be nested: with t as (delete ...), and in H2 and Db2 select ... from old table
        // (delete ...).
        boolean nests = words.contains("with") || called.contains("table");
        for (String word : words) {
            // select ... into creates a table or, in MySQL, a file. DuckDB has no such statement, but its unpivot has
            // an into.
            if (nests && WRITES.contains(word)
                    || word.equals("into") && dialect != Dialect.DUCKDB
                    || dialect == Dialect.SQL_SERVER && BEGIN_STATEMENTS.contains(word)) {
                throw DataException.of(
                        "query-writes",
                        "The query contains the word '{}', so it may write. {}\n"
                                + "Maybe leave that part out, or put a column of that name in quotes.",
                        word,
                        RULE);
            }
        }
        for (String name : called) {
            if (FORBIDDEN.contains(name.toLowerCase(Locale.ROOT))) {
                throw DataException.of(
                        "query-calls",
                        "The query calls '{}', which does more than read. {}\n" + "Maybe leave the call out.",
                        name,
                        RULE);
            }
        }
    }

    /** Collects the words and the names before parentheses; refuses a second statement. */
    private void scan() {
        boolean ended = false;
        boolean begun = false;
        boolean afterEscapeString = false;
        // The word or quoted name right before the position, null if something else is.
        String name = null;
        while (skipBlanksAndComments()) {
            char c = text.charAt(at);
            requireKnown(c);
            if (c == ';') {
                ended = true;
                at++;
                continue;
            }
            if (ended) {
                throw DataException.of(
                        "query-statements",
                        "The query has more than one statement. {}\n"
                                + "Maybe leave out what follows the first semicolon.",
                        RULE);
            }
            boolean escapeString = false;
            if (c == '\'') {
                // A string right after an escape string continues it.
                escapeString = afterEscapeString;
                skipQuoted('\'', escapeString || habits.contains(Habit.BACKSLASHES));
                name = null;
            } else if (c == '"') {
                name = skipQuoted('"', habits.contains(Habit.BACKSLASHES_IN_DOUBLE_QUOTES));
            } else if (c == '`' && habits.contains(Habit.BACKTICKS)) {
                name = skipQuoted('`', false);
            } else if (c == '[' && habits.contains(Habit.BRACKETS)) {
                name = skipQuoted(']', false);
            } else if (c == '$' && habits.contains(Habit.DOLLAR_QUOTES) && skipDollarQuoted()) {
                name = null;
            } else if (isWordStart(c)) {
                name = word();
                words.add(name);
                escapeString = name.equals("e") && habits.contains(Habit.ESCAPE_STRINGS) && text.startsWith("'", at);
                if (escapeString) {
                    skipQuoted('\'', true);
                }
            } else {
                if (c == '(' && name != null) {
                    called.add(name);
                }
                if (!begun && c != '(') {
                    // Noted as a word, so that a statement that begins with it is refused.
                    words.add(String.valueOf(c));
                }
                name = null;
                at++;
            }
            begun |= c != '(';
            afterEscapeString = escapeString;
        }
    }

    /** Refuses blanks and invisible characters beyond ASCII, because some databases read them as blanks and others as letters. */
    private static void requireKnown(char c) {
        if (c > MOST_ASCII
                && (Character.isSpaceChar(c)
                        || Character.isWhitespace(c)
                        || Character.isISOControl(c)
                        || Character.getType(c) == Character.FORMAT)) {
            throw new DataException(Message.plain(
                    "query-character",
                    String.format(
                            Locale.ROOT,
                            "The query has the character U+%04X outside of quotes, which databases read differently. %s\nMaybe"
                                    + " replace it by a blank.",
                            (int) c,
                            RULE)));
        }
    }

    /** Skips blanks and comments; returns whether anything follows. */
    private boolean skipBlanksAndComments() {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c <= ' ') {
                at++;
            } else if (c == '-' && startsDashes() || c == '#' && habits.contains(Habit.HASH_COMMENTS)) {
                skipLine();
            } else if (text.startsWith("/*", at)) {
                skipComment();
            } else {
                return true;
            }
        }
        return false;
    }

    /** Whether a comment of two dashes begins here. */
    private boolean startsDashes() {
        if (!text.startsWith("--", at)) {
            return false;
        }
        boolean blank = at + 2 >= text.length() || text.charAt(at + 2) <= ' ';
        return blank || !habits.contains(Habit.BLANK_AFTER_DASHES);
    }

    private void skipLine() {
        while (at < text.length()
                && text.charAt(at) != '\n'
                && !(text.charAt(at) == '\r' && habits.contains(Habit.RETURN_ENDS_COMMENT))) {
            at++;
        }
    }

    /** Skips a comment in slashes and stars, nested ones included if the database has them. */
    private void skipComment() {
        int depth = 0;
        do {
            boolean opens = text.startsWith("/*", at);
            boolean closes = text.startsWith("*/", at);
            if (opens && (depth == 0 || habits.contains(Habit.NESTED_COMMENTS))) {
                depth++;
                at += 2;
            } else if (closes) {
                depth--;
                at += 2;
            } else {
                at++;
            }
        } while (depth > 0 && at < text.length());
    }

    /** Skips a quoted text, in which a doubled quote stands for one, and returns its content. */
    private String skipQuoted(char close, boolean backslashes) {
        StringBuilder content = new StringBuilder();
        at++;
        while (at < text.length()) {
            char c = text.charAt(at);
            boolean doubled = c == close && at + 1 < text.length() && text.charAt(at + 1) == close;
            if (c == close && !doubled) {
                at++;
                break;
            }
            content.append(c);
            at += doubled || c == '\\' && backslashes ? 2 : 1;
        }
        return content.toString();
    }

    /** Skips a string such as $tag$...$tag$; false if there is none here ($1 is a parameter). */
    private boolean skipDollarQuoted() {
        int end = at + 1;
        while (end < text.length() && isWordPart(text.charAt(end)) && text.charAt(end) != '$') {
            requireKnown(text.charAt(end));
            end++;
        }
        boolean parameter = end > at + 1 && isDigit(text.charAt(at + 1));
        if (parameter || end >= text.length() || text.charAt(end) != '$') {
            return false;
        }
        String tag = text.substring(at, end + 1);
        int close = text.indexOf(tag, end + 1);
        at = close < 0 ? text.length() : close + tag.length();
        return true;
    }

    /** Consumes a word and returns it in lower case. */
    private String word() {
        int from = at;
        while (at < text.length() && isWordPart(text.charAt(at))) {
            requireKnown(text.charAt(at));
            at++;
        }
        String word = text.substring(from, at).toLowerCase(Locale.ROOT);
        if (word.equals("u") && text.startsWith("&\"", at)) {
            throw DataException.of(
                    "query-identifier",
                    "The query has an identifier U&\"...\", which cannot be checked. {}\n"
                            + "Maybe write its characters without escapes.",
                    RULE);
        }
        return word;
    }

    private static boolean isWordStart(char c) {
        return isWordPart(c) && c != '$' && !isDigit(c);
    }

    /** Whether a character belongs to a name or to the tag of a dollar quote; databases read all characters beyond ASCII as letters. */
    private static boolean isWordPart(char c) {
        return c == '_' || c == '$' || isDigit(c) || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c > MOST_ASCII;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
