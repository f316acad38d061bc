package stackelberg.objective.program;

import java.util.Optional;
import java.util.function.UnaryOperator;
import stackelberg.estimate.Loss;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereFamily;

/**
 * zHat = X a up to what B explains: wishes that are a linear combination of the features, such as today's score. Then
 * (u, tau) and (u + h a, tau - h) have the same scores, and every point of the ball has the scores of two points of the
 * sphere, of which the one with the smaller tau is chosen (docs/theory.md, "Ties").
 *
 * @param a the shortest such vector
 * @param seen returns the part of a vector on the features that changes scores, apart from what B explains
 */
record CombinedWish(double[] a, UnaryOperator<double[]> seen) {
    /** The relative residual below which wishes count as a combination. */
    private static final double LEFT = 1e-9;

    /** Returns the combination; empty if wishes are not one, or if there are too many features to find out. */
    static Optional<CombinedWish> of(PredictionGame game, Scores scores, Workers workers) {
        if (scores.isCommon() || !scores.isFormed()) {
            return Optional.empty();
        }
        SphereFamily family =
                Reduction.of(game.withLoss(Loss.SQUARED), workers).family().plain();
        DirectSolver direct = DirectSolver.remembering(workers);
        double[] a = direct.leastSquaresOfWishes(family);
        double[] off = scores.fixed()
                .remove(scores.moved(a, -1), new double[scores.fixed().size()]);
        return scores.size(off) <= LEFT * scores.size(scores.zHat())
                ? Optional.of(new CombinedWish(a, v -> direct.effectsInRowSpace(family, v)))
                : Optional.empty();
    }

    /** Returns the point of the sphere with the scores of r, up to what B explains, whose tau is smallest. */
    double[] smaller(Ball ball, double[] r) {
        double[] whole = ball.u(r);
        Vectors.axpy(Ball.tau(r), a, whole);
        double[] u = seen.apply(whole);
        // ||u - tau a||^2 + gamma tau^2 = gamma tau
        double square = Vectors.dot(a, a) + ball.gamma();
        double linear = 2 * Vectors.dot(a, u) + ball.gamma();
        double constant = Vectors.dot(u, u);
        double root = Math.sqrt(Math.max(0, linear * linear - 4 * square * constant));
        double tau = linear > 0 ? 2 * constant / (linear + root) : (linear - root) / (2 * square);
        Vectors.axpy(-tau, a, u);
        double[] point = new double[r.length];
        for (int j = 0; j < u.length; j++) {
            point[j] = u[j] / ball.half();
        }
        point[u.length] = 2 * tau - 1;
        Vectors.scale(1 / Vectors.norm(point), point);
        return point;
    }
}
