package stackelberg.linalg;

import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * The Cholesky factorisation A + shift I = LL' of a sparse symmetric positive definite matrix. The columns are reordered so that L stays sparse ({@link
 * MinimumDegree}), and stored in dense panels of columns with nearly the same rows ({@link Supernodes}); the part that fills in is the last and largest panel.
 *
 * <p>Method: left-looking. All updates of a panel by earlier ones are subtracted by DGEMM, then the panel is factored by tiles. Small panels of equal height in
 * the elimination tree are factored side by side, large ones one after the other on all threads. The order of all additions depends on A alone, so the result is
 * the same bits on any number of threads.
 *
 * <p>{@link Symbolic} holds memory for one factor. An earlier factorisation is recomputed if it is used again.
 */
@SuppressWarnings("NullAway") // Symbolic allocates its panels at the first factorisation
public final class SparseCholesky {
    private final Symbolic symbolic;
    private final double shift;
    private final Workers workers;

    private SparseCholesky(Symbolic symbolic, double shift, Workers workers) {
        this.symbolic = symbolic;
        this.shift = shift;
        this.workers = workers;
    }

    /** Solves (A + shift I) x = b; x replaces b. */
    public void solve(double[] b) {
        symbolic.solve(this, b);
    }

    /** The symbolic factorisation: the order of the columns and the panels, which are the same for every shift, and the cost of a factorisation. */
    public static final class Symbolic {
        /** A panel with at least this many entries is factored on all threads. */
        private static final long LARGE = 1 << 16;

        /** Panels with fewer entries together than this are factored on one thread. */
        private static final long SHARED = 1 << 14;

        /** The multiplications up to which a product is a plain loop: a call of native code takes as long. */
        private static final long LOOP = 1 << 9;

        /** Up to this many entries triangular solves with a panel are plain loops; with kernels in plain Java, all panels that are not large. */
        private static final long LOOP_ENTRIES = 1 << 11;

        /** The number of doubles in a buffer that small panels share. */
        private static final int POOL = 1 << 22;

        private final CsrMatrix a;
        private final Supernodes nodes;
        private final Supernodes.Updates updates;
        private final Kernels kernels;
        /** The supernodes of each height in the elimination tree. */
        private final int[][] levels;
        /** The most rows below the columns of a supernode. */
        private final int mostRows;

        private TiledCholesky[] panels;
        /** The memory of each panel that is solved with by a loop; null for the others. */
        private DoubleBuffer[] values;

        /** The workers that the panels were prepared for. */
        private Workers owner;
        /** The factorisation that the panels hold; absent if none. */
        private SparseCholesky latest;

        private Symbolic(CsrMatrix a, Supernodes nodes) {
            this.a = a;
            this.nodes = nodes;
            this.updates = nodes.updates();
            this.kernels = Provider.forSparseCholesky(nodes.flops());
            this.levels = levels(nodes);
            this.mostRows = IntStream.range(0, nodes.count())
                    .map(s -> nodes.rows(s).length)
                    .max()
                    .orElse(0);
        }

        /** Analyses the pattern of the symmetric matrix a, of which both triangles are stored. */
        public static Symbolic of(CsrMatrix a) {
            if (a.rows() != a.cols()) {
                throw new IllegalArgumentException(
                        "A symmetric matrix is square, but this one is " + a.rows() + " x " + a.cols() + ".");
            }
            // At most a quarter of the heap for the patterns.
            long limit = Runtime.getRuntime().maxMemory() / 4 / Integer.BYTES;
            return new Symbolic(a, Supernodes.of(MinimumDegree.of(a, limit)));
        }

        /** The supernodes of each height, ascending. */
        private static int[][] levels(Supernodes nodes) {
            int[] size = new int[nodes.count() + 1];
            int highest = -1;
            for (int s = 0; s < nodes.count(); s++) {
                size[nodes.height(s)]++;
                highest = Math.max(highest, nodes.height(s));
            }
            int[][] levels = new int[highest + 1][];
            for (int h = 0; h <= highest; h++) {
                levels[h] = new int[size[h]];
            }
            for (int s = nodes.count() - 1; s >= 0; s--) {
                levels[nodes.height(s)][--size[nodes.height(s)]] = s;
            }
            return levels;
        }

