package stackelberg.solver.published.admm;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import stackelberg.linalg.Vectors;

/**
 * Anderson acceleration of a fixed-point map T: the next x is T(x) minus that combination of the latest differences of T(x) for which the same combination of
 * residuals T(x) - x is smallest.
 *
 * <p><b>Safeguard.</b> Accepted points form a chain: each is T of the one before, or has at most {@link #PROGRESS} times its residual, or a lower f than all
 * before. Other points may be tried in between, and after {@link #TRIES} of them the iteration returns to the last accepted point. If T is nonexpansive,
 * residuals along the chain never grow, and they tend to 0, because those of x, T(x), T(T(x)), ... do (docs/theory.md, "ADMM", part c). An extrapolation that
 * doubles the residual is undone at once.
 */
final class Anderson {
    /** An extrapolation is undone if it makes the residual grow by more than this factor. */
    private static final double GROWTH = 2;
    /** A difference of which a smaller share is independent of the newer ones is left out. */
    private static final double DEPENDENT = 1e-10;
    /** A point is accepted if its residual is at most this share of the residual of the last accepted point; the 0.9 of the theorem. */
    private static final double PROGRESS = 0.9;
    /** The number of points that are tried without acceptance. */
    private static final int TRIES = 12;
    /** How many times farther outside the ball than the plain step an extrapolation may go. */
    private static final double FARTHER = 4;
    /** The largest number of plain steps in a row after unsuccessful tries. */
    private static final int MOST_PLAIN = 1 << 3;

    private final int memory;
    private final Deque<double[]> stepDifferences = new ArrayDeque<>();
    private final Deque<double[]> residualDifferences = new ArrayDeque<>();
    /** T(x) of the latest x; null after a reset. */
    private double @Nullable [] lastStep;
    /** T(x) - x of the latest x; null after a reset. */
    private double @Nullable [] lastResidual;

    private double lastNorm;
    /** Whether the latest point was extrapolated. */
    private boolean extrapolated;
    /** T of the last accepted point; null before the first. */
    private double @Nullable [] acceptedStep;
    /** The norm of the residual of the last accepted point. */
    private double acceptedNorm;
    /** The number of points tried since the last accepted one. */
    private int tried;

    private int plainSteps;
    private int plainLeft;

    Anderson(int memory) {
        this.memory = memory;
        reset();
    }

    /** Forgets all points, because the map has changed. */
    void reset() {
        forget();
        acceptedStep = null;
        acceptedNorm = Double.POSITIVE_INFINITY;
        tried = 0;
        plainSteps = 1;
        plainLeft = 0;
    }

    /** Forgets the differences, so that the next step is plain. */
    private void forget() {
        stepDifferences.clear();
        residualDifferences.clear();
        lastStep = null;
        lastResidual = null;
        lastNorm = Double.POSITIVE_INFINITY;
        extrapolated = false;
    }

    /**
     * Replaces step = T(x) by the accelerated point, or by an earlier one if the tries failed.
     *
     * @param x the current point
     * @param step T(x); overwritten
     * @param lower whether f at x is lower than ever before by a fixed amount, which can happen finitely often only; then x is accepted as well
     */
    void accelerate(double[] x, double[] step, boolean lower) {
        if (memory == 0) {
            return;
        }
        double[] residual = difference(step, x);
        double norm = Vectors.norm(residual);
        if (plainLeft > 0) {
            // x is T of the last accepted point
            plainLeft--;
            accept(step, norm);
        } else if (lower || norm <= PROGRESS * acceptedNorm) {
            plainSteps = 1;
            accept(step, norm);
        } else if (++tried > TRIES) {
            returnTo(Objects.requireNonNull(acceptedStep), step);
            tried = 0;
            plainLeft = plainSteps;
            plainSteps = Math.min(2 * plainSteps, MOST_PLAIN);
            return;
        }
        if (norm > GROWTH * lastNorm && !lower) {
            boolean worse = extrapolated;
            double[] unextrapolated = lastStep;
            forget();
            if (worse && unextrapolated != null) {
                returnTo(unextrapolated, step);
                return;
            }
        }
        double[] plain = step.clone();
        extrapolated = lastStep != null && plainLeft == 0;
        if (lastStep != null && lastResidual != null) {
            push(stepDifferences, difference(plain, lastStep));
            push(residualDifferences, difference(residual, lastResidual));
        }
        if (extrapolated) {
            double[] c = coefficients(residual);
            int i = 0;
            for (double[] delta : stepDifferences) {
                Vectors.axpy(-c[i++], delta, step);
            }
            limit(plain, step);
        }
        lastStep = plain;
        lastResidual = residual;
        lastNorm = norm;
    }

    /**
     * Shortens an extrapolation that leaves the ball, because T is not smooth at its boundary: to the sphere if the plain step is inside, else to at most
     * {@link #FARTHER} times its distance from the ball.
     *
     * @param plain T(x)
     * @param step the extrapolated point; overwritten
     */
    private static void limit(double[] plain, double[] step) {
        double inner = Vectors.norm(plain);
        double most = 1 + FARTHER * Math.max(0, inner - 1);
        double outer = Vectors.norm(step);
        if (!(outer > most)) {
            return;
        }
        if (inner >= 1) {
            Vectors.scale(most / outer, step);
            return;
        }
        // the point of the segment from plain to step with norm 1
        double[] way = difference(step, plain);
        double length = Vectors.norm(way);
        double along = Vectors.dot(plain, way) / length;
        double root = Math.sqrt(along * along + 1 - inner * inner);
        double reach = along > 0 ? (1 - inner * inner) / (along + root) : root - along;
        System.arraycopy(plain, 0, step, 0, step.length);
        Vectors.axpy(reach / length, way, step);
    }

    /** Accepts the current point. */
    private void accept(double[] step, double norm) {
        acceptedStep = step.clone();
        acceptedNorm = norm;
        tried = 0;
    }

    /** Returns to an earlier point without extrapolation. */
    private void returnTo(double[] earlier, double[] step) {
        System.arraycopy(earlier, 0, step, 0, step.length);
        forget();
    }

    /** Returns the c that minimise ||residual - sum c_i residualDifference_i||. */
    private double[] coefficients(double[] residual) {
        double[][] columns = residualDifferences.toArray(double[][]::new);
        return LeastSquares.solve(columns, residual, DEPENDENT);
    }

    private void push(Deque<double[]> queue, double[] entry) {
        queue.addLast(entry);
        if (queue.size() > memory) {
            queue.removeFirst();
        }
    }

    private static double[] difference(double[] a, double[] b) {
        double[] result = a.clone();
        Vectors.axpy(-1, b, result);
        return result;
    }
}
