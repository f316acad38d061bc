package stackelberg.bench.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;
import stackelberg.bench.Row;

/** Formats numbers for tables and axes; a number that is not finite becomes a dash. */
final class Show {
    static final String NOTHING = "–";

    private Show() {}

    /** Three significant digits: 0.0123, 1.23, 123. */
    static String digits(double value) {
        if (!Double.isFinite(value)) {
            return NOTHING;
        }
        if (value != 0 && Math.abs(value) < 1e-4) {
            return exponent(value);
        }
        BigDecimal rounded = new BigDecimal(value).round(new MathContext(3));
        int beforeThePoint = rounded.precision() - rounded.scale();
        return value == 0
                ? "0"
                : rounded.setScale(Math.max(0, 3 - beforeThePoint)).toPlainString();
    }

    /** Three significant digits with an exponent, as the paper prints errors: 7.10e-10. */
    static String exponent(double value) {
        return !Double.isFinite(value) ? NOTHING : value == 0 ? "0" : String.format(Locale.ROOT, "%.2e", value);
    }

    /** One significant digit with an exponent: 2e-6. */
    static String order(double value) {
        if (!Double.isFinite(value)) {
            return NOTHING;
        }
        String text = String.format(Locale.ROOT, "%.0e", value);
        return text.replaceFirst("e([+-])0?", "e$1").replace("e+", "e");
    }

    static String count(long value) {
        return value < 0 ? NOTHING : String.format(Locale.ROOT, "%,d", value);
    }

    /** A decimal number with as many digits as it needs: 0.1, 0.0001, 2. */
    static String plain(double value) {
        return Double.isFinite(value)
                ? BigDecimal.valueOf(value).stripTrailingZeros().toPlainString()
                : NOTHING;
    }

    /** A number or a range: 3, or 1 to 3. */
    static String range(long low, long high) {
        return low == high ? count(low) : count(low) + " to " + count(high);
    }

    /** A duration on an axis: 10 µs, 1 ms, 20 s. */
    static String duration(double seconds) {
        if (seconds < 0.999e-3) {
            return plain(round(seconds * 1e6)) + " µs";
        }
        return seconds < 0.999 ? plain(round(seconds * 1e3)) + " ms" : plain(round(seconds)) + " s";
    }

    /** A power of ten on an axis: 1e-8; simple numbers without an exponent. */
    static String tick(double value) {
        double size = Math.abs(value);
        return size != 0 && (size < 1e-3 || size >= 1e7)
                ? order(value)
                : size >= 1000 ? count(Math.round(value)) : plain(round(value));
    }

    /** A number without the rounding errors in its last bits, such as those of 0.1 + 0.2. */
    private static double round(double value) {
        return new BigDecimal(value).round(new MathContext(10)).doubleValue();
    }

    static String name(Row.Protocol protocol) {
        return protocol.name().toLowerCase(Locale.ROOT);
    }

    /** A short name of a game. */
    static String name(Row.Game game) {
        String size = count(game.m()) + " x " + count(game.n());
        String kind = game.name().isEmpty() ? game.family() : game.name();
        String density = game.density() < 1 ? ", density " + plain(game.density()) : "";
        return kind + " " + size + density + ", gamma " + plain(game.gamma());
    }

    /** m written as a multiple of n if it is one of the paper's multiples. */
    static String multiple(double multiple) {
        return multiple == 1 ? "n" : plain(multiple) + "n";
    }

    /** The number at the end of a variant's name, so that rho=50 follows rho=5; -1 if there is none. */
    static double lastNumber(String variant) {
        String tail = variant.substring(variant.lastIndexOf('=') + 1);
        return tail.matches("\\d+(\\.\\d+)?") ? Double.parseDouble(tail) : -1;
    }
}
