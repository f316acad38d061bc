package stackelberg.model.response;

import java.util.function.IntToDoubleFunction;

/**
 * How far predictions are from the truth.
 *
 * @param mse weighted mean of (p_i - y_i)^2
 * @param mae weighted mean of |p_i - y_i|
 * @param r2 1 - mse / variance of y; not a number where y is constant
 */
public record Score(double mse, double mae, double r2) {
    /** Of predictions that are off by further noise of the given variance, which the mean absolute error leaves out. */
    static Score of(IntToDoubleFunction prediction, Followers people, double noiseVariance) {
        double total = 0;
        double mean = 0;
        for (int i = 0; i < people.size(); i++) {
            total += people.weight(i);
            mean += people.weight(i) * people.truth(i);
        }
        mean /= total;
        double squares = 0;
        double absolute = 0;
        double spread = 0;
        for (int i = 0; i < people.size(); i++) {
            double weight = people.weight(i);
            double y = people.truth(i);
            double residual = prediction.applyAsDouble(i) - y;
            squares += weight * residual * residual;
            absolute += weight * Math.abs(residual);
            spread += weight * (y - mean) * (y - mean);
        }
        double mse = squares / total + noiseVariance;
        return new Score(mse, absolute / total, spread > 0 ? 1 - mse * total / spread : Double.NaN);
    }

    /** Of people who are as in one score with probability share and as in the other otherwise; the truth is the same. */
    static Score mixture(double share, Score one, Score other) {
        return new Score(
                share * one.mse + (1 - share) * other.mse,
                share * one.mae + (1 - share) * other.mae,
                share * one.r2 + (1 - share) * other.r2);
    }

    public double rmse() {
        return Math.sqrt(mse);
    }
}
