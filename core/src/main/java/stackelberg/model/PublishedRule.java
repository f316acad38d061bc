package stackelberg.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import stackelberg.data.EncodedColumn;
import stackelberg.data.Encoding;
import stackelberg.data.Table;
import stackelberg.data.UnknownLevel;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;

/**
 * A linear rule in the units of the data, whoever found it: p = intercept + sum_j beta_j raw_j, where raw_j is a number, or 1 for a level.
 *
 * @param name what reports call it
 * @param intercept the constant term
 * @param coefficients by the name of the encoded column, {@code smoker=yes} for a level; a column without one counts 0
 */
public record PublishedRule(String name, double intercept, Map<String, Double> coefficients) {
    public PublishedRule {
        coefficients = Collections.unmodifiableMap(new LinkedHashMap<>(coefficients));
    }

    public static PublishedRule of(StackelbergModel model) {
        return new PublishedRule("this rule", model.intercept(), model.coefficients());
    }

    /** beta_j of an encoded column. */
    public double coefficient(EncodedColumn column) {
        return coefficients.getOrDefault(column.name(), 0.0);
    }

    /** The constant in encoded units: intercept + sum_j beta_j shift_j. */
    double encodedConstant(Encoding encoding) {
        double constant = intercept;
        for (EncodedColumn column : encoding.columns()) {
            constant += coefficient(column) * column.shift();
        }
        return constant;
    }

    /** The prediction for everybody's features as they are; columns are found by name. */
    public double[] predict(Encoding encoding, Table table, UnknownLevel unknown) {
        return predict(encoding, encoding.apply(table, unknown));
    }

    /** The prediction for rows that are encoded already. */
    public double[] predict(Encoding encoding, DenseMatrix encoded) {
        List<EncodedColumn> columns = encoding.columns();
        double[] w = new double[columns.size()];
        for (int j = 0; j < w.length; j++) {
            w[j] = coefficient(columns.get(j)) * columns.get(j).scale();
        }
        DenseMatrix out = DenseMatrix.zeros(encoded.rows(), 1);
        encoded.times(DenseMatrix.column(w), out, Workers.of(1));
        double[] p = out.column(0);
        double constant = encodedConstant(encoding);
        for (int i = 0; i < p.length; i++) {
            p[i] += constant;
        }
        return p;
    }
}
