package stackelberg.model.response;

import java.util.Arrays;
import stackelberg.estimate.LinearEstimator;
import stackelberg.estimate.Moments;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;

/**
 * The sums over the rows that least squares needs: with c_i = (x_i, v_i, z_i, y_i), the weighted means and sum_i s_i
 * (c_i - mean)(c_i - mean)'. A move by the same multiple u of everyone's gap maps c to c + u (g'c - a), which is a
 * rank-two update of the sums.
 *
 * <p>The sums are about the mean, because sums about 0 lose digits for columns whose mean is large against their
 * spread.
 */
final class PeopleSums {
    /** The number of rows multiplied at once. */
    private static final int BLOCK = 512;

    /**
     * A column with a smaller 1 - R^2 on the columns before it is not used by least squares. It corresponds to a
     * relative singular value of about 1e-6, the threshold for today's rule.
     */
    private static final double WELL_POSED = 1e-12;

    private final int movable;
    private final int people;
    private final double weight;
    private final double[] mean;
    /** The matrix of sums, row by row; symmetric. */
    private final double[] products;

    private PeopleSums(int movable, int people, double weight, double[] mean, double[] products) {
        this.movable = movable;
        this.people = people;
        this.weight = weight;
        this.mean = mean;
        this.products = products;
    }

    /**
     * Returns the sums over the rows of a game. Wishes that are known up to noise have additional variance, independent
     * of everything else.
     */
    static PeopleSums of(PredictionGame game, Workers workers) {
        Matrix x = game.x();
        double[][] fixed = game.immutable();
        double[] z = game.z();
        double[] y = game.y();
        double[] s = game.weights();
        int n = x.cols();
        int order = n + fixed.length + 2;
        DenseMatrix means = DenseMatrix.zeros(n, 1);
        x.transposeTimes(DenseMatrix.column(s), means, null, workers);
        double weight = Arrays.stream(s).sum();
        double[] level = new double[order];
        for (int j = 0; j < order; j++) {
            double[] column = j < n ? null : j < n + fixed.length ? fixed[j - n] : j == order - 2 ? z : y;
            level[j] = (column == null ? means.get(j, 0) : Vectors.dot(s, column)) / weight;
        }
        Moments all = Moments.of(x, order - n + 1, workers, (i, row) -> {
            for (int j = 0; j < fixed.length; j++) {
                row[n + j] = fixed[j][i];
            }
            row[order - 2] = z[i];
            row[order - 1] = y[i];
            for (int j = 0; j < order; j++) {
                row[j] -= level[j];
            }
            row[order] = 1;
            return s[i];
        });
        PeopleSums sums = of(n, level, all);
        int wish = order - 2;
        sums.products[wish * order + wish] += game.wishNoiseVariance();
        return sums;
    }

    /**
     * @param level values near the means, which were subtracted before products were formed
     * @param all the sums of products of (c - level, 1)
     */
    private static PeopleSums of(int movable, double[] level, Moments all) {
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

    /** Adds up rows one after another. */
    static final class Builder {
        private final int movable;
        private final double[] level;
        private final Moments.Builder sums;
        private final double[] centred;

        /**
         * @param level values near the means, subtracted before products are formed
         */
        private Builder(int movable, double[] level, Workers workers) {
            this.movable = movable;
            this.level = level;
            this.sums = new Moments.Builder(level.length + 1, BLOCK, workers);
            this.centred = new double[level.length + 1];
        }

        /** Adds a row with sample weight s. */
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
            return of(movable, level, sums.build());
        }
    }

    /** Returns a builder for rows like these. */
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

    /** Returns the number of rows with positive weight. */
    int people() {
        return people;
    }

    double weight() {
        return weight;
    }

    /** Returns the standard deviation of the truth; 1 if it is 0. */
    double spread() {
        double variance = products[truth() * order() + truth()] / weight;
        return variance > 0 ? Math.sqrt(variance) : 1;
    }

    /** Returns the sums after every row has moved to c + u (g'c - a). */
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

    /**
     * Returns the sums of a mixture: these rows with probability 1 - share, and the others (the same rows after another
     * move) with probability share.
     */
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

    /** Returns sum_i s_i (f'c_i + a)^2. */
    double squares(double[] f, double a) {
        double off = Vectors.dot(f, mean) + a;
        return Math.max(0, Vectors.dot(f, times(f))) + weight * off * off;
    }

    /** Returns w'x + q'v as a linear form in c, without the constant. */
    double[] form(LinearRule rule) {
        double[] form = new double[order()];
        double[] w = rule.w();
        double[] q = rule.q();
        System.arraycopy(w, 0, form, 0, w.length);
        System.arraycopy(q, 0, form, w.length, q.length);
        return form;
    }

    /** Returns sum_i s_i (p_i - y_i)^2 at the current values. */
    double loss(LinearRule rule) {
        double[] form = form(rule);
        form[truth()] = -1;
        return squares(form, rule.intercept());
    }

    /** Returns the root mean square difference between the scores of two rules. */
    double apart(LinearRule one, LinearRule other) {
        double[] form = form(one);
        Vectors.axpy(-1, form(other), form);
        return Math.sqrt(squares(form, one.intercept() - other.intercept()) / weight);
    }

    /**
     * Returns which manipulable columns least squares may use: those that do not depend linearly on earlier columns. Of
     * two equal columns the rule rewards, and people move, only the one that is chosen, so the choice must be the same
     * in every round.
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

    /**
     * Returns sum_i s_i x_ij^2, about the mean if there is an intercept; 0 for a column that is then constant up to
     * rounding.
     */
    private double seen(int j, boolean intercept) {
        double own = products[j * order() + j];
        double all = own + weight * mean[j] * mean[j];
        return !intercept ? all : own <= WELL_POSED * all ? 0 : own;
    }

    /**
     * Returns the least-squares rule for the truth at the current values, with the penalty mu w'C^{-1}w: the loss plus
     * ridge before any move. If columns depend on others, the coefficients of least norm are taken, in units of the
     * columns' spreads.
     *
     * @param kept which manipulable columns are used
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
        double[] all = LinearEstimator.ofSums(scale, truth(), (i, j) -> product(i, j, intercept), workers);
        double constant = intercept ? mean[truth()] : 0;
        for (int j = 0; j < columns && intercept; j++) {
            constant -= all[j] * mean[j];
        }
        return new LinearRule(Arrays.copyOf(all, movable), Arrays.copyOfRange(all, movable, columns), constant);
    }

    private double product(int i, int j, boolean aboutMean) {
        double centred = products[i * order() + j];
        return aboutMean ? centred : centred + weight * mean[i] * mean[j];
    }
}
