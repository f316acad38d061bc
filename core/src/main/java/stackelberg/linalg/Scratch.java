package stackelberg.linalg;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Direct buffers for reuse. Direct memory is freed only by the garbage collector, which does not see how much of it waits: a pass that
 * allocated its accumulators anew every time would run into the limit of direct memory long before a collection.
 */
final class Scratch {
    /** Kept for the next taker at most; more than any pass asks for, unless its vectors alone are larger. */
    private static final long MAX_KEPT = (256L << 20) / 8;

    private final List<DoubleBuffer> free = new ArrayList<>();
    private long kept;

    /** A buffer of at least the given size, its content undefined. */
    DoubleBuffer take(int doubles) {
        synchronized (this) {
            int best = -1;
            for (int i = 0; i < free.size(); i++) {
                int capacity = free.get(i).capacity();
                boolean fits = capacity >= doubles && capacity / 4 <= doubles;
                if (fits && (best < 0 || capacity < free.get(best).capacity())) {
                    best = i;
                }
            }
            if (best >= 0) {
                DoubleBuffer buffer = free.remove(best);
                kept -= buffer.capacity();
                return buffer.clear();
            }
        }
        return allocate(doubles);
    }

    /** Gives a buffer back; the oldest ones go when there are too many. */
    synchronized void give(DoubleBuffer buffer) {
        free.add(buffer);
        kept += buffer.capacity();
        while (kept > MAX_KEPT) {
            kept -= free.remove(0).capacity();
        }
    }

    static DoubleBuffer allocate(int doubles) {
        return ByteBuffer.allocateDirect(Math.multiplyExact(doubles, 8))
                .order(ByteOrder.nativeOrder())
                .asDoubleBuffer();
    }
}
