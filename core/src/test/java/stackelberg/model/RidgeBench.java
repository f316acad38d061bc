package stackelberg.model;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.game.GameSpec;
import stackelberg.game.Hedge;
import stackelberg.game.PredictionGame;
import stackelberg.game.Sample;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;
import stackelberg.model.tuning.Tuning;
import stackelberg.objective.Pipeline;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.solver.auto.Solvers;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereProblem;

/**
 * What a grid of 40 gammas and 20 ridges costs, as ratios of one run: passes beside the hardest of its members, and cross-validation beside one fit. Not a
 * test; times need a quiet machine, passes do not.
 *
 * <p>Arguments: {@code grid ROWS COLS}, {@code tune ROWS COLS FOLDS} (dense) or {@code text ROWS WORDS FOLDS} (sparse), any number of them.
 */
public final class RidgeBench {
    private static final Workers ALL = Workers.available();
    private static final double[] GAMMAS = log(1e-2, 1e2, 40);
    private static final double[] RIDGES = log(1e-3, 10, 20);

    private RidgeBench() {}

    public static void main(String[] arguments) {
        for (int k = 0; k < arguments.length; ) {
            int rows = Integer.parseInt(arguments[k + 1]);
            int cols = Integer.parseInt(arguments[k + 2]);
            switch (arguments[k]) {
                case "grid" -> grid(rows, cols);
                case "tune" -> tune("dense", dense(rows, cols), Integer.parseInt(arguments[k + 3]));
                default -> tune("text", TextLike.table(rows, cols, 100, 1, 1), Integer.parseInt(arguments[k + 3]));
            }
            k += arguments[k].equals("grid") ? 3 : 4;
        }
    }

    /** Forty gammas and twenty ridges from one basis, beside each corner of the grid alone. */
    private static void grid(int rows, int cols) {
        Table table = dense(rows, cols);
        PredictionGame game = Sample.of(spec(), table, ALL).game();
        Reduction reduction = Pipeline.reduce(game, ALL);
        List<SphereProblem> all = Arrays.stream(RIDGES)
                .boxed()
                .flatMap(ridge -> reduction.family().withRidge(ridge * rows).at(GAMMAS).stream())
                .toList();
        int one = 0;
        for (int corner : new int[] {0, 39, 760, 799}) {
            one = Math.max(one, passes(List.of(all.get(corner))));
        }
        int together = passes(all);
        print(
                "grid %,d x %,d: %d passes for %d problems, %d for the hardest corner alone, ratio %.2f",
                rows, cols, together, all.size(), one, together / (double) one);
    }

    private static int passes(List<SphereProblem> problems) {
        List<SphereResult> results = new Pipeline(Solvers.named("krylov", ALL), SolverOptions.DEFAULT).solve(problems);
        if (results.stream().anyMatch(result -> result.status() != SphereResult.Status.CONVERGED)) {
            throw new IllegalStateException("Not all have converged.");
        }
        return results.get(0).effort().passes();
    }

    /** All folds, gammas and ridges beside one fit, and beside one gamma and one ridge on all folds. */
    private static void tune(String name, Table table, int folds) {
        StackelbergRegression regression =
                StackelbergRegression.builder().hedge(Hedge.NONE).from(spec()).build();
        Tuning.Plan plan = Tuning.Plan.of(GAMMAS).withRidges(RIDGES).withFolds(folds);
        Tuning.Plan lone = Tuning.Plan.of(GAMMAS[39]).withRidges(RIDGES[0]).withFolds(folds);
        double fit = Double.POSITIVE_INFINITY;
        double one = Double.POSITIVE_INFINITY;
        double all = Double.POSITIVE_INFINITY;
        String method = "";
        for (int round = 0; round < 3; round++) {
            fit = Math.min(fit, seconds(() -> regression.fit(table)));
            one = Math.min(one, seconds(() -> regression.tune(table, lone, Tuning.Listener.NONE)));
            Tuning[] tuned = new Tuning[1];
            all = Math.min(all, seconds(() -> tuned[0] = regression.tune(table, plan, Tuning.Listener.NONE)));
            method = tuned[0].method();
        }
        print(
                "tune %s %,d x %,d, %d folds: fit %.2f s, one pair %.2f s, 800 pairs %.2f s; %.1f fits, %.1f times one pair; %s",
                name, table.rows(), table.names().size() - 1, folds, fit, one, all, all / fit, all / one, method);
    }

    private static GameSpec spec() {
        return GameSpec.builder().target("y").wish("max(y,6)").wishNoise(0.5).build();
    }

    /** Features whose variances fall as those of measured ones do. */
    private static Table dense(int rows, int cols) {
        SplittableRandom random = new SplittableRandom(1);
        DenseMatrix x = DenseMatrix.zeros(rows, cols);
        double[] y = new double[rows];
        double[] row = new double[cols];
        for (int i = 0; i < rows; i++) {
            double common = random.nextDouble() - 0.5;
            for (int j = 0; j < cols; j++) {
                row[j] = random.nextDouble() - 0.5 + common / (1 + j % 10);
                y[i] += j < 20 ? row[j] : 0;
            }
            x.setRow(i, row);
            y[i] += 5 + random.nextDouble();
        }
        return Table.ofBlock(x, Table.positions(cols), NumericColumn.of("y", y));
    }

    private static double[] log(double from, double to, int count) {
        double[] values = new double[count];
        Arrays.setAll(values, k -> from * Math.pow(to / from, k / (count - 1.0)));
        return values;
    }

    private static double seconds(Runnable work) {
        long start = System.nanoTime();
        work.run();
        return (System.nanoTime() - start) * 1e-9;
    }

    private static void print(String format, Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
    }
}
