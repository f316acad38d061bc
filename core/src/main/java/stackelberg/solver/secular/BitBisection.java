package stackelberg.solver.secular;

import java.util.function.DoublePredicate;

/**
 * Bisection over the positive doubles in the order of their bit patterns: at most 63 evaluations give the last bit, whatever the scale of the root.
 *
 * <p>A root near 1e-300, as in a nearly hard case, costs no more than one near 1, and there is no tolerance to choose.
 */
final class BitBisection {
    private BitBisection() {}

    /**
     * Returns the smallest double in [low, high] at which the predicate holds; high if there is none below it.
     *
     * @param low positive
     * @param predicate monotone: true above any value at which it is true
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
