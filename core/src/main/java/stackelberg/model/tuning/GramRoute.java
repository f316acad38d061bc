package stackelberg.model.tuning;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleConsumer;
import stackelberg.data.Message;
import stackelberg.estimate.Moments;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.objective.Pipeline;
import stackelberg.objective.Solution;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereGeometry;

/**
 * Cross-validation from sums of products, for data with few columns. One pass over the data gives the Gram matrix of
 * every fold; that of a fold's training rows is the sum of the others (never a difference). Each is decomposed once for
 * all gammas, and a second pass gives all held-out predictions.
 */
final class GramRoute {
    /** With more columns than this, an eigendecomposition per fold costs more than passes over the data. */
    private static final int MAX_ORDER = 3000;

    /**
     * Up to this many columns, solving with shared passes would not help: {@code auto} would form the sums of every
     * fold again.
     */
    private static final int SMALL = 512;

    /** The memory for the Gram matrices of all folds. */
    private static final long MAX_BYTES = 1L << 30;

    /** The cost of reading and copying one value, in multiplications of a matrix product. */
    private static final double READ = 50;

    /**
     * The cost of one nonzero with shared passes, for each fold: some 25 passes with two vectors, in which a
     * multiplication is 80 times as slow as in a dense product.
     */
    private static final double IN_STEP = 8000;

    private final FoldData data;
    private final Candidates candidates;
    private final SolverOptions options;
    private final Workers workers;
    private final TuningProgress progress;
    private final Workers alone = Workers.of(1);
    private final int ones;
    private final int order;
    /** The constant that is subtracted from y and z; an immutable intercept absorbs it. */
    private final double level;
    /** The distinct vectors z - y, followed by the index of each fold's vector. */
    private final List<double[]> gaps = new ArrayList<>();

    private final int[] gapOf;

    /** Returns whether sums of products are faster than passes for m rows with the given total number of columns. */
    static boolean suits(int rows, int order, int folds) {
        return order <= MAX_ORDER && rows >= order && 8L * folds * order * order <= MAX_BYTES;
    }

    /** Returns the same for sparse columns, whose zeros cost as much as other values in sums and nothing in passes. */
    static boolean suits(int rows, int order, int folds, long nonzeros) {
        double work = sumWork(rows, order) + folds * decomposeWork(order) + READ * rows * order;
        return suits(rows, order, folds) && (order <= SMALL || work <= IN_STEP * folds * nonzeros);
    }

    /** Collects the distinct gaps of the folds. */
    GramRoute(FoldData data, Candidates candidates, SolverOptions options, Workers workers, Tuning.Listener listener) {
        this.data = data;
        this.candidates = candidates;
        this.options = options;
        this.workers = workers;
        this.ones = data.columns().cols();
        this.level = data.intercept() ? Arrays.stream(data.y()).sum() / data.y().length : 0;
        Map<double[], Integer> known = new IdentityHashMap<>();
        this.gapOf = new int[data.folds().count()];
        for (int f = 0; f < gapOf.length; f++) {
            double[] z = data.z(f);
            if (!known.containsKey(z)) {
                known.put(z, gaps.size());
                double[] gap = z.clone();
                Vectors.axpy(-1, data.y(), gap);
                gaps.add(gap);
            }
            gapOf[f] = known.get(z);
        }
        this.order = ones + 2 + gaps.size();
        double rows = data.columns().rows();
        double total = sumWork(rows, order) + gapOf.length * solveWork() + predictWork(rows);
        this.progress = new TuningProgress(listener, rows * order * data.preparation(), total);
    }

    private static double sumWork(double rows, int order) {
        return rows * order * (order + READ);
    }

    private static double decomposeWork(int order) {
        return 10.0 * order * order * order;
    }

    private double solveWork() {
        return decomposeWork(order) + 8.0 * candidates.count() * order * order;
    }

    private double predictWork(double rows) {
        return rows * order * (2.0 * candidates.count() + READ);
    }

