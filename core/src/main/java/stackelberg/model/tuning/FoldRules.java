package stackelberg.model.tuning;

import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleConsumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import stackelberg.game.LinearRule;
import stackelberg.linalg.CsrMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;
import stackelberg.model.tuning.FoldedSample.Fold;

/**
 * The rules of one fold, one per candidate, each divided by its 1 + alpha so that all are finite.
 *
 * @param gammas the fold's own gammas
 * @param places the points of the rules on the sphere
 * @param scaled makes the rules, in the units of the fold's game
 * @param unsettled the number of rules that are not known to be optimal to the tolerance
 */
record FoldRules(
        Fold fold, double[] gammas, List<HeldOut.Place> places, IntFunction<LinearRule> scaled, int unsettled) {
    /** The number of rules whose coefficients are written together: they fill a cache line of each row. */
    private static final int STRIP = 8;

    /** The largest number of predictions of sparse data held at once. */
    private static final long MAX_PREDICTIONS = 1L << 23;

    /**
     * Predicts the held-out rows of folds that share their stored columns, from the rows and not from sums of products,
     * so that residuals do not cancel; dense rows are read in one pass.
     *
     * @param progress receives the fraction of the work done in each step
     * @return the losses by fold and candidate
     */
    static HeldOut[][] heldOut(FoldedSample data, List<FoldRules> rules, Workers workers, DoubleConsumer progress) {
        int[][] rows = new int[rules.size()][];
        Losses[] losses = new Losses[rows.length];
        for (int f = 0; f < rows.length; f++) {
            rows[f] = data.folds().heldOut(rules.get(f).fold.number());
            losses[f] = new Losses(data, rules.get(f), rows[f]);
        }
        Matrix columns = rules.get(0).fold.columns();
        if (columns instanceof CsrMatrix sparse) {
            for (int f = 0; f < rows.length; f++) {
                losses[f].addSparse(sparse.select(rows[f]), workers);
                progress.accept(1.0 / rows.length);
            }
        } else {
            Dense[] dense = Arrays.stream(losses).map(Dense::new).toArray(Dense[]::new);
            columns.readParts(rows, workers, progress, (part, some, values) -> dense[part].add(some.length, values));
        }
        return Arrays.stream(losses).map(Losses::heldOut).toArray(HeldOut[][]::new);
    }

    private int count() {
        return places.size();
    }

    /** Returns some rules as coefficients of the stored columns, one rule per column of the matrix. */
    private DenseMatrix coefficients(int first, int count, double[] constants) {
        int cols = fold.columns().cols();
        DenseMatrix all = DenseMatrix.zeros(cols, count);
        for (int from = 0; from < count; from += STRIP) {
            double[][] some = new double[Math.min(STRIP, count - from)][];
            for (int k = 0; k < some.length; k++) {
                LinearRule rule = scaled.apply(first + from + k);
                some[k] = onStored(rule, cols);
                constants[first + from + k] = constant(rule, some[k]);
            }
            all.setColumns(from, some);
        }
        return all;
    }

    private double[] onStored(LinearRule rule, int cols) {
        int n = fold.world().manipulable();
        double[] stored = Arrays.copyOf(rule.w(), cols);
        System.arraycopy(rule.q(), 0, stored, n, cols - n);
        for (int j = 0; j < n; j++) {
            stored[j] *= fold.scale()[j];
        }
        return stored;
    }

    private double constant(LinearRule rule, double[] stored) {
        double[] w = rule.w();
        int n = fold.world().manipulable();
        // a manipulable column of ones is the last
        double constant = rule.intercept() + (w.length > n ? w[n] : 0);
        for (int j = 0; j < stored.length; j++) {
            constant -= stored[j] * fold.shift()[j];
        }
        return constant;
    }

    /** The losses of the rules on the held-out rows, accumulated row by row. */
    private static final class Losses {
        private final FoldedSample data;
        private final FoldRules rules;
        private final int[] rows;
        private final double[] constants;
        private final double[] uu;
        private final double[] ud;
        private double dd;
        /** The stored rows by rule; null if sums suffice. */
        private final HeldOut.People @Nullable [] people;

        Losses(FoldedSample data, FoldRules rules, int[] rows) {
            this.data = data;
            this.rules = rules;
            this.rows = rows;
            this.constants = new double[rules.count()];
            this.uu = new double[rules.count()];
            this.ud = new double[rules.count()];
            this.people = data.spec().loss().isSquared() ? null : people();
            double sd = data.spec().wishNoise();
            for (int row : rows) {
                double gap = rules.fold.z()[row] - data.y()[row];
                dd += data.weights()[row] * (gap * gap + sd * sd);
            }
        }

        private HeldOut.People[] people() {
            double[] y = FoldedSample.chosen(data.y(), rows);
            double[] z = FoldedSample.chosen(rules.fold.z(), rows);
            double[] weights = FoldedSample.chosen(data.weights(), rows);
            HeldOut.People[] all = new HeldOut.People[rules.count()];
            Arrays.setAll(all, j -> new HeldOut.People(data.spec().loss(), new double[rows.length], y, z, weights));
            return all;
        }

        /** Adds all held-out rows without filling in zeros, some rules at a time. */
        void addSparse(CsrMatrix held, Workers workers) {
            int width = (int) Math.max(1, Math.min(rules.count(), MAX_PREDICTIONS / Math.max(1, rows.length)));
            for (int first = 0; first < rules.count(); first += width) {
                int some = Math.min(width, rules.count() - first);
                DenseMatrix predictions = DenseMatrix.zeros(rows.length, some);
                held.times(rules.coefficients(first, some, constants), predictions, workers);
                for (int i = 0; i < rows.length; i++) {
                    add(i, first, predictions.row(i));
                }
            }
        }

        /** Adds the scaled predictions p/(1 + alpha), less their constants, of a held-out row by some rules. */
        void add(int place, int first, double[] predictions) {
            int row = rows[place];
            double y = data.y()[row];
            double gap = rules.fold.z()[row] - y;
            double weight = data.weights()[row];
            for (int k = 0; k < predictions.length; k++) {
                int j = first + k;
                double scaled = predictions[k] + constants[j];
                if (people != null) {
                    people[j].scaled()[place] = scaled;
                } else {
                    double u = scaled - rules.places.get(j).remainder() * y;
                    uu[j] += weight * u * u;
                    ud[j] += weight * u * gap;
                }
            }
        }

        HeldOut[] heldOut() {
            HeldOut[] result = new HeldOut[rules.count()];
            Arrays.setAll(
                    result,
                    j -> new HeldOut(
                            rules.gammas[j], rules.places.get(j), uu[j], ud[j], dd, people == null ? null : people[j]));
            return result;
        }
    }

    /** Adds dense rows of one fold, some at a time. */
    private static final class Dense {
        private final Workers alone = Workers.of(1);
        private final Losses losses;
        private final DenseMatrix coefficients;
        private DenseMatrix block;
        private DenseMatrix predicted;
        private int added;

        Dense(Losses losses) {
            this.losses = losses;
            this.coefficients = losses.rules.coefficients(0, losses.rules.count(), losses.constants);
            this.block = DenseMatrix.zeros(0, coefficients.rows());
            this.predicted = DenseMatrix.zeros(0, coefficients.cols());
        }

        void add(int count, double[] values) {
            if (block.rows() < count) {
                block = DenseMatrix.zeros(count, coefficients.rows());
                predicted = DenseMatrix.zeros(count, coefficients.cols());
            }
            DenseMatrix rows = block.firstRows(count);
            DenseMatrix predictions = predicted.firstRows(count);
            rows.setTile(0, count, 0, coefficients.rows(), values);
            rows.times(coefficients, predictions, alone);
            for (int i = 0; i < count; i++) {
                losses.add(added++, 0, predictions.row(i));
            }
        }
    }
}
