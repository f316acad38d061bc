package stackelberg.game;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import stackelberg.data.CategoricalColumn;
import stackelberg.data.Column;
import stackelberg.data.DataException;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;

/**
 * What a table's columns are when nobody says: identifiers and dates name rows instead of describing people, so that a rule would learn the rows by
 * heart, and are left out; so are columns that are the same for everybody, of which a rule could only make a lever, and columns that hold the wish; categories of too many levels are
 * refused (decision 18).
 *
 * @param features the columns that stay
 * @param notes which were left out, why, and how to keep them
 * @param wished those that were left out because they are equal to the wish
 */
record Recognition(List<String> features, List<String> notes, List<String> wished) {
    /** Below this many rows a column may well have a value of its own in each of them; a date is a date in any. */
    static final int ROWS_TO_TELL = 20;

    /** So many levels are categories however few the rows are. */
    private static final int LEVELS_TO_TELL = 20;

    /** A tenth of the rows: fewer than ten rows for each level. */
    private static final int ROWS_PER_LEVEL = 10;

    /** Different values in more than nine of ten rows are names. */
    private static final double NEARLY_ALL = 0.9;

    /** id, customer_id, customer id, customerId, CustomerID; not covid or paid. */
    private static final Pattern NAMED_ID =
            Pattern.compile("((.*[^\\p{Alnum}])?[iI][dD]|.*[\\p{Lower}\\p{Digit}]I[dD])");

    /** A number with something around it: a parenthesis, a sign at either end, a unit. */
    private static final Pattern AMOUNT = Pattern.compile(
            "[-+]?\\(?[^\\p{Alnum}\\s]?\\s?([0-9]{1,3}([,.' ][0-9]{3})+|[0-9]+)([.,][0-9]+)?\\)?-?\\s?\\p{Alpha}{0,4}");

    /** What tools call the number of a row. */
    private static final Pattern NAMED_ROW = Pattern.compile(
            "#|nr\\.?|no\\.?|unnamed: 0|index|((row|obs|record|case|line|serial)[ _.-]?(no\\.?|nr\\.?|num(ber)?|names?|index)?)",
            Pattern.CASE_INSENSITIVE);

    /**
     * What becomes of a column.
     *
     * @param use a feature, left out, or reason enough to refuse the data
     * @param look what it looks like, null for nothing in particular
     * @param why in words; null for a feature
     */
    record Verdict(Description.Use use, Description.Look look, String why) {
        private static final Verdict FEATURE = new Verdict(Description.Use.FEATURE, null, null);

        private static Verdict leftOut(Description.Look look, String why) {
            return new Verdict(Description.Use.LEFT_OUT, look, why);
        }

        private static Verdict refused(String why) {
            return new Verdict(Description.Use.REFUSED, null, why);
        }
    }

    /**
     * What stays whatever it holds.
     *
     * @param kept columns that somebody named, or that are part of a block of numbers
     * @param constant columns that stay even if they are the same for everybody: those of the rule in force
     * @param level whether numbers that are the same for everybody stay, because they can be the only constant that a rule has
     * @param nameless columns without a name, which may number the rows
     * @param wished columns that are equal to the wish, and which nobody named: the only ones of a block that do not stay
     */
    record Exceptions(
            Predicate<String> kept,
            Predicate<String> constant,
            boolean level,
            Set<String> nameless,
            Set<String> wished) {
        static Exceptions of(Table table, GameSpec spec) {
            Set<String> named = Roles.named(spec);
            Set<String> block = table.block()
                    .map(b -> (Set<String>) new HashSet<>(b.names()))
                    .orElse(Set.of());
            Predicate<String> inForce = spec.today().usedColumns();
            // of one person nothing differs
            boolean one = table.rows() < 2;
            Predicate<String> kept =
                    name -> named.contains(name) || named.stream().anyMatch(other -> other.startsWith(name + "="));
            return new Exceptions(
                    kept.or(block::contains),
                    name -> one || inForce.test(name),
                    !spec.hasConstant(),
                    Recognition.nameless(table.names()),
                    WishColumns.of(table, spec, kept));
        }
    }

