package stackelberg.objective.limited;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.function.DoublePredicate;
import stackelberg.linalg.Vectors;

/**
 * L-BFGS for a loss with kinks where limits become active. The line search asks for sufficient decrease and a flatter
 * slope (the weak Wolfe conditions), because a kink may rule out a slope near 0.
 */
final class Descent {
    private static final int MEMORY = 20;
    private static final double DECREASE = 1e-4;
    private static final double SLOPE = 0.9;
    private static final int MOST_TRIALS = 50;

    /** The number of successive steps with a negligible gain after which a descent ends. */
    private static final int IDLE = 5;

    private final LimitedLoss loss;
    private final Metric metric;
    private final double tolerance;
    private final int maxIterations;
    /** Receives the loss after every step; returns false to stop. */
    private final DoublePredicate goesOn;

    Descent(LimitedLoss loss, double tolerance, int maxIterations, DoublePredicate goesOn) {
        this.loss = loss;
        this.metric = loss.metric();
        this.tolerance = tolerance;
        this.maxIterations = maxIterations;
        this.goesOn = goesOn;
    }

    /**
     * The end of a descent.
     *
     * @param evaluations the number of passes over the rows
     * @param settled whether it ended because no step improved the loss
     */
    record End(double[] theta, double loss, int iterations, int evaluations, boolean settled) {}

    private record Pair(double[] step, double[] change, double product) {}

    /** Descends from a start; the loss at the end is never larger. */
    End from(double[] start) {
        return from(start, new boolean[start.length]);
    }

    /** Descends along the coordinates that are not fixed. */
    End from(double[] start, boolean[] fixed) {
        double[] theta = start.clone();
        double[] gradient = new double[theta.length];
        double value = loss.at(theta, gradient);
        clear(gradient, fixed);
        int evaluations = 1;
        Deque<Pair> memory = new ArrayDeque<>();
        double[] trial = new double[theta.length];
        double[] slopes = new double[theta.length];
        int idle = 0;
        for (int iteration = 0; iteration < maxIterations; iteration++) {
            double[] direction = direction(gradient, memory, fixed);
            double steepness = Vectors.dot(gradient, direction);
            if (!(steepness < 0)) {
                if (memory.isEmpty()) {
                    return new End(theta, value, iteration, evaluations, Double.isFinite(value));
                }
                memory.clear();
                continue;
            }
            double from = 0;
            double to = Double.POSITIVE_INFINITY;
            double length = 1;
            double reached = Double.NaN;
            boolean held = false;
            for (int k = 0; k < MOST_TRIALS; k++) {
                System.arraycopy(theta, 0, trial, 0, trial.length);
                Vectors.axpy(length, direction, trial);
                reached = loss.at(trial, slopes);
                clear(slopes, fixed);
                evaluations++;
                if (!(reached <= value + DECREASE * length * steepness)) {
                    to = length;
                } else if (Vectors.dot(slopes, direction) < SLOPE * steepness) {
                    from = length;
                } else {
                    held = true;
                    break;
                }
                length = to == Double.POSITIVE_INFINITY ? 2 * from : (from + to) / 2;
            }
            if (!held && !(reached < value)) {
                if (memory.isEmpty()) {
                    return new End(theta, value, iteration, evaluations, true);
                }
                memory.clear();
                continue;
            }
            double[] step = Vectors.minus(trial, theta);
            double[] change = Vectors.minus(slopes, gradient);
            double product = Vectors.dot(step, change);
            if (product > 0) {
                memory.addFirst(new Pair(step, change, product));
                if (memory.size() > MEMORY) {
                    memory.removeLast();
                }
            }
            idle = value - reached <= tolerance * Math.abs(value) ? idle + 1 : 0;
            System.arraycopy(trial, 0, theta, 0, theta.length);
            System.arraycopy(slopes, 0, gradient, 0, theta.length);
            value = reached;
            if (idle == IDLE) {
                return new End(theta, value, iteration + 1, evaluations, true);
            }
            if (!goesOn.test(value)) {
                return new End(theta, value, iteration + 1, evaluations, false);
            }
        }
        return new End(theta, value, maxIterations, evaluations, false);
    }

    /** Returns -H g by the two-loop recursion, which starts from the metric. */
    private double[] direction(double[] gradient, Deque<Pair> memory, boolean[] fixed) {
        double[] q = gradient.clone();
        double[] factors = new double[memory.size()];
        int k = 0;
        for (Pair pair : memory) {
            factors[k] = Vectors.dot(pair.step, q) / pair.product;
            Vectors.axpy(-factors[k++], pair.change, q);
        }
        double[] direction = metric.downhill(q);
        clear(direction, fixed);
        if (!memory.isEmpty()) {
            Pair last = memory.getFirst();
            double[] scaled = metric.downhill(last.change);
            clear(scaled, fixed);
            Vectors.scale(-last.product / Vectors.dot(last.change, scaled), direction);
        }
        for (Iterator<Pair> oldest = memory.descendingIterator(); oldest.hasNext(); ) {
            Pair pair = oldest.next();
            k--;
            double back = -Vectors.dot(pair.change, direction) / pair.product;
            Vectors.axpy(back - factors[k], pair.step, direction);
        }
        return direction;
    }

    /** Sets the fixed coordinates to 0; a positive definite metric restricted to the others stays positive definite. */
    private static void clear(double[] values, boolean[] fixed) {
        for (int k = 0; k < values.length; k++) {
            values[k] = fixed[k] ? 0 : values[k];
        }
    }
}
