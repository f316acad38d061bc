package stackelberg.game;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import stackelberg.data.CategoricalColumn;
import stackelberg.data.Column;
import stackelberg.data.DataException;
import stackelberg.data.Message;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;

/**
 * Chooses the features among the columns without a declared role, from what the columns hold (decision 18).
 *
 * <p>Left out are identifiers and dates, which identify rows instead of describing them, so that a rule would memorise the rows; constant columns, which
 * carry no information but would still let followers move; and columns that equal the wish. Columns of texts with too many levels are refused.
 *
 * @param features the columns that are used as features
 * @param notes which columns were left out, why, and how to keep them
 * @param wished the columns that were left out because they equal the wish
 */
record Recognition(List<String> features, List<Message> notes, List<String> wished) {
    /** The setting that keeps the columns it names as features. */
    private static final Message.Choice FEATURES = Message.Choice.any("features");

    /** Identifiers are recognised from this many rows on: in a shorter table an ordinary column may well have a different value in each row. */
    static final int ROWS_TO_TELL = 20;

    /** Up to this many levels are accepted whatever the number of rows. */
    private static final int LEVELS_TO_TELL = 20;

    /** Beyond that, each level needs this many rows on average: a coefficient learned from fewer is mostly noise. */
    private static final int ROWS_PER_LEVEL = 10;

    /** A text column whose values are nearly all different, more than this share of them, is an identifier. */
    private static final double NEARLY_ALL = 0.9;

    /** Names of identifiers: id, customer_id, customer id, customerId, CustomerID; but not covid or paid. */
    private static final Pattern NAMED_ID =
            Pattern.compile("((.*[^\\p{Alnum}])?[iI][dD]|.*[\\p{Lower}\\p{Digit}]I[dD])");

    /** A number in a notation that is not read as a number: with parentheses, a sign at the end, or a unit. */
    private static final Pattern AMOUNT = Pattern.compile(
            "[-+]?\\(?[^\\p{Alnum}\\s]?\\s?([0-9]{1,3}([,.' ][0-9]{3})+|[0-9]+)([.,][0-9]+)?\\)?-?\\s?\\p{Alpha}{0,4}");

    /** Names that tools give to a column of row numbers. */
    private static final Pattern NAMED_ROW = Pattern.compile(
            "#|nr\\.?|no\\.?|unnamed: 0|index|((row|obs|record|case|line|serial)[ _.-]?(no\\.?|nr\\.?|num(ber)?|names?|index)?)",
            Pattern.CASE_INSENSITIVE);

    /**
     * The decision about one column.
     *
     * @param use FEATURE, LEFT_OUT or REFUSED
     * @param look why it was left out, where that has a name
     * @param why the decision in words; absent for a feature
     */
    record Verdict(
            Description.Use use,
            Description.@Nullable Look look,
            @Nullable Message why) {
        private static final Verdict FEATURE = new Verdict(Description.Use.FEATURE, null, null);

        /** The decision in words, which every column has that is not a feature. */
        Message reason() {
            return Objects.requireNonNull(why, "a feature needs no reason");
        }

        private static Verdict leftOut(Description.Look look, Message why) {
            return new Verdict(Description.Use.LEFT_OUT, look, why);
        }

        private static Verdict refused(Message why) {
            return new Verdict(Description.Use.REFUSED, null, why);
        }
    }

