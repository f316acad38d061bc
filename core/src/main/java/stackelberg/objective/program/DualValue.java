package stackelberg.objective.program;

import java.util.Arrays;
import java.util.Optional;
import stackelberg.estimate.Loss;
import stackelberg.linalg.Vectors;

/**
 * A lower bound of the loss over the ball, and hence of every rule's loss: for every nu with V'nu = 0
 *
 * <pre>f* >= -sum_i s_i l*(nu_i/s_i) + (z'nu + mu gamma)/2 - ||(sqrt(gamma)/2 X'nu, (z'nu + mu gamma)/2)||</pre>
 *
 * with the slopes nu_i = s_i l'(S_i) at any scores, adjusted so that V'nu = 0. At the scores of the optimum the bound
 * equals the loss.
 *
 * @param value the bound, minus its rounding error
 * @param slopes the vector whose norm is taken: dF/dr if V'nu = 0
 * @param rowSquares upper bounds of ||x_i||^2
 */
record DualValue(double value, double[] slopes, double[] rowSquares) {
    /** The rounding error of each term of a product, in units in the last place of the term. */
    private static final double UNITS = 4 * 0x1p-52;

    /** Computes the bound from the scores alone; no sum of losses is below 0. */
    static DualValue at(Scores all, Ball ball, double[] scores) {
        double[] a = new double[scores.length];
        Loss loss = all.loss();
        for (int i = 0; i < a.length; i++) {
            a[i] = all.weights()[i] == 0 ? 0 : loss.slope(scores[i], all.y()[i]);
        }
        double[] rowSquares = new double[a.length];
        Balanced balanced = balanced(all, a, scores).orElse(null);
        double[] nu = times(all.weights(), balanced == null ? a : balanced.a);
        double[] g = ball.slopes(all.slopes(nu, rowSquares), all.wished(nu));
        if (balanced == null) {
            return new DualValue(0, g, rowSquares);
        }
        double half = ball.half();
        Sum conjugates = new Sum();
        double sizes = 0;
        double top = 0;
        double last = 0;
        double missing = 0;
        double hidden = 0;
        double[] zHat = all.zHat();
        for (int i = 0; i < nu.length; i++) {
            double weight = all.weights()[i];
            if (weight == 0) {
                continue;
            }
            double ai = balanced.a[i];
            double conjugate = loss.conjugate(ai, all.y()[i]);
            conjugates.add(-weight * conjugate);
            sizes += weight * (Math.abs(conjugate) + Math.abs(ai * all.y()[i]));
            double row = half * Math.sqrt(rowSquares[i]);
            double off = balanced.perPerson[i];
            top += weight * row * (UNITS * Math.abs(ai) + off);
            double wish = all.isCommon() ? 0 : Math.abs(all.z()[i]);
            last += weight * (Math.abs(zHat[i]) * off + wish * UNITS * Math.abs(ai));
            hidden += weight * Math.abs(ai) * (Math.abs(scores[i]) + row + wish);
            missing += weight * off * (Math.abs(scores[i]) + 1);
        }
        double support = support(g, top, last + UNITS * ball.tilt());
        double bound = conjugates.value()
                - support
                - UNITS * sizes
                - missing
                // the error of V'nu = 0 if columns are nearly dependent
                - UNITS * (all.fixed().stretch() - 1) * hidden;
        return new DualValue(bound > 0 ? bound : 0, g, rowSquares);
    }

    /**
     * Returns ||(a, h)|| - h for g = (a, h), which is ||a||^2/(h + ||g||) where h is far larger than a, plus a bound of
     * its rounding error.
     *
     * @param top a bound of the error of a
     * @param last a bound of the error of h
     */
    private static double support(double[] g, double top, double last) {
        double h = g[g.length - 1] - last;
        double a = Vectors.norm(Arrays.copyOf(g, g.length - 1)) + top;
        double norm = Math.hypot(a, h);
        double support = h > 0 ? a * (a / (h + norm)) : norm - h;
        return (norm == 0 ? 0 : support) * (1 + UNITS) + (h > 0 ? 0 : UNITS * norm);
    }

