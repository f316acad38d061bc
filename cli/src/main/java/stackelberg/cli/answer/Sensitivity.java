package stackelberg.cli.answer;

import org.jspecify.annotations.Nullable;
import stackelberg.data.Table;
import stackelberg.game.GameSpec;
import stackelberg.game.World;

/**
 * How wrong the assumptions of a game may be: the ranges that {@code evaluate} checks.
 *
 * @param gammaDoubted whether the common gamma may be wrong; with a gamma per row, wrong gammas are treated as wrong costs
 * @param gammaFrom the lower end of the interval of gamma
 * @param gammaTo the upper end
 * @param wishError the standard deviation by which wishes may be off, in log-odds where the loss is logistic
 * @param costError the factor by which costs may be off
 */
public record Sensitivity(boolean gammaDoubted, double gammaFrom, double gammaTo, double wishError, double costError) {
    /** The standard deviation of the logistic distribution, the scale of noise in log-odds. */
    private static final double LOGISTIC_SPREAD = Math.PI / Math.sqrt(3);

    public static Sensitivity of(
            World world, Table rows, @Nullable String gammaRange, @Nullable Double wishError, double costError) {
        double from = world.gamma() / 2;
        double to = 2 * world.gamma();
        if (gammaRange != null) {
            String[] ends = gammaRange.split(":", -1);
            try {
                from = Double.parseDouble(ends[0]);
                to = Double.parseDouble(ends[ends.length - 1]);
            } catch (NumberFormatException e) {
                throw noRange(gammaRange);
            }
            if (ends.length != 2) {
                throw noRange(gammaRange);
            }
        }
        double error = wishError == null ? 0.1 * spread(world, rows) : wishError;
        if (!(error >= 0) || Double.isInfinite(error)) {
            throw new IllegalArgumentException("The wish error is " + error + "; it must be 0 or more and finite.");
        }
        GameSpec.requireSize("The wish error", error);
        boolean gammaDoubted =
                gammaRange != null || PopulationWords.column(world).isEmpty();
        return new Sensitivity(gammaDoubted, from, to, error, costError);
    }

    private static IllegalArgumentException noRange(String text) {
        return new IllegalArgumentException(
                "The range of gamma is \"" + text + "\"; it must be two numbers, as in 0.5:2.");
    }

    private static double spread(World world, Table rows) {
        return world.spec().loss().isLogistic() ? LOGISTIC_SPREAD : sd(world.truths(rows));
    }

    private static double sd(double[] values) {
        double mean = 0;
        for (double value : values) {
            mean += value / values.length;
        }
        double squares = 0;
        for (double value : values) {
            squares += (value - mean) * (value - mean) / values.length;
        }
        return Math.sqrt(squares);
    }
}
