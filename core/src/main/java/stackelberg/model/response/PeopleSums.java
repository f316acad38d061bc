package stackelberg.model.response;

import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;
import stackelberg.estimate.Moments;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.Cholesky;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.SymmetricEigen;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;

/**
 * All that least squares needs of people as they are at one time: with c_i = (x_i, v_i, z_i, y_i) the means and sum_i s_i (c_i - mean)(c_i - mean)'. A move
 * that is the same multiple u of everybody's gap is c + u (g'c - a), and one update of rank two to the sums.
 *
 * <p>Sums about the mean, because those about 0 lose the digits of whatever has a large mean and a small spread.
 */
final class PeopleSums {
    /** Rows that are multiplied at once. */
    private static final int BLOCK = 512;

    /** Values of a tile of rows. */
    private static final int TILE = 1 << 16;

    /** 1 - R^2 of a column on those before it below which least squares is not trusted: a relative singular value of about 1e-6, as for today's rule. */
    private static final double WELL_POSED = 1e-12;

    private final int movable;
    private final int people;
    private final double weight;
    private final double[] mean;
    /** By rows, symmetric. */
    private final double[] products;

    private PeopleSums(int movable, int people, double weight, double[] mean, double[] products) {
        this.movable = movable;
        this.people = people;
        this.weight = weight;
        this.mean = mean;
        this.products = products;
    }

    /** Of the people of a game as it finds them; wishes that are known up to noise spread by it, independently of all else. */
    static PeopleSums of(PredictionGame game, Workers workers) {
        Matrix x = game.x();
        double[][] fixed = game.immutable();
        double[] z = game.z();
        double[] y = game.y();
        double[] s = game.weights();
        int n = x.cols();
        int order = n + fixed.length + 2;
        double[] level = new double[order];
        double weight = Arrays.stream(s).sum();
        double[] row = new double[order];
        eachRow(x, (i, tile, at) -> {
            fill(row, tile, at, n, fixed, i, z[i], y[i]);
            Vectors.axpy(s[i] / weight, row, level);
        });
        Builder builder = new Builder(n, level, workers);
        eachRow(x, (i, tile, at) -> {
            fill(row, tile, at, n, fixed, i, z[i], y[i]);
            builder.add(s[i], row);
        });
        PeopleSums sums = builder.build();
        int wish = order - 2;
        sums.products[wish * order + wish] += game.wishNoiseVariance();
        return sums;
    }

    private static void fill(double[] row, double[] tile, int at, int n, double[][] fixed, int i, double z, double y) {
        System.arraycopy(tile, at, row, 0, n);
        for (int j = 0; j < fixed.length; j++) {
            row[n + j] = fixed[j][i];
        }
        row[n + fixed.length] = z;
        row[n + fixed.length + 1] = y;
    }

    /** Takes one row of a tile. */
    private interface RowVisitor {
        void visit(int i, double[] tile, int at);
    }

    private static void eachRow(Matrix x, RowVisitor visitor) {
        int n = x.cols();
        int height = Math.max(1, TILE / Math.max(1, n));
        double[] tile = new double[Math.min(height, x.rows()) * n];
        for (int first = 0; first < x.rows(); first += height) {
            int count = Math.min(height, x.rows() - first);
            x.tile(first, count, 0, n, DoubleBuffer.wrap(tile));
            for (int i = 0; i < count; i++) {
                visitor.visit(first + i, tile, i * n);
            }
        }
    }

    /** Adds up people, one after another. */
    static final class Builder {
        private final int movable;
        private final double[] level;
        private final Moments.Builder sums;
        private final double[] centred;

        /** @param level what is taken off before products are formed, near the mean */
        private Builder(int movable, double[] level, Workers workers) {
            this.movable = movable;
            this.level = level;
            this.sums = new Moments.Builder(level.length + 1, BLOCK, workers);
            this.centred = new double[level.length + 1];
        }

        /** One of the people, who counts s times. */
        void add(double s, double[] row) {
            if (s > 0) {
                for (int j = 0; j < row.length; j++) {
                    centred[j] = row[j] - level[j];
                }
                centred[row.length] = 1;
                sums.add(s, centred);
            }
        }

