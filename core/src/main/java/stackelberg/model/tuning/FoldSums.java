package stackelberg.model.tuning;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import stackelberg.estimate.Moments;
import stackelberg.estimate.Resampling.Folds;
import stackelberg.linalg.AffineMatrix;
import stackelberg.linalg.CsrMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.model.tuning.FoldedSample.Fold;
import stackelberg.sphere.Reduction;

/**
 * The fast path for few columns: one pass over the data gives the sums of products of every fold; those of a fold's
 * training rows are the sum of the others (never a difference).
 */
final class FoldSums {
    /** With more columns than this, an eigendecomposition per fold costs more than passes over the data. */
    private static final int MAX_ORDER = 3000;

    /**
     * Up to this many columns, solving from rows would not help: {@code auto} would form the sums of every fold again.
     */
    private static final int SMALL = 512;

    /** The memory for the sums of all folds. */
    private static final long MAX_BYTES = 1L << 30;

    /** The cost of reading and copying one value, in multiplications of a matrix product. */
    private static final double READ = 50;

    /**
     * The cost of one nonzero in solving a fold from its rows: some 25 passes with two vectors, in which a
     * multiplication is 80 times as slow as in a dense product.
     */
    private static final double BY_PASSES = 8000;

    private final FoldedSample data;
    private final Workers alone = Workers.of(1);
    private final int ones;
    private final int order;
    /** The constant that is subtracted from y and z; an immutable intercept absorbs it. */
    private final double level;
    /** The distinct vectors z - y, and the index of each fold's vector. */
    private final List<double[]> gaps = new ArrayList<>();

    private final int[] gapOf;

    FoldSums(FoldedSample data) {
        this.data = data;
        this.ones = data.columns().cols();
        this.level = data.hasIntercept() ? Arrays.stream(data.y()).sum() / data.y().length : 0;
        List<double[]> known = new ArrayList<>();
        this.gapOf = new int[data.folds().count()];
        for (int f = 0; f < gapOf.length; f++) {
            // folds with equal wishes share an array
            double[] z = data.z(f);
            int same = IntStream.range(0, known.size())
                    .filter(k -> known.get(k) == z)
                    .findFirst()
                    .orElse(known.size());
            if (same == known.size()) {
                known.add(z);
                double[] gap = z.clone();
                Vectors.axpy(-1, data.y(), gap);
                gaps.add(gap);
            }
            gapOf[f] = same;
        }
        this.order = ones + 2 + gaps.size();
    }

    /**
     * Returns whether sums of products of these columns are faster than passes, so that the columns should be centred
     * first. In sums the zeros of sparse columns cost as much as other values, in passes nothing.
     */
    static boolean suit(Matrix columns, Folds folds) {
        double rows = columns.rows();
        int order = columns.cols() + 4;
        boolean fits = order <= MAX_ORDER && rows >= order && 8L * folds.count() * order * order <= MAX_BYTES;
        Matrix inner = columns;
        while (inner instanceof AffineMatrix affine) {
            inner = affine.inner();
        }
        if (!fits || order <= SMALL || !(inner instanceof CsrMatrix sparse)) {
            return fits;
        }
        double work = sumWork(rows, order) + folds.count() * decomposeWork(order) + READ * rows * order;
        return work <= BY_PASSES * folds.count() * sparse.nonzeros();
    }

    private static double sumWork(double rows, int order) {
        return rows * order * (order + READ);
    }

    private static double decomposeWork(int order) {
        return 10.0 * order * order * order;
    }

    /**
     * Returns the work of reading the columns (600 per value where they have to be encoded, as measured, otherwise 200),
     * summing, solving a fold and predicting all rows, in multiplications of a matrix product.
     */
    TuningProgress.Work work(int candidates) {
        double rows = data.columns().rows();
        double read = data.columns() instanceof DenseMatrix ? 600 : 200;
        return new TuningProgress.Work(
                rows * order * read,
                sumWork(rows, order),
                decomposeWork(order) + 8.0 * candidates * order * order,
                rows * order * (2.0 * candidates + READ));
    }

