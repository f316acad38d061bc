package stackelberg.objective.convex;

import java.util.Optional;
import stackelberg.linalg.Vectors;

/**
 * min over q of sum_i s_i l(o_i + b_i'q, y_i): what is left to choose once everybody's score is known but for its immutable part. Newton, with no look at the features.
 *
 * @param q the minimiser
 * @param value the minimum
 * @param scores o + B q
 * @param separates whether some direction of q makes no yes and no no worse and some of them better for ever, so that there is no minimiser
 */
record FixedFit(double[] q, double value, double[] scores, boolean separates) {
    private static final int MOST_STEPS = 200;
    private static final int MOST_HALVINGS = 60;

    /** A person who gets worse by so little of the most that anybody gets better does not get worse. */
    private static final double WORSE = 1e-9;

    static FixedFit of(Scores all, double[] offset) {
        Fixed fixed = all.fixed();
        double[] q = new double[fixed.size()];
        double[] scores = offset.clone();
        double value = all.value(scores);
        double share = all.loss().isLogistic() ? 0 : 1;
        for (int step = 0; step < MOST_STEPS && q.length > 0; step++) {
            double[] slopes = fixed.transposeTimes(all.pushes(scores));
            Elimination curved = Elimination.of(fixed.gram(all.curvatures(scores, share)));
            double[] change = curved.solve(slopes);
            Vectors.scale(-1, change);
            double slope = Vectors.dot(change, slopes);
            double[] moved = new double[scores.length];
            fixed.add(change, moved);
            if (all.loss().isLogistic() && separates(all, moved)) {
                return new FixedFit(q, value, scores, true);
            }
            if (!(slope < -1e-17 * value)) {
                break;
            }
            double length = 1;
            double reached = all.value(scores, 1, moved);
            for (int k = 0; k < MOST_HALVINGS && !(reached <= value + 1e-4 * length * slope); k++) {
                length /= 2;
                reached = all.value(scores, length, moved);
            }
            if (!(reached < value)) {
                break;
            }
            value = reached;
            Vectors.axpy(length, change, q);
            Vectors.axpy(length, moved, scores);
            share = length < 1 ? 1 : share > 1e-6 ? share / 10 : share;
        }
        return new FixedFit(q, value, scores, false);
    }

    private static boolean separates(Scores all, double[] direction) {
        double[] weights = all.weights();
        double[] y = all.y();
        double better = 0;
        double worse = 0;
        for (int i = 0; i < direction.length; i++) {
            if (weights[i] != 0) {
                double gain = (2 * y[i] - 1) * direction[i];
                better = Math.max(better, gain);
                worse = Math.max(worse, -gain);
            }
        }
        return better > 0 && worse <= WORSE * better;
    }

    /** What to say where there is no best rule. */
    static Optional<String> problem(Scores all, FixedFit alone) {
        if (!alone.separates) {
            return Optional.empty();
        }
        boolean yes = false;
        boolean no = false;
        for (int i = 0; i < all.people(); i++) {
            yes |= all.weights()[i] != 0 && all.y()[i] == 1;
            no |= all.weights()[i] != 0 && all.y()[i] == 0;
        }
        return Optional.of(
                yes && no
                        ? "The columns that nobody can change tell some who are 1 from all who are 0, or the other way round: the larger their coefficients, the smaller the loss, and"
                                + " no rule is best.\nMaybe leave out the column that tells them apart, or let the target be less certain."
                        : "Everybody who counts is " + (yes ? 1 : 0)
                                + ": the larger the intercept the smaller the loss, and no rule is best.\nMaybe the target has only one class in these rows.");
    }
}
