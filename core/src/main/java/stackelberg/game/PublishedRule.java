package stackelberg.game;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import stackelberg.data.CategoricalColumn;
import stackelberg.data.Column;
import stackelberg.data.DataException;
import stackelberg.data.Encoding;
import stackelberg.data.Encoding.EncodedColumn;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.data.io.DataFile;
import stackelberg.game.GameSpec.Today;
import stackelberg.linalg.CsrMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;

/**
 * A linear rule in the units of the data: p = intercept + sum_j beta_j raw_j, where raw_j is a number, or 1 if the row has a level and 0 if not. It may
 * have been fitted here or written by hand.
 *
 * @param name the name in reports
 * @param intercept the constant term
 * @param coefficients beta_j by the name of the encoded column, {@code smoker=yes} for a level; a column without an entry has coefficient 0
 */
public record PublishedRule(String name, double intercept, Map<String, Double> coefficients) {
    /** The name of the constant term in a rule file. */
    private static final String INTERCEPT = "intercept";

    /** A message lists at most this many names. */
    private static final int MOST_NAMED = 5;

    public PublishedRule {
        coefficients = Collections.unmodifiableMap(new LinkedHashMap<>(coefficients));
    }

    /** Reads a rule from a CSV file with the columns term and coefficient; the term {@code intercept} is the constant, 0 if it is absent. */
    public static PublishedRule read(Path file) {
        Map<String, Double> terms = new LinkedHashMap<>(DataFile.numbers(file, "term", "coefficient"));
        Double intercept = terms.remove(INTERCEPT);
        return new PublishedRule(String.valueOf(file.getFileName()), intercept == null ? 0 : intercept, terms);
    }

    /** beta_j of an encoded column, in the units of the data; 0 if the rule has no such term. */
    public double coefficient(EncodedColumn column) {
        return coefficients.getOrDefault(column.name(), 0.0);
    }

    /**
     * The same rule without coefficients of base levels, which have no column in the encoding: the coefficient of a base level is added to the constant and
     * subtracted from the other levels of its column. All predictions stay the same.
     */
    public PublishedRule basedOn(Encoding encoding) {
        Map<String, Double> others = new LinkedHashMap<>(coefficients);
        double constant = intercept;
        for (Encoding.Feature feature : encoding.features()) {
            boolean left = feature.categorical()
                    && feature.columns().size() < feature.levels().size();
            Double base = left
                    ? others.remove(feature.column() + "=" + feature.levels().get(0))
                    : null;
            if (base != null) {
                constant += base;
                feature.columns().forEach(column -> others.merge(column.name(), -base, Double::sum));
            }
        }
        return constant == intercept && others.size() == coefficients.size()
                ? this
                : new PublishedRule(name, constant, others);
    }

    /** The coefficients of the encoded columns, beta_j scale_j. */
    public double[] encodedCoefficients(List<EncodedColumn> columns) {
        return columns.stream()
                .mapToDouble(column -> coefficient(column) * column.scale())
                .toArray();
    }

    /** The constant in encoded units, intercept + sum_j beta_j shift_j. */
    public double encodedConstant(List<EncodedColumn> columns) {
        double constant = intercept;
        for (EncodedColumn column : columns) {
            constant += coefficient(column) * column.shift();
        }
        return constant;
    }

    /** The prediction for every row as it is, before any move; columns are found by name. */
    public double[] predict(Encoding encoding, Table table, Encoding.UnknownLevel unknown) {
        return encoding.sparse(table, unknown)
                .map(matrix -> predict(encoding, matrix))
                .orElseGet(() -> basedOn(encoding).predict(encoding, encoding.apply(table, unknown)));
    }

    /** The same for a sparse matrix, from its nonzeros in the units of the data: encoding would shift the zeros and make the matrix dense. */
    private double[] predict(Encoding encoding, CsrMatrix raw) {
        double[] beta = new double[raw.cols()];
        for (EncodedColumn column : encoding.columns()) {
            beta[Integer.parseInt(column.name()) - 1] = coefficient(column);
        }
        double[] p = raw.times(beta);
        for (int i = 0; i < p.length; i++) {
            p[i] += intercept;
        }
        return p;
    }

    /** The prediction for rows that are already encoded. */
    public double[] predict(Encoding encoding, DenseMatrix encoded) {
        List<EncodedColumn> columns = encoding.columns();
        DenseMatrix out = DenseMatrix.zeros(encoded.rows(), 1);
        encoded.times(DenseMatrix.column(encodedCoefficients(columns)), out, Workers.of(1));
        double[] p = out.column(0);
        double constant = encodedConstant(columns);
        for (int i = 0; i < p.length; i++) {
            p[i] += constant;
        }
        return p;
    }

