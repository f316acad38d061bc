package stackelberg.bench.report;

import java.util.List;

/** One line of a plot. */
record Curve(String label, Pen pen, List<Point> points) {
    /** @param hollow drawn without filling, for what is not certified */
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
     * @param colour {@code #rrggbb}, or {@link #INK} for the colour of text, which depends on the reader's theme
     * @param dash of the stroke; empty for a solid line
     */
    record Pen(String colour, String dash, Mark mark) {
        static final String INK = "ink";
    }
}
