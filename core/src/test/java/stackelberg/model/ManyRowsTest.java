package stackelberg.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.data.Column;
import stackelberg.data.NumericColumn;
import stackelberg.data.Scaling;
import stackelberg.data.Table;
import stackelberg.game.Hedge;
import stackelberg.model.response.WhatIf;

/** Where rows are many, sums of products are taken from where the rows are; a weight of 2 for everybody says nothing new, and takes the long way. */
class ManyRowsTest {
    private static final int ROWS = 70_000;
    private static final int COLUMNS = 32;

    /** @param level how far from 0 columns lie that are not scaled: the long way is taken there too. */
    private static Table people(double level) {
        SplittableRandom random = new SplittableRandom(17);
        double[][] x = new double[COLUMNS][ROWS];
        double[] y = new double[ROWS];
        for (int i = 0; i < ROWS; i++) {
            double common = random.nextDouble();
            for (int j = 0; j < COLUMNS; j++) {
                x[j][i] = level + random.nextDouble() - 0.5 + (j % 3 == 0 ? common - 0.5 : 0);
                y[i] += j < 8 ? (x[j][i] - level) * (j + 1) / 4 : 0;
            }
            y[i] += random.nextDouble() - 0.5;
        }
        List<Column> columns = new ArrayList<>();
        for (int j = 0; j < COLUMNS; j++) {
            columns.add(NumericColumn.of("x" + j, x[j]));
        }
        columns.add(NumericColumn.of("y", y));
        double[] twos = new double[ROWS];
        Arrays.fill(twos, 2);
        columns.add(NumericColumn.of("two", twos));
        return Table.of(columns);
    }

    private static StackelbergRegression.Builder regression(Scaling scaling) {
        return StackelbergRegression.builder()
                .hedge(Hedge.NONE)
                .target("y")
                .wish("max(y,2)")
                .wishNoise(0.5)
                .gammaShare(0.3)
                .scaling(scaling);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.3, 1000})
    void aWeightOfTwoForEveryRowChangesNothing(double level) {
        Table people = people(level);
        Training plain = regression(Scaling.NONE).ignore(Set.of("two")).build().training(people);
        Training weighted = regression(Scaling.NONE).weight("two").build().training(people);
        StackelbergModel one = plain.fit();
        StackelbergModel other = weighted.fit();

        assertThat(one.gamma()).isCloseTo(other.gamma(), withinPercentage(1e-7));
        StandardErrors.Intervals errors = one.standardErrors().orElseThrow().intervals();
        StandardErrors.Intervals others = other.standardErrors().orElseThrow().intervals();
        double largest = 0;
        for (int j = 0; j < COLUMNS; j++) {
            double error = errors.coefficients().get(j).error();
            double off = one.rule().coefficients().get("x" + j)
                    - other.rule().coefficients().get("x" + j);
            assertThat(off / error).isCloseTo(0, within(1e-6));
            assertThat(error).isCloseTo(others.coefficients().get(j).error(), withinPercentage(1e-6));
            largest = Math.max(largest, error);
        }
        assertThat(largest).isPositive();
        WhatIf doubts = WhatIf.of(plain, one).orElseThrow();
        WhatIf weightedDoubts = WhatIf.of(weighted, other).orElseThrow();
        for (int k = 0; k < doubts.rows().size(); k++) {
            assertThat(doubts.rows().get(k).error())
                    .isCloseTo(weightedDoubts.rows().get(k).error(), withinPercentage(1e-7));
            assertThat(doubts.rows().get(k).todayError())
                    .isCloseTo(weightedDoubts.rows().get(k).todayError(), withinPercentage(1e-7));
        }
    }

    @Test
    void theNumberOfThreadsChangesNothing() {
        Table people = people(0.1);
        StackelbergModel[] models = new StackelbergModel[2];
        for (int k = 0; k < 2; k++) {
            models[k] = regression(Scaling.STANDARD)
                    .ignore(Set.of("two"))
                    .threads(1 + 2 * k)
                    .build()
                    .fit(people);
        }
        assertThat(models[1].rule()).isEqualTo(models[0].rule());
        assertThat(models[1].standardErrors()).isEqualTo(models[0].standardErrors());
        assertThat(models[1].losses()).isEqualTo(models[0].losses());
    }
}
