package stackelberg.model.response;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.DoubleUnaryOperator;

/**
 * Maximises the loss over a common factor on all gammas, by branch and bound on s, the logarithm of the factor.
 *
 * <p>With |d^2 loss/ds^2| at most M, the loss on an interval of length h is at most the larger of its end values plus M
 * h^2/8 (the deviation from the chord). Intervals on which this bound exceeds the largest loss found by no more than
 * the tolerance are dropped; the others are halved.
 */
final class WorstFactor {
    /** The tolerance relative to the largest loss found; five digits of its root are shown. */
    private static final double TOLERANCE = 1e-6;

    /**
     * The largest number of halvings of an interval. It matters only if the loss is tiny compared with M; the accuracy
     * is then what this number leaves.
     */
    private static final int HALVINGS = 12;

    private record Piece(double from, double to, double low, double high, int halvings) {}

    private WorstFactor() {}

    /**
     * Returns the factor with the largest loss: an end of the interval, unless the loss is larger inside.
     *
     * @param ends the interval and the loss at its ends
     * @param curvature M
     * @param loss the mean squared error as a function of the factor
     */
    static double of(RuleEvaluation.Interval ends, double curvature, DoubleUnaryOperator loss) {
        double worstAt = ends.worstAt();
        double worst = ends.worst().mse();
        Deque<Piece> open = new ArrayDeque<>();
        open.push(new Piece(
                Math.log(ends.from()),
                Math.log(ends.to()),
                ends.low().mse(),
                ends.high().mse(),
                0));
        while (!open.isEmpty()) {
            Piece piece = open.pop();
            double h = piece.to - piece.from;
            double above = Math.max(piece.low, piece.high) + curvature * h * h / 8 - worst;
            if (!(above > TOLERANCE * worst && piece.halvings < HALVINGS)) {
                continue;
            }
            double middle = (piece.from + piece.to) / 2;
            double value = loss.applyAsDouble(Math.exp(middle));
            if (value > worst) {
                worst = value;
                worstAt = Math.exp(middle);
            }
            open.push(new Piece(piece.from, middle, piece.low, value, piece.halvings + 1));
            open.push(new Piece(middle, piece.to, value, piece.high, piece.halvings + 1));
        }
        return worstAt;
    }
}
