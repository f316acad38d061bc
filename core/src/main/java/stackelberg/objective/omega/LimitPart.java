package stackelberg.objective.omega;

import java.util.Arrays;
import stackelberg.linalg.Vectors;

/**
 * The rows that move, in the limit omega -> infinity: each gets z_i plus the part of the immutable columns, which grow
 * with omega, that is subtracted again.
 *
 * @param residuals the residuals of the rows in the limit: z - y minus its regression on gamma_i v_i; 0 for a row that
 *     never moves
 * @param slope the slope of the loss in w/omega at 0, in units of gamma0
 */
record LimitPart(double[] residuals, double slope) {
    static LimitPart of(MixedReduction reduction, double gamma0) {
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
        if (Arrays.stream(weights).allMatch(weight -> weight == 0)) {
            return new LimitPart(gap, 0);
        }
        double[] nothing = new double[reduction.features()];
        double[] residuals =
                reduction.reduceScaled(gap, weights, ratio).residuals(nothing).orElseThrow();
        Vectors.scale(-1, residuals);
        double[] pulled = new double[m];
        for (int i = 0; i < m; i++) {
            pulled[i] = weights[i] * ratio[i] * residuals[i];
        }
        return new LimitPart(residuals, Vectors.norm(reduction.transposeTimes(pulled)));
    }
}
