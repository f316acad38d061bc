package stackelberg.bench.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import stackelberg.bench.TracePoint;

/** Draws the paper's convergence figure, the objective of plain CD-ADMM against iterations for different rho, and the same for the gap. */
final class RhoFigures {
    /** The number of iterations shown, about that of the paper's figure; slower curves continue in the figure of the gap. */
    private static final int FIRST_ITERATIONS = 200;
    /** Relative differences of objectives below this are rounding and are not drawn. */
    private static final double ROUNDING = 1e-16;

    private static final List<String> COLOURS =
            List.of("#dba400", "#2a9d4a", "#dd3131", "#2476e0", "#9a55d4", "#0f9aa8", "#d9692a", "#8b8f97", "#b03a86");

    private RhoFigures() {}

    static void add(Document document, List<TracePoint> traces) {
        document.heading(3, "Convergence on wine modest for different rho");
        Map<String, List<TracePoint>> runs =
                new TreeMap<>(Comparator.comparingDouble(Show::lastNumber).thenComparing(Comparator.naturalOrder()));
        traces.stream()
                .filter(point -> point.experiment().equals("rho"))
                .sorted(Comparator.comparingInt(TracePoint::iteration))
                .forEach(point -> runs.computeIfAbsent(point.run(), unused -> new ArrayList<>())
                        .add(point));
        if (runs.isEmpty()) {
            document.paragraph("There are no traces for this figure.");
            return;
        }
        Plot objective = new Plot(
                "CD-ADMM, the first " + FIRST_ITERATIONS + " iterations",
                new Axis.Style("iteration", false, Show::tick),
                new Axis.Style("objective", false, Show::tick));
        Plot gap = new Plot(
                "CD-ADMM, distance from the optimum",
                new Axis.Style("iteration", true, Show::tick),
                new Axis.Style("|f - f*| / f*", true, Show::tick));
        int colour = 0;
        int last = 0;
        for (var run : runs.entrySet()) {
            Curve.Pen pen = new Curve.Pen(COLOURS.get(colour++ % COLOURS.size()), "", Curve.Mark.NONE);
            List<TracePoint> first = run.getValue().stream()
                    .filter(point -> point.iteration() <= FIRST_ITERATIONS)
                    .toList();
            int length = run.getValue().get(run.getValue().size() - 1).iteration();
            last = Math.max(last, Math.min(FIRST_ITERATIONS, length));
            objective.add(curve(run.getKey(), pen, first, TracePoint::objective));
            gap.add(curve(run.getKey(), pen, run.getValue(), RhoFigures::gap));
        }
        double optimum = runs.values().iterator().next().get(0).optimum();
        objective.add(new Curve(
                "certified optimum",
                new Curve.Pen(Curve.Pen.INK, "6 4", Curve.Mark.NONE),
                List.of(new Curve.Point(0, optimum, false), new Curve.Point(last, optimum, false))));
        Map<String, Plot> plots = new LinkedHashMap<>();
        plots.put("rho objective", objective);
        plots.put("rho gap", gap);
        document.gallery(plots);
    }

    private static Curve curve(
            String label, Curve.Pen pen, List<TracePoint> points, ToDoubleFunction<TracePoint> value) {
        return new Curve(
                label,
                pen,
                points.stream()
                        .map(point -> new Curve.Point(point.iteration(), value.applyAsDouble(point), false))
                        .toList());
    }

    private static double gap(TracePoint point) {
        return Math.max(ROUNDING, Math.abs(point.objective() - point.optimum()) / Math.abs(point.optimum()));
    }
}