    /**
     * The columns that stay features whatever they hold.
     *
     * @param kept columns that the declaration names, or that are part of a block of numbers
     * @param constant columns that stay even if they are constant: those of today's rule
     * @param level whether constant numeric columns stay, because without an intercept they may be the only constant of the rule
     * @param nameless columns without a name, which may hold row numbers
     * @param wished columns that equal the wish and are not named in the declaration; they are left out even from a block
     */
    record Exceptions(
            Predicate<String> kept,
            Predicate<String> constant,
            boolean level,
            Set<String> nameless,
            Set<String> wished) {
        /** Collects the columns that the declaration names, directly or through today's rule or the wish. */
        static Exceptions of(Table table, GameSpec spec) {
            Set<String> named = Roles.named(spec);
            Set<String> block = table.block()
                    .map(b -> (Set<String>) new HashSet<>(b.names()))
                    .orElse(Set.of());
            Predicate<String> inForce = spec.today().usedColumns();
            // in a table of one row every column is constant
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

    /** Chooses the features among these candidates. Refuses the data if a candidate cannot be used, or if none is left. */
    static Recognition of(Table table, List<String> candidates, GameSpec spec) {
        Exceptions exceptions = Exceptions.of(table, spec);
        List<String> features = new ArrayList<>();
        List<Message> notes = new ArrayList<>();
        List<String> constants = new ArrayList<>();
        List<String> wished = new ArrayList<>();
        for (String name : candidates) {
            Verdict verdict = verdict(table, name, exceptions);
            switch (verdict.use()) {
                case FEATURE -> features.add(name);
                case REFUSED -> throw new DataException(verdict.reason());
                default -> {
                    if (verdict.look() == Description.Look.CONSTANT) {
                        constants.add(name);
                    } else if (verdict.look() == Description.Look.WISH) {
                        wished.add(name);
                    } else {
                        notes.add(verdict.reason());
                    }
                }
            }
        }
        if (!constants.isEmpty()) {
            notes.add(Message.of(
                    "columns-constant",
                    "{}{} To keep such a column, name it in {}.",
                    Sample.LEFT_OUT,
                    SampleWarnings.someOf(constants),
                    FEATURES));
        }
        if (!wished.isEmpty()) {
            notes.add(Message.of(
                    "columns-equal-wish",
                    "Ignored columns: {} (equal to the wish in every row). To keep such a column, name it in {}.",
                    SampleWarnings.some(wished),
                    FEATURES));
        }
        if (features.isEmpty() && !notes.isEmpty()) {
            throw new DataException(Message.of(
                    "no-feature", "No column is left that could be a feature.\n{}", Message.joined("", "\n", notes)));
        }
        return new Recognition(List.copyOf(features), List.copyOf(notes), List.copyOf(wished));
    }

    /** The decision about one column. */
    static Verdict verdict(Table table, String name, Exceptions exceptions) {
        if (exceptions.wished.contains(name)) {
            return Verdict.leftOut(
                    Description.Look.WISH,
                    Message.of(
                            "column-equals-wish",
                            "Column '{}' is equal to the wish in every row and is ignored. To keep it, name it in {}.",
                            name,
                            FEATURES));
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
                        Message.of(
                                "column-numbers-rows",
                                "Column '{}' numbers the rows and is left out: it identifies people instead of describing them. To keep"
                                        + " it, name it in {}.",
                                name,
                                FEATURES))
                : Verdict.FEATURE;
    }

    private static Verdict constant(String name, Exceptions exceptions) {
        return exceptions.constant.test(name)
                ? Verdict.FEATURE
                : Verdict.leftOut(
                        Description.Look.CONSTANT,
                        Message.of(
                                "column-constant",
                                "Column '{}' has the same value in all rows, so it carries no information and is left out."
                                        + " To keep it, name it in {}.",
                                name,
                                FEATURES));
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

    /** Decides about a column of texts: dates, identifiers and columns with too many levels are not features. */
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
        Message keep = Message.part(
                " To keep it, read it as categories with {} or name it in {}.",
                Message.Choice.text("categorical", name),
                FEATURES);
        if (Dates.areDates(column.levels())) {
            return Verdict.leftOut(
                    Description.Look.DATE,
                    Message.of(
                            "column-of-dates",
                            "Column '{}' holds dates or times, such as \"{}\", and is left out: as categories, a rule would memorise them.{}",
                            name,
                            column.levels().get(0),
                            keep));
        }
        boolean tooMany = tooMany(levels, table.rows());
        Optional<Message> amounts = tooMany ? amounts(column) : Optional.empty();
        if (amounts.isPresent()) {
            return Verdict.refused(amounts.get());
        }
        if (values >= ROWS_TO_TELL && levels > NEARLY_ALL * values) {
            return Verdict.leftOut(
                    Description.Look.IDENTIFIER,
                    Message.of(
                            "column-identifies-rows",
                            "Column '{}' has {}, as a name has, and is left out: a rule would memorise the rows.{}",
                            name,
                            levels == table.rows()
                                    ? "a value of its own in every row"
                                    : levels + " different values in " + table.rows() + " rows",
                            keep));
        }
        return tooMany
                ? Verdict.refused(Message.of(
                        "too-many-texts",
                        "Column '{}' has {} different texts in {} rows, more than a tenth: each would be a coefficient learned from a handful of rows."
                                + "\nMaybe leave it out with {}, put rare ones together, or keep them all with {} or {}.",
                        name,
                        levels,
                        table.rows(),
                        Message.Choice.text("ignore", name),
                        Message.Choice.text("categorical", name),
                        FEATURES))
                : Verdict.FEATURE;
    }

    /** The reason to refuse texts such as (767.51), 1662.81- and 1450.8k, which are numbers in an unknown notation; empty for other texts. */
    private static Optional<Message> amounts(CategoricalColumn column) {
        List<String> amounts = column.levels().stream()
                .filter(text -> AMOUNT.matcher(text).matches())
                .toList();
        List<String> marked = amounts.stream()
                .filter(text -> text.matches(".*([.,][0-9]|\\)|-$| ).*"))
                .toList();
        int all = column.levels().size();
        if (amounts.size() > NEARLY_ALL * all && ROWS_PER_LEVEL * marked.size() > all) {
            // the example is preferably one that no accepted notation covers
            String odd = marked.stream()
                    .filter(text -> Double.isNaN(NumericColumn.parse(text)) && !text.contains(","))
                    .findFirst()
                    .orElse(marked.get(0));
            return Optional.of(Message.of(
                    "numbers-not-read",
                    "Column '{}' seems to hold numbers that are not written in a way that can be read, such as \"{}\"."
                            + "\nMaybe write them as 1234.5 or -1234.5, leave the column out with {}, or read it as categories with {}.",
                    column.name(),
                    odd,
                    Message.Choice.text("ignore", column.name()),
                    Message.Choice.text("categorical", column.name())));
        }
        return Optional.empty();
    }

    /** Whether there are too many levels for this number of rows: more than 20, with fewer than ten rows each on average. */
    static boolean tooMany(int levels, int rows) {
        return levels > LEVELS_TO_TELL && (long) ROWS_PER_LEVEL * levels > rows;
    }

    /** Whether a numeric column numbers the rows. The name must say so too: a numeric feature must never be left out by mistake. */
    private static boolean numbersRows(Table table, NumericColumn column, boolean nameless) {
        if (NAMED_ID.matcher(column.name()).matches()) {
            return allDifferentWholes(column);
        }
        return (nameless || NAMED_ROW.matcher(column.name()).matches()) && isRowNumber(table, column);
    }

    /** Columns that have their position as a name while others have real names: tools that write row numbers leave the name of that column empty. */
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
            // NaN differs from every number, so a missing value also ends the test
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
