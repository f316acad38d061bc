package stackelberg.solver.published.admm;

import java.util.Arrays;
import java.util.Optional;
import stackelberg.linalg.Cholesky;
import stackelberg.linalg.CsrMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;

/**
 * A + shift I = LL' for a sparse symmetric positive definite A: sparse columns in an order that keeps them sparse, then one dense block for
 * the part that fills in.
 *
 * <p>The rows of the dense block gather their updates from the sparse columns independently of each other, on all workers, and LAPACK does the
 * rest.
 */
final class SparseCholesky {
    private final Symbolic symbolic;
    private final double[] diagonal;
    private final double[][] values;
    private final Cholesky tail;

    private SparseCholesky(Symbolic symbolic, double[] diagonal, double[][] values, Cholesky tail) {
        this.symbolic = symbolic;
        this.diagonal = diagonal;
        this.values = values;
        this.tail = tail;
    }

    /** Solves (A + shift I) x = b in place of b. */
    void solve(double[] b) {
        int n = symbolic.n;
        int sparse = symbolic.sparse;
        double[] x = new double[n];
        for (int k = 0; k < n; k++) {
            x[k] = b[symbolic.order[k]];
        }
        for (int j = 0; j < sparse; j++) {
            double value = x[j] / diagonal[j];
            x[j] = value;
            int[] rows = symbolic.rows[j];
            double[] column = values[j];
            for (int k = 0; k < rows.length; k++) {
                x[rows[k]] -= column[k] * value;
            }
        }
        double[] dense = Arrays.copyOfRange(x, sparse, n);
        tail.solve(dense);
        System.arraycopy(dense, 0, x, sparse, n - sparse);
        for (int j = sparse - 1; j >= 0; j--) {
            int[] rows = symbolic.rows[j];
            double[] column = values[j];
            double value = x[j];
            for (int k = 0; k < rows.length; k++) {
                value -= column[k] * x[rows[k]];
            }
            x[j] = value / diagonal[j];
        }
        for (int k = 0; k < n; k++) {
            b[symbolic.order[k]] = x[k];
        }
    }

    /** The order and the patterns, good for every shift, and what a factorisation will cost. */
    static final class Symbolic {
        /** Beyond this order a dense block is not in one piece of memory. */
        private static final int MAX_TAIL = 16_383;

        private final CsrMatrix a;
        private final int n;
        private final int sparse;
        private final int[] order;
        private final int[] place;
        /** Per sparse column the places of its nonzeros below the diagonal, ascending. */
        private final int[][] rows;

        private final long nonzeros;
        private final double flops;

        private Symbolic(CsrMatrix a, MinimumDegree.Result ordering) {
            this.a = a;
            this.n = a.rows();
            this.sparse = ordering.sparse();
            this.order = ordering.order();
            this.place = new int[n];
            for (int k = 0; k < n; k++) {
                place[order[k]] = k;
            }
            this.rows = ordering.patterns();
            for (int j = 0; j < sparse; j++) {
                int[] pattern = rows[j];
                for (int k = 0; k < pattern.length; k++) {
                    pattern[k] = place[pattern[k]];
                }
                Arrays.sort(pattern);
            }
            this.nonzeros = ordering.nonzeros();
            double tail = denseOrder();
            this.flops = ordering.flops() + tail * tail * tail / 3;
        }

        /** Analyses the pattern of the symmetric matrix a, of which both triangles are stored. */
        static Symbolic of(CsrMatrix a) {
            if (a.rows() != a.cols()) {
                throw new IllegalArgumentException(
                        "A symmetric matrix is square, but this one is " + a.rows() + " x " + a.cols() + ".");
            }
            // int and double per nonzero; half of the heap for this is generous
            long limit = Runtime.getRuntime().maxMemory() / 2 / 12;
            return new Symbolic(a, MinimumDegree.of(a, limit));
        }

        /** The order of the dense block at the end. */
        int denseOrder() {
            return n - sparse;
        }

        /** What a factorisation takes, multiplications and additions counted together. */
        double flops() {
            return flops;
        }

        /** What a factor occupies: sparse columns on the heap, the dense block in direct memory. */
        double bytes() {
            return 12.0 * nonzeros + 8.0 * denseOrder() * denseOrder();
        }

        /** Why a factorisation cannot work here, with the numbers, or empty if nothing speaks against it. */
        Optional<String> obstacle() {
            double dense = 8.0 * denseOrder() * denseOrder();
            double available = Memory.directLimit();
            if (denseOrder() > MAX_TAIL || dense > available) {
                return Optional.of(String.format(
                        "Its factor fills in to a dense block of order %,d, which takes %.1f GB; at most order %,d and %.1f GB"
                                + " are possible here.",
                        denseOrder(), dense / 1e9, MAX_TAIL, available / 1e9));
            }
            return Optional.empty();
        }

