package stackelberg.bench.report;

import java.util.List;

/** One line of a plot. */
record Curve(String label, Pen pen, List<Point> points) {
    /**
     * A point of a line.
     *
     * @param hollow drawn without filling, because some trial is not certified
     */
    record Point(double x, double y, boolean hollow) {}

    enum Mark {
        CIRCLE,
        SQUARE,
        DIAMOND,
        UP,
        DOWN,
        NONE
    }

    /**
     * How a line is drawn.
     *
     * @param colour {@code #rrggbb}, or {@link #INK} for the colour of text, which depends on the reader's theme
     * @param dash the SVG dash pattern; empty for a solid line
     */
    record Pen(String colour, String dash, Mark mark) {
        static final String INK = "ink";
    }
}