        /** The number of columns of the largest panel, which for data that fill in is the dense block at the end. */
        public int denseOrder() {
            return IntStream.range(0, nodes.count()).map(nodes::width).max().orElse(0);
        }

        /** The floating-point operations of a factorisation, multiplications and additions together. */
        public double flops() {
            return nodes.flops();
        }

        /** The size of a factor in bytes of direct memory. */
        public double bytes() {
            return 8.0 * nodes.entries();
        }

        /** The factorisation; empty if A + shift I is not positive definite. It overwrites the memory of the one before. */
        public Optional<SparseCholesky> factor(double shift, Workers workers) {
            SparseCholesky factor = new SparseCholesky(this, shift, workers);
            return compute(factor) ? Optional.of(factor) : Optional.empty();
        }

        /** Factors all panels, by their height in the tree; false if the matrix is not positive definite. */
        private boolean compute(SparseCholesky factor) {
            latest = null;
            boolean fresh = panels == null;
            if (fresh || owner != factor.workers) {
                prepare(factor.workers);
            }
            Queue<int[]> maps = new ConcurrentLinkedQueue<>();
            AtomicBoolean failed = new AtomicBoolean();
            for (int[] level : levels) {
                int[] small =
                        Arrays.stream(level).filter(s -> entries(s) < LARGE).toArray();
                long work = Arrays.stream(small).mapToLong(this::entries).sum();
                if (work < SHARED) {
                    for (int s : small) {
                        eliminate(s, factor.shift, fresh, maps, null, failed);
                    }
                } else {
                    factor.workers.run(small.length, k -> eliminate(small[k], factor.shift, fresh, maps, null, failed));
                }
                for (int s : level) {
                    if (entries(s) >= LARGE) {
                        eliminate(s, factor.shift, fresh, maps, factor.workers, failed);
                    }
                }
                if (failed.get()) {
                    return false;
                }
            }
            latest = factor;
            return true;
        }

        /** The number of entries of a panel. */
        private long entries(int s) {
            return (long) nodes.width(s) * (nodes.width(s) + nodes.rows(s).length);
        }

        /** Allocates the panels, or prepares those that exist for other workers. Small panels share buffers, because a direct buffer each would be slow. */
        private void prepare(Workers workers) {
            Workers alone = Workers.of(1);
            long loopEntries = kernels == JavaKernels.INSTANCE ? LARGE - 1 : LOOP_ENTRIES;
            TiledCholesky[] former = panels;
            values = new DoubleBuffer[nodes.count()];
            TiledCholesky[] made = new TiledCholesky[nodes.count()];
            long small = IntStream.range(0, nodes.count())
                    .mapToLong(this::entries)
                    .filter(size -> size < LARGE)
                    .sum();
            DoubleBuffer pool = null;
            int used = 0;
            for (int s = 0; s < made.length; s++) {
                int rows = nodes.width(s) + nodes.rows(s).length;
                long size = entries(s);
                DenseMatrix memory;
                if (former != null) {
                    memory = former[s].matrix();
                } else if (size >= LARGE) {
                    memory = DenseMatrix.zeros(rows, nodes.width(s));
                } else {
                    if (pool == null || used + size > pool.capacity()) {
                        pool = Scratch.allocate((int) Math.min(small, POOL));
                        used = 0;
                    }
                    memory = DenseMatrix.over(pool.slice(used, (int) size), rows, nodes.width(s));
                    used += (int) size;
                    small -= size;
                }
                values[s] = size > loopEntries ? null : memory.at(0);
                made[s] = new TiledCholesky(kernels, memory, size >= LARGE ? workers : alone);
            }
            panels = made;
            owner = workers;
        }

        /**
         * Computes one panel: its part of A, minus the updates by earlier panels, factored.
         *
         * @param fresh whether the memory of the panel is still zero
         * @param maps free arrays from places to rows of a panel, which threads reuse
         * @param workers the threads for a large panel; null for the calling thread alone
         * @param failed set if the matrix turns out not to be positive definite
         */
        private void eliminate(
                int s, double shift, boolean fresh, Queue<int[]> maps, Workers workers, AtomicBoolean failed) {
            if (failed.get()) {
                return;
            }
            int[] map = maps.poll();
            if (map == null) {
                map = new int[nodes.order().length];
            }
            int first = nodes.first(s);
            int width = nodes.width(s);
            int[] rows = nodes.rows(s);
            for (int k = 0; k < width; k++) {
                map[first + k] = k;
            }
            for (int k = 0; k < rows.length; k++) {
                map[rows[k]] = width + k;
            }
            int[] target = map;
            int[] cut = panels[s].cut();
            if (!fresh) {
                run(workers, cut.length - 1, t -> clear(panels[s].matrix(), cut[t], cut[t + 1]));
            }
            place(s, shift, target);
            run(workers, cut.length - 1, t -> subtract(s, target, cut[t], cut[t + 1]));
            if (!panels[s].factor()) {
                failed.set(true);
            }
            maps.add(map);
        }

