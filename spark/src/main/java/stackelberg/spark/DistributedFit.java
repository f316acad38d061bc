package stackelberg.spark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.jspecify.annotations.Nullable;
import stackelberg.data.Message;
import stackelberg.data.wish.Wish;
import stackelberg.estimate.Moments;
import stackelberg.game.GameSpec;
import stackelberg.game.Response;
import stackelberg.game.World;
import stackelberg.linalg.Workers;
import stackelberg.model.StackelbergModel;
import stackelberg.model.Training;
import stackelberg.objective.Pipeline;
import stackelberg.objective.Solution;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereSolver;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.solver.krylov.KrylovSolver;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.Reduction.RemoteRows;

/**
 * One training for any number of gammas: reads the columns, chooses between sums and passes, and runs the core's pipeline, which returns the core's models.
 *
 * <p>Sums: one read of the source forms M'SM of M = [V, X, y, z - y] and the driver solves from that. Passes: the rows are cached, and every step of a Krylov space reads them once.
 */
final class DistributedFit {
    /**
     * Up to this many columns the products of all columns are formed. That takes as much arithmetic as one cached pass for every 40 columns, but reads the source
     * only once and caches nothing; one read of the source costs as much as tens of cached passes.
     */
    static final int FEW = 2000;

    private final StackelbergParams params;
    private final double[] gammas;
    private final World world;
    /** The cost of each column of X. */
    private final double[] costs;
    /** The real change of the label by a move of each column of X by one unit; null without effects. */
    private final double @Nullable [] effects;

    private final Workers workers = Workers.available();
    /** When the training began, in nanoseconds. */
    private final long start;

    private DistributedFit(StackelbergParams params, double[] gammas, World world, long start) {
        this.params = params;
        this.gammas = gammas;
        this.world = world;
        this.costs = Arrays.copyOf(world.costs(), world.manipulable());
        this.start = start;
        this.effects = world.spec().hasEffects() ? Arrays.copyOf(world.effects(), world.manipulable()) : null;
    }

    /** Fits one model for each gamma. */
    static List<StackelbergModel> of(StackelbergParams params, double[] gammas, Dataset<?> dataset) {
        long start = System.nanoTime();
        Schemas.requireTraining(params, dataset.schema());
        String features = params.getFeaturesCol();
        String label = params.getLabelCol();
        String weight = params.isSet(params.weightCol()) ? params.getWeightCol() : null;
        int size = width(dataset.select(column(features)), features);
        Layout layout = Layout.of(size, params.getImmutableFeatures(), params.getFitIntercept());
        Wish inWords = params.isSet(params.wish()) ? new Wishes(dataset, label).frozen(params.getWish()) : null;
        String wished = inWords == null ? params.getWishCol() : params.getWish();
        List<String> taken =
                Stream.of(label, wished, weight).filter(Objects::nonNull).toList();
        World world = params.own()
                .world(
                        params,
                        FeatureNames.of(dataset.schema().apply(features), size, taken),
                        inWords == null ? quoted(wished) : inWords.text());
        Dataset<Row> columns = dataset.select(
                column(features),
                number(label),
                inWords == null ? number(wished) : new Wishes(dataset, label).column(inWords),
                weight == null ? functions.lit(1.0) : number(weight));
        var names = new RowCheck.Names(features, label, wished, weight, inWords != null);
        return new DistributedFit(params, gammas, world, start).of(columns.toJavaRDD(), names, layout);
    }

    private List<StackelbergModel> of(JavaRDD<Row> rows, RowCheck.Names names, Layout layout) {
        String solver = params.getSolver();
        boolean formed = solver.equals("direct") || solver.equals("auto") && layout.order() <= FEW;
        if (formed && layout.order() > BlockGram.MAX_ORDER) {
            throw ParamWords.refused(
                    "too-many-columns-for-direct",
                    "solver is direct, which forms the products of all columns, but column '{}' has vectors with {} entries;"
                            + " there can be at most {} columns, the label, the wish and the intercept included.\nMaybe use {}.",
                    names.features(),
                    layout.size(),
                    BlockGram.MAX_ORDER,
                    Message.Choice.text("solver", "krylov"));
        }
        try (SparkRows source = new SparkRows(rows, names, layout, params.getAggregationDepth())) {
            List<StackelbergModel> direct = formed ? fromSums(source) : null;
            return direct != null ? direct : fromRows(source.cached());
        }
    }

