package stackelberg.data.io;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import stackelberg.data.DataException;
import stackelberg.data.Message;
import stackelberg.data.Table;

/**
 * Refuses data that would not fit in memory, before memory is allocated for them, so that users see a message instead
 * of an OutOfMemoryError.
 */
final class Memory {
    /**
     * The memory for a column before its first value: its name as a key of two maps, and what is learned about it. An
     * estimate, not a measurement.
     */
    private static final long BYTES_PER_COLUMN = 256;

    /**
     * Up to this many columns, half a gigabyte of {@link #BYTES_PER_COLUMN}, a sparse file may have any number of
     * entries.
     */
    private static final int USUAL_COLUMNS = 1 << 21;

    /** The most columns for each entry of a sparse file with more columns than that. */
    private static final long COLUMNS_PER_ENTRY = 1000;

    /**
     * The decompressed content of a gzip file may be this many times the memory, because not all of it need be kept
     * (unused columns, for example).
     */
    private static final long UNPACKED = 4;

    /** The share of the heap for long-lived objects that the content of a file may take. */
    private static final double KEPT = 0.8;

    private static final double GIGABYTE = 1e9;

    private static final String ADVICE =
            " may be used.\nMaybe read fewer columns, or allow more memory with STACKELBERG_JAVA_OPTS=-Xmx8g.";

    private Memory() {}

    /**
     * The number of bytes that can still be allocated; collects garbage first if fewer than {@code wanted} seem to be
     * free.
     */
    private static long free(double wanted) {
        if (wanted > free()) {
            System.gc();
        }
        return free();
    }

    /** The size of the heap for long-lived objects, which some garbage collectors separate from that for new ones. */
    private static long lasting() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .mapToLong(pool -> pool.getUsage().getMax())
                .max()
                .orElse(Runtime.getRuntime().maxMemory());
    }

    private static long free() {
        Runtime runtime = Runtime.getRuntime();
        return runtime.maxMemory() - runtime.totalMemory() + runtime.freeMemory();
    }

    /** Refuses a number of columns that does not fit in memory. */
    static void requireColumns(String name, long columns) {
        require(name, columns + " columns", (double) columns * BYTES_PER_COLUMN);
    }

    /**
     * Refuses a sparse file whose largest index is implausible for its number of entries: most likely a typing error,
     * and costly as a column count.
     */
    static void requireColumns(String name, long columns, long entries) {
        if (columns > USUAL_COLUMNS && columns > COLUMNS_PER_ENTRY * entries) {
            throw DataException.of(
                    "columns-without-entries",
                    "'{}' has {} columns but only {} entries; beyond {} there may be at most {} columns for each entry.\n"
                            + "Maybe its largest index is a mistake; or renumber the columns from 1.",
                    name,
                    columns,
                    entries,
                    USUAL_COLUMNS,
                    COLUMNS_PER_ENTRY);
        }
        requireColumns(name, columns);
    }

    /** Refuses rows x columns numbers of 8 bytes if they do not fit in the heap. */
    static void requireCells(String name, long rows, long columns) {
        require(name, cells(rows, columns), 8.0 * rows * columns);
    }

    /** Refuses numbers that do not fit outside the heap: the limit is the memory of the machine. */
    static void requireOutsideTheHeap(String name, long rows, long columns) {
        double bytes = 8.0 * rows * columns;
        if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                && bytes > system.getTotalMemorySize()) {
            throw tooLarge(name, cells(rows, columns), bytes, system.getTotalMemorySize());
        }
    }

    private static String cells(long rows, long columns) {
        return rows + " rows of " + columns + (columns == 1 ? " column" : " columns");
    }

    /**
     * Refuses a line of more than {@code bytes} bytes if it does not fit in memory, as bytes and as text: 6 bytes of
     * memory per byte.
     */
    static void requireLine(String name, long bytes) {
        require(name, "line of more than " + bytes + " bytes", 6.0 * bytes);
    }

    /** Refuses a gzip file whose decompressed content is far larger than the memory, such as a "zip bomb". */
    static void requireUnpacked(String name, long bytes) {
        if (bytes / UNPACKED > Runtime.getRuntime().maxMemory()) {
            throw DataException.of(
                    "gzip-too-large",
                    "'{}' is gzip that unpacks to more than {}, {} times the memory that may be used ({}).\n"
                            + "Maybe it is the wrong file; or allow more memory with STACKELBERG_JAVA_OPTS=-Xmx8g.",
                    name,
                    gigabytes(bytes),
                    UNPACKED,
                    gigabytes(Runtime.getRuntime().maxMemory()));
        }
    }

    /** Counts the bytes that are kept of a file while threads read it. */
    static final class Budget {
        private final String name;
        private final long most = (long) (KEPT * lasting());
        private final AtomicLong taken = new AtomicLong();

        Budget(String name) {
            this.name = name;
        }

        /** Adds bytes to the count; refuses a sum that would leave too little memory for using the data. */
        void take(long bytes) {
            require(taken.addAndGet(bytes));
        }

        /** Refuses a sum of bytes that would leave too little memory for using the data. */
        void require(double sum) {
            if (sum > most) {
                throw tooLarge(name, "content", sum, most);
            }
        }
    }

    private static void require(String name, String what, double bytes) {
        long free = free(bytes);
        if (bytes > free) {
            throw tooLarge(name, what, bytes, free);
        }
    }

    /** Runs a reader and turns an OutOfMemoryError into a message: the checks before are based on estimates. */
    static Table reading(String name, Supplier<Table> reader) {
        try {
            return reader.get();
        } catch (OutOfMemoryError e) {
            throw new DataException(
                    Message.of(
                            "memory-too-small",
                            "'{}' is too large for the memory, of which {}{}",
                            name,
                            gigabytes(Runtime.getRuntime().maxMemory()),
                            ADVICE),
                    e);
        }
    }

    private static DataException tooLarge(String name, String what, double bytes, long free) {
        return DataException.of(
                "memory-too-small",
                "'{}' is too large for the memory: its {} would take {} or more, and {}{}",
                name,
                what,
                gigabytes(bytes),
                gigabytes(free),
                ADVICE);
    }

    private static String gigabytes(double bytes) {
        return String.format(Locale.ROOT, "%.3g GB", bytes / GIGABYTE);
    }
}
