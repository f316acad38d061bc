package stackelberg.solver.published.admm;

import java.util.ArrayDeque;
import java.util.Deque;
import stackelberg.linalg.Vectors;

/**
 * Anderson acceleration of a fixed-point map T: the next x is T(x) minus the combination of the last differences of T(x) that goes with the
 * smallest residual T(x) - x.
 *
 * <p>Safeguard: when the residual grew by the last extrapolation, that is taken back, the plain step goes in its place, and the history is dropped.
 */
final class Anderson {
    /** A residual that grew by more than this factor was made worse by the extrapolation, not by chance. */
    private static final double GROWTH = 2;

    /** A difference that the others explain up to this is not used again. */
    private static final double DEPENDENT = 1e-10;

    private final int memory;
    private final Deque<double[]> stepDifferences = new ArrayDeque<>();
    private final Deque<double[]> residualDifferences = new ArrayDeque<>();
    private double[] lastStep;
    private double[] lastResidual;
    private double lastNorm = Double.POSITIVE_INFINITY;
    private boolean extrapolated;

    Anderson(int memory) {
        this.memory = memory;
    }

    /** Forgets everything: the map has changed. */
    void reset() {
        stepDifferences.clear();
        residualDifferences.clear();
        lastStep = null;
        lastResidual = null;
        lastNorm = Double.POSITIVE_INFINITY;
        extrapolated = false;
    }

    /** Replaces step = T(x) by the accelerated point. */
    void accelerate(double[] x, double[] step) {
        if (memory == 0) {
            return;
        }
        double[] residual = step.clone();
        Vectors.axpy(-1, x, residual);
        double norm = Vectors.norm(residual);
        if (norm > GROWTH * lastNorm) {
            boolean takeBack = extrapolated;
            double[] unextrapolated = lastStep;
            reset();
            if (takeBack) {
                System.arraycopy(unextrapolated, 0, step, 0, step.length);
                return;
            }
        }
        double[] plain = step.clone();
        extrapolated = lastStep != null;
        if (extrapolated) {
            push(stepDifferences, difference(plain, lastStep));
            push(residualDifferences, difference(residual, lastResidual));
            double[] c = coefficients(residual);
            int i = 0;
            for (double[] delta : stepDifferences) {
                Vectors.axpy(-c[i++], delta, step);
            }
        }
        lastStep = plain;
        lastResidual = residual;
        lastNorm = norm;
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