    /** Returns the number of folds for which there is memory at the same time, about seven matrices each. */
    int together() {
        return (int) Math.max(1, Math.min(data.folds().count(), MAX_BYTES / (56L * order * order)));
    }

    double level() {
        return level;
    }

    /** Returns the sums of products of [columns, 1, y, gaps] over the rows of each fold, from one pass. */
    List<Moments> read(Workers workers, DoubleConsumer progress) {
        int count = data.folds().count();
        int height = Math.max(512, (1 << 18) / order);
        Moments.Builder[] sums = new Moments.Builder[count];
        int[][] parts = new int[count][];
        for (int f = 0; f < count; f++) {
            parts[f] = data.folds().heldOut(f);
            sums[f] = new Moments.Builder(order, Math.min(height, parts[f].length), alone);
        }
        double[][] row = new double[count][order];
        data.columns().readParts(parts, workers, progress, (fold, rows, values) -> {
            double[] own = row[fold];
            for (int i = 0; i < rows.length; i++) {
                System.arraycopy(values, i * ones, own, 0, ones);
                own[ones] = 1;
                own[ones + 1] = data.y()[rows[i]] - level;
                for (int d = 0; d < gaps.size(); d++) {
                    own[ones + 2 + d] = gaps.get(d)[rows[i]];
                }
                sums[fold].add(data.weights()[rows[i]], own);
            }
        });
        Moments[] all = new Moments[count];
        workers.run(count, f -> all[f] = sums[f].build());
        return List.of(all);
    }

    /** Returns the game of a fold's training rows, reduced; empty if the sums have lost too many digits. */
    Optional<Reduction> reduction(Fold fold, List<Moments> sums) {
        double weight = data.trainingWeight(fold.number());
        double sd = data.spec().wishNoise();
        long rows = data.folds().rows() - data.folds().size(fold.number());
        DenseMatrix training = Moments.without(sums, fold.number()).products();
        Reduction reduction = Reduction.ofSums(
                new Moments(ofGame(fold, training), rows, weight),
                data.costs(fold),
                weight * sd * sd,
                0,
                data.effects(fold),
                data.hasIntercept(),
                alone);
        return Optional.of(reduction).filter(Reduction::accurate);
    }

    /** Returns the sums of the columns of the fold's game, y and its own gap: T'GT, T the fold's shifts and scales. */
    private DenseMatrix ofGame(Fold fold, DenseMatrix g) {
        int n = fold.world().manipulable();
        int[] source = columns(n, gapOf[fold.number()]);
        double[] origin = g.row(ones);
        DenseMatrix result = DenseMatrix.zeros(source.length, source.length);
        for (int a = 0; a < source.length; a++) {
            double[] sum = g.row(source[a]);
            double shift = source[a] < ones ? fold.shift()[source[a]] : 0;
            if (shift != 0) {
                Vectors.axpy(-shift, origin, sum);
            }
            double[] row = new double[source.length];
            for (int b = 0; b < row.length; b++) {
                int from = source[b];
                double centred = from < ones ? sum[from] - fold.shift()[from] * sum[ones] : sum[from];
                row[b] = scale(fold, source[a], n) * scale(fold, from, n) * centred;
            }
            result.setRow(a, row);
        }
        return result;
    }

    /** Returns the factor of a column; immutable columns are not scaled. */
    private static double scale(Fold fold, int column, int manipulable) {
        return column < manipulable ? fold.scale()[column] : 1;
    }

    /** Returns where the columns of a game come from: the immutable ones, the manipulable ones, y and the gap. */
    private int[] columns(int n, int gap) {
        return Stream.of(
                        IntStream.range(ones, data.hasIntercept() ? ones + 1 : ones),
                        IntStream.range(n, ones),
                        IntStream.range(0, n),
                        IntStream.range(ones, data.hasOnes() ? ones + 1 : ones),
                        IntStream.of(ones + 1, ones + 2 + gap))
                .flatMapToInt(part -> part)
                .toArray();
    }
}
