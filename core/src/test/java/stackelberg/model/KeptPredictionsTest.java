package stackelberg.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.game.Hedge;
import stackelberg.linalg.Workers;

/** What a rule predicts many people is kept for all that is told of it: it must be that rule's, in the units of the data. */
class KeptPredictionsTest {
    @Test
    void cachedPredictionsAreThoseOfTheRule() {
        int rows = 75_000;
        int features = 28;
        Random random = new Random(9);
        NumericColumn[] columns = new NumericColumn[features + 1];
        double[] y = random.doubles(rows, -1, 1).toArray();
        for (int j = 0; j < features; j++) {
            double[] x = random.doubles(rows, -1, 3).toArray();
            for (int i = 0; i < rows; i++) {
                y[i] += (j % 3 - 0.5) * x[i];
            }
            columns[j] = NumericColumn.of("x" + j, x);
        }
        columns[features] = NumericColumn.of("y", y);
        Training training = StackelbergRegression.builder()
                .hedge(Hedge.NONE)
                .target("y")
                .wish("max(y,2)")
                .wishNoise(1)
                .gammaShare(0.3)
                .build()
                .training(Table.of(columns));
        StackelbergModel model = training.fit();

        double[] kept = training.predictions(model).orElseThrow();
        double[] again = training.sample().predictions(model.rule(), Workers.of(1));
        for (int i = 0; i < rows; i += 97) {
            assertThat(kept[i]).isCloseTo(again[i], within(1e-10));
        }
    }
}
