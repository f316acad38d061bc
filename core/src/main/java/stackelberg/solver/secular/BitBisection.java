package stackelberg.solver.secular;

import java.util.function.DoublePredicate;

/**
 * Bisection over the positive doubles in their binary order: at most 63 evaluations to the last bit, whatever the scale of the root.
 *
 * <p>A root near 1e-300 (a nearly hard case) costs no more than one near 1, and nothing has to be tuned.
 */
final class BitBisection {
    private BitBisection() {}

    /**
     * The smallest double in [low, high] where the predicate holds, for a predicate that stays true once it is; high if it holds nowhere
     * below.
     */
    static double firstTrue(double low, double high, DoublePredicate predicate) {
        long a = Double.doubleToLongBits(low);
        long b = Double.doubleToLongBits(high);
        while (a < b) {
            long middle = a + (b - a) / 2;
            if (predicate.test(Double.longBitsToDouble(middle))) {
                b = middle;
            } else {
                a = middle + 1;
            }
        }
        return Double.longBitsToDouble(b);
    }
}
