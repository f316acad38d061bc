package stackelberg.adversary;

import java.math.BigInteger;

/**
 * mantissa * 2^exponent with as many bits as one likes and any exponent: arithmetic that neither rounds where doubles do nor overflows.
 *
 * <p>Results are cut, not rounded, to the precision of the more precise operand: an error of one unit in the last place each.
 */
final class Wide implements Comparable<Wide> {
    private final BigInteger mantissa;
    private final long exponent;
    private final int bits;

    private Wide(BigInteger mantissa, long exponent, int bits) {
        int over = mantissa.bitLength() - bits;
        this.mantissa = over > 0 ? mantissa.shiftRight(over) : mantissa;
        this.exponent = over > 0 ? exponent + over : exponent;
        this.bits = bits;
    }

    /** The double itself, which must be finite. */
    static Wide of(double value, int bits) {
        if (value == 0) {
            return new Wide(BigInteger.ZERO, 0, bits);
        }
        int exponent = Math.max(Math.getExponent(value), Double.MIN_EXPONENT) - 52;
        // in two steps, since 2^-exponent alone may overflow
        double whole = Math.scalb(Math.scalb(value, -exponent / 2), -exponent + exponent / 2);
        return new Wide(BigInteger.valueOf((long) whole), exponent, bits);
    }

    static Wide[] of(double[] values, int bits) {
        Wide[] wide = new Wide[values.length];
        for (int i = 0; i < wide.length; i++) {
            wide[i] = of(values[i], bits);
        }
        return wide;
    }

    Wide plus(Wide other) {
        if (mantissa.signum() == 0) {
            return other;
        }
        if (other.mantissa.signum() == 0) {
            return this;
        }
        Wide low = exponent <= other.exponent ? this : other;
        Wide high = low == this ? other : this;
        int most = Math.max(bits, other.bits);
        long apart = high.exponent - low.exponent;
        // what lies below the last place of the other counts for nothing
        if (apart + high.mantissa.bitLength() > most + low.mantissa.bitLength() + 2) {
            return high;
        }
        return new Wide(high.mantissa.shiftLeft((int) apart).add(low.mantissa), low.exponent, most);
    }

    Wide minus(Wide other) {
        return plus(other.negated());
    }

    Wide negated() {
        return new Wide(mantissa.negate(), exponent, bits);
    }

    Wide times(Wide other) {
        return new Wide(mantissa.multiply(other.mantissa), exponent + other.exponent, Math.max(bits, other.bits));
    }

    Wide times(double other) {
        return times(of(other, bits));
    }

    Wide over(Wide other) {
        if (mantissa.signum() == 0) {
            return this;
        }
        int most = Math.max(bits, other.bits);
        int shift = Math.max(0, most + 1 + other.mantissa.bitLength() - mantissa.bitLength());
        return new Wide(mantissa.shiftLeft(shift).divide(other.mantissa), exponent - shift - other.exponent, most);
    }

    Wide root() {
        int shift = Math.max(0, 2 * bits - mantissa.bitLength());
        shift += Math.floorMod(exponent - shift, 2) == 0 ? 0 : 1;
        return new Wide(mantissa.shiftLeft(shift).sqrt(), (exponent - shift) / 2, bits);
    }

    /** Times 2^power. */
    Wide scaled(long power) {
        return new Wide(mantissa, exponent + power, bits);
    }

    Wide abs() {
        return mantissa.signum() < 0 ? negated() : this;
    }

    Wide max(Wide other) {
        return compareTo(other) >= 0 ? this : other;
    }

    int signum() {
        return mantissa.signum();
    }

    @Override
    public int compareTo(Wide other) {
        return minus(other).signum();
    }

    boolean isLessThan(Wide other) {
        return compareTo(other) < 0;
    }

    /** The nearest double, or one of its neighbours; 0 or infinite where it lies beyond them. */
    double toDouble() {
        int over = Math.max(0, mantissa.bitLength() - 62);
        double value = mantissa.shiftRight(over).doubleValue();
        long power = Math.max(-5000, Math.min(5000, exponent + over));
        return Math.scalb(Math.scalb(value, (int) (power / 2)), (int) (power - power / 2));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Wide wide && compareTo(wide) == 0;
    }

    @Override
    public int hashCode() {
        return Double.hashCode(toDouble());
    }

    @Override
    public String toString() {
        return String.valueOf(toDouble());
    }
}
