package stackelberg.objective.program;

import stackelberg.linalg.Vectors;

/**
 * The second-order model of the loss at a point (r, q), with q eliminated: F(x) = F + g'(x - r) + (x - r)'H(x - r)/2.
 * Over the ball and over the sphere it is a problem of squared loss.
 */
abstract class Quadratic {
    final Scores scores;
    final Ball ball;
    final Bends bends;
    final double[] r;
    final Elimination fixed;
    private final double[] fixedSlopes;
    /** The gradient before q was eliminated. */
    private final double[] wholeSlopes;
    /** The gradient g with q optimal to first order: X'nu of a nu with B'nu = 0. */
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
     * @param r a point of the ball
     * @param multiplier lambda, with H r + b = -lambda r; 0 inside the ball
     */
    record Step(double[] r, double multiplier) {}

    /**
     * The curvatures of all rows.
     *
     * @param w by the score
     * @param byTau with a hedge, by tau; empty without one, where tau is part of the score
     */
    record Bends(double[] w, double[] byTau) {}

    /** Returns the minimiser over the ball. */
    abstract Step inBall();

    /** Returns the minimiser over the sphere of the model plus sigma/2 ||x - r||^2. */
    abstract Step onSphere(double sigma);

    /**
     * Returns g'r - min g'x over the ball, Fenchel's duality gap to first order in B'nu, plus what optimising q can
     * still gain.
     */
    final double gap() {
        double gain = Vectors.dot(fixedSlopes, fixed.solve(fixedSlopes)) / 2;
        return Math.max(0, Vectors.dot(slopes, r) + Vectors.norm(slopes)) + gain;
    }

    /**
     * Returns how q changes with r.
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

    /** Returns the slope of the whole loss along a change of r and q. */
    final double slope(double[] change, double[] fixedChange) {
        return Vectors.dot(wholeSlopes, change) + Vectors.dot(fixedSlopes, fixedChange);
    }
}
