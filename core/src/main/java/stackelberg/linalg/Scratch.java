package stackelberg.linalg;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pool of buffers and arrays for reuse, shared by the whole process.
 *
 * <p>Direct memory is freed only when the garbage collector runs, and the collector does not count it: a pass that allocated new buffers each time would reach
 * the limit of direct memory long before a collection. New arrays cost the first access to their pages, which is as slow as a pass over them.
 */
final class Scratch {
    /** The most numbers in free buffers, 256 MB: more than a pass needs, unless its vectors alone are larger. */
    private static final long MAX_KEPT = (256L << 20) / 8;

    /** The most numbers in free arrays, 32 MB: what the sums of one sparse pass take, unless its vectors alone are larger. */
    private static final long MAX_KEPT_ARRAYS = (32L << 20) / 8;

    /** The most free buffers, and the most free arrays: more than the parts of any pass, and few enough for a linear search. */
    static final int MAX_COUNT = 1024;

    /** The free buffers and arrays, those given back first at the beginning. */
    private final List<DoubleBuffer> free = new ArrayList<>();

    private final Deque<double[]> freeArrays = new ArrayDeque<>();
    private long kept;
    private long keptArrays;

    /** A buffer of at least the given size, with undefined content: the smallest free one that is not four times too large, or a new one. */
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
        try {
            return allocate(doubles);
        } catch (OutOfMemoryError e) {
            // Direct memory is exhausted, perhaps by the free buffers here.
            clear();
            return allocate(doubles);
        }
    }

    private synchronized void clear() {
        free.clear();
        kept = 0;
    }

    /** The number of free buffers and arrays. */
    synchronized int count() {
        return free.size() + freeArrays.size();
    }

    /** Returns a buffer to the pool; if there are too many, the oldest are dropped. */
    synchronized void give(DoubleBuffer buffer) {
        free.add(buffer);
        kept += buffer.capacity();
        while (kept > MAX_KEPT || free.size() > MAX_COUNT) {
            kept -= free.remove(0).capacity();
        }
    }

    /** An array of exactly this length, with undefined content. */
    double[] array(int length) {
        double[] array = takeArray(length);
        return array == null ? new double[length] : array;
    }

    /** An array of zeros of exactly this length. */
    double[] zeros(int length) {
        double[] array = takeArray(length);
        if (array == null) {
            return new double[length];
        }
        Arrays.fill(array, 0);
        return array;
    }

    /** The free array of this length that was returned last, so that it may still be in cache, if there is one. */
    private synchronized double @Nullable [] takeArray(int length) {
        Iterator<double[]> arrays = freeArrays.descendingIterator();
        while (arrays.hasNext()) {
            double[] array = arrays.next();
            if (array.length == length) {
                arrays.remove();
                keptArrays -= length;
                return array;
            }
        }
        return null;
    }

    /** Returns an array to the pool; if there are too many, the oldest are dropped. */
    synchronized void give(double[] array) {
        freeArrays.addLast(array);
        keptArrays += array.length;
        while (keptArrays > MAX_KEPT_ARRAYS || freeArrays.size() > MAX_COUNT) {
            keptArrays -= freeArrays.removeFirst().length;
        }
    }

    /** A new direct buffer of zeros. */
    static DoubleBuffer allocate(int doubles) {
        return ByteBuffer.allocateDirect(Math.multiplyExact(doubles, 8))
                .order(ByteOrder.nativeOrder())
                .asDoubleBuffer();
    }
}
