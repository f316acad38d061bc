package stackelberg.spark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.ml.linalg.SparseVector;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;

/**
 * Packs the rows of a partition, (features, label, wish, weight), into blocks, and stops at the first invalid row.
 *
 * <p>Blocks are small and of similar size, for two reasons. While blocks are written to disk or read back, up to 100 of them are held beside the cache, because
 * Java's serialisation keeps all objects until it is reset; and Spark estimates the size of all blocks from that of some.
 */
final class RowPacker implements Iterator<RowBlock> {
    /** Rows with fewer nonzeros than this share are stored sparse: a sparse entry takes 12 bytes instead of 8, and its products are slower. */
    private static final double SPARSE = 0.5;

    private final Iterator<Row> rows;
    private final Layout layout;
    private final RowCheck check;
    private final List<Vector> vectors = new ArrayList<>();
    private final double[] y = new double[DenseRows.PIECE];
    private final double[] gap = new double[DenseRows.PIECE];
    private final double[] weights = new double[DenseRows.PIECE];
    /** The number of stored entries of the vectors taken so far. */
    private long active;

    private double[] fixed = new double[0];
    private double[] values = new double[0];
    private int[] columns = new int[0];
    private @Nullable String problem;

    RowPacker(Iterator<Row> rows, Layout layout, RowCheck check) {
        this.rows = rows;
        this.layout = layout;
        this.check = check;
    }

    @Override
    public boolean hasNext() {
        return problem == null && rows.hasNext();
    }

    @Override
    public RowBlock next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        vectors.clear();
        active = 0;
        while (rows.hasNext() && (vectors.isEmpty() || hasRoom())) {
            Row row = rows.next();
            problem = check.problem(row);
            if (problem != null) {
                break;
            }
            Vector vector = row.getAs(0);
            int at = vectors.size();
            y[at] = row.getDouble(1);
            gap[at] = row.getDouble(2) - y[at];
            weights[at] = row.getDouble(3);
            vectors.add(vector);
            active += vector.numActives();
        }
        return pack();
    }

    /** Whether another row of average size still fits into the block. */
    private boolean hasRoom() {
        long next = vectors.size() + 1L;
        boolean narrow = next * Math.max(1, layout.fixed()) <= DenseRows.PIECE;
        boolean asDense = next * layout.features() <= DenseRows.PIECE;
        boolean asSparse = isSparse() && active * next / (next - 1) <= DenseRows.PIECE;
        return narrow && (asDense || asSparse);
    }

    private boolean isSparse() {
        return active < SPARSE * vectors.size() * layout.size();
    }

    private RowBlock pack() {
        int m = vectors.size();
        int n = layout.features();
        int k = layout.fixed();
        // one long row among sparse ones can make the block dense on average, with too many values for one dense array
        boolean sparse = isSparse() || m > 1 && (long) m * n > DenseRows.PIECE;
        reserve(m * k, sparse ? Math.toIntExact(active) : m * n, sparse);
        int[] starts = new int[m + 1];
        int count = 0;
        for (int i = 0; i < m; i++) {
            if (layout.intercept()) {
                fixed[i * k] = 1;
            }
            Vector vector = vectors.get(i);
            int[] indices = vector instanceof SparseVector s ? s.indices() : null;
            double[] entries = vector instanceof SparseVector s ? s.values() : vector.toArray();
            for (int p = 0; p < entries.length; p++) {
                int entry = indices == null ? p : indices[p];
                if (layout.isFixed(entry)) {
                    fixed[i * k + layout.column(entry)] = entries[p];
                } else if (!sparse) {
                    values[i * n + layout.column(entry)] = entries[p];
                } else {
                    columns[count] = layout.column(entry);
                    values[count++] = entries[p];
                }
            }
            starts[i + 1] = count;
        }
        return new RowBlock(
                problem,
                n,
                Arrays.copyOf(weights, m),
                Arrays.copyOf(y, m),
                Arrays.copyOf(gap, m),
                new DenseRows(m, k, fixed),
                sparse ? null : new DenseRows(m, n, values),
                sparse ? new SparseRows(starts, columns, values) : null);
    }

    /** Makes the arrays large enough for a block, and clears them. */
    private void reserve(int fixedCount, int count, boolean sparse) {
        fixed = fixed.length < fixedCount ? new double[fixedCount] : fixed;
        Arrays.fill(fixed, 0, fixedCount, 0);
        values = values.length < count ? new double[count] : values;
        Arrays.fill(values, 0, count, 0);
        columns = sparse && columns.length < count ? new int[count] : columns;
    }
}
