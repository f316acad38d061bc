package stackelberg.objective.omega;

import java.util.stream.IntStream;

/**
 * The rows of a mixed population. The immutable columns' part is removed from y, and the wish is y + gap.
 *
 * @param weight s_i
 * @param share S, the truthful share
 * @param gamma gamma_i, infinite for rows that never move
 * @param y the truth, projected
 * @param gap z_i - y_i
 * @param noise sigma_i
 */
record MixedRows(double[] weight, double share, double[] gamma, double[] y, double[] gap, double[] noise) {
    int count() {
        return weight.length;
    }

    /** Returns whether every row with a weight moves, and none is truthful. */
    boolean allMove() {
        return share == 0 && IntStream.range(0, count()).noneMatch(i -> weight[i] > 0 && Double.isInfinite(gamma[i]));
    }
}
