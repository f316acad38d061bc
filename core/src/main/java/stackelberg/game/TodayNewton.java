package stackelberg.game;

import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import stackelberg.linalg.AffineMatrix;
import stackelberg.linalg.Cholesky;
import stackelberg.linalg.ColumnStatistics;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;

/**
 * Today's rule by another loss than the squared one: min sum_i s_i l(a_i'b, y_i) + lambda (sum_i s_i) ||b||^2/2 on standardised columns by Newton's method, the
 * intercept free. lambda is 0 unless that has no finite answer (a yes that can be told from a no without fail) or columns are half as many as people; then it
 * is the one of a few under which a fifth of the people, who were not learned from, lose least.
 */
final class TodayNewton {
    /** Up to so many columns their products are formed; beyond, conjugate gradients serve. */
    private static final int MOST_FORMED = 2000;

    private static final int MOST_STEPS = 100;
    private static final int MOST_PASSES = 200;

    /** A loss that is such a part of what it was is that of a rule that fits everybody. */
    private static final double EXACT = 1e-26;

    /** Newton's decrement, relative to the loss, from which on nothing is left to gain. */
    private static final double CONVERGED = 1e-14;

    /** A standardised coefficient beyond this is on its way to infinity. */
    private static final double RUNAWAY = 30;

    /** A score that the last step moves by more is on its way there. */
    private static final double AT_REST = 1e-2;

    /** A step cut down to less than this was taken by a quadratic that does not fit. */
    private static final double SHORT = 0.3;

    private static final double[] LAMBDAS = {1e-4, 1e-3, 1e-2, 0.1, 1};
    private static final int PARTS = 5;
    private static final int TILE = 512;

    private final double[] shift;
    private final double[] factors;
    private final boolean intercept;
    private final Loss loss;
    private final double[] y;
    private final Workers workers;
    private final Matrix a;
    /** Coefficients, the intercept's the last. */
    private final int order;
    /** r_j of sum_j r_j b_j^2/2, which is paid whatever lambda is. */
    private final double[] own;
    /** Whether this is one of many rules, each learned from people who answered the one before. */
    private final boolean again;

    TodayNewton(Matrix x, double[] y, boolean intercept, Loss loss, Workers workers) {
        this(x, y, intercept, loss, null, null, workers);
    }

    /**
     * A rule that is learned again from people who moved, with a penalty that is given, beside the one that may be needed.
     *
     * @param kept the columns that are learned from; null for today's rule, which uses all
     * @param ridge r of sum_j r_j w_j^2, in the units of x; null for none
     */
    TodayNewton(Matrix x, double[] y, boolean intercept, Loss loss, boolean[] kept, double[] ridge, Workers workers) {
        ColumnStatistics statistics = ColumnStatistics.of(x, workers);
        this.shift = intercept ? statistics.mean() : new double[x.cols()];
        this.factors = new double[x.cols()];
        double[] sd = statistics.sd();
        Arrays.setAll(factors, j -> kept != null && !kept[j] ? 0 : sd[j] > 0 ? 1 / sd[j] : intercept ? 0 : 1);
        this.again = kept != null;
        this.own = new double[x.cols()];
        Arrays.setAll(own, j -> ridge == null ? 0 : 2 * ridge[j] * factors[j] * factors[j]);
        this.intercept = intercept;
        this.loss = loss;
        this.y = y;
        this.workers = workers;
        this.a = new AffineMatrix(x, intercept ? shift : null, factors, intercept);
        this.order = a.cols();
    }

    TodayFit.Learned of(double[] weights) {
        Standardised found = standardised(weights);
        return learned(
                found.b,
                found.lambda == 0
                        ? name()
                        : String.format(Locale.ROOT, "%s with ridge %.3g, by people held out", name(), found.lambda));
    }

    /** The coefficients of standardised columns, and what they were penalised with beside the ridge. */
    private record Standardised(double[] b, double lambda) {}

    private Standardised standardised(double[] weights) {
        long rows = Arrays.stream(weights).filter(s -> s > 0).count();
        boolean tall = 2L * factors.length < rows || Arrays.stream(own).anyMatch(r -> r > 0);
        Optional<double[]> free = tall ? minimise(weights, 0, new double[order]) : Optional.empty();
        double lambda = free.isPresent() ? 0 : best(weights);
        double[] b = free.orElseGet(() -> minimise(weights, lambda, new double[order])
                .orElseThrow(() -> new IllegalStateException("Newton's method did not end.")));
        return new Standardised(b, lambda);
    }

    /** The same with one more step, which leaves nothing but rounding: rules that are learned again and again are compared to more digits than people read. */
    TodayFit.Learned polished(double[] weights) {
        Standardised found = standardised(weights);
        double[] scores = times(found.b);
        double mu = found.lambda * Arrays.stream(weights).sum();
        double[] gradient = gradient(weights, scores, mu, found.b);
        double[] next = found.b.clone();
        Vectors.axpy(1, newton(curvatures(weights, scores, false), mu, gradient), next);
        double value = total(weights, times(next)) + penalty(mu, next);
        // so near the end a better value may round to a worse one
        boolean worse = !(value <= (1 + 1e-12) * (total(weights, scores) + penalty(mu, found.b)));
        return learned(worse ? found.b : next, name());
    }