        /** The factorisation, or nothing if A + shift I is not positive definite. */
        Optional<SparseCholesky> factor(double shift, Workers workers) {
            obstacle().ifPresent(why -> {
                throw new IllegalArgumentException("A sparse matrix of order " + n + " cannot be factored. " + why);
            });
            double[] diagonal = new double[sparse];
            double[][] values = new double[sparse][];
            if (!eliminate(shift, diagonal, values)) {
                return Optional.empty();
            }
            DenseMatrix block = denseBlock(shift, values, workers);
            return Cholesky.overwriting(block, 0, workers)
                    .map(tail -> new SparseCholesky(this, diagonal, values, tail));
        }

        /** The sparse columns, left-looking: column j gathers from the columns k that have a nonzero in row j. */
        private boolean eliminate(double shift, double[] diagonal, double[][] values) {
            double[] work = new double[n];
            // chains of columns whose next unused row is the index
            int[] chain = new int[sparse];
            int[] head = new int[n];
            int[] position = new int[sparse];
            Arrays.fill(head, -1);
            for (int j = 0; j < sparse; j++) {
                int column = order[j];
                double pivot = shift;
                for (int p = a.rowBegin(column); p < a.rowEnd(column); p++) {
                    int i = place[a.columnAt(p)];
                    if (i > j) {
                        work[i] = a.valueAt(p);
                    } else if (i == j) {
                        pivot += a.valueAt(p);
                    }
                }
                for (int k = head[j]; k >= 0; ) {
                    int[] from = rows[k];
                    double[] l = values[k];
                    int start = position[k];
                    double factor = l[start];
                    pivot -= factor * factor;
                    for (int q = start + 1; q < from.length; q++) {
                        work[from[q]] -= factor * l[q];
                    }
                    int following = chain[k];
                    advance(k, start + 1, position, chain, head);
                    k = following;
                }
                if (!(pivot > 0)) {
                    return false;
                }
                diagonal[j] = Math.sqrt(pivot);
                int[] pattern = rows[j];
                double[] l = new double[pattern.length];
                for (int q = 0; q < pattern.length; q++) {
                    l[q] = work[pattern[q]] / diagonal[j];
                    work[pattern[q]] = 0;
                }
                values[j] = l;
                advance(j, 0, position, chain, head);
            }
            return true;
        }

        private void advance(int k, int start, int[] position, int[] chain, int[] head) {
            position[k] = start;
            if (start < rows[k].length) {
                int row = rows[k][start];
                chain[k] = head[row];
                head[row] = k;
            }
        }

        /** A - L L' on the dense block, lower triangle. */
        private DenseMatrix denseBlock(double shift, double[][] values, Workers workers) {
            int order2 = denseOrder();
            DenseMatrix block = DenseMatrix.zeros(order2, order2);
            RowLists lists = new RowLists(order2);
            workers.run(order2, i -> {
                double[] row = new double[i + 1];
                int column = order[sparse + i];
                for (int p = a.rowBegin(column); p < a.rowEnd(column); p++) {
                    int j = place[a.columnAt(p)] - sparse;
                    if (j >= 0 && j <= i) {
                        row[j] = a.valueAt(p);
                    }
                }
                row[i] += shift;
                for (int t = lists.start[i]; t < lists.start[i + 1]; t++) {
                    int k = lists.column[t];
                    int[] from = rows[k];
                    double[] l = values[k];
                    int end = lists.entry[t];
                    double factor = l[end];
                    for (int q = lists.first[k]; q <= end; q++) {
                        row[from[q] - sparse] -= factor * l[q];
                    }
                }
                block.setTile(i, 1, 0, i + 1, row);
            });
            return block;
        }

        /** The nonzeros of the sparse columns in the rows of the dense block, by row. */
        private final class RowLists {
            /** Per sparse column where its part in the dense block begins. */
            private final int[] first = new int[sparse];

            private final int[] start;
            private final int[] column;
            private final int[] entry;

            RowLists(int denseRows) {
                start = new int[denseRows + 1];
                for (int k = 0; k < sparse; k++) {
                    int from = Arrays.binarySearch(rows[k], sparse);
                    first[k] = from < 0 ? -from - 1 : from;
                    for (int q = first[k]; q < rows[k].length; q++) {
                        start[rows[k][q] - sparse + 1]++;
                    }
                }
                Arrays.parallelPrefix(start, Math::addExact);
                int[] at = start.clone();
                column = new int[start[denseRows]];
                entry = new int[column.length];
                for (int k = 0; k < sparse; k++) {
                    for (int q = first[k]; q < rows[k].length; q++) {
                        int slot = at[rows[k][q] - sparse]++;
                        column[slot] = k;
                        entry[slot] = q;
                    }
                }
            }
        }
    }
}
