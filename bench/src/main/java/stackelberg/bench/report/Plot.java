package stackelberg.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Draws a line plot as SVG with real text, in the colours of the reader's light or dark theme. Values that an axis cannot show are left out. */
final class Plot {
    private static final int WIDTH = 460;
    private static final int LEFT = 66;
    private static final int RIGHT = 30;
    private static final int TOP = 36;
    private static final int HEIGHT = 250;
    private static final int LEGEND_LEFT = 20;
    private static final int LEGEND_LINE = 20;
    /** Lines with more points than this are drawn without marks, which would hide them. */
    private static final int MOST_MARKS = 40;

    private static final String INK = "#1c2026";
    private static final String SOFT = "#5d6570";
    private static final String GRID = "#e3e6ea";
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
        var xs = curves.stream()
                .flatMap(c -> c.points().stream())
                .mapToDouble(Curve.Point::x)
                .summaryStatistics();
        var ys = curves.stream()
                .flatMap(c -> c.points().stream())
                .mapToDouble(Curve.Point::y)
                .summaryStatistics();
        return new Drawing(Axis.of(x, xs.getMin(), xs.getMax()), Axis.of(y, ys.getMin(), ys.getMax())).whole();
    }

    /** The state of a plot while it is drawn. */
    private final class Drawing {
        private final Axis across;
        private final Axis up;
        private final StringBuilder svg = new StringBuilder();

        Drawing(Axis across, Axis up) {
            this.across = across;
            this.up = up;
        }

        String whole() {
            List<List<Curve>> legend = legendLines();
            int height = TOP + HEIGHT + 48 + LEGEND_LINE * legend.size() + 8;
            add(
                    "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\""
                            + " role=\"img\" font-family=\"system-ui, 'Segoe UI', Helvetica, Arial, 'DejaVu Sans', sans-serif\" font-size=\"12\">",
                    WIDTH, height, WIDTH, height);
            svg.append("<title>").append(Escape.xml(title)).append("</title>\n").append(THEME);
            add("<rect class=\"ground\" width=\"%d\" height=\"%d\" rx=\"6\" fill=\"%s\"/>", WIDTH, height, GROUND);
            text(14, 22, "start", "text", INK, " font-size=\"13\" font-weight=\"600\"", title);
            ticks();
            curves.forEach(this::line);
            int y = TOP + HEIGHT + 62;
            for (List<Curve> line : legend) {
                double x = LEGEND_LEFT;
                for (Curve curve : line) {
                    add(
                            "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" %s/>",
                            x, y - 4, x + 24, y - 4, stroke(curve));
                    mark(curve.pen(), x + 12, y - 4, false);
                    text(x + 30, y, "start", "text", INK, "", curve.label());
                    x += legendWidth(curve);
                }
                y += LEGEND_LINE;
            }
            return svg.append("</svg>\n").toString();
        }

        private void ticks() {
            int bottom = TOP + HEIGHT;
            for (Axis.Tick tick : up.ticks()) {
                double y = y(tick.at());
                add(
                        "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"%s\"/>",
                        LEFT, y, WIDTH - RIGHT, y, GRID);
                text(LEFT - 8, y + 4, "end", "soft", SOFT, "", tick.text());
            }
            for (Axis.Tick tick : across.ticks()) {
                double x = x(tick.at());
                add(
                        "<line class=\"frame\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#9aa1ab\"/>",
                        x, bottom, x, bottom + 5);
                text(x, bottom + 19, "middle", "soft", SOFT, "", tick.text());
            }
            add(
                    "<path class=\"frame\" d=\"M%d %dV%dH%d\" fill=\"none\" stroke=\"#9aa1ab\"/>",
                    LEFT, TOP, bottom, WIDTH - RIGHT);
            text((LEFT + WIDTH - RIGHT) / 2.0, bottom + 38, "middle", "text", INK, "", across.label());
            double middle = TOP + HEIGHT / 2.0;
            text(
                    15,
                    middle,
                    "middle",
                    "text",
                    INK,
                    String.format(Locale.ROOT, " transform=\"rotate(-90 15 %.1f)\"", middle),
                    up.label());
        }

        private void line(Curve curve) {
            svg.append("<polyline fill=\"none\" stroke-linejoin=\"round\" ")
                    .append(stroke(curve))
                    .append(" points=\"");
            double lastX = Double.NEGATIVE_INFINITY;
            double lastY = Double.NEGATIVE_INFINITY;
            int size = curve.points().size();
            for (int k = 0; k < size; k++) {
                double x = x(curve.points().get(k).x());
                double y = y(curve.points().get(k).y());
                // a point on the same pixel as the one before is left out: a trace has thousands of iterations
                if (k == 0 || k == size - 1 || Math.hypot(x - lastX, y - lastY) >= 1) {
                    svg.append(String.format(Locale.ROOT, k == 0 ? "%.1f,%.1f" : " %.1f,%.1f", x, y));
                    lastX = x;
                    lastY = y;
                }
            }
            svg.append("\"/>\n");
            if (size <= MOST_MARKS) {
                curve.points().forEach(point -> mark(curve.pen(), x(point.x()), y(point.y()), point.hollow()));
            }
        }

        private void mark(Curve.Pen pen, double x, double y, boolean hollow) {
            boolean ink = pen.colour().equals(Curve.Pen.INK);
            String colour = ink ? INK : pen.colour();
            String names = (ink ? "ink" : "") + (hollow ? " hole" : ink ? " inked" : "");
            String look = (names.isBlank() ? "" : "class=\"" + names.strip() + "\" ") + "fill=\""
                    + (hollow ? GROUND : colour) + "\" stroke=\"" + colour + "\" stroke-width=\"1.4\"";
            switch (pen.mark()) {
                case CIRCLE -> add("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" %s/>", x, y, look);
                case SQUARE -> add("<path d=\"M%.1f %.1fh5.4v5.4h-5.4z\" %s/>", x - 2.7, y - 2.7, look);
                case DIAMOND -> add("<path d=\"M%.1f %.1fl3.8 3.8l-3.8 3.8l-3.8 -3.8z\" %s/>", x, y - 3.8, look);
                case UP -> add("<path d=\"M%.1f %.1fl3.7 6.2h-7.4z\" %s/>", x, y - 3.7, look);
                case DOWN -> add("<path d=\"M%.1f %.1fl3.7 -6.2h-7.4z\" %s/>", x, y + 3.7, look);
                case NONE -> {}
            }
        }

        private String stroke(Curve curve) {
            boolean ink = curve.pen().colour().equals(Curve.Pen.INK);
            String dash = curve.pen().dash();
            return (ink ? "class=\"ink\" " : "") + "stroke=\""
                    + (ink ? INK : curve.pen().colour()) + "\" stroke-width=\"1.8\""
                    + (dash.isEmpty() ? "" : " stroke-dasharray=\"" + dash + "\"");
        }

        private List<List<Curve>> legendLines() {
            List<List<Curve>> lines = new ArrayList<>();
            double room = 0;
            for (Curve curve : curves) {
                if (lines.isEmpty() || legendWidth(curve) > room) {
                    lines.add(new ArrayList<>());
                    room = WIDTH - LEGEND_LEFT;
                }
                lines.get(lines.size() - 1).add(curve);
                room -= legendWidth(curve);
            }
            return lines;
        }

        /** The estimated width of a text. Text cannot be measured here; this many pixels per letter are an upper estimate for twelve-pixel sans-serif. */
        private double legendWidth(Curve curve) {
            return 30 + 7.8 * curve.label().length() + 14;
        }

        private double x(double value) {
            return LEFT + across.share(value) * (WIDTH - LEFT - RIGHT);
        }

        private double y(double value) {
            return TOP + (1 - up.share(value)) * HEIGHT;
        }

        private void text(double x, double y, String anchor, String name, String fill, String more, String content) {
            svg.append(String.format(
                            Locale.ROOT,
                            "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\"",
                            name,
                            x,
                            y,
                            anchor,
                            fill))
                    .append(more)
                    .append('>')
                    .append(Escape.xml(content))
                    .append("</text>\n");
        }

        private void add(String format, Object... values) {
            svg.append(String.format(Locale.ROOT, format, values)).append('\n');
        }
    }
}
