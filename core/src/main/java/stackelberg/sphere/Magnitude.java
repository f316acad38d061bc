package stackelberg.sphere;

import java.util.Arrays;

/** The sums of squares that double precision carries through products, squares and bounds: from 1e-120 to 1e120. */
final class Magnitude {
    private static final double SMALLEST = 1e-120;
    private static final double LARGEST = 1e120;

    private Magnitude() {}

    /**
     * Refuses a sum of squares from which a certificate would be wrong or not a number.
     *
     * @param present whether what is squared is not 0: then a sum of 0 is an underflow
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

    /** Whether a value is not 0. */
    static boolean isPresent(double[] v) {
        return Arrays.stream(v).anyMatch(value -> value != 0);
    }
}
