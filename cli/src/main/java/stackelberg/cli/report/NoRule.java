package stackelberg.cli.report;

import stackelberg.game.Sample;
import stackelberg.model.StackelbergModel;

/** What is known where believing everybody is as good as any rule: how wishes and truth differ, and what is left of the error in the limit. */
final class NoRule {
    /** What rounding leaves of a difference that is zero, relative to the numbers it is the difference of. */
    static final double ROUNDING = 1e-9;

    private NoRule() {}

    /** Of a model without a finite equilibrium and the people it was fitted to. */
    static ReportData.NoRule of(StackelbergModel model, Sample people, double weight) {
        double[] y = people.y();
        double[] shifts = people.z().clone();
        for (int i = 0; i < shifts.length; i++) {
            shifts[i] -= y[i];
        }
        double shift = mean(shifts, people.weights());
        double spread = spread(y, people.weights());
        double shiftSpread = spread(shifts, people.weights());
        double limit = Math.sqrt(Math.max(0, model.losses().anticipated()) / weight);
        double negligible = ROUNDING * Math.max(spread, Math.abs(shift));
        return new ReportData.NoRule(
                Math.abs(shift) <= negligible ? 0 : shift,
                shiftSpread <= negligible ? 0 : shiftSpread,
                spread,
                limit <= negligible ? 0 : limit,
                model.game().wishNoise(),
                model.game().intercept().name().toLowerCase(java.util.Locale.ROOT));
    }

    private static double mean(double[] values, double[] weights) {
        double sum = 0;
        double weight = 0;
        for (int i = 0; i < values.length; i++) {
            sum += weights[i] * values[i];
            weight += weights[i];
        }
        return sum / weight;
    }

    /** The standard deviation. */
    private static double spread(double[] values, double[] weights) {
        double mean = mean(values, weights);
        double[] squares = new double[values.length];
        for (int i = 0; i < squares.length; i++) {
            squares[i] = (values[i] - mean) * (values[i] - mean);
        }
        return Math.sqrt(mean(squares, weights));
    }
}
