package stackelberg.bench.report;

import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** Draws a line plot as SVG with real text, in the colours of the reader's light or dark theme. Values that an axis cannot show are left out. */
final class Plot {
    private static final int WIDTH = 460;
    private static final int LEFT = 66;
    private static final int RIGHT = WIDTH - 30;
    private static final int TOP = 36;
    private static final int BOTTOM = TOP + 250;
    private static final int LEGEND_LEFT = 20;
    private static final int LEGEND_LINE = 20;
    /** Lines with more points than this are drawn without marks, which would hide them. */
    private static final int MOST_MARKS = 40;

    private static final String INK = "#1c2026";
    private static final String SOFT = "#5d6570";
    private static final String GROUND = "#ffffff";
    private static final String THEME = "<style>@media (prefers-color-scheme:dark){"
            + ".plot .ground{fill:#16191d}.plot .grid{stroke:#2d3239}.plot .frame{stroke:#596069}"
            + ".plot .text{fill:#e6e8eb}.plot .soft{fill:#a3abb5}.plot .ink{stroke:#f1f3f5}.plot .inked{fill:#f1f3f5}"
            + ".plot .hole{fill:#16191d}}</style>\n";

    private final String title;
    private final Axis.Style x;
    private final Axis.Style y;
    private final List<Curve> curves = new ArrayList<>();

    Plot(String title, Axis.Style x, Axis.Style y) {
        this.title = title;
        this.x = x;
        this.y = y;
    }

    /** Adds a line if at least one of its points can be shown. */
    Plot add(Curve curve) {
        List<Curve.Point> shown = curve.points().stream()
                .filter(point -> fits(x, point.x()) && fits(y, point.y()))
                .toList();
        if (!shown.isEmpty()) {
            curves.add(new Curve(curve.label(), curve.pen(), shown));
        }
        return this;
    }

    private static boolean fits(Axis.Style axis, double value) {
        return Double.isFinite(value) && (!axis.log() || value > 0);
    }

    String title() {
        return title;
    }

    boolean isEmpty() {
        return curves.isEmpty();
    }

    String svg() {
        return new Drawing().whole();
    }

    /** The state of a plot while it is drawn. */
    private final class Drawing {
        private final Axis across = axis(x, Curve.Point::x);
        private final Axis up = axis(y, Curve.Point::y);
        private final StringBuilder svg = new StringBuilder();

        private Axis axis(Axis.Style style, ToDoubleFunction<Curve.Point> value) {
            DoubleSummaryStatistics range = curves.stream()
                    .flatMap(curve -> curve.points().stream())
                    .collect(Collectors.summarizingDouble(value));
            return Axis.of(style, range.getMin(), range.getMax());
        }

        String whole() {
            frame();
            curves.forEach(this::line);
            int height = legend() + 8;
            String head = String.format(
                    Locale.ROOT,
                    "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" viewBox=\"0 0 %1$d %2$d\" width=\"%1$d\" height=\"%2$d\""
                            + " role=\"img\" font-family=\"system-ui, 'Segoe UI', Helvetica, Arial, 'DejaVu Sans', sans-serif\" font-size=\"12\">\n"
                            + "<title>%3$s</title>\n%4$s<rect class=\"ground\" width=\"%1$d\" height=\"%2$d\" rx=\"6\" fill=\"%5$s\"/>\n",
                    WIDTH,
                    height,
                    Escape.xml(title),
                    THEME,
                    GROUND);
            return head + svg + "</svg>\n";
        }

        private void frame() {
            text(14, 22, "start", "text", " font-size=\"13\" font-weight=\"600\"", title);
            for (Axis.Tick tick : up.ticks()) {
                double at = y(tick.at());
                add(
                        "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#e3e6ea\"/>",
                        LEFT, at, RIGHT, at);
                text(LEFT - 8, at + 4, "end", "soft", "", tick.text());
            }
            for (Axis.Tick tick : across.ticks()) {
                double at = x(tick.at());
                add(
                        "<line class=\"frame\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#9aa1ab\"/>",
                        at, BOTTOM, at, BOTTOM + 5);
                text(at, BOTTOM + 19, "middle", "soft", "", tick.text());
            }
            add(
                    "<path class=\"frame\" d=\"M%d %dV%dH%d\" fill=\"none\" stroke=\"#9aa1ab\"/>",
                    LEFT, TOP, BOTTOM, RIGHT);
            text(
                    (LEFT + RIGHT) / 2.0,
                    BOTTOM + 38,
                    "middle",
                    "text",
                    "",
                    across.style().label());
            double middle = (TOP + BOTTOM) / 2.0;
            text(
                    15,
                    middle,
                    "middle",
                    "text",
                    " transform=\"rotate(-90 15 " + middle + ")\"",
                    up.style().label());
        }

