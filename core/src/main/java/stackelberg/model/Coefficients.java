package stackelberg.model;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import stackelberg.data.CategoricalColumn;
import stackelberg.data.Column;
import stackelberg.data.DataException;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.data.io.CsvOptions;
import stackelberg.data.io.CsvReader;
import stackelberg.game.PublishedRule;
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
}
