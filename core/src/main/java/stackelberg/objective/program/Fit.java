package stackelberg.objective.program;

import java.util.Arrays;
import java.util.Optional;
import stackelberg.linalg.Vectors;

/**
 * min over theta of sum_i s_i l(o_i + c_i'theta, y_i) + mu ||w||^2, w the first entries of theta: what is left to choose once everybody's score is known but for its immutable part, and, where C has
 * the features too, the best rule if nobody moves. Newton.
 *
 * @param theta the minimiser
 * @param value the minimum
 * @param scores o + C theta
 * @param separates whether some direction of the immutable part makes no yes and no no worse and some of them better for ever, so that there is no minimiser
 */
record Fit(double[] theta, double value, double[] scores, boolean separates) {
    private static final int MOST_STEPS = 200;
    private static final double SHORTEST = 0x1p-60;

    /** A person who gets worse by so little of the most that anybody gets better does not get worse. */
    private static final double WORSE = 1e-9;

    /** Of the immutable part. */
    static Fit ofFixed(Scores all, double[] offset) {
        return of(all, all.fixed(), offset, 0, 0);
    }

    /** The best rule if nobody moves, in the coordinates of {@link Scores#columns}. */
    static Fit honest(Scores all, double ridge) {
        return of(all, all.columns(), new double[all.people()], ridge, all.features());
    }

    /** @param penalised the number of entries of w */
    private static Fit of(Scores all, Columns columns, double[] offset, double ridge, int penalised) {
        double[] theta = new double[columns.size()];
        double[] scores = offset;
        double value = all.value(scores);
        double share = all.loss().isLogistic() ? 0 : 1;
        for (int step = 0; step < MOST_STEPS && theta.length > 0; step++) {
            double[] slopes = columns.transposeTimes(all.pushes(scores));
            double[][] gram = columns.gram(all.curvatures(scores, share));
            for (int j = 0; j < penalised; j++) {
                slopes[j] += 2 * ridge * theta[j];
                gram[j][j] += 2 * ridge;
            }
            double[] change = Elimination.of(gram).solve(slopes);
            Vectors.scale(-1, change);
            double slope = Vectors.dot(change, slopes);
            double[] moved = columns.times(change);
            if (penalised == 0 && all.loss().isLogistic() && separates(all, moved)) {
                return new Fit(theta, value, scores, true);
            }
            double length = slope < -1e-17 * value ? 2 : 0;
            double[] next = theta;
            double reached = Double.NaN;
            while (length > SHORTEST && !(reached <= value + 1e-4 * length * slope)) {
                length /= 2;
                next = theta.clone();
                Vectors.axpy(length, change, next);
                reached = all.value(along(scores, length, moved)) + ridge * square(next, penalised);
            }
            if (!(reached < value)) {
                if (share == 0) {
                    break;
                }
                share = 0;
                continue;
            }
            value = reached;
            theta = next;
            scores = along(scores, length, moved);
            share = length < 1 ? 1 : share > 1e-6 ? share / 10 : 0;
        }
        return new Fit(theta, value, scores, false);
    }

    private static double[] along(double[] scores, double length, double[] change) {
        double[] to = scores.clone();
        Vectors.axpy(length, change, to);
        return to;
    }

    private static double square(double[] theta, int penalised) {
        double[] w = Arrays.copyOf(theta, penalised);
        return Vectors.dot(w, w);
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
    static Optional<String> problem(Scores all, Fit alone) {
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
