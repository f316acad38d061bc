package stackelberg.objective.program;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.Vectors;

/**
 * B, an orthogonal basis of the span of the immutable columns, the intercept first: sum_i s_i b_ij b_ik = sum_i s_i if
 * j = k, else 0.
 *
 * <p>Columns that are combinations of others up to rounding are left out; their coefficients are 0.
 */
final class Fixed implements Columns {
    /**
     * A column counts as independent if at least this relative part of it is outside the others, as for squared loss.
     */
    private static final double TELLS = 1e-11;

    private final double[][] basis;
    /**
     * For each basis vector, its coefficients on the intercept, if there is one, and on the immutable columns after their levels are subtracted.
     */
    private final double[][] combinations;
    /** The intercept and the immutable columns after their levels are subtracted, in coordinates of the basis. */
    private final double[][] shares;

    private final double[] levels;
    private final double[] weights;
    private final double total;
    private final boolean intercept;
    private final double stretch;

    private Fixed(
            double[][] basis,
            double[][] combinations,
            double[][] shares,
            double[] levels,
            double[] weights,
            boolean intercept,
            double stretch) {
        this.basis = basis;
        this.combinations = combinations;
        this.shares = shares;
        this.levels = levels;
        this.weights = weights;
        this.total = Arrays.stream(weights).sum();
        this.intercept = intercept;
        this.stretch = stretch;
    }

    static Fixed of(PredictionGame game) {
        double[] weights = game.weights();
        double total = Arrays.stream(weights).sum();
        double[] levels = game.immutableLevels();
        List<double[]> columns = new ArrayList<>(Arrays.asList(game.immutableMinus(levels)));
        if (game.hasIntercept()) {
            double[] ones = new double[weights.length];
            Arrays.fill(ones, 1);
            columns.add(0, ones);
        }
        List<double[]> basis = new ArrayList<>();
        List<double[]> combinations = new ArrayList<>();
        double[][] shares = new double[columns.size()][];
        double stretch = 1;
        for (int j = 0; j < columns.size(); j++) {
            double[] column = columns.get(j);
            double[] combination = new double[columns.size()];
            combination[j] = 1;
            double whole = size(column, weights, total);
            shares[j] = new double[columns.size()];
            for (int round = 0; round < 2; round++) {
                for (int b = 0; b < basis.size(); b++) {
                    double share = Vectors.dot(basis.get(b), column, weights) / total;
                    Vectors.axpy(-share, basis.get(b), column);
                    Vectors.axpy(-share, combinations.get(b), combination);
                    shares[j][b] += share;
                }
            }
            double rest = size(column, weights, total);
            if (rest > TELLS * whole) {
                stretch = Math.max(stretch, whole / rest);
                shares[j][basis.size()] = rest;
                Vectors.scale(1 / rest, column);
                Vectors.scale(1 / rest, combination);
                basis.add(column);
                combinations.add(combination);
            }
        }
        return new Fixed(
                basis.toArray(double[][]::new),
                combinations.toArray(double[][]::new),
                Arrays.stream(shares)
                        .map(share -> Arrays.copyOf(share, basis.size()))
                        .toArray(double[][]::new),
                levels,
                weights,
                game.hasIntercept(),
                stretch);
    }

    @Override
    public int size() {
        return basis.length;
    }

    /**
     * Returns the factor by which the basis enlarges the rounding errors of a column: a column that others nearly
     * explain has few correct digits outside them.
     */
    double stretch() {
        return stretch;
    }

    double[][] basis() {
        return basis;
    }

    boolean hasIntercept() {
        return intercept;
    }

    /** Returns the coordinates of the part of a column that the basis explains, by weighted least squares. */
    double[] coordinates(double[] column) {
        double[] coordinates = new double[basis.length];
        Arrays.setAll(coordinates, b -> Vectors.dot(basis[b], column, weights) / total);
        return coordinates;
    }

    /**
     * Returns the part of a column outside the basis and writes the coordinates of the rest. It is projected twice,
     * because the first projection leaves rounding errors of the whole column.
     */
    double[] remove(double[] column, double[] coordinates) {
        double[] rest = column.clone();
        for (int round = 0; round < 2; round++) {
            double[] part = coordinates(rest);
            for (int b = 0; b < basis.length; b++) {
                Vectors.axpy(-part[b], basis[b], rest);
                coordinates[b] += part[b];
            }
        }
        return rest;
    }

    /** Adds B q to the values. */
    void add(double[] q, double[] values) {
        for (int b = 0; b < basis.length; b++) {
            Vectors.axpy(q[b], basis[b], values);
        }
    }

    @Override
    public double[] times(double[] q) {
        double[] values = new double[weights.length];
        add(q, values);
        return values;
    }

    @Override
    public double[] transposeTimes(double[] values) {
        double[] products = new double[basis.length];
        for (int b = 0; b < products.length; b++) {
            double[] column = basis[b];
            Sum sum = new Sum();
            for (int i = 0; i < values.length; i++) {
                if (values[i] != 0) {
                    sum.add(column[i] * values[i]);
                }
            }
            products[b] = sum.value();
        }
        return products;
    }

    @Override
    public double[][] gram(double[] w) {
        int k = basis.length;
        double[][] gram = new double[k][k];
        for (int a = 0; a < k; a++) {
            for (int b = 0; b <= a; b++) {
                double sum = 0;
                for (int i = 0; i < w.length; i++) {
                    sum += w[i] * basis[a][i] * basis[b][i];
                }
                gram[a][b] = sum;
                gram[b][a] = sum;
            }
        }
        return gram;
    }

    /** Returns ||b_i||^2 for every row. */
    double[] rowSquares() {
        double[] squares = new double[weights.length];
        for (double[] column : basis) {
            for (int i = 0; i < squares.length; i++) {
                squares[i] += column[i] * column[i];
            }
        }
        return squares;
    }

    /**
     * Returns the rule with coefficients w whose immutable part is B q minus a constant.
     *
     * @param constant the constant to subtract from the intercept, if there is one
     */
    LinearRule rule(double[] w, double[] q, double constant) {
        double[] all = new double[levels.length + (intercept ? 1 : 0)];
        for (int b = 0; b < basis.length; b++) {
            Vectors.axpy(q[b], combinations[b], all);
        }
        if (!intercept) {
            return new LinearRule(w, all, 0);
        }
        double[] columns = Arrays.copyOfRange(all, 1, all.length);
        double first = all[0] - constant;
        for (int j = 0; j < columns.length; j++) {
            first -= levels[j] == 0 ? 0 : levels[j] * columns[j];
        }
        return new LinearRule(w, columns, first);
    }

    /**
     * Returns the coordinates of a rule's immutable part: the inverse of {@link #rule}.
     *
     * @param constant the constant to add to the intercept, if there is one
     */
    double[] coordinates(LinearRule rule, double constant) {
        double[] q = rule.q();
        double[] coordinates = new double[basis.length];
        double first = rule.intercept() + constant;
        int from = intercept ? 1 : 0;
        for (int j = 0; j < q.length; j++) {
            first += levels[j] * q[j];
            Vectors.axpy(q[j], shares[from + j], coordinates);
        }
        if (intercept) {
            Vectors.axpy(first, shares[0], coordinates);
        }
        return coordinates;
    }

    private static double size(double[] column, double[] weights, double total) {
        return Math.sqrt(Vectors.dot(column, column, weights) / total);
    }
}