    /** The name of a column in backquotes, because it may contain dots. */
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
            throw ParamWords.unusable(
                    "no-rows",
                    "The dataset has no rows; column '{}' needs at least one vector.\nMaybe a filter or a join removed them"
                            + " all.",
                    name);
        }
        if (first.get(0).isNullAt(0)) {
            throw ParamWords.unusable(
                    "row-unusable",
                    "Column '{}', first row: the value is null.\nMaybe drop rows without features.",
                    name);
        }
        return first.get(0).<Vector>getAs(0).size();
    }

    /** Solves from sums of products, in one pass over the rows; there is no result if the sums have lost too many digits and the solver is auto, which then uses passes. */
    private @Nullable List<StackelbergModel> fromSums(SparkRows rows) {
        Moments sums = rows.sums();
        Scale scale = scale(sums.rows(), sums.weight());
        Reduction reduction = Reduction.ofSums(sums, costs, scale.noise, scale.ridge, effects, hasIntercept(), workers);
        if (params.getSolver().equals("auto") && !reduction.accurate()) {
            return null;
        }
        var solver = DirectSolver.remembering(workers);
        RemoteLosses losses = RemoteLosses.ofSums(sums, workers);
        if (costs.length <= Training.NAIVE_SIDE) {
            double[] w = solver.leastSquares(reduction.family());
            int gap = sums.order() - 1;
            double gaps = sums.products().get(gap, gap) + scale.noise;
            losses = losses.beside(reduction.naiveRule(w), costs, effects, gaps);
        }
        return models(solver, reduction, losses, scale);
    }

    /** Solves with as many passes over the cached rows as the solver needs. */
    private List<StackelbergModel> fromRows(SparkRows rows) {
        RemoteRows.Totals totals = rows.totals();
        Scale scale = scale(totals.rows(), totals.weight());
        Reduction reduction =
                Reduction.ofRemote(rows, costs, scale.noise, scale.ridge, effects, hasIntercept(), workers);
        return models(new KrylovSolver(workers), reduction, RemoteLosses.ofRows(rows), scale);
    }

    /**
     * Totals over the rows of the data.
     *
     * @param weight the sum of the weights
     * @param noise s^2, the sum of the weighted variances of the wishes
     * @param ridge mu, the ridge times the weight
     */
    private record Scale(long rows, double weight, double noise, double ridge) {}

    private Scale scale(long rows, double weight) {
        if (!(weight > 0)) {
            throw ParamWords.unusable(
                    "weights-all-zero",
                    "Column '{}': all weights are 0; at least one row must count.",
                    params.getWeightCol());
        }
        double noise = params.getWishNoise();
        return new Scale(rows, weight, weight * noise * noise, weight * params.getRidge());
    }

    private boolean hasIntercept() {
        return world.intercept() == GameSpec.Intercept.IMMUTABLE;
    }

    /** The core's models of the solutions. */
    private List<StackelbergModel> models(SphereSolver solver, Reduction reduction, RemoteLosses losses, Scale scale) {
        double assembled = (System.nanoTime() - start) * 1e-9;
        double tolerance = params.getTol();
        Solution.Run run = new Pipeline(solver, SolverOptions.DEFAULT.withTolerance(tolerance))
                .run(reduction, world.spec().hedge(), scale.weight, gammas);
        List<StackelbergModel.Losses> lost = losses.of(run.solutions());
        var provenance = new StackelbergModel.Provenance(
                null,
                scale.rows,
                0,
                Training.provenanceOf(world.spec(), tolerance),
                StackelbergModel.libraryVersion(),
                0);
        List<String> names = world.encoding().names();
        List<Message> known = reduction
                .dependenceWarning(names.subList(world.manipulable(), names.size()), List.of())
                .map(text -> Message.plain("nearly-dependent", text))
                .stream()
                .toList();
        List<StackelbergModel> models = new ArrayList<>();
        for (int k = 0; k < gammas.length; k++) {
            Solution solution = run.solutions().get(k);
            boolean finite = solution.certificate().finite();
            double omega = finite ? solution.rule().omega(costs) : Double.POSITIVE_INFINITY;
            var seconds = new StackelbergModel.Phases(
                    0, assembled, run.solveSeconds(), run.certifySeconds(), solution.recoverSeconds());
            var background = new StackelbergModel.Background(
                    StackelbergModel.SolverRecord.of(run.solver(), solution.result(), seconds),
                    lost.get(k),
                    provenance,
                    known);
            models.add(StackelbergModel.of(
                    world.at(gammas[k]), solution, Response.pullThrough(omega, gammas[k]), tolerance, background));
        }
        return models;
    }
}