    /**
     * Slopes with V'nu = 0.
     *
     * @param perPerson how far each row's slope may be from the exact one
     */
    private record Balanced(double[] a, double[] perPerson) {}

    /**
     * Returns a_i - l''_i b_i'c, with c from the curvature's own products. For the logistic loss this is a change in
     * proportion to p(1 - p), which leaves (0, 1) only if the factor exceeds 1. Empty if slopes leave the domain.
     */
    private static Optional<Balanced> balanced(Scores all, double[] start, double[] scores) {
        Fixed fixed = all.fixed();
        if (fixed.size() == 0) {
            return Optional.of(new Balanced(start, new double[start.length]));
        }
        Loss loss = all.loss();
        double[] weights = all.weights();
        double[] y = all.y();
        double[] a = start.clone();
        double[] bends = new double[a.length];
        for (int i = 0; i < a.length; i++) {
            bends[i] = weights[i] == 0 ? 0 : loss.curvature(scores[i], y[i]);
        }
        double size = Math.sqrt(all.total()) * Vectors.norm(times(weights, a));
        Elimination curved = Elimination.of(fixed.gram(times(weights, bends)));
        for (int round = 0; round < 3; round++) {
            double[] change = fixed.times(curved.solve(fixed.transposeTimes(times(weights, a))));
            for (int i = 0; i < a.length; i++) {
                a[i] -= bends[i] == 0 ? 0 : bends[i] * change[i];
            }
        }
        for (int i = 0; i < a.length; i++) {
            if (weights[i] != 0 && !(a[i] >= loss.lowest(y[i]) && a[i] <= loss.highest(y[i]))) {
                return Optional.empty();
            }
        }
        double left = Vectors.norm(fixed.transposeTimes(times(weights, a)));
        if (!(left <= 1e-9 * size)) {
            return Optional.empty();
        }
        double[] perPerson = off(all, a, left, loss.isLogistic() ? curved.inverseNorm() : 1 / all.total());
        for (int i = 0; i < a.length; i++) {
            perPerson[i] *= loss.isLogistic() ? bends[i] : 1;
        }
        if (!loss.isLogistic()) {
            inward(all, a, perPerson);
        }
        return Optional.of(new Balanced(a, perPerson));
    }

    /**
     * Returns how much each slope would have to change for exact balance in real numbers: at most (B'WB)^{-1} times the
     * remainder, in the direction of each row of B.
     *
     * @param left ||B'nu||
     */
    private static double[] off(Scores all, double[] a, double left, double inverseNorm) {
        double[] rows = all.fixed().rowSquares();
        double hidden = 0;
        for (int i = 0; i < a.length; i++) {
            hidden += all.weights()[i] * Math.abs(a[i]) * Math.sqrt(rows[i]);
        }
        double size = inverseNorm * (left + 0x1p-52 * hidden);
        double[] off = new double[a.length];
        Arrays.setAll(off, i -> Math.sqrt(rows[i]) * size);
        return off;
    }

    /** Makes all slopes slightly smaller, so that these changes do not leave the domain. */
    private static void inward(Scores all, double[] a, double[] perPerson) {
        double share = 0;
        for (int i = 0; i < a.length; i++) {
            if (all.weights()[i] != 0) {
                share = Math.max(share, perPerson[i] / all.loss().highest(all.y()[i]));
            }
        }
        for (int i = 0; i < a.length; i++) {
            perPerson[i] += 2 * share * Math.abs(a[i]);
            a[i] *= 1 - 2 * share;
        }
    }

    private static double[] times(double[] weights, double[] a) {
        double[] nu = new double[a.length];
        Arrays.setAll(nu, i -> weights[i] == 0 ? 0 : weights[i] * a[i]);
        return nu;
    }
}
