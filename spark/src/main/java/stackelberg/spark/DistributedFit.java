package stackelberg.spark;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import stackelberg.certificate.Certificate;
import stackelberg.game.LinearRule;
import stackelberg.game.Response;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.solver.SphereSolver;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.solver.krylov.KrylovSolver;
import stackelberg.sphere.GramSphereReduction;
import stackelberg.sphere.RemoteRows;
import stackelberg.sphere.RemoteSphereReduction;
import stackelberg.sphere.SphereFamily;

/** One training for any number of gammas: which rows, which route, and the core's reduction, solver and certificate in a row. */
final class DistributedFit {
    /**
     * Up to this many columns their products are formed. Forming them costs arithmetic as much as one cached pass for every 40 columns, but reads the
     * source once and caches nothing, and a read of the source costs as much as tens of cached passes.
     */
    static final int FEW = 2000;

    /** A fitted rule in the order of the feature vector. */
    record Fitted(Vector coefficients, double intercept, StackelbergSummary summary) implements java.io.Serializable {}

    private final StackelbergParams params;
    private final double[] gammas;
    private final Workers workers = Workers.available();

    DistributedFit(StackelbergParams params, double[] gammas) {
        this.params = params;
        this.gammas = gammas;
    }

    /** One rule for each gamma. */
    List<Fitted> of(Dataset<?> dataset) {
        Schemas.requireTraining(params, dataset.schema());
        boolean weighted = params.isSet(params.weightCol());
        String[] names = {
            params.getFeaturesCol(), params.getLabelCol(), params.getWishCol(), weighted ? params.getWeightCol() : "1"
        };
        Column weight = weighted ? number(names[3]) : functions.lit(1.0);
        Dataset<Row> columns = dataset.select(column(names[0]), number(names[1]), number(names[2]), weight);
        Layout layout = Layout.of(width(columns, names[0]), params.getImmutableFeatures(), params.getFitIntercept());
        double[] costs = layout.costs(params.getCosts());
        JavaRDD<Row> rows = columns.toJavaRDD();
        String solver = params.getSolver();
        boolean formed = solver.equals("direct") || solver.equals("auto") && layout.order() <= FEW;
        try (SparkRows source = new SparkRows(rows, names, layout, params.getAggregationDepth())) {
            List<Fitted> direct = formed ? fromSums(source, layout, costs) : null;
            if (direct != null) {
                return direct;
            }
            return fromRows(source.cached(), layout, costs);
        }
    }

    /** A column's name in quotes, because it may have dots. */
    static String quoted(String name) {
        return "`" + name.replace("`", "``") + "`";
    }

    private static Column column(String name) {
        return functions.col(quoted(name));
    }

    private static Column number(String name) {
        return column(name).cast("double");
    }

    /** The length of the first row's vector. */
    private static int width(Dataset<Row> columns, String name) {
        List<Row> first = columns.takeAsList(1);
        if (first.isEmpty()) {
            throw new IllegalArgumentException("The dataset has no rows; column '" + name
                    + "' needs at least one vector.\nMaybe a filter or a join removed them all.");
        }
        if (first.get(0).isNullAt(0)) {
            throw new IllegalArgumentException(
                    "Column '" + name + "', first row: the value is null.\nMaybe drop rows without features.");
        }
        return first.get(0).<Vector>getAs(0).size();
    }

    /** One pass, the rest local; null where auto should ask the rows instead, because their sums have lost too many digits. */
    private List<Fitted> fromSums(SparkRows rows, Layout layout, double[] costs) {
        RemoteRows.Sums sums = rows.sums();
        requireWeight(sums.weight());
        GramSphereReduction reduction = GramSphereReduction.of(
                sums.products(), layout.fixed(), costs, noise(sums.weight()), sums.rankBound(), workers);
        boolean doubtful = params.getSolver().equals("auto") && !reduction.accurate();
        return doubtful
                ? null
                : solve(
                        new DirectSolver(workers),
                        reduction.family(),
                        (r, gamma) -> reduction.recover(r, gamma, layout.intercept()),
                        layout,
                        costs,
                        sums.rows());
    }

    /** As many passes over the cached rows as the solver asks for. */
    private List<Fitted> fromRows(SparkRows rows, Layout layout, double[] costs) {
        RemoteRows.Totals totals = rows.totals();
        requireWeight(totals.weight());
        RemoteSphereReduction reduction =
                RemoteSphereReduction.of(rows, totals, costs, noise(totals.weight()), layout.intercept(), workers);
        return solve(new KrylovSolver(workers), reduction.family(), reduction::recover, layout, costs, totals.rows());
    }

    private void requireWeight(double weight) {
        if (!(weight > 0)) {
            throw new IllegalArgumentException(
                    "Column '" + params.getWeightCol() + "': all weights are 0; at least one row must count.");
        }
    }

    /** s^2, the summed variance of the wishes. */
    private double noise(double weight) {
        return weight * params.getWishNoise() * params.getWishNoise();
    }

    private List<Fitted> solve(
            SphereSolver solver,
            SphereFamily family,
            BiFunction<double[], Double, LinearRule> recover,
            Layout layout,
            double[] costs,
            long rows) {
        SolverOptions options = SolverOptions.DEFAULT.withTolerance(params.getTol());
        List<SphereResult> results = solver.solvePath(family, gammas, options, ProgressListener.NONE);
        double[][] points = results.stream().map(SphereResult::r).toArray(double[][]::new);
        Certificate[] certificates = Certificate.ofPath(family, gammas, points);
        List<Fitted> fitted = new ArrayList<>();
        for (int i = 0; i < gammas.length; i++) {
            LinearRule rule = recover.apply(points[i], gammas[i]);
            double pullThrough = certificates[i].finite() ? Response.pullThrough(rule.omega(costs), gammas[i]) : 1;
            fitted.add(new Fitted(
                    Vectors.dense(layout.coefficients(rule.w(), rule.q())),
                    rule.intercept(),
                    StackelbergSummary.of(
                            gammas[i],
                            pullThrough,
                            certificates[i],
                            params.getTol(),
                            solver.name(),
                            results.get(i),
                            rows)));
        }
        return fitted;
    }
}
