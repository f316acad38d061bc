package stackelberg.model.tuning;

import java.util.Arrays;
import java.util.function.DoubleConsumer;
import stackelberg.linalg.AffineMatrix;
import stackelberg.linalg.CsrMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;

/**
 * Computes the predictions of each row by all rules of the fold that holds it out. They come from the rows and not from
 * sums of products, so that residuals do not cancel.
 */
final class HeldOutPredictions {
    /** The number of rows predicted at once. */
    private static final int HEIGHT = 512;

    /** The largest number of predictions of sparse data held at once. */
    private static final long MAX_PREDICTIONS = 1L << 23;

    private final FoldData data;
    private final Candidates candidates;
    private final FoldRules[] rules;
    private final HeldOutSums[] sums;
    /** The position of every row among the held-out rows of its fold. */
    private final int[] places;

    private final Workers workers;
    private final DoubleConsumer progress;

    private HeldOutPredictions(
            FoldData data, Candidates candidates, FoldRules[] rules, Workers workers, DoubleConsumer progress) {
        this.data = data;
        this.candidates = candidates;
        this.rules = rules;
        this.workers = workers;
        this.progress = progress;
        this.sums = new HeldOutSums[rules.length];
        this.places = new int[data.y().length];
        double sd = data.wishNoise();
        for (int f = 0; f < sums.length; f++) {
            int[] held = data.folds().heldOut(f);
            sums[f] = new HeldOutSums(rules[f].remainders(), people(f, held));
            for (int k = 0; k < held.length; k++) {
                int row = held[k];
                places[row] = k;
                sums[f].addPerson(data.weights()[row], data.z(f)[row] - data.y()[row], sd * sd);
            }
        }
    }

    /** Returns the held-out rows of a fold for each rule, for other losses than the squared one. */
    private HeldOut.People[] people(int fold, int[] held) {
        if (data.spec().loss().isSquared()) {
            return null;
        }
        double[] y = chosen(data.y(), held);
        double[] z = chosen(data.z(fold), held);
        double[] weights = chosen(data.weights(), held);
        HeldOut.People[] people = new HeldOut.People[candidates.count()];
        Arrays.setAll(people, j -> new HeldOut.People(data.spec().loss(), new double[held.length], y, z, weights));
        return people;
    }

    private static double[] chosen(double[] values, int[] rows) {
        return Arrays.stream(rows).mapToDouble(i -> values[i]).toArray();
    }

    /**
     * @param progress receives the fraction of the work done in each step
     */
    static HeldOut[][] of(
            FoldData data, Candidates candidates, FoldRules[] rules, Workers workers, DoubleConsumer progress) {
        HeldOutPredictions all = new HeldOutPredictions(data, candidates, rules, workers, progress);
        if (data.columns() instanceof CsrMatrix sparse) {
            all.byProducts(sparse);
        } else {
            all.byRows();
        }
        HeldOut[][] result = new HeldOut[rules.length][];
        for (int f = 0; f < result.length; f++) {
            result[f] =
                    all.sums[f].heldOut(candidates.stretched(data.stretch()[f]).gammas(), rules[f]);
        }
        return result;
    }

    /** Predicts dense rows in one pass: each row needs the rules of only one fold. */
    private void byRows() {
        Block[] blocks = new Block[rules.length];
        for (int f = 0; f < blocks.length; f++) {
            blocks[f] = new Block(f);
        }
        FoldRows.each(
                data,
                data.columns().cols() + 1,
                workers,
                progress,
                (fold, row, values) -> blocks[fold].add(row, values));
        workers.run(blocks.length, f -> blocks[f].flush());
    }

    /**
     * Predicts sparse rows by products, without filling in zeros: the rows of a fold are collected and multiplied by
     * some rules at a time.
     */
    private void byProducts(CsrMatrix columns) {
        for (int f = 0; f < rules.length; f++) {
            int[] rows = data.folds().heldOut(f);
            Matrix base = new AffineMatrix(columns.select(rows), null, null, true);
            int width = (int) Math.max(1, Math.min(candidates.count(), MAX_PREDICTIONS / Math.max(1, rows.length)));
            for (int first = 0; first < candidates.count(); first += width) {
                int some = Math.min(width, candidates.count() - first);
                DenseMatrix predictions = DenseMatrix.zeros(rows.length, some);
                base.times(rules[f].coefficients().columns(first, some), predictions, workers);
                for (int i = 0; i < rows.length; i++) {
                    for (int j = 0; j < some; j++) {
                        add(f, rows[i], first + j, predictions.get(i, j));
                    }
                }
            }
            progress.accept((double) rows.length / columns.rows());
        }
    }

    private void add(int fold, int row, int j, double scaled) {
        double y = data.y()[row];
        sums[fold].addPrediction(j, places[row], data.weights()[row], scaled, y, data.z(fold)[row] - y);
    }

    /** A block of rows of one fold. */
    private final class Block {
        private final Workers alone = Workers.of(1);
        private final int fold;
        private final DenseMatrix values;
        private final DenseMatrix predictions;
        private final int[] rows;
        private int filled;

        Block(int fold) {
            this.fold = fold;
            this.rows = new int[Math.max(1, Math.min(HEIGHT, data.folds().size(fold)))];
            this.values = DenseMatrix.zeros(rows.length, data.columns().cols() + 1);
            this.predictions = DenseMatrix.zeros(rows.length, candidates.count());
        }

        void add(int row, double[] source) {
            values.setRow(filled, source);
            rows[filled++] = row;
            if (filled == rows.length) {
                flush();
            }
        }

        void flush() {
            values.times(rules[fold].coefficients(), predictions, alone);
            for (int i = 0; i < filled; i++) {
                double[] scaled = predictions.row(i);
                for (int j = 0; j < scaled.length; j++) {
                    HeldOutPredictions.this.add(fold, rows[i], j, scaled[j]);
                }
            }
            filled = 0;
        }
    }
}
