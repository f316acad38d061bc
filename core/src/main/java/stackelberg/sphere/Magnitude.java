package stackelberg.sphere;

import java.util.Arrays;

/**
 * The range of sums of squares that is accepted: from 1e-120 to 1e120. Certificates multiply such sums and square the products; within this range
 * neither overflows nor underflows in double precision (1e-308 to 1e308).
 */
final class Magnitude {
    private static final double SMALLEST = 1e-120;
    private static final double LARGEST = 1e120;

    private Magnitude() {}

    /**
     * Throws if a sum of squares is outside the range.
     *
     * @param what the values that were squared, as the message names them
     * @param present whether some of these values are not 0; then a sum of 0 is an underflow, otherwise 0 is accepted
     * @throws IllegalArgumentException naming the sum and the range
     */
    static void require(String what, double squares, boolean present) {
        if (!Double.isFinite(squares)) {
            throw new IllegalArgumentException("The sum of squares of " + what + " is " + squares
                    + ": a value is not finite, or too large to square.\nMaybe measure in other units.");
        }
        if (present && squares < SMALLEST || squares > LARGEST) {
            throw new IllegalArgumentException("The sum of squares of " + what + " is " + squares
                    + "; it must lie between " + SMALLEST + " and " + LARGEST + ".\nMaybe measure in other units.");
        }
    }

    /** Returns whether any value differs from 0. */
    static boolean hasNonzero(double[] v) {
        return Arrays.stream(v).anyMatch(value -> value != 0);
    }
}
