package stackelberg.spark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.ml.linalg.SparseVector;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Row;

/** Packs the rows of a partition, (features, label, wish, weight), into blocks, and stops at the first bad one. */
final class RowPacker implements Iterator<RowBlock> {
    /** About a second-level cache, so that a block is read from memory once for both of its products. */
    private static final long BLOCK_BYTES = 1 << 20;

    /** With fewer rows, vectors as long as a row would be read as often as the rows. */
    private static final int MIN_ROWS = 16;

    private static final int MAX_ROWS = 1 << 14;

    /** An entry of a compressed row takes 12 bytes instead of 8, and its products are slower. */
    private static final double SPARSE = 0.5;

    private final Iterator<Row> rows;
    private final Layout layout;
    private final RowCheck check;
    private final List<Vector> vectors = new ArrayList<>();
    private final double[] y = new double[MAX_ROWS];
    private final double[] gap = new double[MAX_ROWS];
    private final double[] weights = new double[MAX_ROWS];
    private String problem;

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
        long bytes = 0;
        while (rows.hasNext() && vectors.size() < MAX_ROWS && (bytes < BLOCK_BYTES || vectors.size() < MIN_ROWS)) {
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
            bytes += Math.min(8L * vector.size(), 12L * vector.numActives());
        }
        return pack();
    }

    private RowBlock pack() {
        int m = vectors.size();
        int n = layout.features();
        int k = layout.fixed();
        double[] fixed = new double[m * k];
        long active = vectors.stream().mapToLong(Vector::numActives).sum();
        boolean sparse = active < SPARSE * m * layout.size();
        double[] values = new double[sparse ? (int) active : m * n];
        int[] columns = sparse ? new int[values.length] : null;
        int[] starts = sparse ? new int[m + 1] : null;
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
            if (sparse) {
                starts[i + 1] = count;
            }
        }
        return new RowBlock(
                problem,
                n,
                Arrays.copyOf(weights, m),
                Arrays.copyOf(y, m),
                Arrays.copyOf(gap, m),
                fixed,
                sparse ? Arrays.copyOf(values, count) : values,
                starts,
                sparse ? Arrays.copyOf(columns, count) : null);
    }
}
