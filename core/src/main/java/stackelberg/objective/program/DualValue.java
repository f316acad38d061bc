package stackelberg.objective.program;

import java.util.Arrays;
import java.util.Optional;
import stackelberg.estimate.Loss;
import stackelberg.linalg.Vectors;

/**
 * A lower bound of the loss over the ball, and so of every rule's: for every nu with V'nu = 0
 *
 * <pre>f* >= -sum_i s_i l*(nu_i/s_i) + (z'nu + mu gamma)/2 - ||(sqrt(gamma)/2 X'nu, (z'nu + mu gamma)/2)||</pre>
 *
 * from the slopes nu_i = s_i l'(S_i) at any scores, moved to V'nu = 0. At the scores of the optimum it is the loss itself.
 *
 * @param value the bound, what rounding can hide already taken off
 * @param slopes the vector of which the norm is taken: dF/dr where V'nu = 0
 * @param rowSquares ||x_i||^2 or more, of everybody
 */
record DualValue(double value, double[] slopes, double[] rowSquares) {
    /** So many units in the last place of each term of a product are its rounding. */
    private static final double UNITS = 4 * 0x1p-52;

    /** Attempts to come back into the domain of the conjugate. */
    private static final int MENDINGS = 50;

    /** From everybody's score and nothing else; no sum of losses is below 0. */
    static DualValue at(Scores all, Ball ball, double[] scores) {
        double[] a = new double[scores.length];
        Loss loss = all.loss();
        for (int i = 0; i < a.length; i++) {
            a[i] = all.weights()[i] == 0 ? 0 : loss.slope(scores[i], all.y()[i]);
        }
        double[] rowSquares = new double[a.length];
        Balanced balanced = balanced(all, a, scores).or(() -> scaled(all, a)).orElse(null);
        if (balanced == null) {
            double[] nu = times(all.weights(), a);
            double[] g = ball.slopes(all.slopes(nu, rowSquares), all.wished(nu));
            return new DualValue(0, g, rowSquares);
        }
        double[] nu = times(all.weights(), balanced.a);
        double wished = all.wished(nu);
        double[] g = ball.slopes(all.slopes(nu, rowSquares), wished);
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
                // what V'nu = 0 is known to, where columns are nearly combinations of one another
                - UNITS * (all.fixed().stretch() - 1) * hidden;
        return new DualValue(bound > 0 ? bound : 0, g, rowSquares);
    }

    /**
     * ||(a, h)|| - h for g = (a, h), which is ||a||^2/(h + ||g||) where h dwarfs a, and what rounding can add to it.
     *
     * @param top how far a may be off
     * @param last how far h may be off
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
     * @param perPerson how far everybody's may be from those that have it exactly
     */
    private record Balanced(double[] a, double[] perPerson) {}

    /**
     * a_i - l''_i b_i'c with c from the curvature's own products: for the logistic loss a change in proportion to p(1 - p), which leaves (0, 1) only if it is larger than 1. Where
     * it leaves the domain it is cut off and the others balance it.
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
        for (int round = 0; round < MENDINGS; round++) {
            Elimination curved = Elimination.of(fixed.gram(times(weights, bends)));
            for (int again = 0; again < 3; again++) {
                double[] c = curved.solve(fixed.transposeTimes(times(weights, a)));
                double[] change = fixed.times(c);
                for (int i = 0; i < a.length; i++) {
                    a[i] -= bends[i] == 0 ? 0 : bends[i] * change[i];
                }
            }
            boolean outside = false;
            for (int i = 0; i < a.length; i++) {
                if (weights[i] != 0 && !(a[i] >= loss.lowest(y[i]) && a[i] <= loss.highest(y[i]))) {
                    outside = true;
                    a[i] = Math.max(loss.lowest(y[i]), Math.min(loss.highest(y[i]), a[i]));
                    bends[i] = 0;
                }
            }
            if (!outside) {
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
        }
        return Optional.empty();
    }

    /**
     * What exact balance would still change, a real vector that no numbers hold: at most (B'WB)^{-1} times what is left, in the direction of everybody's row.
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

    /** All slopes a little smaller, so that there is room for those changes at the ends of the domain. */
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

    /** With an intercept alone the larger of the positive and the negative part is scaled down, which stays in the domain. */
    private static Optional<Balanced> scaled(Scores all, double[] a) {
        if (all.fixed().size() != 1 || !all.fixed().hasIntercept()) {
            return Optional.empty();
        }
        double[] nu = times(all.weights(), a);
        Sum up = new Sum();
        Sum down = new Sum();
        for (double push : nu) {
            (push > 0 ? up : down).add(Math.abs(push));
        }
        double least = Math.min(up.value(), down.value());
        double[] balanced = new double[a.length];
        double total = 0;
        for (int i = 0; i < a.length; i++) {
            double side = a[i] > 0 ? up.value() : down.value();
            balanced[i] = side == 0 ? 0 : a[i] * (least / side);
            total += Math.abs(balanced[i]) * all.weights()[i];
        }
        double[] perPerson = new double[a.length];
        for (int i = 0; i < a.length && total > 0; i++) {
            perPerson[i] = UNITS * Math.abs(balanced[i]);
        }
        return Optional.of(new Balanced(balanced, perPerson));
    }

    private static double[] times(double[] weights, double[] a) {
        double[] nu = new double[a.length];
        Arrays.setAll(nu, i -> weights[i] == 0 ? 0 : weights[i] * a[i]);
        return nu;
    }
}
