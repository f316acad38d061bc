package stackelberg.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** With a clock and a memory of its own. */
class GarbageCollectionTest {
    private static final long LIVE = 20L << 20;
    private static final long SMALL = 1L << 20;
    private static final long REQUEST_NANOS = 20_000_000;
    private static final long COLLECTION_NANOS = 60_000_000;

    private long live = LIVE;
    private long used = LIVE;
    private long most;
    private long now = 1;
    private int collections;
    private final GarbageCollection garbage = new GarbageCollection(() -> used, () -> now, () -> {
        used = live;
        now += COLLECTION_NANOS;
        collections++;
    });

    private void requests(int count, long bytesEach) {
        for (int k = 0; k < count; k++) {
            used += bytesEach;
            now += REQUEST_NANOS;
            most = Math.max(most, used);
            garbage.afterRequest();
        }
    }

    /** The old generation alone would take hundreds of megabytes until it is full. */
    @Test
    void memoryStaysBoundedAfterManyRequestsThatLeaveLittleGarbage() {
        long each = SMALL / 32;

        requests(10_000, each);

        assertThat(most).isLessThanOrEqualTo(LIVE + GarbageCollection.SOME_BYTES + SMALL);
        assertThat(collections).isLessThanOrEqualTo((int) (10_000 * each / GarbageCollection.SOME_BYTES) + 1);
    }

    @Test
    void requestsThatLeaveMuchAreNotSlowedDownByCollections() {
        requests(10_000, SMALL);

        assertThat(collections * COLLECTION_NANOS).isLessThan(now / GarbageCollection.SHARE);
        assertThat(most).isLessThanOrEqualTo(LIVE + GarbageCollection.MANY_BYTES + SMALL);
    }

    @Test
    void muchGarbageIsCollectedAtOnce() {
        requests(10, GarbageCollection.MANY_BYTES + 1);

        assertThat(collections).isEqualTo(10);
    }

    @Test
    void memoryInUseDoesNotCauseRepeatedCollections() {
        live = 2 * GarbageCollection.MANY_BYTES;
        used = live;

        requests(1000, 0);

        assertThat(collections).isEqualTo(1);
    }
}
