package stackelberg.model;

import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import stackelberg.data.Message;
import stackelberg.estimate.Moments;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.ColumnStatistics;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;

/**
 * Which columns are linear combinations of earlier ones, by a Cholesky factorisation of the correlation matrix that passes over them.
 *
 * <p>Immutable columns come first, so that a feature they determine is named. Looked for only while rows and columns are few enough for this to
 * cost little beside the fit: the result is a warning, not a step of it.
 */
final class Collinearity {
    private static final int MOST_COLUMNS = 1000;

    /** Additions of products: a fraction of a second. */
    private static final double MOST_WORK = 5e9;

    private static final int TILE = 1024;

    /** How many dependent columns a warning explains, and how many more it names. */
    private static final int EXPLAINED = 3;

    private static final int NAMED = 40;

    /** A column of which earlier ones explain all but this share of the variance is determined by them. */
    private static final double UNEXPLAINED = 1e-10;

    /** A column of which earlier ones leave this share is not, whatever rounding does: four digits more than {@link #UNEXPLAINED}. */
    private static final double CLEAR = 1e-6;

    /** A column takes part in a combination if it contributes this much of the standard deviation. */
    private static final double TAKES_PART = 1e-4;

    private Collinearity() {}

    /**
     * A column and what determines it.
     *
     * @param by the earlier columns it is a combination of, beside a constant
     */
    record Dependence(String name, List<String> by) {}

    /**
     * The dependent columns of a game, constant ones left out.
     *
     * @param names of the features, those people can change first
     * @param constantToo whether a constant is among the columns
     * @param formed gives X'PX of all columns, whose scales do not matter, or null where it is not to be had
     */
    static List<Dependence> of(
            PredictionGame game,
            List<String> names,
            boolean constantToo,
            Supplier<DenseMatrix> formed,
            Workers workers) {
        double[][] fixed = game.immutable();
        int movable = names.size() - fixed.length;
        double work = (double) game.x().rows() * names.size() * names.size();
        if (names.size() > MOST_COLUMNS || work > MOST_WORK) {
            return List.of();
        }
        DenseMatrix gram = formed.get();
        if (gram != null && isNone(gram)) {
            return List.of();
        }
        List<String> ordered = new ArrayList<>(names.subList(movable, names.size()));
        ordered.addAll(names.subList(0, movable));
        double[][] correlation = correlation(game.x(), movable, fixed, constantToo, workers);
        return dependences(correlation, ordered, game.x().rows(), UNEXPLAINED);
    }

    /** Whether X'PX tells that no column is nearly determined by others: then there is nothing to look for. */
    private static boolean isNone(DenseMatrix gram) {
        int n = gram.rows();
        double[][] correlation = new double[n][n];
        for (int i = 0; i < n; i++) {
            double[] row = gram.row(i);
            for (int j = 0; j <= i; j++) {
                correlation[i][j] = row[j] / Math.sqrt(row[i] * gram.get(j, j));
            }
            if (!(row[i] > 0)) {
                return false;
            }
        }
        List<String> nameless = Collections.nCopies(n, "");
        return dependences(correlation, nameless, Integer.MAX_VALUE, CLEAR).isEmpty();
    }

