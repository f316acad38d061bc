package stackelberg.model;

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
 * Finds the columns that are linear combinations of earlier columns, by a Cholesky factorisation of the correlation
 * matrix that skips dependent columns.
 *
 * <p>Immutable columns come first, so that a manipulable column that they determine is the one that is named. The
 * result is only a warning, so it is computed only if rows and columns are so few that it costs little compared with
 * the fit.
 */
final class Collinearity {
    private static final int MOST_COLUMNS = 1000;

    /** The largest number of multiplications and additions spent on it, a fraction of a second. */
    private static final double MOST_WORK = 5e9;

    /** The number of dependent columns that a warning explains; it names up to {@link #NAMED} more. */
    private static final int EXPLAINED = 3;

    private static final int NAMED = 40;

    /** A column counts as determined by earlier ones if they leave at most this share of its variance unexplained. */
    private static final double UNEXPLAINED = 1e-10;

    /**
     * A column counts as clearly independent if earlier ones leave this share unexplained: four digits above {@link
     * #UNEXPLAINED}, more than rounding can produce.
     */
    private static final double CLEAR = 1e-6;

    /**
     * An earlier column takes part in a combination if it contributes at least this share of the standard deviation.
     */
    private static final double TAKES_PART = 1e-4;

    private Collinearity() {}

    /**
     * A dependent column and the columns that determine it.
     *
     * @param by the earlier columns of the linear combination, apart from a constant
     */
    record Dependence(String name, List<String> by) {}

    /**
     * Returns the dependent columns of a game, without constant columns.
     *
     * @param names the names of the features, manipulable ones first
     * @param constantToo whether the columns include a constant
     * @param formed supplies X'PX over all columns, in any scaling; null if it is not available
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

    /**
     * Returns whether X'PX shows that no column is nearly determined by others, so that no further search is needed.
     */
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

    /**
     * Returns the correlation matrix of the immutable columns followed by the manipulable ones; the rows and columns of
     * constant columns are 0. It takes one pass for the means and one for the products.
     */
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
        // x may have a last column of ones, which is not a feature
        int first = x.cols();
        DenseMatrix gram = Moments.of(x, fixed.length, workers, (i, row) -> {
                    for (int j = 0; j < n; j++) {
                        int at = j < fixed.length ? first + j : j - fixed.length;
                        double value = j < fixed.length ? fixed[j][i] : row[at];
                        row[at] = (value - shift[j]) * scale[j];
                    }
                    return 1;
                })
                .products();
        double[][] correlation = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++) {
                correlation[i][j] = gram.get(
                        i < fixed.length ? first + i : i - fixed.length,
                        j < fixed.length ? first + j : j - fixed.length);
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

    /**
     * Computes row j of L by forward substitution on the independent columns before it; the remaining diagonal entry is
     * the unexplained share of the variance.
     */
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
            // with as many independent columns as rows, every further column is determined: the data are wide, which
            // says nothing about these columns
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

    /**
     * Returns the columns that take part in the combination x_j = sum b_i x_i, where L'b = l. All columns have length
     * 1, so b_i is the contribution of column i.
     */
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
     * Returns at most one warning that names the dependent columns.
     *
     * @param columns the names of columns that can be left out, in contrast to levels of a category
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
            // in a combination of very many columns the zero coefficients are rounding too, so that a list would not
            // explain anything
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