    /** The columns of the table that the rule uses, by their names or as {@code column=level}. Refuses terms that match no column. */
    public List<String> columnsIn(Table table) {
        Set<String> columns = new LinkedHashSet<>();
        List<String> unknown = new ArrayList<>();
        for (String term : coefficients.keySet()) {
            String column = columnOf(term, table);
            if (column == null) {
                unknown.add(term);
            } else if (column.equals(term) && table.column(column) instanceof CategoricalColumn categorical) {
                throw DataException.of(
                        "rule-level-missing",
                        "The rule '{}' has a coefficient for '{}', whose values are categories.\n"
                                + "Maybe name the level too: {}={}.",
                        name,
                        term,
                        term,
                        categorical.levels().get(0));
            } else {
                columns.add(column);
            }
        }
        requireKnown(unknown, "the data have no such column", "");
        return List.copyOf(columns);
    }

    /** Whether the rule has a term for this column or for one of its levels. */
    public boolean isAbout(String column) {
        return coefficients.containsKey(column)
                || coefficients.keySet().stream().anyMatch(term -> term.startsWith(column + "="));
    }

    /** The column that a term is about; absent if the table has no such column. */
    public static @Nullable String columnOf(String term, Table table) {
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

    /** Whether a term column=level names a categorical column of the table, but a level that the column does not have. */
    private static boolean isUnknownLevel(String term, Table table) {
        String column = columnOf(term, table);
        return column != null
                && !((CategoricalColumn) table.column(column)).levels().contains(term.substring(column.length() + 1));
    }

    /** A warning about terms for levels that no row of the table has, for example because they are misspelt; empty if there are none. */
    public Optional<String> unknownLevels(Table table) {
        List<String> absent = coefficients.keySet().stream()
                .filter(term -> !table.has(term) && isUnknownLevel(term, table))
                .toList();
        if (absent.isEmpty()) {
            return Optional.empty();
        }
        String column = Objects.requireNonNull(columnOf(absent.get(0), table));
        List<String> levels = ((CategoricalColumn) table.column(column)).levels();
        return Optional.of((name.equals(Today.NAME) ? "Today's rule" : "The rule '" + name + "'")
                + " has a coefficient for '"
                + String.join("', '", absent.subList(0, Math.min(MOST_NAMED, absent.size())))
                + (absent.size() > MOST_NAMED ? "' and " + (absent.size() - MOST_NAMED) + " more" : "'")
                + ", a level that no row of the data has. Maybe it is misspelt; '" + column + "' is "
                + String.join(", ", levels.subList(0, Math.min(MOST_NAMED, levels.size())))
                + (levels.size() > MOST_NAMED ? " and more." : "."));
    }

    /** The same rule with the terms of constant columns that are not features added to its intercept: in this table they are the same for every row. */
    public PublishedRule withConstantsInIntercept(Table table, Encoding encoding) {
        Set<String> features =
                encoding.features().stream().map(Encoding.Feature::column).collect(Collectors.toSet());
        Map<String, Double> others = new LinkedHashMap<>(coefficients);
        double constant = intercept;
        for (Map.Entry<String, Double> term : coefficients.entrySet()) {
            String column = columnOf(term.getKey(), table);
            if (column != null && !features.contains(column)) {
                double value = common(term.getKey(), table.column(column));
                if (!Double.isNaN(value)) {
                    constant += term.getValue() * value;
                    others.remove(term.getKey());
                }
            }
        }
        return others.size() == coefficients.size() ? this : new PublishedRule(name, constant, others);
    }

    /** The value of a term if it is the same in every row; NaN if it varies or is missing somewhere. */
    private static double common(String term, Column column) {
        if (column instanceof CategoricalColumn categorical) {
            boolean allRows = categorical.levels().size() == 1
                    && term.equals(column.name() + "=" + categorical.levels().get(0))
                    && column.missing() == 0;
            return allRows ? 1 : Double.NaN;
        }
        double[] values = ((NumericColumn) column).values();
        return values.length > 0 && Arrays.stream(values).allMatch(value -> value == values[0])
                ? values[0]
                : Double.NaN;
    }

    /** Refuses a rule with a term for which the encoding has no column. Levels that do not occur are accepted: they change no prediction. */
    public void requireTermsOf(Encoding encoding) {
        Set<String> known = new HashSet<>(encoding.names());
        List<String> unknown = coefficients.keySet().stream()
                .filter(term -> !known.contains(term))
                .filter(term -> encoding.features().stream().noneMatch(f -> isLevelOf(term, f)))
                .toList();
        requireKnown(
                unknown,
                "the model has no such feature",
                " A column that the model left out may have a coefficient only if it has the same value in every row of these data.");
    }

    private static boolean isLevelOf(String term, Encoding.Feature feature) {
        return feature.categorical() && term.startsWith(feature.column() + "=");
    }

    private void requireKnown(List<String> unknown, String why, String more) {
        if (!unknown.isEmpty()) {
            throw DataException.of(
                    "rule-column-unknown",
                    "The rule '{}' has a coefficient for '{}', but {}.\n"
                            + "Maybe the name is misspelt; a level of a category is written column=level.{}",
                    name,
                    String.join("', '", unknown.subList(0, Math.min(MOST_NAMED, unknown.size()))),
                    why,
                    more);
        }
    }
}
