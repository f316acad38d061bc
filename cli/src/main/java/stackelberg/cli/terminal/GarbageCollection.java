package stackelberg.cli.terminal;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.function.LongSupplier;

/**
 * Collects garbage between requests. The virtual machine collects when the old generation is full, which takes thousands of small requests, and takes no
 * notice of memory outside the heap, which only a collection frees. Without this class the process would grow with the number of requests.
 */
final class GarbageCollection {
    /** Growth in bytes from which a collection pays, if collecting takes only a small share of the time. */
    static final long SOME_BYTES = 16L << 20;

    /** Growth in bytes from which garbage is collected in any case. */
    static final long MANY_BYTES = 256L << 20;

    /** Collections of less than {@link #MANY_BYTES} take at most one part in this many of the time. */
    static final long SHARE = 50;

    private final LongSupplier used;
    private final LongSupplier nanoTime;
    private final Runnable collector;
    private long usedAfter;
    private long end;
    private long nanos;

    GarbageCollection() {
        this(GarbageCollection::used, System::nanoTime, System::gc);
    }

    GarbageCollection(LongSupplier used, LongSupplier nanoTime, Runnable collector) {
        this.used = used;
        this.nanoTime = nanoTime;
        this.collector = collector;
        this.usedAfter = used.getAsLong();
        this.end = nanoTime.getAsLong();
    }

    /** Collects garbage if enough has grown since the last collection. */
    void afterRequest() {
        long bytes = used.getAsLong();
        long start = nanoTime.getAsLong();
        usedAfter = Math.min(usedAfter, bytes);
        long growth = bytes - usedAfter;
        if (growth > MANY_BYTES || growth > SOME_BYTES && start - end >= SHARE * nanos) {
            collector.run();
            usedAfter = used.getAsLong();
            end = nanoTime.getAsLong();
            nanos = end - start;
        }
    }

    /** Bytes in the old generation and in direct buffers. Of the pools of the heap only the old generation has a threshold. */
    private static long used() {
        long bytes = 0;
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            if (pool.getType() == MemoryType.HEAP && pool.isUsageThresholdSupported()) {
                bytes += pool.getUsage().getUsed();
            }
        }
        for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
            bytes += pool.getMemoryUsed();
        }
        return bytes;
    }
}
