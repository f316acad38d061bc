package stackelberg.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import stackelberg.data.CategoricalColumn;
import stackelberg.data.DataException;
import stackelberg.data.Table;
import stackelberg.estimate.Resampling.Folds;

/** Every row is held out once, in folds of equal size, the same for the same seed. */
class ResamplingTest {
    @Test
    void everyRowIsHeldOutOnceAndTrainedOnOtherwise() {
        Folds folds = Resampling.of(23, 1).folds(5);
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
    void theFoldsOfASeedAreFixedForEver() {
        Folds folds = Resampling.of(12, 42).folds(3);

        assertThat(IntStream.range(0, 12).map(folds::of).toArray()).containsExactly(FIXED);
        assertThat(IntStream.range(0, 12)
                        .map(Resampling.of(12, 43).folds(3)::of)
                        .toArray())
                .isNotEqualTo(FIXED);
    }

    /** By the definition of SplitMix64, computed outside Java. */
    private static final int[] FIXED = {2, 1, 2, 0, 1, 0, 2, 0, 1, 2, 1, 0};

    @Test
    void groupsAreKeptWholeAndSpreadEvenly() {
        String[] groups = new String[60];
        for (int i = 0; i < 60; i++) {
            // a group of 20, one of 10, and thirty of 1
            groups[i] = i < 20 ? "large" : i < 30 ? "medium" : "g" + i;
        }
        Folds folds = Resampling.of(60, 5)
                .grouped(Table.of(CategoricalColumn.of("group", groups)), "group")
                .folds(3);

        for (int i = 0; i < 30; i++) {
            assertThat(folds.of(i)).isEqualTo(folds.of(i < 20 ? 0 : 20));
        }
        for (int f = 0; f < 3; f++) {
            assertThat(folds.size(f)).isEqualTo(20);
        }
    }

    @Test
    void theUsualFoldsAreTenOrAsManyAsThereCanBe() {
        Table two = Table.of(CategoricalColumn.of("group", "a", "b", "a", "b", "b"));

        assertThat(Resampling.of(50, 0).foldsAtMost(10).count()).isEqualTo(10);
        assertThat(Resampling.of(7, 0).foldsAtMost(10).count()).isEqualTo(7);
        assertThat(Resampling.of(two.rows(), 0)
                        .grouped(two, "group")
                        .foldsAtMost(10)
                        .count())
                .isEqualTo(2);
        assertThatThrownBy(() -> Resampling.of(1, 0).foldsAtMost(10)).hasMessageContaining("held out of only 1 row.");
    }

    @Test
    void impossibleNumbersOfFoldsAreRefused() {
        assertThatThrownBy(() -> Resampling.of(10, 0).folds(1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("folds is 1");
        assertThatThrownBy(() -> Resampling.of(3, 0).folds(4))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("4 folds, but only 3 rows");
    }

    @Test
    void aMissingGroupIsNamed() {
        Table table = Table.of(CategoricalColumn.of("group", "a", "b", null));

        assertThatThrownBy(() -> Resampling.of(3, 0).grouped(table, "group").folds(2))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("row 3");
    }

    /** Each of them is in some fold, and nobody else is in another one for it. */
    @Test
    void whoWeighsNothingChangesNobodysFold() {
        String[] groups = {"a", "b", "a", "c", "d", "b", "e", "c", "d", "a"};
        double[] weights = {1, 0, 2, 1, 0, 1, 0, 3, 1, 1};
        int[] counted = {0, 2, 3, 5, 7, 8, 9};
        Table all = Table.of(CategoricalColumn.of("group", groups));
        Folds folds = Resampling.of(weights, 4).folds(3);
        Folds alone = Resampling.of(counted.length, 4).folds(3);
        Folds grouped = Resampling.of(weights, 4).grouped(all, "group").folds(3);
        Folds groupedAlone = Resampling.of(counted.length, 4)
                .grouped(all.select(counted), "group")
                .folds(3);

        for (int k = 0; k < counted.length; k++) {
            assertThat(folds.of(counted[k])).isEqualTo(alone.of(k));
            assertThat(grouped.of(counted[k])).isEqualTo(groupedAlone.of(k));
        }
        assertThat(grouped.of(1)).as("of the same group").isEqualTo(grouped.of(5));
        assertThat(folds.rows()).isEqualTo(10);
        assertThat(grouped.rows()).isEqualTo(10);
    }

    @Test
    void rowsWithZeroWeightAreInNoSplitAndNoSample() {
        double[] weights = {1, 0, 2, 1, 0, 1, 0, 3, 1, 1};
        int[] counted = {0, 2, 3, 5, 7, 8, 9};
        Resampling rows = Resampling.of(weights, 4);
        Resampling alone = Resampling.of(counted.length, 4);
        Resampling.Split split = rows.split(0.4);

        assertThat(split.heldOut())
                .containsExactly(Arrays.stream(alone.split(0.4).heldOut())
                        .map(k -> counted[k])
                        .toArray());
        assertThat(split.training()).contains(1, 4, 6).doesNotContain(split.heldOut());
        assertThat(split.training().length + split.heldOut().length).isEqualTo(10);
        Supplier<int[]> samples = rows.samples();
        Supplier<int[]> samplesAlone = alone.samples();
        for (int b = 0; b < 20; b++) {
            int[] times = samples.get();
            assertThat(Arrays.stream(counted).map(i -> times[i]).toArray()).containsExactly(samplesAlone.get());
            assertThat(Arrays.stream(times).sum()).isEqualTo(7);
        }
    }
}
