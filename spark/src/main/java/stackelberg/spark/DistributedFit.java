package stackelberg.spark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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
import stackelberg.model.Version;
import stackelberg.objective.Pipeline;
import stackelberg.objective.Solution;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereSolver;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.solver.krylov.KrylovSolver;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.Reduction.RemoteRows;

/** One training for any number of gammas: reads the columns, chooses between sums and passes, and runs the core's pipeline, which returns the core's models. */
final class DistributedFit {
    /**
     * Up to this many columns the products of all columns are formed. That takes as much arithmetic as one cached pass for every 40 columns, but reads the source
     * only once and caches nothing; one read of the source costs as much as tens of cached passes.
     */
    static final int FEW = 2000;

    private final StackelbergParams params;
    private final double[] gammas;
    private final Workers workers = Workers.available();
    private final long start = System.nanoTime();

    DistributedFit(StackelbergParams params, double[] gammas) {
        this.params = params;
        this.gammas = gammas;
    }

    /** Fits one model for each gamma. */
    List<StackelbergModel> of(Dataset<?> dataset) {
        Schemas.requireTraining(params, dataset.schema());
        boolean weighted = params.isSet(params.weightCol());
        boolean inWords = params.isSet(params.wish());
        String[] names = {
            params.getFeaturesCol(),
            params.getLabelCol(),
            inWords ? params.getWish() : params.getWishCol(),
            weighted ? params.getWeightCol() : "1",
            inWords ? Wishes.ADVICE : null
        };
        Column weight = weighted ? number(names[3]) : functions.lit(1.0);
        int size = width(dataset.select(column(names[0])), names[0]);
        Wishes wishes = new Wishes(dataset, names[1]);
        Wish frozen = inWords ? wishes.frozen(names[2]) : null;
        Column wish = frozen != null ? wishes.column(frozen) : number(names[2]);
        Dataset<Row> columns = dataset.select(column(names[0]), number(names[1]), wish, weight);
        Layout layout = Layout.of(size, params.getImmutableFeatures(), params.getFitIntercept());
        List<String> taken = Arrays.asList(names).subList(1, weighted ? 4 : 3);
        World world = params.own()
                .world(
                        params,
                        FeatureNames.of(dataset.schema().apply(names[0]), size, taken),
                        frozen != null ? frozen.text() : quoted(names[2]));
        JavaRDD<Row> rows = columns.toJavaRDD();
        String solver = params.getSolver();
        boolean formed = solver.equals("direct") || solver.equals("auto") && layout.order() <= FEW;
        if (formed && layout.order() > BlockGram.MAX_ORDER) {
            throw new IllegalArgumentException("solver is direct, which forms the products of all columns, but column '"
                    + names[0] + "' has vectors with " + size + " entries; there can be at most " + BlockGram.MAX_ORDER
                    + " columns, the label, the wish and the intercept included.\nMaybe use the solver krylov.");
        }
        try (SparkRows source = new SparkRows(rows, names, layout, params.getAggregationDepth())) {
            List<StackelbergModel> direct = formed ? fromSums(source, world) : null;
            return direct != null ? direct : fromRows(source.cached(), world);
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
            throw new IllegalArgumentException("The dataset has no rows; column '" + name
                    + "' needs at least one vector.\nMaybe a filter or a join removed them all.");
        }
        if (first.get(0).isNullAt(0)) {
            throw new IllegalArgumentException(
                    "Column '" + name + "', first row: the value is null.\nMaybe drop rows without features.");
        }
        return first.get(0).<Vector>getAs(0).size();
    }

    /** Solves from sums of products, in one pass over the rows; null if the sums have lost too many digits and the solver is auto, which then uses passes. */
    private @Nullable List<StackelbergModel> fromSums(SparkRows rows, World world) {
        Moments sums = rows.sums();
        requireWeight(sums.weight());
        double[] costs = costs(world);
        double noise = noise(sums.weight());
        var solver = DirectSolver.remembering(workers);
        Reduction reduction = Reduction.ofSums(
                sums, costs, noise, ridge(sums.weight()), effects(world), hasIntercept(world), workers);
        if (params.getSolver().equals("auto") && !reduction.accurate()) {
            return null;
        }
        RemoteLosses losses = RemoteLosses.ofSums(sums, workers);
        if (costs.length <= Training.NAIVE_SIDE) {
            double[] w = solver.leastSquares(reduction.family());
            int gap = sums.order() - 1;
            double dd = sums.products().get(gap, gap) + noise;
            losses = losses.beside(reduction.naiveRule(w), costs, effects(world), dd);
        }
        return models(solver, reduction, world, losses, sums.rows(), sums.weight());
    }

    /** Solves with as many passes over the cached rows as the solver needs. */
    private List<StackelbergModel> fromRows(SparkRows rows, World world) {
        RemoteRows.Totals totals = rows.totals();
        requireWeight(totals.weight());
        Reduction reduction = Reduction.ofRemote(
                rows,
                costs(world),
                noise(totals.weight()),
                ridge(totals.weight()),
                effects(world),
                hasIntercept(world),
                workers);
        return models(
                new KrylovSolver(workers), reduction, world, RemoteLosses.ofRows(rows), totals.rows(), totals.weight());
    }

    private void requireWeight(double weight) {
        if (!(weight > 0)) {
            throw new IllegalArgumentException(
                    "Column '" + params.getWeightCol() + "': all weights are 0; at least one row must count.");
        }
    }

    /** s^2, the sum of the weighted variances of the wishes. */
    private double noise(double weight) {
        return weight * params.getWishNoise() * params.getWishNoise();
    }

    /** mu, the ridge times the total weight. */
    private double ridge(double weight) {
        return weight * params.getRidge();
    }

    /** The costs, one for each column of X. */
    private static double[] costs(World world) {
        return Arrays.copyOf(world.costs(), world.manipulable());
    }

    /** The effects, the real change of the label for a move of each column of X by one unit; null without effects. */
    private static double @Nullable [] effects(World world) {
        return world.spec().hasEffects() ? Arrays.copyOf(world.effects(), world.manipulable()) : null;
    }

    private static boolean hasIntercept(World world) {
        return world.intercept() == GameSpec.Intercept.IMMUTABLE;
    }

    /** The core's model of a solution. */
    private List<StackelbergModel> models(
            SphereSolver solver, Reduction reduction, World world, RemoteLosses losses, long rows, double weight) {
        double assembled = (System.nanoTime() - start) * 1e-9;
        double tolerance = params.getTol();
        Solution.Run run = new Pipeline(solver, SolverOptions.DEFAULT.withTolerance(tolerance))
                .run(reduction, world.spec().hedge(), weight, gammas);
        List<StackelbergModel.Losses> lost = losses.of(run.solutions());
        var provenance = new StackelbergModel.Provenance(
                null, rows, 0, Training.provenanceOf(world.spec(), tolerance), Version.current(), 0);
        double[] costs = costs(world);
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
