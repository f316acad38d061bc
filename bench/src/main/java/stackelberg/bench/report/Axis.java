package stackelberg.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;

/** An axis with its ticks, which maps values to the unit interval. */
final class Axis {
    /** @param text formats the label of a tick */
    record Style(String label, boolean log, DoubleFunction<String> text) {}

    record Tick(double at, String text) {}

    private static final double[] STEPS = {1, 2, 5, 10};

    private final Style style;
    private final double low;
    private final double high;
    private final List<Tick> ticks = new ArrayList<>();

    private Axis(Style style, double low, double high) {
        this.style = style;
        this.low = low;
        this.high = high;
    }

    /** An axis that covers these values, which must be positive on a logarithmic axis. */
    static Axis of(Style style, double smallest, double largest) {
        return style.log() ? logarithmic(style, smallest, largest) : linear(style, smallest, largest);
    }

    private static Axis linear(Style style, double smallest, double largest) {
        double width = largest > smallest ? largest - smallest : Math.max(1, Math.abs(largest));
        double step = stepAtLeast(width / 6);
        double first = Math.floor(smallest / step + 1e-9);
        double last = Math.max(first + 1, Math.ceil(largest / step - 1e-9));
        Axis axis = new Axis(style, first * step, last * step);
        for (double k = first; k <= last; k++) {
            axis.add(k * step);
        }
        return axis;
    }

    /** A logarithmic axis from one of ..., 0.1, 0.2, 0.5, 1, ... to another, with ticks at these numbers, or only at powers of ten if there are several. */
    private static Axis logarithmic(Style style, double smallest, double largest) {
        List<Double> grid = new ArrayList<>();
        int bottom = (int) Math.floor(Math.log10(smallest)) - 1;
        int top = (int) Math.ceil(Math.log10(largest)) + 1;
        for (int power = bottom; power <= top; power++) {
            for (int k = 0; k < 3; k++) {
                grid.add(STEPS[k] * power(power));
            }
        }
        int from = 0;
        int to = grid.size() - 1;
        while (grid.get(from + 1) <= smallest * (1 + 1e-9)) {
            from++;
        }
        while (grid.get(to - 1) >= largest * (1 - 1e-9)) {
            to--;
        }
        if (to <= from) {
            to = from + 1;
        }
        Axis axis = new Axis(style, grid.get(from), grid.get(to));
        double decades = Math.log10(axis.high / axis.low);
        int every = Math.max(1, (int) Math.ceil(decades / 7));
        for (int k = from; k <= to; k++) {
            boolean powerOfTen = k % 3 == 0;
            int power = bottom + k / 3;
            if (decades <= 2 || powerOfTen && power % every == 0) {
                axis.add(grid.get(k));
            }
        }
        return axis;
    }

    private static double power(int exponent) {
        return Double.parseDouble("1e" + exponent);
    }

    private static double stepAtLeast(double width) {
        double base = Math.pow(10, Math.floor(Math.log10(width)));
        for (double step : STEPS) {
            if (step * base >= width * (1 - 1e-9)) {
                return step * base;
            }
        }
        return 10 * base;
    }

    private void add(double at) {
        ticks.add(new Tick(at, style.text().apply(at)));
    }

    String label() {
        return style.label();
    }

    List<Tick> ticks() {
        return ticks;
    }

    /** The position of a value between the ends of the axis, from 0 to 1. */
    double share(double value) {
        return style.log() ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
    }
}
