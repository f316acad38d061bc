package stackelberg.solver.published.admm;

import java.util.ArrayDeque;
import java.util.Deque;
import stackelberg.linalg.Vectors;

/**
 * Anderson acceleration of a fixed-point map T: the next x is T(x) minus the combination of the last differences of T(x) that goes with the
 * smallest residual T(x) - x.
 *
 * <p>Safeguard: there is a chain of points of which each is T of the one before it, has at most {@link #PROGRESS} times its residual, or has a lower f than all before; what is tried in between is taken back
 * after {@link #TRIES} steps. Where T is nonexpansive residuals along the chain never grow, and they tend to 0, because those of x, T(x), T(T(x)), ... do. Within the tries an extrapolation
 * that doubles the residual is taken back at once.
 */
final class Anderson {
    /** A residual that grew by more than this factor was made worse by the extrapolation, not by chance. */
    private static final double GROWTH = 2;

    /** A difference that the others explain up to this is not used again. */
    private static final double DEPENDENT = 1e-10;

    /** What a residual has to be of the last one in the chain for its point to enter it. */
    private static final double PROGRESS = 0.9;

    /** Steps that may be tried outside of the chain. */
    private static final int TRIES = 12;

    /** How many times farther outside of the ball an extrapolation may lead than the plain step. */
    private static final double FARTHER = 4;

    /** The most plain steps in a row after tries that led nowhere. */
    private static final int MOST_PLAIN = 1 << 3;

    private final int memory;
    private final Deque<double[]> stepDifferences = new ArrayDeque<>();
    private final Deque<double[]> residualDifferences = new ArrayDeque<>();
    private double[] lastStep;
    private double[] lastResidual;
    private double lastNorm;
    private boolean extrapolated;

    /** T of the last point in the chain, and its residual. */
    private double[] keptStep;

    private double keptNorm;
    private int tried;
    private int plainSteps;
    private int plainLeft;

    Anderson(int memory) {
        this.memory = memory;
        reset();
    }

    /** Forgets everything: the map has changed. */
    void reset() {
        forget();
        keptStep = null;
        keptNorm = Double.POSITIVE_INFINITY;
        tried = 0;
        plainSteps = 1;
        plainLeft = 0;
    }

    private void forget() {
        stepDifferences.clear();
        residualDifferences.clear();
        lastStep = null;
        lastResidual = null;
        lastNorm = Double.POSITIVE_INFINITY;
        extrapolated = false;
    }

    /**
     * Replaces step = T(x) by the accelerated point.
     *
     * @param lower whether f is lower at x than ever before by a fixed amount, which can be so finitely often only; then x enters the chain, too
     */
    void accelerate(double[] x, double[] step, boolean lower) {
        if (memory == 0) {
            return;
        }
        double[] residual = difference(step, x);
        double norm = Vectors.norm(residual);
        if (plainLeft > 0) {
            // x is T of the last point in the chain
            plainLeft--;
            keep(step, norm);
        } else if (lower || norm <= PROGRESS * keptNorm) {
            plainSteps = 1;
            keep(step, norm);
        } else if (++tried > TRIES) {
            takeBack(keptStep, step);
            tried = 0;
            plainLeft = plainSteps;
            plainSteps = Math.min(2 * plainSteps, MOST_PLAIN);
            return;
        }
        if (norm > GROWTH * lastNorm && !lower) {
            boolean worse = extrapolated;
            double[] unextrapolated = lastStep;
            forget();
            if (worse) {
                takeBack(unextrapolated, step);
                return;
            }
        }
        double[] plain = step.clone();
        extrapolated = lastStep != null && plainLeft == 0;
        if (lastStep != null) {
            push(stepDifferences, difference(plain, lastStep));
            push(residualDifferences, difference(residual, lastResidual));
        }
        if (extrapolated) {
            double[] c = coefficients(residual);
            int i = 0;
            for (double[] delta : stepDifferences) {
                Vectors.axpy(-c[i++], delta, step);
            }
            hold(plain, step);
        }
        lastStep = plain;
        lastResidual = residual;
        lastNorm = norm;
    }

    /** Holds an extrapolation that leaves the ball, where T bends: at the sphere if the plain step is inside, else not many times farther out than that. */
    private static void hold(double[] plain, double[] step) {
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
        double[] way = difference(step, plain);
        double length = Vectors.norm(way);
        double along = Vectors.dot(plain, way) / length;
        double root = Math.sqrt(along * along + 1 - inner * inner);
        double reach = along > 0 ? (1 - inner * inner) / (along + root) : root - along;
        System.arraycopy(plain, 0, step, 0, step.length);
        Vectors.axpy(reach / length, way, step);
    }

    private void keep(double[] step, double norm) {
        keptStep = step.clone();
        keptNorm = norm;
        tried = 0;
    }

    private void takeBack(double[] earlier, double[] step) {
        System.arraycopy(earlier, 0, step, 0, step.length);
        forget();
    }

    /** argmin ||residual - sum c_i residualDifference_i||. */
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
