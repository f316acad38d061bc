package stackelberg.sphere;

import stackelberg.linalg.Vectors;

/**
 * Those who move, in the limit omega -> infinity: everybody gets z_i plus what the immutable columns, grown with omega, subtract again.
 *
 * @param residuals of the rows in the limit: z - y less its regression on gamma_i v_i; 0 where a person never moves
 * @param slope how steeply the loss falls when w/omega leaves 0, in units of gamma0
 */
public record LimitPart(double[] residuals, double slope) {
    static LimitPart of(MixedSphereReduction reduction, double gamma0) {
        MixedRows rows = reduction.rows();
        int m = rows.count();
        double[] weights = new double[m];
        double[] ratio = new double[m];
        double[] gap = new double[m];
        for (int i = 0; i < m; i++) {
            if (!Double.isInfinite(rows.gamma()[i])) {
                weights[i] = rows.weight()[i] * (1 - rows.share());
                ratio[i] = rows.gamma()[i] / gamma0;
                gap[i] = rows.gap()[i];
            }
        }
        double[][] grown = new double[reduction.columns().length][m];
        for (int j = 0; j < grown.length; j++) {
            for (int i = 0; i < m; i++) {
                grown[j][i] = ratio[i] * reduction.columns()[j][i];
            }
        }
        RowProjection fixed = RowProjection.of(grown, weights);
        double[] residuals = fixed.remove(gap, fixed.coordinates(gap));
        double[] pulled = new double[m];
        for (int i = 0; i < m; i++) {
            pulled[i] = weights[i] * ratio[i] * residuals[i];
        }
        return new LimitPart(residuals, Vectors.norm(reduction.transposeTimes(pulled)));
    }
}