        private static void run(Workers workers, int tasks, IntConsumer task) {
            if (workers == null) {
                for (int t = 0; t < tasks; t++) {
                    task.accept(t);
                }
            } else {
                workers.run(tasks, task);
            }
        }

        private static void clear(DenseMatrix panel, int begin, int end) {
            double[] zeros = new double[panel.cols()];
            for (int row = begin; row < end; row++) {
                panel.setRow(row, zeros);
            }
        }

        /** Writes the columns of s of A + shift I, on and below the diagonal, into its panel. */
        private void place(int s, double shift, int[] map) {
            DenseMatrix panel = panels[s].matrix();
            int first = nodes.first(s);
            for (int k = 0; k < nodes.width(s); k++) {
                int column = nodes.order()[first + k];
                double pivot = shift;
                for (int p = a.rowBegin(column); p < a.rowEnd(column); p++) {
                    int i = nodes.place()[a.columnAt(p)];
                    if (i > first + k) {
                        panel.set(map[i], k, a.valueAt(p));
                    } else if (i == first + k) {
                        pivot += a.valueAt(p);
                    }
                }
                panel.set(k, k, pivot);
            }
        }

        /** Subtracts L_k L_k' from rows begin to end - 1 of the panel of s, for every earlier k with rows among its columns. */
        private void subtract(int s, int[] map, int begin, int end) {
            DenseMatrix panel = panels[s].matrix();
            int first = nodes.first(s);
            int from = placeOf(s, begin);
            int until = end == panel.rows() ? Integer.MAX_VALUE : placeOf(s, end);
            DoubleBuffer target = panel.at(begin);
            int origin = target.position();
            for (int slot = updates.start()[s]; slot < updates.start()[s + 1]; slot++) {
                int k = updates.from()[slot];
                int[] rows = nodes.rows(k);
                int left = updates.begin()[slot];
                int top = lowerBound(rows, left, from);
                int bottom = until == Integer.MAX_VALUE ? rows.length : lowerBound(rows, top, until);
                if (top == bottom) {
                    continue;
                }
                // Entries above the diagonal are not computed.
                int right = Math.min(updates.end()[slot], bottom);
                int height = bottom - top;
                int columns = right - left;
                int w = nodes.width(k);
                DenseMatrix source = panels[k].matrix();
                boolean loop = w == 1 || (long) height * columns * w <= LOOP;
                DoubleBuffer product = loop ? null : owner.scratch().take(height * columns);
                double[] l = loop ? values(source, w + left, w + bottom) : null;
                if (!loop) {
                    multiply(source, w + top, height, w + left, columns, product);
                }
                double[] row = new double[columns];
                for (int i = 0; i < height; i++) {
                    int used = Math.min(columns, top + i - left + 1);
                    if (loop) {
                        int at = (top + i - left) * w;
                        for (int j = 0; j < used; j++) {
                            row[j] = Vectors.dot(l, at, l, j * w, w);
                        }
                    } else {
                        product.get(i * columns, row);
                    }
                    int at = origin + (map[rows[top + i]] - begin) * panel.stride() - first;
                    for (int j = 0; j < used; j++) {
                        int index = at + rows[left + j];
                        target.put(index, target.get(index) - row[j]);
                    }
                }
                if (!loop) {
                    owner.scratch().give(product);
                }
            }
        }

        /** A copy of some rows of a panel. */
        private static double[] values(DenseMatrix panel, int begin, int end) {
            double[] values = new double[(end - begin) * panel.cols()];
            int run;
            for (int row = begin; row < end; row += run) {
                run = Math.min(end - row, panel.contiguousRows(row));
                panel.at(row).get(values, (row - begin) * panel.cols(), run * panel.cols());
            }
            return values;
        }