    /** Returns the result; empty if the sums have lost too many digits in some fold's columns. */
    Optional<Tuning> run() {
        List<Moments> sums = sums();
        int count = data.folds().count();
        FoldRules[] rules = new FoldRules[count];
        // as many folds at once as there is memory for, about seven matrices each
        int together = (int) Math.max(1, Math.min(count, MAX_BYTES / (56L * order * order)));
        for (int first = 0; first < count; first += together) {
            int from = first;
            workers.run(Math.min(together, count - first), task -> {
                rules[from + task] = rules(from + task, sums);
                progress.advance("solving the folds", solveWork());
            });
        }
        if (Arrays.asList(rules).contains(null)) {
            return Optional.empty();
        }
        double work = predictWork(data.columns().rows());
        HeldOut[][] heldOut = HeldOutPredictions.of(
                data, candidates, rules, workers, part -> progress.advance("predicting the held-out", work * part));
        progress.finish();
        List<Message> warnings = new ArrayList<>(data.warnings());
        FoldRules.warn(List.of(rules), warnings);
        boolean settled = FoldRules.settled(List.of(rules));
        String method = "sums of products of " + ones + " columns, formed once per fold and added";
        return Optional.of(new Tuning(candidates, heldOut, data, method, settled, warnings));
    }

    /** Returns the Gram matrix of [columns, 1, y, gaps] over the rows of each fold. */
    private List<Moments> sums() {
        int count = data.folds().count();
        int height = Math.max(512, (1 << 18) / order);
        Moments.Builder[] sums = new Moments.Builder[count];
        Arrays.setAll(
                sums,
                f -> new Moments.Builder(order, Math.min(height, data.folds().size(f)), alone));
        double work = sumWork(data.columns().rows(), order);
        DoubleConsumer report = fraction -> progress.advance("adding up the folds", work * fraction);
        FoldRows.each(data, order, workers, report, (fold, row, values) -> {
            values[ones + 1] = data.y()[row] - level;
            for (int d = 0; d < gaps.size(); d++) {
                values[ones + 2 + d] = gaps.get(d)[row];
            }
            sums[fold].add(data.weights()[row], values);
        });
        Moments[] parts = new Moments[count];
        workers.run(count, f -> parts[f] = sums[f].build());
        return List.of(parts);
    }

    /** Returns one fold's rules for all candidates, or null if its sums have lost too many digits. */
    private FoldRules rules(int fold, List<Moments> sums) {
        DenseMatrix training = Moments.without(sums, fold).products();
        FoldData.FoldGame game = data.game(fold);
        double weight = data.trainingWeight(fold);
        double sd = data.wishNoise();
        var moments = new Moments(
                withTargets(game, fold).congruence(training),
                data.folds().rows() - data.folds().size(fold),
                weight);
        Reduction reduction =
                Reduction.ofSums(moments, game.costs(), weight * sd * sd, 0, game.effects(), data.intercept(), alone);
        if (!reduction.accurate()) {
            return null;
        }
        Candidates own = candidates.stretched(data.stretch()[fold]);
        List<Solution> solutions = new Pipeline(new DirectSolver(alone), options)
                .run(reduction, own.problems(reduction.family(), weight))
                .solutions();
        ColumnMap map = game.columns();
        List<FoldRules.Place> places = new ArrayList<>();
        List<SphereGeometry> geometries = own.geometries(reduction.family());
        DenseMatrix coefficients = DenseMatrix.zeros(ones + 1, candidates.count());
        int unsettled = 0;
        for (int j = 0; j < candidates.count(); j++) {
            double[] point = solutions.get(j).result().r();
            FoldRules.Place place = FoldRules.Place.of(point, geometries.get(j));
            places.add(place);
            double[] scaled = map.times(game.inOrder(reduction.recoverScaled(point, own.gammas()[j])));
            scaled[ones] += level * place.remainder();
            coefficients.setColumn(j, scaled);
            unsettled += FoldRules.proven(solutions.get(j).certificate(), options.tolerance()) ? 0 : 1;
        }
        return new FoldRules(places, coefficients, unsettled);
    }

    /** Returns the map from [columns, 1, y, gaps] to the fold's columns, y and its own gap. */
    private ColumnMap withTargets(FoldData.FoldGame game, int fold) {
        return game.columns().and(order, ones + 1, ones + 2 + gapOf[fold]);
    }
}