    private String name() {
        return loss.isLogistic() ? "logistic regression" : "regression by the loss " + loss;
    }

    private TodayFit.Learned learned(double[] b, String source) {
        double[] w = new double[factors.length];
        double constant = intercept ? b[order - 1] : 0;
        for (int j = 0; j < w.length; j++) {
            w[j] = b[j] * factors[j];
            constant -= w[j] * shift[j];
        }
        return new TodayFit.Learned(w, constant, source);
    }

    /** A rule and what it was penalised with. */
    record Penalised(TodayFit.Learned rule, double lambda) {}

    /**
     * The lambda under which people lose least who were held out of what was learned, part by part; the larger one where there is nothing in it.
     *
     * @param parts the rows that are held out together
     * @param lambdas ascending
     */
    Penalised penalised(double[] weights, int[][] parts, double[] lambdas) {
        double[] lost = new double[lambdas.length];
        for (int[] part : parts) {
            double[] learned = weights.clone();
            double[] held = new double[weights.length];
            for (int i : part) {
                learned[i] = 0;
                held[i] = weights[i];
            }
            double[] b = new double[order];
            for (int k = lambdas.length - 1; k >= 0; k--) {
                b = minimise(learned, lambdas[k], b).orElseThrow();
                lost[k] += total(held, times(b));
            }
        }
        int best = 0;
        for (int k = 1; k < lost.length; k++) {
            best = lost[k] <= lost[best] ? k : best;
        }
        double[] b = minimise(weights, lambdas[best], new double[order]).orElseThrow();
        return new Penalised(learned(b, "ridge " + name()), lambdas[best]);
    }

    /** The lambda under which every fifth of those who count loses least, from the largest down. */
    private double best(double[] weights) {
        double[] learned = weights.clone();
        double[] held = new double[weights.length];
        int counting = 0;
        for (int i = 0; i < weights.length; i++) {
            if (weights[i] > 0 && ++counting % PARTS == 0) {
                learned[i] = 0;
                held[i] = weights[i];
            }
        }
        double[] b = new double[order];
        double least = Double.POSITIVE_INFINITY;
        double best = LAMBDAS[LAMBDAS.length - 1];
        for (int k = LAMBDAS.length - 1; k >= 0; k--) {
            Optional<double[]> next = minimise(learned, LAMBDAS[k], b);
            if (next.isEmpty()) {
                return best;
            }
            b = next.get();
            double lost = total(held, times(b));
            if (lost < least) {
                least = lost;
                best = LAMBDAS[k];
            }
        }
        return best;
    }

    /** Empty where the minimum is not finite, or not reached. */
    private Optional<double[]> minimise(double[] weights, double lambda, double[] start) {
        double mu = lambda * Arrays.stream(weights).sum();
        double[] b = start.clone();
        double[] scores = times(b);
        double here = total(weights, scores) + penalty(mu, b);
        // far from the answer a Huber may have no curvature at all, and its secants always have some
        boolean secants = !loss.isLogistic();
        double begin = here;
        for (int step = 0; step < MOST_STEPS; step++) {
            if (!loss.isLogistic() && here <= EXACT * begin) {
                // rounding is all that is left of the loss
                return Optional.of(b);
            }
            double[] gradient = gradient(weights, scores, mu, b);
            double[] down = newton(curvatures(weights, scores, secants), mu, gradient);
            double slope = Vectors.dot(gradient, down);
            if (!secants && -slope <= CONVERGED * here || here == 0) {
                boolean finite = mu > 0 || here > 0 && isFinite(weights, b, down);
                return finite ? Optional.of(b) : Optional.empty();
            }
            double length = 1;
            double[] next = null;
            for (int half = 0; half < 60; half++, length /= 2) {
                next = b.clone();
                Vectors.axpy(length, down, next);
                double[] there = times(next);
                double value = total(weights, there) + penalty(mu, next);
                if (value <= here + 1e-4 * length * slope) {
                    scores = there;
                    here = value;
                    break;
                }
                next = null;
            }
            if (next == null) {
                if (secants) {
                    secants = false;
                    continue;
                }
                // rounding is all that is left
                return mu > 0 || -slope <= 1e-9 * here ? Optional.of(b) : Optional.empty();
            }
            secants = !loss.isLogistic() && length < SHORT;
            b = next;
        }
        return mu > 0 ? Optional.of(b) : Optional.empty();
    }

    /**
     * Whether the minimum is near, and not at infinity. Today's rule is not asked to rely on a difference of columns. Rules that are learned again and again may grow
     * and grow, which is what is looked for; but where a yes can be told from a no without fail, a step that gains nothing still moves scores.
     */
    private boolean isFinite(double[] weights, double[] b, double[] down) {
        if (!again) {
            return !loss.isLogistic()
                    || Arrays.stream(b, 0, factors.length).allMatch(value -> Math.abs(value) <= RUNAWAY);
        }
        double[] moved = times(down);
        return !loss.isLogistic()
                || IntStream.range(0, moved.length).allMatch(i -> weights[i] == 0 || Math.abs(moved[i]) <= AT_REST);
    }

