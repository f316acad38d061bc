package stackelberg.estimate;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import stackelberg.estimate.LinearEstimator.Fit;
import stackelberg.linalg.AffineMatrix;
import stackelberg.linalg.Cholesky;
import stackelberg.linalg.ColumnStatistics;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;

/**
 * Regression by another loss than the squared one, by Newton's method: min sum_i s_i l(a_i'b, y_i) + lambda (sum_i s_i)
 * ||b||^2/2 on standardised columns a_i, the intercept not penalised.
 */
final class NewtonRegression {
    /** Up to this many columns the Hessian is formed; beyond, its systems are solved by conjugate gradients. */
    private static final int MOST_FORMED = 2000;

    private static final int MOST_STEPS = 100;
    private static final int MOST_PASSES = 200;

    /** A loss that has fallen below this share of its first value belongs to a rule that fits all rows exactly. */
    private static final double EXACT = 1e-26;

    /** Newton's decrement relative to the loss at which the iteration has converged. */
    private static final double CONVERGED = 1e-14;

    /** A standardised coefficient beyond this is taken to diverge. */
    private static final double RUNAWAY = 30;

    /** A score that still moves by more than this in the last step is taken to diverge. */
    private static final double AT_REST = 1e-2;

    /** If the line search shortens a step below this, the second-order model fits badly, and secants are used for the next step. */
    private static final double SHORT = 0.3;

    private static final double[] LAMBDAS = {1e-4, 1e-3, 1e-2, 0.1, 1};
    private static final int PARTS = 5;

    private final double[] shift;
    private final double[] factors;
    private final boolean intercept;
    private final Loss loss;
    private final double[] y;
    private final Workers workers;
    /** The standardised columns, and a column of ones if there is an intercept. */
    private final Matrix a;
    /** The number of coefficients; the intercept, if any, is the last. */
    private final int order;
    /** r_j of the declared penalty sum_j r_j b_j^2/2, which is added whatever lambda is. */
    private final double[] own;
    /** Whether this is a refit within retraining, where each rule is learned from the responses to the previous one. */
    private final boolean refitting;

    /**
     * What a refit within retraining declares.
     *
     * @param kept the columns that the rule may use
     * @param penalties r_j of the penalty sum_j r_j w_j^2, in the units of x, in addition to the one that may be needed
     */
    record Refit(boolean[] kept, double[] penalties) {}

    /** @param refit absent for a rule that may use all columns and is learned from rows that did not move */
    NewtonRegression(
            Matrix x,
            double[] y,
            boolean intercept,
            Loss loss,
            ColumnStatistics statistics,
            @Nullable Refit refit,
            Workers workers) {
        this.shift = intercept ? statistics.mean() : new double[x.cols()];
        this.factors = new double[x.cols()];
        double[] sd = statistics.sd();
        Arrays.setAll(factors, j -> refit != null && !refit.kept[j] ? 0 : sd[j] > 0 ? 1 / sd[j] : intercept ? 0 : 1);
        this.refitting = refit != null;
        this.own = new double[x.cols()];
        Arrays.setAll(own, j -> refit == null ? 0 : 2 * refit.penalties[j] * factors[j] * factors[j]);
        this.intercept = intercept;
        this.loss = loss;
        this.y = y;
        this.workers = workers;
        this.a = new AffineMatrix(x, intercept ? shift : null, factors, intercept);
        this.order = a.cols();
    }

    /**
     * The rule learned with these row weights. lambda is 0 unless the minimum is not finite (a rule separates yes from
     * no without error) or there are at least half as many columns as rows. Then lambda is chosen from a few values by
     * the loss on every fifth row, which is held out.
     */
    Fit fit(double[] weights) {
        Standardised found = standardised(weights);
        return rule(
                found.b,
                found.lambda == 0
                        ? name()
                        : String.format(Locale.ROOT, "%s with ridge %.3g, by people held out", name(), found.lambda));
    }

    /** The coefficients of standardised columns, and the lambda they were found with. */
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

    /** The rule after one more Newton step, which leaves only rounding errors: retraining compares successive rules to more digits than are printed. */
    Fit polished(double[] weights) {
        Standardised found = standardised(weights);
        double[] scores = times(found.b);
        double mu = found.lambda * Arrays.stream(weights).sum();
        double[] gradient = gradient(weights, scores, mu, found.b);
        double[] next = found.b.clone();
        Vectors.axpy(1, newton(curvatures(weights, scores, false), mu, gradient), next);
        double value = total(weights, times(next)) + penalty(mu, next);
        // this close to the minimum a better value may round to a slightly worse one
        boolean worse = !(value <= (1 + 1e-12) * (total(weights, scores) + penalty(mu, found.b)));
        return rule(worse ? found.b : next, name());
    }

    private String name() {
        return loss.isLogistic() ? "logistic regression" : "regression by the loss " + loss;
    }

    private Fit rule(double[] b, String source) {
        double[] w = new double[factors.length];
        double constant = intercept ? b[order - 1] : 0;
        for (int j = 0; j < w.length; j++) {
            w[j] = b[j] * factors[j];
            constant -= w[j] * shift[j];
        }
        return new Fit(w, constant, source);
    }

