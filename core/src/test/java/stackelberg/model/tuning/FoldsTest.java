package stackelberg.model.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import stackelberg.data.CategoricalColumn;
import stackelberg.data.DataException;
import stackelberg.data.Table;
import stackelberg.model.tuning.Tuning.Folds;

/** Every row is held out once, in folds of equal size, the same for the same seed. */
class FoldsTest {
    @Test
    void everyRowIsHeldOutOnceAndTrainedOnOtherwise() {
        Folds folds = Folds.random(23, 5, 1);
        int[] times = new int[23];
        for (int f = 0; f < 5; f++) {
            assertThat(folds.size(f)).isBetween(4, 5).isEqualTo(folds.heldOut(f).length);
            for (int row : folds.heldOut(f)) {
                assertThat(folds.of(row)).isEqualTo(f);
                times[row]++;
            }
            assertThat(folds.heldOut(f)).doesNotContain(folds.training(f));
            assertThat(folds.heldOut(f).length + folds.training(f).length).isEqualTo(23);
        }
        assertThat(times).containsOnly(1);
    }

    /** The folds of a seed are part of what a user publishes; they may not change with a release. */
    @Test
    void theFoldsOfASeedNeverChange() {
        Folds folds = Folds.random(12, 3, 42);

        assertThat(IntStream.range(0, 12).map(folds::of).toArray()).containsExactly(FIXED);
        assertThat(IntStream.range(0, 12).map(Folds.random(12, 3, 43)::of).toArray())
                .isNotEqualTo(FIXED);
    }

    /** By the definition of SplitMix64, computed outside Java. */
    private static final int[] FIXED = {2, 1, 2, 0, 1, 0, 2, 0, 1, 2, 1, 0};

    @Test
    void groupsStayWholeAndAreSpreadEvenly() {
        String[] groups = new String[60];
        for (int i = 0; i < 60; i++) {
            // a group of 20, one of 10, and thirty of 1
            groups[i] = i < 20 ? "large" : i < 30 ? "medium" : "g" + i;
        }
        Folds folds = Folds.grouped(Table.of(CategoricalColumn.of("group", groups)), "group", 3, 5);

        for (int i = 0; i < 30; i++) {
            assertThat(folds.of(i)).isEqualTo(folds.of(i < 20 ? 0 : 20));
        }
        for (int f = 0; f < 3; f++) {
            assertThat(folds.size(f)).isEqualTo(20);
        }
    }

    @Test
    void theDefaultIsTenFoldsOrAsManyAsPossible() {
        Table two = Table.of(CategoricalColumn.of("group", "a", "b", "a", "b", "b"));

        assertThat(Folds.random(50, Tuning.Plan.USUAL_FOLDS, 0).count()).isEqualTo(10);
        assertThat(Folds.random(7, Tuning.Plan.USUAL_FOLDS, 0).count()).isEqualTo(7);
        assertThat(Folds.grouped(two, "group", Tuning.Plan.USUAL_FOLDS, 0).count())
                .isEqualTo(2);
        assertThatThrownBy(() -> Folds.random(1, Tuning.Plan.USUAL_FOLDS, 0))
                .hasMessageContaining("not possible with only 1 row.");
    }

    @Test
    void impossibleNumbersOfFoldsAreRefused() {
        assertThatThrownBy(() -> Folds.random(10, 1, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("folds is 1");
        assertThatThrownBy(() -> Folds.random(3, 4, 0))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("4 folds, but only 3 rows");
    }

    @Test
    void aMissingGroupIsNamed() {
        Table table = Table.of(CategoricalColumn.of("group", "a", "b", null));

        assertThatThrownBy(() -> Folds.grouped(table, "group", 2, 0))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("row 3");
    }

    /** Each of them is in some fold, and nobody else is in another one for it. */
    @Test
    void rowsWithZeroWeightDoNotChangeTheFoldsOfOthers() {
        String[] groups = {"a", "b", "a", "c", "d", "b", "e", "c", "d", "a"};
        double[] weights = {1, 0, 2, 1, 0, 1, 0, 3, 1, 1};
        int[] counted = {0, 2, 3, 5, 7, 8, 9};
        Table all = Table.of(CategoricalColumn.of("group", groups));
        Folds folds = Folds.random(weights, 3, 4);
        Folds alone = Folds.random(counted.length, 3, 4);
        Folds grouped = Folds.grouped(all, "group", weights, 3, 4);
        Folds groupedAlone = Folds.grouped(all.select(counted), "group", 3, 4);

        for (int k = 0; k < counted.length; k++) {
            assertThat(folds.of(counted[k])).isEqualTo(alone.of(k));
            assertThat(grouped.of(counted[k])).isEqualTo(groupedAlone.of(k));
        }
        assertThat(grouped.of(1)).as("of the same group").isEqualTo(grouped.of(5));
        assertThat(folds.rows()).isEqualTo(10);
        assertThat(grouped.rows()).isEqualTo(10);
    }
}
