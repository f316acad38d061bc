package stackelberg.model.export;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import stackelberg.data.DataException;
import stackelberg.data.Encoding;
import stackelberg.data.Encoding.EncodedColumn;
import stackelberg.data.Missing;
import stackelberg.model.StackelbergModel;

/**
 * A model's prediction as standard SQL: intercept + sum of coefficient * column, and a CASE per categorical column. Where the loss is logistic that is the score,
 * and the prediction the probability of a yes, 1 / (1 + exp(-score)).
 *
 * <p>Names are in double quotes, and a backslash in a text is itself: MySQL reads both so with the SQL modes ANSI_QUOTES and NO_BACKSLASH_ESCAPES.
 *
 * <p>SQL cannot refuse a row, so the prediction is NULL where {@code predict} would refuse it or leave it out: where a value is missing (unless
 * missing values are replaced by the mean) and where a level is not known (unless unknown levels count as zero).
 */
public final class RuleAsSql {
    /** The name of the column of predictions. */
    public static final String PREDICTION = "prediction";

    private final StackelbergModel model;
    private final Encoding.UnknownLevel unknown;

    private RuleAsSql(StackelbergModel model, Encoding.UnknownLevel unknown) {
        this.model = model;
        this.unknown = unknown;
    }

    /** The prediction as an expression in the columns of a table. */
    public static String expression(StackelbergModel model, Encoding.UnknownLevel unknown) {
        return String.join("\n", new RuleAsSql(model, unknown).prediction());
    }

    /**
     * A statement that selects all columns of a table, and the prediction.
     *
     * @param table its name; a dot separates it from its schema
     */
    public static String select(StackelbergModel model, Encoding.UnknownLevel unknown, String table) {
        String name =
                Arrays.stream(table.split("\\.", -1)).map(RuleAsSql::identifier).collect(Collectors.joining("."));
        // part by part: the lines of quoted text stay where they are
        return "SELECT rows_in.*,\n  " + String.join("\n  ", new RuleAsSql(model, unknown).prediction()) + " AS "
                + identifier(PREDICTION) + "\nFROM " + name + " rows_in";
    }

    /** The sum, or the probability that it is the log-odds of; scores whose exponential overflows are told before it is taken, and NULL stays NULL. */
    private List<String> prediction() {
        List<String> score = parts();
        if (!model.game().loss().isLogistic()) {
            return score;
        }
        List<String> lines = new ArrayList<>();
        lines.add("CASE WHEN (");
        lines.addAll(score);
        lines.add(") > 7E2 THEN 1E0 WHEN (");
        lines.addAll(score);
        lines.add(") < (-7E2) THEN 0E0 ELSE 1E0 / (1E0 + EXP(-(");
        lines.addAll(score);
        lines.add("))) END");
        return lines;
    }

    /** What is added up, each with its sign. */
    private List<String> parts() {
        List<String> parts = new ArrayList<>();
        parts.add(number(model.intercept()));
        int term = 0;
        for (Encoding.Feature feature : model.encoding().features()) {
            int count = feature.columns().size();
            double[] coefficients = new double[count];
            for (int k = 0; k < count; k++) {
                coefficients[k] = model.terms().get(term++).coefficient();
            }
            parts.add(
                    "+ " + (feature.categorical() ? cases(feature, coefficients) : product(feature, coefficients[0])));
        }
        return parts;
    }

    private String product(Encoding.Feature feature, double coefficient) {
        String column = identifier(feature.column());
        return number(coefficient) + " * "
                + (replaces() ? "COALESCE(" + column + ", " + number(feature.mean()) + ")" : column);
    }

    /** No ELSE: what is in no branch has no prediction. */
    private String cases(Encoding.Feature feature, double[] coefficients) {
        String column = identifier(feature.column());
        if (replaces()) {
            column = "COALESCE(" + column + ", " + text(feature.replacement()) + ")";
        }
        StringBuilder cases = new StringBuilder("CASE");
        List<String> indicated = new ArrayList<>();
        for (int k = 0; k < coefficients.length; k++) {
            EncodedColumn level = feature.columns().get(k);
            indicated.add(level.indicated());
            cases.append(" WHEN ").append(column).append(" = ").append(text(level.indicated()));
            cases.append(" THEN ").append(number(coefficients[k]));
        }
        if (unknown == Encoding.UnknownLevel.ZERO) {
            cases.append(" WHEN ").append(column).append(" IS NOT NULL THEN 0E0");
        } else {
            for (String level : feature.levels()) {
                if (!indicated.contains(level)) {
                    cases.append(" WHEN ")
                            .append(column)
                            .append(" = ")
                            .append(text(level))
                            .append(" THEN 0E0");
                }
            }
        }
        return cases.append(" END").toString();
    }

    private boolean replaces() {
        return model.encoding().missing() == Missing.MEAN;
    }

    /** With an exponent, which makes it a floating-point literal; in parentheses if negative, so that no two signs meet. */
    private static String number(double value) {
        if (!Double.isFinite(value)) {
            throw DataException.of(
                    "coefficient-not-finite",
                    "The rule has a coefficient that is {}, which SQL cannot say.\n"
                            + "Maybe the model has no finite equilibrium.",
                    value);
        }
        String digits = Double.toString(value);
        String literal = digits.contains("E") ? digits : digits + "E0";
        return value < 0 ? "(" + literal + ")" : literal;
    }

    private static String identifier(String name) {
        return "\"" + checked(name).replace("\"", "\"\"") + "\"";
    }

    private static String text(String value) {
        return "'" + checked(value).replace("'", "''") + "'";
    }

    private static String checked(String name) {
        if (name.isEmpty() || name.indexOf('\0') >= 0) {
            throw DataException.of(
                    "sql-name",
                    "The name \"{}\" cannot be written in SQL: it is empty or holds a zero character.\n"
                            + "Maybe rename the column.",
                    name.replace("\0", "\\0"));
        }
        return name;
    }
}
