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

/**
 * Buffers for reuse, shared by the process. Direct memory is freed only by the garbage collector, which does not see how much of it waits: a pass that
 * allocated its accumulators anew every time would run into the limit of direct memory long before a collection. Arrays that a pass takes
 * anew every time cost it the first touch of their pages.
 */
final class Scratch {
    /** Kept for the next taker at most; more than any pass asks for, unless its vectors alone are larger. */
    private static final long MAX_KEPT = (256L << 20) / 8;

    /** As many as the sums of one sparse pass take, unless its vectors alone are larger. */
    private static final long MAX_KEPT_ARRAYS = (32L << 20) / 8;

    /** Of each kind: more than the parts of any pass, and few enough to look through. */
    static final int MAX_COUNT = 1024;

    private final List<DoubleBuffer> free = new ArrayList<>();
    private final Deque<double[]> freeArrays = new ArrayDeque<>();
    private long kept;
    private long keptArrays;

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
        try {
            return allocate(doubles);
        } catch (OutOfMemoryError e) {
            // of memory outside of the heap, which what is kept here may have taken
            clear();
            return allocate(doubles);
        }
    }

    private synchronized void clear() {
        free.clear();
        kept = 0;
    }

    /** Buffers and arrays that wait for the next taker. */
    synchronized int count() {
        return free.size() + freeArrays.size();
    }

    /** Gives a buffer back; the oldest ones go when there are too many. */
    synchronized void give(DoubleBuffer buffer) {
        free.add(buffer);
        kept += buffer.capacity();
        while (kept > MAX_KEPT || free.size() > MAX_COUNT) {
            kept -= free.remove(0).capacity();
        }
    }

    /** An array of just this length, its content undefined. */
    double[] array(int length) {
        double[] array = takeArray(length);
        return array == null ? new double[length] : array;
    }

    /** An array of zeros of just this length. */
    double[] zeros(int length) {
        double[] array = takeArray(length);
        if (array == null) {
            return new double[length];
        }
        Arrays.fill(array, 0);
        return array;
    }

    private synchronized double[] takeArray(int length) {
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

    /** Gives an array back; the oldest ones go when there are too many. */
    synchronized void give(double[] array) {
        freeArrays.addLast(array);
        keptArrays += array.length;
        while (keptArrays > MAX_KEPT_ARRAYS || freeArrays.size() > MAX_COUNT) {
            keptArrays -= freeArrays.removeFirst().length;
        }
    }

    static DoubleBuffer allocate(int doubles) {
        return ByteBuffer.allocateDirect(Math.multiplyExact(doubles, 8))
                .order(ByteOrder.nativeOrder())
                .asDoubleBuffer();
    }
}