        PeopleSums build() {
            Moments all = sums.build();
            int order = level.length;
            double weight = all.products().get(order, order);
            double[] off = new double[order];
            Arrays.setAll(off, j -> all.products().get(order, j) / weight);
            double[] mean = new double[order];
            Arrays.setAll(mean, j -> level[j] + off[j]);
            double[] products = new double[order * order];
            for (int i = 0; i < order; i++) {
                for (int j = 0; j < order; j++) {
                    products[i * order + j] = all.products().get(i, j) - weight * off[i] * off[j];
                }
            }
            return new PeopleSums(movable, (int) all.rows(), weight, mean, products);
        }
    }

    /** For people like these, who are added up one by one. */
    Builder builder(Workers workers) {
        return new Builder(movable, mean, workers);
    }

    int order() {
        return mean.length;
    }

    int wish() {
        return mean.length - 2;
    }

    int truth() {
        return mean.length - 1;
    }

    /** How many count. */
    int people() {
        return people;
    }

    double weight() {
        return weight;
    }

    /** The standard deviation of the truth; 1 where there is none. */
    double spread() {
        double variance = products[truth() * order() + truth()] / weight;
        return variance > 0 ? Math.sqrt(variance) : 1;
    }

    /** The same people after c + u (g'c - a). */
    PeopleSums moved(double[] u, double[] g, double a) {
        int order = order();
        double[] h = times(g);
        double gap = Vectors.dot(g, mean) - a;
        double gg = Vectors.dot(g, h);
        double[] means = mean.clone();
        Vectors.axpy(gap, u, means);
        double[] next = products.clone();
        for (int i = 0; i < order; i++) {
            for (int j = 0; j < order; j++) {
                next[i * order + j] += u[i] * h[j] + h[i] * u[j] + gg * u[i] * u[j];
            }
        }
        return new PeopleSums(movable, people, weight, means, next);
    }

    private double[] times(double[] g) {
        int order = order();
        double[] h = new double[order];
        for (int i = 0; i < order; i++) {
            double sum = 0;
            for (int j = 0; j < order; j++) {
                sum += products[i * order + j] * g[j];
            }
            h[i] = sum;
        }
        return h;
    }

    /** These people with probability 1 - share, those others, of whom these are the same, with probability share. */
    PeopleSums mixedWith(PeopleSums others, double share) {
        if (share == 0) {
            return this;
        }
        int order = order();
        double[] means = new double[order];
        double[] apart = new double[order];
        for (int j = 0; j < order; j++) {
            apart[j] = others.mean[j] - mean[j];
            means[j] = mean[j] + share * apart[j];
        }
        double[] next = new double[products.length];
        double between = weight * share * (1 - share);
        for (int i = 0; i < order; i++) {
            for (int j = 0; j < order; j++) {
                int at = i * order + j;
                next[at] = (1 - share) * products[at] + share * others.products[at] + between * apart[i] * apart[j];
            }
        }
        return new PeopleSums(movable, people, weight, means, next);
    }

    /** sum_i s_i (f'c_i + a)^2. */
    double squares(double[] f, double a) {
        double off = Vectors.dot(f, mean) + a;
        return Math.max(0, Vectors.dot(f, times(f))) + weight * off * off;
    }

    /** w'x + q'v as a form in c, the constant aside. */
    double[] form(LinearRule rule) {
        double[] form = new double[order()];
        double[] w = rule.w();
        double[] q = rule.q();
        System.arraycopy(w, 0, form, 0, w.length);
        System.arraycopy(q, 0, form, w.length, q.length);
        return form;
    }

    /** sum_i s_i (p_i - y_i)^2 of these people as they are. */
    double loss(LinearRule rule) {
        double[] form = form(rule);
        form[truth()] = -1;
        return squares(form, rule.intercept());
    }

    /** The root mean square of what two rules say differently of these people. */
    double apart(LinearRule one, LinearRule other) {
        double[] form = form(one);
        Vectors.axpy(-1, form(other), form);
        return Math.sqrt(squares(form, one.intercept() - other.intercept()) / weight);
    }