    /** Looks at the columns that would be features. */
    static Recognition of(Table table, List<String> candidates, GameSpec spec) {
        Exceptions exceptions = Exceptions.of(table, spec);
        List<String> features = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        List<String> constants = new ArrayList<>();
        List<String> wished = new ArrayList<>();
        for (String name : candidates) {
            Verdict verdict = verdict(table, name, exceptions);
            switch (verdict.use()) {
                case FEATURE -> features.add(name);
                case REFUSED -> throw new DataException(verdict.why());
                default -> {
                    if (verdict.look() == Description.Look.CONSTANT) {
                        constants.add(name);
                    } else if (verdict.look() == Description.Look.WISH) {
                        wished.add(name);
                    } else {
                        notes.add(verdict.why());
                    }
                }
            }
        }
        if (!constants.isEmpty()) {
            notes.add(Sample.LEFT_OUT + SampleWarnings.someOf(constants)
                    + " To keep such a column, name it in features(...).");
        }
        if (!wished.isEmpty()) {
            notes.add("Ignored columns: " + SampleWarnings.some(wished)
                    + " (equal to the wish in every row). To keep such a column, name it in features(...).");
        }
        if (features.isEmpty() && !notes.isEmpty()) {
            throw new DataException("No column is left that could be a feature.\n" + String.join("\n", notes));
        }
        return new Recognition(List.copyOf(features), List.copyOf(notes), List.copyOf(wished));
    }

    /** What becomes of a column. */
    static Verdict verdict(Table table, String name, Exceptions exceptions) {
        if (exceptions.wished.contains(name)) {
            return Verdict.leftOut(
                    Description.Look.WISH,
                    "Column '" + name
                            + "' is equal to the wish in every row and is ignored. To keep it, name it in features(...).");
        }
        if (exceptions.kept.test(name)) {
            return Verdict.FEATURE;
        }
        Column column = table.column(name);
        if (column instanceof CategoricalColumn texts) {
            return texts.declared() ? Verdict.FEATURE : verdict(table, texts, exceptions);
        }
        NumericColumn numbers = (NumericColumn) column;
        if (isConstant(numbers)) {
            return exceptions.level ? Verdict.FEATURE : constant(name, exceptions);
        }
        return table.rows() >= ROWS_TO_TELL && numbersRows(table, numbers, exceptions.nameless.contains(name))
                ? Verdict.leftOut(
                        Description.Look.IDENTIFIER,
                        "Column '" + name
                                + "' numbers the rows and is left out: it says who people are, not how they are. To keep"
                                + " it, name it in features(...).")
                : Verdict.FEATURE;
    }

    private static Verdict constant(String name, Exceptions exceptions) {
        return exceptions.constant.test(name)
                ? Verdict.FEATURE
                : Verdict.leftOut(
                        Description.Look.CONSTANT,
                        "Column '" + name
                                + "' has the same value in all rows, says nothing and is left out: a rule could only make a lever"
                                + " of it. To keep it, name it in features(...).");
    }

    private static boolean isConstant(NumericColumn column) {
        double first = Double.NaN;
        for (int i = 0; i < column.rows(); i++) {
            double value = column.value(i);
            if (Double.isNaN(first)) {
                first = value;
            } else if (value != first && !Double.isNaN(value)) {
                return false;
            }
        }
        return !Double.isNaN(first);
    }