        private void line(Curve curve) {
            List<Curve.Point> points = curve.points();
            StringBuilder drawn = new StringBuilder();
            double lastX = Double.NEGATIVE_INFINITY;
            double lastY = Double.NEGATIVE_INFINITY;
            for (int k = 0; k < points.size(); k++) {
                double atX = x(points.get(k).x());
                double atY = y(points.get(k).y());
                // a point on the same pixel as the one before is left out: a trace has thousands of iterations
                if (k == 0 || k == points.size() - 1 || Math.hypot(atX - lastX, atY - lastY) >= 1) {
                    drawn.append(String.format(Locale.ROOT, k == 0 ? "%.1f,%.1f" : " %.1f,%.1f", atX, atY));
                    lastX = atX;
                    lastY = atY;
                }
            }
            add("<polyline fill=\"none\" stroke-linejoin=\"round\" %s points=\"%s\"/>", stroke(curve.pen()), drawn);
            if (points.size() <= MOST_MARKS) {
                points.forEach(point -> mark(curve.pen(), x(point.x()), y(point.y()), point.hollow()));
            }
        }

        /** Adds the legend and returns where it ends. */
        private int legend() {
            int at = BOTTOM + 62;
            double left = LEGEND_LEFT;
            for (Curve curve : curves) {
                // text cannot be measured here; 7.8 pixels per letter are an upper estimate for twelve-pixel sans-serif
                double width = 30 + 7.8 * curve.label().length() + 14;
                if (left > LEGEND_LEFT && left + width > WIDTH) {
                    left = LEGEND_LEFT;
                    at += LEGEND_LINE;
                }
                add(
                        "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" %s/>",
                        left, at - 4, left + 24, at - 4, stroke(curve.pen()));
                mark(curve.pen(), left + 12, at - 4, false);
                text(left + 30, at, "start", "text", "", curve.label());
                left += width;
            }
            return at + LEGEND_LINE - 14;
        }

        private void mark(Curve.Pen pen, double atX, double atY, boolean hollow) {
            boolean ink = pen.colour().equals(Curve.Pen.INK);
            String colour = ink ? INK : pen.colour();
            String names = (ink ? "ink" : "") + (hollow ? " hole" : ink ? " inked" : "");
            String look = (names.isBlank() ? "" : "class=\"" + names.strip() + "\" ") + "fill=\""
                    + (hollow ? GROUND : colour) + "\" stroke=\"" + colour + "\" stroke-width=\"1.4\"";
            switch (pen.mark()) {
                case CIRCLE -> add("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" %s/>", atX, atY, look);
                case SQUARE -> add("<path d=\"M%.1f %.1fh5.4v5.4h-5.4z\" %s/>", atX - 2.7, atY - 2.7, look);
                case DIAMOND -> add("<path d=\"M%.1f %.1fl3.8 3.8l-3.8 3.8l-3.8 -3.8z\" %s/>", atX, atY - 3.8, look);
                case UP -> add("<path d=\"M%.1f %.1fl3.7 6.2h-7.4z\" %s/>", atX, atY - 3.7, look);
                case DOWN -> add("<path d=\"M%.1f %.1fl3.7 -6.2h-7.4z\" %s/>", atX, atY + 3.7, look);
                case NONE -> {}
            }
        }

        private static String stroke(Curve.Pen pen) {
            boolean ink = pen.colour().equals(Curve.Pen.INK);
            return (ink ? "class=\"ink\" " : "") + "stroke=\"" + (ink ? INK : pen.colour()) + "\" stroke-width=\"1.8\""
                    + (pen.dash().isEmpty() ? "" : " stroke-dasharray=\"" + pen.dash() + "\"");
        }

        private double x(double value) {
            return LEFT + across.share(value) * (RIGHT - LEFT);
        }

        private double y(double value) {
            return BOTTOM - up.share(value) * (BOTTOM - TOP);
        }

        private void text(double atX, double atY, String anchor, String name, String more, String content) {
            add(
                    "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\"%s>%s</text>",
                    name, atX, atY, anchor, name.equals("soft") ? SOFT : INK, more, Escape.xml(content));
        }

        private void add(String format, Object... values) {
            svg.append(String.format(Locale.ROOT, format, values)).append('\n');
        }
    }
}