    /**
     * Which of the columns that people can move least squares may use: not those that depend on others before them. Which of two columns that say the same is
     * believed decides which is moved, so that it has to be the same one in every round.
     */
    boolean[] independent(boolean intercept) {
        boolean[] kept = new boolean[movable];
        double[][] lower = new double[movable][];
        for (int j = 0; j < movable; j++) {
            double[] row = new double[j + 1];
            double left = seen(j, intercept);
            double own = left;
            for (int k = 0; k < j; k++) {
                if (kept[k]) {
                    double sum = product(j, k, intercept);
                    for (int i = 0; i < k; i++) {
                        sum -= kept[i] ? row[i] * lower[k][i] : 0;
                    }
                    row[k] = sum / lower[k][k];
                    left -= row[k] * row[k];
                }
            }
            kept[j] = left > WELL_POSED * own;
            row[j] = Math.sqrt(Math.max(0, left));
            lower[j] = row;
        }
        return kept;
    }

    /** sum_i s_i x_ij^2, about the mean where there is an intercept; 0 for a column that is constant then, of which rounding is left. */
    private double seen(int j, boolean intercept) {
        double own = products[j * order() + j];
        double all = own + weight * mean[j] * mean[j];
        return !intercept ? all : own <= WELL_POSED * all ? 0 : own;
    }

    /**
     * Least squares of the truth on what people now have, with mu w'C^{-1}w added: what a rule pays for features if nobody moves. Of columns that depend on
     * others, the least coefficients in units of their spread.
     *
     * @param kept the columns that people can move and that are used
     */
    LinearRule leastSquares(boolean intercept, double mu, double[] costs, boolean[] kept, Workers workers) {
        int order = order();
        int columns = order - 2;
        double[] scale = new double[columns];
        for (int j = 0; j < columns; j++) {
            double seen = j < movable && !kept[j] ? 0 : seen(j, intercept);
            double penalised = seen > 0 && j < movable ? seen + mu / costs[j] : seen;
            scale[j] = Math.sqrt(penalised);
        }
        int[] used = IntStream.range(0, columns).filter(j -> scale[j] > 0).toArray();
        DenseMatrix gram = DenseMatrix.zeros(used.length, used.length);
        double[] right = new double[used.length];
        for (int a = 0; a < used.length; a++) {
            int i = used[a];
            right[a] = product(i, truth(), intercept) / scale[i];
            for (int b = 0; b < a; b++) {
                double value = product(i, used[b], intercept) / (scale[i] * scale[used[b]]);
                gram.set(a, b, value);
                gram.set(b, a, value);
            }
            gram.set(a, a, 1);
        }
        double[] solution = solved(gram, right, workers);
        double[] all = new double[columns];
        double constant = intercept ? mean[truth()] : 0;
        for (int a = 0; a < used.length; a++) {
            int j = used[a];
            all[j] = solution[a] / scale[j];
            constant -= intercept ? all[j] * mean[j] : 0;
        }
        return new LinearRule(Arrays.copyOf(all, movable), Arrays.copyOfRange(all, movable, columns), constant);
    }

    private double product(int i, int j, boolean aboutMean) {
        double centred = products[i * order() + j];
        return aboutMean ? centred : centred + weight * mean[i] * mean[j];
    }

    /** A^{-1} b for a matrix of correlations; without the directions that it does not know where it is singular. */
    private static double[] solved(DenseMatrix gram, double[] b, Workers workers) {
        for (int i = 0; i < b.length; i++) {
            if (!Double.isFinite(b[i]) || Arrays.stream(gram.row(i)).anyMatch(v -> !Double.isFinite(v))) {
                double[] unknown = new double[b.length];
                Arrays.fill(unknown, Double.NaN);
                return unknown;
            }
        }
        Optional<Cholesky> factor = Cholesky.of(gram, 0, workers).filter(PeopleSums::isWellPosed);
        if (factor.isPresent()) {
            double[] solution = b.clone();
            factor.get().solve(solution);
            return solution;
        }
        SymmetricEigen eigen = SymmetricEigen.of(gram, workers);
        double[] values = eigen.values();
        double[] solution = new double[b.length];
        for (int k = 0; k < values.length; k++) {
            if (values[k] > WELL_POSED * values[values.length - 1]) {
                double[] vector = eigen.vectors().column(k);
                Vectors.axpy(Vectors.dot(vector, b) / values[k], vector, solution);
            }
        }
        return solution;
    }

    private static boolean isWellPosed(Cholesky factor) {
        DenseMatrix lower = factor.lower();
        return IntStream.range(0, lower.rows()).allMatch(j -> lower.get(j, j) * lower.get(j, j) >= WELL_POSED);
    }
}
