package stackelberg.bench.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import stackelberg.certificate.Certificate;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.solver.published.admm.AdmmSolver;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereProblem;

/**
 * Draws the counterexample of two rows on which the published ADMM stops above the minimum, or never stops, beside the convergent iteration over the ball
 * with H shifted. It is computed here rather than read from rows, since it takes only a moment.
 */
final class CounterexampleFigures {
    private static final int SHOWN = 60;
    private static final double[] RHOS = {1, 10};
    private static final List<String> COLOURS = List.of("#dd3131", "#2476e0");

    private CounterexampleFigures() {}

    /** The last entry of r, alphaTilde, at every iteration, and why the run ended. */
    record Way(String method, double rho, List<Double> last, SphereResult result, Certificate proof) {}

    static void add(Document document) {
        document.heading(3, "Two rows on which the published ADMM fails");
        document.paragraph(
                "X = (-1, 3)', y = (0, 2)', z = (2, 1)', gamma = 4, from s = (1, 1)/sqrt(2), v = 0. Both are the iteration"
                        + " without safeguards: as published, and with the ball in place of the sphere and H - lambda_min I in place of H, for which"
                        + " there is a proof that it converges to the global minimum for every rho (docs/theory.md).");
        Table<Way> table = new Table<Way>()
                .text("method", way -> way.method)
                .text("rho", way -> Show.plain(way.rho))
                .text("ended", way -> way.result.status().name())
                .text("certificate", way -> way.proof.certified(1e-9) ? "certified" : "not certified")
                .number("iterations", way -> Show.count(way.result.effort().iterations()))
                // a run that does not converge ends at a point that depends on rounding, so its value is not shown
                .number(
                        "objective",
                        way -> way.result.status() == SphereResult.Status.CONVERGED
                                ? String.format(Locale.ROOT, "%.6f", way.proof.objective())
                                : Show.NOTHING);
        Map<String, Plot> plots = new LinkedHashMap<>();
        double minimum = way(problem(), RHOS[0], false).result.r()[1];
        for (boolean plain : new boolean[] {true, false}) {
            List<Way> ways = Arrays.stream(RHOS)
                    .mapToObj(rho -> way(problem(), rho, plain))
                    .toList();
            Plot plot = new Plot(
                    "CD-ADMM " + ways.get(0).method,
                    new Axis.Style("iteration", false, Show::tick),
                    new Axis.Style("last entry of r", false, Show::tick));
            for (int k = 0; k < RHOS.length; k++) {
                List<Double> last = ways.get(k).last;
                plot.add(new Curve(
                        "rho = " + Show.plain(RHOS[k]),
                        new Curve.Pen(COLOURS.get(k), "", Curve.Mark.NONE),
                        IntStream.range(0, Math.min(SHOWN, last.size()))
                                .mapToObj(i -> new Curve.Point(i + 1, last.get(i), false))
                                .toList()));
                table.add(ways.get(k));
            }
            plot.add(new Curve(
                    "global minimum",
                    new Curve.Pen(Curve.Pen.INK, "6 4", Curve.Mark.NONE),
                    List.of(new Curve.Point(0, minimum, false), new Curve.Point(SHOWN, minimum, false))));
            plots.put("counterexample " + (plain ? "published" : "repaired"), plot);
        }
        document.gallery(plots).table(table);
    }

    static SphereProblem problem() {
        double[][] x = {{-1}, {3}};
        var game = PredictionGame.of(DenseMatrix.of(x), new double[] {0, 2}, new double[] {2, 1}, 4);
        return Reduction.of(game, Workers.of(1)).family().at(4);
    }

    static Way way(SphereProblem problem, double rho, boolean plain) {
        double[] start = {Math.sqrt(0.5), Math.sqrt(0.5)};
        AdmmSolver.Options options = plain
                ? AdmmSolver.Options.plain(rho)
                : AdmmSolver.Options.DEFAULT
                        .withPenalty(AdmmSolver.Penalty.fixed(rho))
                        .withMemory(0)
                        .withLanczosSteps(0);
        List<Double> last = new ArrayList<>();
        ProgressListener watch = new ProgressListener() {
            @Override
            public void onPoint(double[] point) {
                last.add(point[1]);
            }

            @Override
            public Decision onIteration(Progress progress) {
                return Decision.CONTINUE;
            }
        };
        SphereResult result = AdmmSolver.cholesky(options.withStart(start).withDualStart(new double[2]), Workers.of(1))
                .solve(problem, SolverOptions.DEFAULT, watch);
        return new Way(
                plain ? "as published" : "over the ball, H shifted",
                rho,
                last,
                result,
                Certificate.of(problem, result.r()));
    }
}
