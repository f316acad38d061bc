package stackelberg.data.io;

/**
 * Sparse rows: row i holds values[k] in column columns[k] (from 0, increasing) for rowPointers[i] <= k < rowPointers[i + 1].
 *
 * <p>The arrays are not copied: the matrix made of them may keep them.
 */
public record SparseRows(int cols, int[] rowPointers, int[] columns, double[] values) {
    public int rows() {
        return rowPointers.length - 1;
    }
}
