package stackelberg.objective.omega;

/**
 * What a mixed population looks like row by row; y is what the immutable columns do not explain, and the wish is y + gap.
 *
 * @param weight s_i
 * @param share S, the share of the truthful
 * @param gamma gamma_i, infinite for those who never move
 * @param y the truth, projected
 * @param gap z_i - y_i
 * @param noise sigma_i
 */
record MixedRows(double[] weight, double share, double[] gamma, double[] y, double[] gap, double[] noise) {
    int count() {
        return weight.length;
    }
}
