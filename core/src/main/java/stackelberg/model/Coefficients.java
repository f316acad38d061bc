package stackelberg.model;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import stackelberg.data.CategoricalColumn;
import stackelberg.data.Column;
import stackelberg.data.DataException;
import stackelberg.data.Encoding;
import stackelberg.data.Feature;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.data.io.CsvOptions;
import stackelberg.data.io.CsvReader;
import stackelberg.linalg.Workers;

/** Two columns of a small file, a name and a number: the coefficients of an existing rule, or the costs of features. */
public final class Coefficients {
    /** The term that is the constant. */
    private static final String INTERCEPT = "intercept";

    private Coefficients() {}

    /** A rule from a CSV file with the columns term and coefficient; the term {@code intercept} is the constant, 0 if it is absent. */
    public static PublishedRule readRule(Path file) {
        Map<String, Double> terms = new LinkedHashMap<>(read(file, "term", "coefficient"));
        Double intercept = terms.remove(INTERCEPT);
        String name = String.valueOf(file.getFileName());
        return new PublishedRule(name, intercept == null ? 0 : intercept, terms);
    }

    /** Numbers by name from a CSV file. */
    public static Map<String, Double> read(Path file, String nameColumn, String valueColumn) {
        requireHeader(file, nameColumn, valueColumn);
        Table table = CsvReader.read(file, CsvOptions.DEFAULT.withCategorical(Set.of(nameColumn)), Workers.of(1));
        Column names = table.column(nameColumn);
        NumericColumn values = table.numeric(valueColumn);
        Map<String, Double> map = new LinkedHashMap<>();
        for (int i = 0; i < table.rows(); i++) {
            if (names.isMissing(i) || values.isMissing(i)) {
                throw new DataException("'" + file + "', " + table.where(i) + ": the "
                        + (names.isMissing(i) ? nameColumn : valueColumn) + " is missing.\nMaybe leave out the line.");
            }
            String name = ((CategoricalColumn) names).level(i);
            if (map.put(name, values.value(i)) != null) {
                throw new DataException("'" + file + "', " + table.where(i) + ": '" + name
                        + "' is there twice.\nMaybe remove one of the lines.");
            }
        }
        return map;
    }

    /** The columns are found by name, so a file without them is told which they are. */
    private static void requireHeader(Path file, String nameColumn, String valueColumn) {
        String first;
        try (BufferedReader reader = Files.newBufferedReader(file)) {
            first = reader.readLine();
        } catch (IOException e) {
            throw new DataException("'" + file + "' cannot be read.\nMaybe the path is misspelt.", e);
        }
        if (first == null || !first.contains(nameColumn) || !first.contains(valueColumn)) {
            throw new DataException("'" + file + "' must have the columns " + nameColumn + " and " + valueColumn
                    + ".\nMaybe its first line must be: " + nameColumn + "," + valueColumn + ".");
        }
    }

    /** The columns of the table that the rule's terms are about: a column itself, or {@code column=level}. */
    static List<String> columnsOf(PublishedRule rule, Table table) {
        Set<String> columns = new LinkedHashSet<>();
        List<String> unknown = new ArrayList<>();
        for (String term : rule.coefficients().keySet()) {
            String column = columnOf(term, table);
            if (column == null) {
                unknown.add(term);
            } else if (column.equals(term) && table.column(column) instanceof CategoricalColumn categorical) {
                throw new DataException("The rule '" + rule.name() + "' has a coefficient for '" + term
                        + "', whose values are categories.\nMaybe name the level too: " + term + "="
                        + categorical.levels().get(0) + ".");
            } else {
                columns.add(column);
            }
        }
        requireKnown(rule, unknown, "the data have no such column");
        return List.copyOf(columns);
    }

    private static String columnOf(String term, Table table) {
        if (table.has(term)) {
            return term;
        }
        // the level may hold a = itself, so every = is tried
        for (int at = term.indexOf('='); at > 0; at = term.indexOf('=', at + 1)) {
            if (table.has(term.substring(0, at)) && table.column(term.substring(0, at)) instanceof CategoricalColumn) {
                return term.substring(0, at);
            }
        }
        return null;
    }

    /** Refuses a rule with a term that the encoding has no column for; levels that nobody has are no harm. */
    public static void requireTermsOf(PublishedRule rule, Encoding encoding) {
        List<String> unknown = rule.coefficients().keySet().stream()
                .filter(term -> !encoding.names().contains(term))
                .filter(term -> encoding.features().stream().noneMatch(f -> isLevelOf(term, f)))
                .toList();
        requireKnown(rule, unknown, "the model has no such feature");
    }

    private static boolean isLevelOf(String term, Feature feature) {
        return feature.categorical() && term.startsWith(feature.column() + "=");
    }

    private static void requireKnown(PublishedRule rule, List<String> unknown, String why) {
        if (!unknown.isEmpty()) {
            throw new DataException("The rule '" + rule.name() + "' has a coefficient for '"
                    + String.join("', '", unknown.subList(0, Math.min(5, unknown.size()))) + "', but " + why
                    + ".\nMaybe the name is misspelt; a level of a category is written column=level.");
        }
    }
}
