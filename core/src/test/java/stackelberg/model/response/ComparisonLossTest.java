package stackelberg.model.response;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.data.Encoding;
import stackelberg.data.Table;
import stackelberg.estimate.Loss;
import stackelberg.estimate.Resampling.Bootstrap;
import stackelberg.game.PublishedRule;
import stackelberg.linalg.Workers;
import stackelberg.model.People;
import stackelberg.model.StackelbergModel;
import stackelberg.model.StackelbergRegression;
import stackelberg.model.Training;

/** Rivals and doubts by another loss than the squared one are what they are called. */
class ComparisonLossTest {
    private static final Workers ONE = Workers.of(1);
    private final Table table = People.table(120, 8);

    private static StackelbergRegression.Builder game(Loss loss) {
        StackelbergRegression.Builder game = People.regression().loss(loss).gamma(0.8);
        return loss.isLogistic() ? game.yes(">=3.5").wish("0.9") : game.wish("max(today, 4)");
    }

    private double mean(PublishedRule rule, Comparison comparison, Loss loss) {
        double[] p = rule.predict(comparison.world().encoding(), table, Encoding.UnknownLevel.ERROR);
        double[] y = comparison.world().truths(table);
        return IntStream.range(0, p.length)
                .mapToDouble(i -> loss.value(p[i], y[i]))
                .average()
                .orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(strings = {"logistic", "huber:0.5"})
    void thePlainRivalLosesLeastWhereNobodyMoves(String words) {
        Loss loss = Loss.of(words);
        Comparison comparison = Comparison.of(
                game(loss).build(), table, table, Encoding.UnknownLevel.ERROR, new Bootstrap(20, 0.95, 5), ONE);
        double[] lost = comparison.entries().stream()
                .mapToDouble(entry -> mean(entry.evaluation().rule(), comparison, loss))
                .toArray();

        assertThat(lost[0]).isLessThan(lost[1]).isLessThan(lost[2]);
        for (int k = 0; k < 3; k++) {
            assertThat(comparison.entries().get(k).evaluation().honest().loss()).isCloseTo(lost[k], within(1e-12));
        }
        assertThat(comparison.entries().get(1).lambda()).isPositive();
        assertThat(comparison.entries().get(1).evaluation().rule().name())
                .isEqualTo(loss.isLogistic() ? "ridge logistic regression" : "ridge regression by the loss huber:0.5");
    }

    @ParameterizedTest
    @ValueSource(strings = {"logistic", "huber:0.5"})
    void whatIsPromisedOnTheSampleIsTheModelsLoss(String words) {
        Loss loss = Loss.of(words);
        Table few = People.table(45, 3);
        Training training = game(loss).build().training(few);
        StackelbergModel model = training.fit();
        WhatIf doubts = WhatIf.of(training, model).orElseThrow();

        assertThat(doubts.judged()).isEqualTo(WhatIf.Judged.SAMPLE);
        double promised = model.losses().anticipated() / 45;
        assertThat(doubts.promised().error()).isCloseTo(promised, within(1e-9 * promised));
        assertThat(doubts.promised().todayError()).isCloseTo(model.losses().naiveAttacked() / 45, within(1e-9));
        double truthful = model.losses().honest() / 45 / 3 + promised * 2 / 3;
        WhatIf.Row third = doubts.rows().stream()
                .filter(row -> row.doubt() == WhatIf.Doubt.THIRD_TRUTHFUL)
                .findFirst()
                .orElseThrow();
        assertThat(third.error()).isCloseTo(truthful, within(1e-9 * truthful));
        if (loss.isLogistic()) {
            assertThat(doubts.wishError()).isCloseTo(Math.PI / Math.sqrt(12), within(1e-12));
        }
    }

    @Test
    void nothingIsHedgedUnasked() {
        Comparison comparison = Comparison.of(
                game(Loss.LOGISTIC).build(),
                table,
                table,
                Encoding.UnknownLevel.ERROR,
                new Bootstrap(20, 0.95, 5),
                0.6,
                ONE);

        assertThat(comparison.hedged()).isEmpty();
        assertThat(comparison.entries())
                .hasSize(3)
                .allMatch(entry -> entry.answers().moved().measures().cutoff() == 0.6);
        StackelbergModel.Losses losses = comparison.model().losses();
        assertThat(comparison.saving().orElseThrow().share())
                .isCloseTo(1 - losses.anticipated() / losses.naiveAttacked(), within(1e-9));
    }
}