    private static Verdict verdict(Table table, CategoricalColumn column, Exceptions exceptions) {
        boolean[] seen = new boolean[column.levels().size()];
        int levels = 0;
        int values = 0;
        for (int i = 0; i < column.rows(); i++) {
            int code = column.code(i);
            if (code >= 0) {
                levels += seen[code] ? 0 : 1;
                values++;
                seen[code] = true;
            }
        }
        String name = column.name();
        if (levels == 1) {
            return constant(name, exceptions);
        }
        String keep =
                " To keep it, read it as categories with categorical(\"" + name + "\") or name it in features(...).";
        if (Dates.are(column.levels())) {
            return Verdict.leftOut(
                    Description.Look.DATE,
                    "Column '" + name + "' holds dates or times, such as \""
                            + column.levels().get(0)
                            + "\", and is left out: as categories they would be learned by heart."
                            + keep);
        }
        boolean tooMany = tooMany(levels, table.rows());
        Optional<String> amounts = tooMany ? amounts(column) : Optional.empty();
        if (amounts.isPresent()) {
            return Verdict.refused(amounts.get());
        }
        if (values >= ROWS_TO_TELL && levels > NEARLY_ALL * values) {
            return Verdict.leftOut(
                    Description.Look.IDENTIFIER,
                    "Column '" + name + "' has "
                            + (levels == table.rows()
                                    ? "a value of its own in every row"
                                    : levels + " different values in " + table.rows() + " rows")
                            + ", as a name has, and is left out: a rule would learn the rows by heart." + keep);
        }
        return tooMany
                ? Verdict.refused("Column '" + name + "' has " + levels + " different texts in " + table.rows()
                        + " rows, more than a tenth: each would be a coefficient learned from a handful of rows."
                        + "\nMaybe leave it out with ignore(\"" + name
                        + "\"), put rare ones together, or keep them all with"
                        + " categorical(\"" + name + "\") or features(...).")
                : Verdict.FEATURE;
    }

    /** (767.51), 1662.81- and 1450.8k are numbers, if not ones that can be read: neither names nor categories. */
    private static Optional<String> amounts(CategoricalColumn column) {
        List<String> amounts = column.levels().stream()
                .filter(text -> AMOUNT.matcher(text).matches())
                .toList();
        List<String> told = amounts.stream()
                .filter(text -> text.matches(".*([.,][0-9]|\\)|-$| ).*"))
                .toList();
        int all = column.levels().size();
        if (amounts.size() > NEARLY_ALL * all && ROWS_PER_LEVEL * told.size() > all) {
            // one that a reader of numbers cannot know, if there is one
            String odd = told.stream()
                    .filter(text -> Double.isNaN(NumericColumn.parse(text)) && !text.contains(","))
                    .findFirst()
                    .orElse(told.get(0));
            return Optional.of("Column '" + column.name()
                    + "' seems to hold numbers that are not written in a way that can be"
                    + " read, such as \"" + odd
                    + "\".\nMaybe write them as 1234.5 or -1234.5, leave the column out with ignore(\""
                    + column.name() + "\"), or read it as categories with categorical(\"" + column.name() + "\").");
        }
        return Optional.empty();
    }

    /** Whether so many levels are more than so many rows can teach a rule about. */
    static boolean tooMany(int levels, int rows) {
        return levels > LEVELS_TO_TELL && (long) ROWS_PER_LEVEL * levels > rows;
    }

    /** Only columns whose name says so: numbers that are features must never be left out. */
    private static boolean numbersRows(Table table, NumericColumn column, boolean nameless) {
        if (NAMED_ID.matcher(column.name()).matches()) {
            return allDifferentWholes(column);
        }
        return (nameless || NAMED_ROW.matcher(column.name()).matches()) && isRowNumber(table, column);
    }

    /** Tools that write row numbers leave the name of that column empty, and it is called by its position, though others have names. */
    static Set<String> nameless(List<String> names) {
        Set<String> nameless = new HashSet<>();
        for (int j = 0; j < names.size(); j++) {
            if (names.get(j).equals(String.valueOf(j + 1))) {
                nameless.add(names.get(j));
            }
        }
        for (String name : names) {
            if (!isWhole(name)) {
                return nameless;
            }
        }
        return Set.of();
    }

    private static boolean isWhole(String name) {
        for (int k = 0; k < name.length(); k++) {
            if (name.charAt(k) < '0' || name.charAt(k) > '9') {
                return false;
            }
        }
        return !name.isEmpty();
    }

    private static boolean isRowNumber(Table table, NumericColumn column) {
        double first = column.value(0) - table.rowNumber(0);
        for (int i = 0; i < column.rows(); i++) {
            // NaN is unequal to everything
            if (column.value(i) - table.rowNumber(i) != first) {
                return false;
            }
        }
        return first == 0 || first == -1;
    }

    private static boolean allDifferentWholes(NumericColumn column) {
        double[] values = column.values();
        Arrays.sort(values);
        for (int i = 0; i < values.length; i++) {
            if (values[i] != Math.rint(values[i]) || i > 0 && values[i] == values[i - 1]) {
                return false;
            }
        }
        return true;
    }
}
