package stackelberg.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;

/** An axis with its ticks, which maps values to the unit interval. */
record Axis(Style style, double low, double high, List<Tick> ticks) {
    /** @param text formats the label of a tick */
    record Style(String label, boolean log, DoubleFunction<String> text) {}

    record Tick(double at, String text) {}

    /** An axis that covers these values, which must be positive on a logarithmic axis. */
    static Axis of(Style style, double smallest, double largest) {
        return style.log() ? logarithmic(style, smallest, largest) : linear(style, smallest, largest);
    }

    private static Axis linear(Style style, double smallest, double largest) {
        double width = largest > smallest ? largest - smallest : Math.max(1, Math.abs(largest));
        int power = 3 * (int) Math.floor(Math.log10(width / 6));
        while (grid(power) < width / 6 * (1 - 1e-9)) {
            power++;
        }
        double step = grid(power);
        double first = Math.floor(smallest / step + 1e-9);
        double last = Math.max(first + 1, Math.ceil(largest / step - 1e-9));
        List<Tick> ticks = new ArrayList<>();
        for (double k = first; k <= last; k++) {
            ticks.add(new Tick(k * step, style.text().apply(k * step)));
        }
        return new Axis(style, first * step, last * step, ticks);
    }

    /** A logarithmic axis from one of ..., 0.1, 0.2, 0.5, 1, ... to another, with ticks at these numbers, or only at powers of ten if there are several. */
    private static Axis logarithmic(Style style, double smallest, double largest) {
        int from = 3 * (int) Math.floor(Math.log10(smallest)) - 3;
        while (grid(from + 1) <= smallest * (1 + 1e-9)) {
            from++;
        }
        int to = from + 1;
        while (grid(to) < largest * (1 - 1e-9)) {
            to++;
        }
        double decades = Math.log10(grid(to) / grid(from));
        int every = 3 * Math.max(1, (int) Math.ceil(decades / 7));
        List<Tick> ticks = new ArrayList<>();
        for (int k = from; k <= to; k++) {
            if (decades <= 2 || k % every == 0) {
                ticks.add(new Tick(grid(k), style.text().apply(grid(k))));
            }
        }
        return new Axis(style, grid(from), grid(to), ticks);
    }

    /** The k-th of ..., 0.1, 0.2, 0.5, 1, 2, 5, 10, ..., 1 being the one at 0. */
    private static double grid(int k) {
        return Double.parseDouble(new int[] {1, 2, 5}[Math.floorMod(k, 3)] + "e" + Math.floorDiv(k, 3));
    }

    /** The position of a value between the ends of the axis, from 0 to 1. */
    double share(double value) {
        return style.log() ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
    }
}