    /** Of the immutable columns, then the movable ones; rows and columns of a constant one are zero. One read for the means, one for the products. */
    private static double[][] correlation(Matrix x, int movable, double[][] fixed, boolean centred, Workers workers) {
        int m = x.rows();
        int n = fixed.length + movable;
        ColumnStatistics moved = ColumnStatistics.of(x, workers);
        ColumnStatistics kept = ColumnStatistics.of(transposed(fixed, m), workers);
        double[] shift = new double[n];
        double[] scale = new double[n];
        for (int j = 0; j < n; j++) {
            ColumnStatistics of = j < fixed.length ? kept : moved;
            int k = j < fixed.length ? j : j - fixed.length;
            double mean = of.mean()[k];
            double sd = of.sd()[k];
            shift[j] = centred ? mean : 0;
            double length = centred ? sd : Math.hypot(sd, mean);
            boolean constant = of.min()[k] == of.max()[k];
            scale[j] = constant ? 0 : 1 / (length * Math.sqrt(m));
        }
        DenseMatrix gram = Moments.of(m, n, TILE, workers, (from, end, sums) -> {
                    double[] tile = new double[TILE * movable];
                    double[] row = new double[n];
                    for (int first = from; first < end; first += TILE) {
                        int count = Math.min(TILE, end - first);
                        x.tile(first, count, 0, movable, DoubleBuffer.wrap(tile));
                        for (int i = 0; i < count; i++) {
                            for (int j = 0; j < fixed.length; j++) {
                                row[j] = (fixed[j][first + i] - shift[j]) * scale[j];
                            }
                            for (int j = fixed.length; j < n; j++) {
                                row[j] = (tile[i * movable + j - fixed.length] - shift[j]) * scale[j];
                            }
                            sums.add(1, row);
                        }
                    }
                })
                .products();
        double[][] correlation = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++) {
                correlation[i][j] = gram.get(i, j);
            }
        }
        return correlation;
    }

    private static DenseMatrix transposed(double[][] columns, int rows) {
        DenseMatrix matrix = DenseMatrix.zeros(rows, columns.length);
        for (int j = 0; j < columns.length; j++) {
            matrix.setColumn(j, columns[j]);
        }
        return matrix;
    }

    /** Row j of L by forward substitution on the independent columns before it; what is left of the diagonal decides. */
    private static List<Dependence> dependences(
            double[][] correlation, List<String> names, int rows, double unexplained) {
        List<Integer> independent = new ArrayList<>();
        List<double[]> factor = new ArrayList<>();
        List<Dependence> found = new ArrayList<>();
        for (int j = 0; j < correlation.length; j++) {
            if (correlation[j][j] == 0) {
                continue;
            }
            int k = independent.size();
            double[] l = new double[k + 1];
            double left = correlation[j][j];
            for (int i = 0; i < k; i++) {
                double[] row = factor.get(i);
                double value = correlation[j][independent.get(i)];
                for (int c = 0; c < i; c++) {
                    value -= row[c] * l[c];
                }
                l[i] = value / row[i];
                left -= l[i] * l[i];
            }
            // as many columns as rows explain anything: that is width, not a relation between columns
            if (left > unexplained) {
                l[k] = Math.sqrt(left);
                factor.add(l);
                independent.add(j);
            } else if (k < rows - 1) {
                found.add(new Dependence(names.get(j), parts(l, factor, independent, names)));
            }
        }
        return found;
    }

    /** The coefficients b of x_j = sum b_i x_i solve L'b = l; columns have length 1, so that b_i is what column i contributes. */
    private static List<String> parts(
            double[] l, List<double[]> factor, List<Integer> independent, List<String> names) {
        int k = factor.size();
        double[] b = new double[k];
        for (int i = k - 1; i >= 0; i--) {
            double value = l[i];
            for (int r = i + 1; r < k; r++) {
                value -= factor.get(r)[i] * b[r];
            }
            b[i] = value / factor.get(i)[i];
        }
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < k; i++) {
            if (Math.abs(b[i]) > TAKES_PART) {
                parts.add(names.get(independent.get(i)));
            }
        }
        return parts;
    }

    /**
     * A few words about all of them; nothing if there is none.
     *
     * @param columns the names that can be left out, unlike a level of a category
     */
    static List<Message> warnings(List<Dependence> dependences, Set<String> columns) {
        if (dependences.isEmpty()) {
            return List.of();
        }
        int shown = Math.min(EXPLAINED, dependences.size());
        StringBuilder text = new StringBuilder("Collinear: ");
        for (int k = 0; k < shown; k++) {
            Dependence d = dependences.get(k);
            text.append(k == 0 ? "" : "; ").append('\'').append(d.name()).append("' is determined by ");
            // the zeros of a combination of very many columns are rounding, too: such a list explains nothing
            text.append(d.by().size() > 8 ? d.by().size() + " others" : list(d.by(), 8));
        }
        if (dependences.size() > shown) {
            List<String> rest = dependences.subList(shown, dependences.size()).stream()
                    .map(Dependence::name)
                    .toList();
            text.append("; ").append(list(rest, NAMED)).append(rest.size() == 1 ? " too" : " are too");
        }
        boolean avoidable = dependences.stream().anyMatch(d -> columns.contains(d.name()));
        text.append(". Coefficients and moves are shared among such columns");
        return List.of(
                avoidable
                        ? Message.of(
                                "collinear", "{}; maybe leave them out with {}.", text, Message.Choice.any("ignore"))
                        : Message.of("collinear", "{}.", text));
    }

    private static String list(List<String> names, int most) {
        String shown = "'" + String.join("', '", names.subList(0, Math.min(most, names.size()))) + "'";
        return names.size() <= most ? shown : shown + " and " + (names.size() - most) + " more";
    }
}
