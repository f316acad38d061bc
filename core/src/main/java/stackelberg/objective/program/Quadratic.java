package stackelberg.objective.program;

import stackelberg.linalg.Vectors;

/**
 * The loss to second order at a point (r, q), with q eliminated: F(x) = F + g'(x - r) + (x - r)'H(x - r)/2. Over the ball and over the sphere it is one problem of the squared
 * loss.
 */
abstract class Quadratic {
    final Scores scores;
    final Ball ball;
    final Bends bends;
    final double[] r;
    final Elimination fixed;
    private final double[] fixedSlopes;
    /** g before q was eliminated. */
    private final double[] wholeSlopes;
    /** g, with q where it is best to first order: X'nu of a nu with B'nu = 0. */
    final double[] slopes;

    Quadratic(
            Scores scores,
            Ball ball,
            Bends bends,
            double[] r,
            Elimination fixed,
            double[] fixedSlopes,
            double[] wholeSlopes,
            double[] slopes) {
        this.scores = scores;
        this.ball = ball;
        this.bends = bends;
        this.r = r;
        this.fixed = fixed;
        this.fixedSlopes = fixedSlopes;
        this.wholeSlopes = wholeSlopes;
        this.slopes = slopes;
    }

    /**
     * A minimiser.
     *
     * @param r in the ball
     * @param multiplier lambda, with H r + b = -lambda r; 0 inside
     */
    record Step(double[] r, double multiplier) {}

    /**
     * The curvatures of all rows.
     *
     * @param w along the score
     * @param byTau with a hedge what a change of tau bends; empty without one, where it is part of the score
     */
    record Bends(double[] w, double[] byTau) {}

    /** Its least point in the ball. */
    abstract Step inBall();

    /** Its least point on the sphere, with sigma/2 ||x - r||^2 added. */
    abstract Step onSphere(double sigma);

    /** Some directions along which it bends least, the flattest first. */
    abstract double[][] flat(int most);

    /** g'r - min g'x over the ball, what Fenchel's dual leaves of the gap to first order in B'nu, and what q still gains. */
    final double gap() {
        double gain = Vectors.dot(fixedSlopes, fixed.solve(fixedSlopes)) / 2;
        return Math.max(0, Vectors.dot(slopes, r) + Vectors.norm(slopes)) + gain;
    }

    /**
     * How q changes with r.
     *
     * @param moved the change of the scores by that of r
     */
    final double[] fixedStep(double[] moved, double tauChange) {
        double[] curved = new double[moved.length];
        for (int i = 0; i < curved.length; i++) {
            curved[i] = bends.w[i] == 0 ? 0 : bends.w[i] * moved[i];
            curved[i] += bends.byTau.length == 0 ? 0 : bends.byTau[i] * tauChange;
        }
        double[] right = scores.fixed().transposeTimes(curved);
        Vectors.axpy(1, fixedSlopes, right);
        double[] step = fixed.solve(right);
        Vectors.scale(-1, step);
        return step;
    }

    /** The slope of the whole loss along a change of r and q. */
    final double slope(double[] change, double[] fixedChange) {
        return Vectors.dot(wholeSlopes, change) + Vectors.dot(fixedSlopes, fixedChange);
    }
}
