package stackelberg.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Set;
import org.junit.jupiter.api.Test;
import stackelberg.data.DataException;
import stackelberg.data.Scaling;
import stackelberg.data.Table;

/** What is declared about people means what it says, all the way from the table to the model. */
class DeclaredGamesTest {
    private final Table table = People.table(120, 8);

    @Test
    void aDuplicatedRowEqualsWeightTwo() {
        double[] weights = table.numeric("weight").values();
        int[] repeated = java.util.stream.IntStream.range(0, table.rows())
                .flatMap(i -> java.util.stream.IntStream.generate(() -> i).limit((long) (weights[i] + 0.5)))
                .toArray();
        // the weights of these people are 0.5, 1.5, ...; whole ones can be repeated
        StackelbergRegression.Builder game = People.regression()
                .wish("max(y,3.5)")
                .wishNoise(0.2)
                .scaling(Scaling.NONE)
                .cost("debt", 2);
        double[] whole = Arrays.stream(weights).map(w -> w + 0.5).toArray();
        StackelbergModel weighted = game.weight("weight").build().fit(withWeights(whole));
        StackelbergModel duplicated = game.weight(null).build().fit(table.select(repeated));

        assertThat(weighted.losses().anticipated())
                .isCloseTo(
                        duplicated.losses().anticipated(),
                        within(1e-9 * weighted.losses().anticipated()));
        assertThat(weighted.pullThrough()).isCloseTo(duplicated.pullThrough(), within(1e-9));
        double[] p = weighted.predict(table);
        double[] q = duplicated.predict(table);
        for (int i = 0; i < p.length; i++) {
            assertThat(p[i]).isCloseTo(q[i], within(1e-6));
        }
    }

    @Test
    void aCostGoingToInfinityMakesTheFeatureImmutable() {
        Set<String> fixed = Set.of("region", "job");
        Set<String> fixedAndDebt = Set.of("region", "job", "debt");
        double[] limit =
                People.regression().immutable(fixedAndDebt).build().fit(table).predict(table);
        double before = Double.POSITIVE_INFINITY;
        for (double cost : new double[] {1e2, 1e4, 1e6, 1e8}) {
            double[] p = People.regression()
                    .immutable(fixed)
                    .cost("debt", cost)
                    .build()
                    .fit(table)
                    .predict(table);
            double distance = distance(p, limit);
            assertThat(distance).isLessThan(before / 10);
            before = distance;
        }
        assertThat(before).isLessThan(1e-5);
    }

    @Test
    void theGroupColumnIsAFeatureOnlyIfNamedAndIsStoredInTheModel() {
        StackelbergModel model = People.regression().group("region").build().fit(table);
        StackelbergModel named = People.regression()
                .group("region")
                .features(java.util.List.of("region", "debt"))
                .build()
                .fit(table);

        assertThat(model.encoding().features()).noneMatch(f -> f.column().equals("region"));
        assertThat(model.provenance().options()).containsEntry("group", "region");
        assertThat(named.encoding().features()).anyMatch(f -> f.column().equals("region"));
        assertThat(named.provenance().options()).containsEntry("group", "region");
    }

    @Test
    void anIdentifierIsNeverAFeatureAndIsStoredInTheModel() {
        StackelbergModel model = People.regression().id("region").build().fit(table);

        assertThat(model.encoding().features()).noneMatch(f -> f.column().equals("region"));
        StackelbergModel loaded = ModelFile.fromJson(ModelFile.toJson(model), "model");
        assertThat(loaded.game().id()).isEqualTo("region");
        assertThat(loaded.world().labels(table).apply(3))
                .isEqualTo(table.column("region").text(3).orElse("row 4"));
        assertThatThrownBy(() -> People.regression()
                        .id("region")
                        .features(java.util.List.of("region", "debt"))
                        .build()
                        .fit(table))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("'region'")
                .hasMessageContaining("identifier");
    }

    @Test
    void groupsAreOrderedByValueWithMissingValuesLast() {
        Table some = People.table(40, 2, 0.3);
        var groups = some.groups("region");

        assertThat(groups.keySet()).last().isEqualTo("(missing)");
        assertThat(groups.values().stream().mapToInt(rows -> rows.length).sum()).isEqualTo(40);
        assertThatThrownBy(() -> People.table(400, 2).groups("debt"))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("'debt'");
    }

    private Table withWeights(double[] weights) {
        var columns = new java.util.ArrayList<>(table.columns());
        columns.removeIf(c -> c.name().equals("weight"));
        columns.add(stackelberg.data.NumericColumn.of("weight", weights));
        return Table.of(columns);
    }

    private static double distance(double[] p, double[] q) {
        double sum = 0;
        for (int i = 0; i < p.length; i++) {
            sum += Math.pow(p[i] - q[i], 2);
        }
        return Math.sqrt(sum / p.length);
    }
}
