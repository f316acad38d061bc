package stackelberg.model.response;

import java.util.Locale;
import java.util.SplittableRandom;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.game.GameSpec;
import stackelberg.game.Hedge;
import stackelberg.linalg.DenseMatrix;
import stackelberg.model.StackelbergModel;
import stackelberg.model.StackelbergRegression;
import stackelberg.model.Training;

/**
 * What rounds of retraining cost, as a ratio of one fit of the same data. Not a test; times need a quiet machine.
 *
 * <p>Arguments: {@code ROWS COLS ROUNDS}, any number of them; 100000 50 1000 if there are none.
 */
public final class RetrainingBench {
    private RetrainingBench() {}

    public static void main(String[] arguments) {
        String[] all = arguments.length == 0 ? new String[] {"100000", "50", "1000"} : arguments;
        for (int k = 0; k < all.length; k += 3) {
            play(Integer.parseInt(all[k]), Integer.parseInt(all[k + 1]), Integer.parseInt(all[k + 2]));
        }
    }

    private static void play(int rows, int cols, int rounds) {
        SplittableRandom random = new SplittableRandom(1);
        DenseMatrix x = DenseMatrix.zeros(rows, cols);
        double[] y = new double[rows];
        double[] row = new double[cols];
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < cols; j++) {
                row[j] = random.nextDouble() - 0.5;
                y[i] += j < 20 ? row[j] : 0;
            }
            x.setRow(i, row);
            y[i] += 5 + random.nextDouble();
        }
        Table table = Table.ofBlock(x, Table.positions(cols), NumericColumn.of("y", y));
        GameSpec game = GameSpec.builder()
                .target("y")
                .wish("max(y,6)")
                .wishNoise(1)
                .gamma(0.1)
                .build();
        StackelbergRegression regression =
                StackelbergRegression.builder().hedge(Hedge.NONE).from(game).build();
        double fit = Double.POSITIVE_INFINITY;
        double played = Double.POSITIVE_INFINITY;
        Retraining.Outcome outcome = null;
        for (int again = 0; again < 3; again++) {
            long start = System.nanoTime();
            Training training = regression.training(table);
            StackelbergModel model = training.fit();
            long fitted = System.nanoTime();
            outcome = Retraining.of(training, model, Retraining.Plan.of(rounds), round -> {})
                    .outcome();
            fit = Math.min(fit, (fitted - start) * 1e-9);
            played = Math.min(played, (System.nanoTime() - fitted) * 1e-9);
        }
        System.out.println(String.format(
                Locale.ROOT,
                "retraining %,d x %,d: fit %.2f s, %,d rounds %.2f s; %.1f fits; %s",
                rows,
                cols,
                fit,
                rounds,
                played,
                played / fit,
                outcome));
    }
}