    /** Returns the rule for a given lambda. */
    Fit ridge(double[] weights, double lambda) {
        return rule(minimise(weights, lambda, new double[order]).orElseThrow(), "ridge " + name());
    }

    /**
     * Returns the loss on held-out rows for each lambda, summed over folds; tried from the largest lambda down.
     *
     * @param parts the folds: rows that are held out together
     * @param lambdas candidates in ascending order
     */
    double[] heldOutLosses(double[] weights, int[][] parts, double[] lambdas) {
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
        return lost;
    }

    /** The lambda with the smallest loss on every fifth row with positive weight, which is held out. */
    private double best(double[] weights) {
        int[] counted =
                IntStream.range(0, weights.length).filter(i -> weights[i] > 0).toArray();
        int[] held = IntStream.range(0, counted.length)
                .filter(k -> k % PARTS == PARTS - 1)
                .map(k -> counted[k])
                .toArray();
        return LAMBDAS[LinearEstimator.best(heldOutLosses(weights, new int[][] {held}, LAMBDAS))];
    }

    /** The minimiser for this lambda; empty if the minimum is not finite or was not reached. */
    private Optional<double[]> minimise(double[] weights, double lambda, double[] start) {
        double mu = lambda * Arrays.stream(weights).sum();
        double[] b = start.clone();
        double[] scores = times(b);
        double here = total(weights, scores) + penalty(mu, b);
        // far from the minimum Huber's loss may have no curvature at all; its secants always have some
        boolean secants = !loss.isLogistic();
        double begin = here;
        for (int step = 0; step < MOST_STEPS; step++) {
            if (!loss.isLogistic() && here <= EXACT * begin) {
                // the rest of the loss is rounding
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
                // no step length improves the value: the rest is rounding
                return mu > 0 || -slope <= 1e-9 * here ? Optional.of(b) : Optional.empty();
            }
            secants = !loss.isLogistic() && length < SHORT;
            b = next;
        }
        return mu > 0 ? Optional.of(b) : Optional.empty();
    }

    /**
     * Whether the minimum is finite. Under the logistic loss it is not if a rule separates yes from no without error.
     *
     * <p>Today's rule counts as diverging if a standardised coefficient is large: it should not rely on differences of nearly equal columns. Within retraining
     * coefficients may legitimately grow, so divergence is recognised by scores that still move although the loss no longer falls.
     */
    private boolean isFinite(double[] weights, double[] b, double[] down) {
        if (!refitting) {
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

    /** The curvatures s_i l''(S_i); with secants s_i l'(S_i)/(S_i - y_i) where l'' is 0, the curvature of a quadratic that lies above Huber's loss everywhere. */
    private double[] curvatures(double[] weights, double[] scores, boolean secants) {
        double[] curvatures = new double[scores.length];
        for (int i = 0; i < curvatures.length; i++) {
            double curvature = secants ? loss.curvatureAbove(scores[i], y[i]) : loss.curvature(scores[i], y[i]);
            curvatures[i] = weights[i] == 0 ? 0 : weights[i] * curvature;
        }
        return curvatures;
    }

    /** The Newton step -(A'WA + mu I)^{-1} g, W the diagonal matrix of curvatures. */
    private double[] newton(double[] curvatures, double mu, double[] gradient) {
        double[] down = gradient.clone();
        Vectors.scale(-1, down);
        if (order > MOST_FORMED) {
            return conjugate(curvatures, mu, down);
        }
        DenseMatrix hessian =
                Moments.of(a, 0, workers, (i, row) -> curvatures[i]).products();
        double trace = 0;
        for (int j = 0; j < order; j++) {
            hessian.set(j, j, hessian.get(j, j) + (j < factors.length ? mu + own[j] : 0));
            trace += hessian.get(j, j);
        }
        // linearly dependent columns, or errors that are all beyond Huber's delta, make the Hessian singular: shift it
        // until it can be factored
        for (double shift = 1e-13 * trace + Double.MIN_NORMAL; ; shift *= 100) {
            Optional<Cholesky> factor = Cholesky.of(hessian, shift, workers);
            if (factor.isPresent()) {
                factor.get().solve(down);
                return down;
            }
        }
    }

    /** The Newton step by conjugate gradients, up to a relative residual of 1e-8; along b if there is no curvature. */
    private double[] conjugate(double[] curvatures, double mu, double[] b) {
        BiConsumer<DenseMatrix, DenseMatrix> hessianTimes = (v, out) -> {
            double[] p = v.column(0);
            double[] u = times(p);
            Arrays.setAll(u, i -> u[i] * curvatures[i]);
            double[] q = transposed(u);
            Arrays.setAll(q, j -> q[j] + (j < factors.length ? mu + own[j] : 0) * p[j]);
            out.setColumn(0, q);
        };
        double[] x = ConjugateGradients.solve(hessianTimes, 1e-8, MOST_PASSES, MOST_PASSES, b)[0];
        return Vectors.norm(x) == 0 ? b : x;
    }
}