        /** product = some rows of a panel times the transpose of others; in pieces if the panel lies in several chunks of memory. */
        private void multiply(DenseMatrix l, int top, int height, int left, int columns, DoubleBuffer product) {
            int tall;
            for (int i = 0; i < height; i += tall) {
                tall = Math.min(height - i, l.contiguousRows(top + i));
                int wide;
                for (int j = 0; j < columns; j += wide) {
                    wide = Math.min(columns - j, l.contiguousRows(left + j));
                    kernels.gemm(
                            false,
                            true,
                            tall,
                            wide,
                            l.cols(),
                            1,
                            l.at(top + i),
                            l.stride(),
                            l.at(left + j),
                            l.stride(),
                            0,
                            product.duplicate().position(i * columns + j),
                            columns);
                }
            }
        }

        /** The place of a row of the panel of s. */
        private int placeOf(int s, int row) {
            return row < nodes.width(s) ? nodes.first(s) + row : nodes.rows(s)[row - nodes.width(s)];
        }

        /** The first index from which on the ascending values are at least the given one. */
        private static int lowerBound(int[] ascending, int from, int value) {
            int at = Arrays.binarySearch(ascending, from, ascending.length, value);
            return at < 0 ? -at - 1 : at;
        }

        /** Solves with a factor, computing it again if a later factor has taken its memory. */
        private void solve(SparseCholesky factor, double[] b) {
            int n = nodes.order().length;
            if (b.length != n) {
                throw new IllegalArgumentException("The right side has " + b.length + " values instead of " + n + ".");
            }
            if (latest != factor && !compute(factor)) {
                throw new IllegalStateException("A + " + factor.shift + " I was positive definite and no longer is.");
            }
            DoubleBuffer x = owner.scratch().take(n);
            DoubleBuffer below = owner.scratch().take(Math.max(1, mostRows));
            for (int k = 0; k < n; k++) {
                x.put(k, b[nodes.order()[k]]);
            }
            for (int s = 0; s < panels.length; s++) {
                lower(s, x, below);
            }
            for (int s = panels.length - 1; s >= 0; s--) {
                upper(s, x, below);
            }
            for (int k = 0; k < n; k++) {
                b[nodes.order()[k]] = x.get(k);
            }
            owner.scratch().give(below);
            owner.scratch().give(x);
        }

        /** The step of the forward solve for panel s: x = L^{-1} x in its columns, whose part is then subtracted from the rows below. */
        private void lower(int s, DoubleBuffer x, DoubleBuffer below) {
            int first = nodes.first(s);
            int width = nodes.width(s);
            int[] rows = nodes.rows(s);
            if (values[s] == null) {
                panels[s].lower(x.duplicate().position(first), below);
                for (int k = 0; k < rows.length; k++) {
                    x.put(rows[k], x.get(rows[k]) - below.get(k));
                }
                return;
            }
            DoubleBuffer l = values[s];
            for (int k = 0; k < width; k++) {
                double value = x.get(first + k);
                for (int j = 0; j < k; j++) {
                    value -= l.get(k * width + j) * x.get(first + j);
                }
                x.put(first + k, value / l.get(k * width + k));
            }
            for (int k = 0; k < rows.length; k++) {
                double value = x.get(rows[k]);
                for (int j = 0; j < width; j++) {
                    value -= l.get((width + k) * width + j) * x.get(first + j);
                }
                x.put(rows[k], value);
            }
        }

        /** The step of the backward solve for panel s: subtracts the part of the rows below from its columns, then x = L^{-T} x there. */
        private void upper(int s, DoubleBuffer x, DoubleBuffer below) {
            int first = nodes.first(s);
            int width = nodes.width(s);
            int[] rows = nodes.rows(s);
            if (values[s] == null) {
                for (int k = 0; k < rows.length; k++) {
                    below.put(k, x.get(rows[k]));
                }
                panels[s].upper(x.duplicate().position(first), below);
                return;
            }
            DoubleBuffer l = values[s];
            for (int j = width - 1; j >= 0; j--) {
                double value = x.get(first + j);
                for (int k = rows.length - 1; k >= 0; k--) {
                    value -= l.get((width + k) * width + j) * x.get(rows[k]);
                }
                for (int k = width - 1; k > j; k--) {
                    value -= l.get(k * width + j) * x.get(first + k);
                }
                x.put(first + j, value / l.get(j * width + j));
            }
        }
    }
}
