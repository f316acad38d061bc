package stackelberg.data.io;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import stackelberg.data.DataException;
import stackelberg.data.Table;

/** The memory that a table may take, checked before it is taken. */
final class Memory {
    /** What a column takes before its first value: its name, twice as a key, and what is learned of it. An estimate, not a measurement. */
    private static final long BYTES_PER_COLUMN = 256;

    /** So many columns are never too many for a few rows: half a gigabyte. */
    private static final int USUAL_COLUMNS = 1 << 21;

    /** Beyond that, so many columns for each entry of a sparse file. */
    private static final long COLUMNS_PER_ENTRY = 1000;

    /** What is unpacked from gzip may be so many times the memory: not all of it need be kept. */
    private static final long UNPACKED = 4;

    /** The share of the memory for what lasts that the content of a file may take. */
    private static final double KEPT = 0.8;

    private static final double GIGABYTE = 1e9;

    private static final String ADVICE =
            " may be used.\nMaybe read fewer columns, or allow more memory with STACKELBERG_JAVA_OPTS=-Xmx8g.";

    private Memory() {}

    /** Bytes that can still be taken; garbage is collected where so many are wanted that it matters. */
    private static long free(double wanted) {
        if (wanted > free()) {
            System.gc();
        }
        return free();
    }

    /** The memory for what lasts, which some collectors keep apart from that for what is new. */
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

    /** Refuses a number of columns that do not fit into memory. */
    static void requireColumns(String name, long columns) {
        require(name, columns + " columns", (double) columns * BYTES_PER_COLUMN);
    }

    /** Refuses a sparse file whose largest index is far beyond what its entries can mean. */
    static void requireColumns(String name, long columns, long entries) {
        if (columns > USUAL_COLUMNS && columns > COLUMNS_PER_ENTRY * entries) {
            throw new DataException(
                    "'" + name + "' has " + columns + " columns but only " + entries
                            + " entries; beyond " + USUAL_COLUMNS + " there may be at most " + COLUMNS_PER_ENTRY
                            + " columns for each entry.\nMaybe its largest index is a slip, or number the columns again from 1.");
        }
        requireColumns(name, columns);
    }

    /** Refuses so many numbers of 8 bytes, if they do not fit into memory. */
    static void requireCells(String name, long rows, long columns) {
        require(name, cells(rows, columns), 8.0 * rows * columns);
    }

    /** The same where they are kept outside the heap: the memory of the machine bounds them. */
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

    /** Refuses a line that is longer than so many bytes, if it does not fit into memory as bytes and as text. */
    static void requireLine(String name, long bytes) {
        require(name, "line of more than " + bytes + " bytes", 6.0 * bytes);
    }

    /** Refuses unpacked content that is far more than the memory. */
    static void requireUnpacked(String name, long bytes) {
        if (bytes / UNPACKED > Runtime.getRuntime().maxMemory()) {
            throw new DataException("'" + name + "' is gzip that unpacks to more than "
                    + gigabytes(bytes) + ", " + UNPACKED + " times the memory that may be used ("
                    + gigabytes(Runtime.getRuntime().maxMemory())
                    + ").\nMaybe it is not what it should be; or allow more memory with STACKELBERG_JAVA_OPTS=-Xmx8g.");
        }
    }

    /** Counts what is kept of a file while it is read; safe for threads. */
    static final class Budget {
        private final String name;
        private final long most = (long) (KEPT * lasting());
        private final AtomicLong taken = new AtomicLong();

        Budget(String name) {
            this.name = name;
        }

        /** Adds what is kept from now on; refuses so much that nothing could be done with it. */
        void take(long bytes) {
            require(taken.addAndGet(bytes));
        }

        /** The same of all that is kept. */
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

    /** Reads, and refuses what runs out of memory in the course of it: sizes that are known before are estimates. */
    static Table reading(String name, Supplier<Table> reader) {
        try {
            return reader.get();
        } catch (OutOfMemoryError e) {
            throw new DataException(
                    "'" + name + "' is too large for the memory, of which "
                            + gigabytes(Runtime.getRuntime().maxMemory()) + ADVICE,
                    e);
        }
    }

    private static DataException tooLarge(String name, String what, double bytes, long free) {
        return new DataException("'" + name + "' is too large for the memory: its " + what + " would take "
                + gigabytes(bytes) + " or more, and " + gigabytes(free) + ADVICE);
    }

    private static String gigabytes(double bytes) {
        return String.format(Locale.ROOT, "%.3g GB", bytes / GIGABYTE);
    }
}