    private double penalty(double mu, double[] b) {
        double sum = 0;
        for (int j = 0; j < factors.length; j++) {
            sum += (mu + own[j]) * b[j] * b[j];
        }
        return sum / 2;
    }

    private double total(double[] weights, double[] scores) {
        double sum = 0;
        for (int i = 0; i < scores.length; i++) {
            sum += weights[i] == 0 ? 0 : weights[i] * loss.value(scores[i], y[i]);
        }
        return sum;
    }

    private double[] times(double[] b) {
        DenseMatrix out = DenseMatrix.zeros(a.rows(), 1);
        a.times(DenseMatrix.column(b), out, workers);
        return out.column(0);
    }

    private double[] transposed(double[] u) {
        DenseMatrix out = DenseMatrix.zeros(order, 1);
        a.transposeTimes(DenseMatrix.column(u), out, null, workers);
        return out.column(0);
    }

    private double[] gradient(double[] weights, double[] scores, double mu, double[] b) {
        double[] slopes = new double[scores.length];
        Arrays.setAll(slopes, i -> weights[i] == 0 ? 0 : weights[i] * loss.slope(scores[i], y[i]));
        double[] gradient = transposed(slopes);
        for (int j = 0; j < factors.length; j++) {
            gradient[j] += (mu + own[j]) * b[j];
        }
        return gradient;
    }

    /** s_i l''(S_i), or s_i l'(S_i)/(S_i - y_i), by which a quadratic lies above a Huber everywhere. */
    private double[] curvatures(double[] weights, double[] scores, boolean secants) {
        double[] curvatures = new double[scores.length];
        for (int i = 0; i < curvatures.length; i++) {
            boolean far = secants && loss.curvature(scores[i], y[i]) == 0;
            double curvature = far ? loss.slope(scores[i], y[i]) / (scores[i] - y[i]) : loss.curvature(scores[i], y[i]);
            curvatures[i] = weights[i] == 0 ? 0 : weights[i] * curvature;
        }
        return curvatures;
    }

    /** -(A'WA + mu I)^{-1} g, W the curvatures. */
    private double[] newton(double[] curvatures, double mu, double[] gradient) {
        double[] down = gradient.clone();
        Vectors.scale(-1, down);
        if (order > MOST_FORMED) {
            return conjugate(curvatures, mu, down);
        }
        DenseMatrix hessian = weightedGram(curvatures);
        double trace = 0;
        for (int j = 0; j < order; j++) {
            hessian.set(j, j, hessian.get(j, j) + (j < factors.length ? mu + own[j] : 0));
            trace += hessian.get(j, j);
        }
        // dependent columns, and errors that are all beyond a Huber's delta, leave directions without curvature
        for (double shift = 1e-13 * trace + Double.MIN_NORMAL; ; shift *= 100) {
            Optional<Cholesky> factor = Cholesky.of(hessian, shift, workers);
            if (factor.isPresent()) {
                factor.get().solve(down);
                return down;
            }
        }
    }

    private DenseMatrix weightedGram(double[] curvatures) {
        Moments.Builder sums = new Moments.Builder(order, TILE, workers);
        int height = Math.max(1, (1 << 16) / order);
        double[] tile = new double[height * order];
        double[] row = new double[order];
        for (int first = 0; first < curvatures.length; first += height) {
            int count = Math.min(height, curvatures.length - first);
            a.tile(first, count, 0, order, DoubleBuffer.wrap(tile));
            for (int i = 0; i < count; i++) {
                if (curvatures[first + i] > 0) {
                    System.arraycopy(tile, i * order, row, 0, order);
                    sums.add(curvatures[first + i], row);
                }
            }
        }
        return sums.build().products();
    }

    /** The same by conjugate gradients, to a residual that shrinks with the gradient. */
    private double[] conjugate(double[] curvatures, double mu, double[] b) {
        double[] x = new double[order];
        double[] rest = b.clone();
        double[] p = b.clone();
        double square = Vectors.dot(rest, rest);
        double enough = 1e-16 * square;
        for (int k = 0; k < MOST_PASSES && square > enough; k++) {
            double[] u = times(p);
            for (int i = 0; i < u.length; i++) {
                u[i] *= curvatures[i];
            }
            double[] q = transposed(u);
            for (int j = 0; j < order; j++) {
                q[j] += (j < factors.length ? mu + own[j] : 0) * p[j];
            }
            double curvature = Vectors.dot(p, q);
            if (!(curvature > 0)) {
                return k == 0 ? b : x;
            }
            double length = square / curvature;
            Vectors.axpy(length, p, x);
            Vectors.axpy(-length, q, rest);
            double next = Vectors.dot(rest, rest);
            double ratio = next / square;
            for (int j = 0; j < order; j++) {
                p[j] = rest[j] + ratio * p[j];
            }
            square = next;
        }
        return x;
    }
}
