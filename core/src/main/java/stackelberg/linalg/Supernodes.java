package stackelberg.linalg;

import java.util.Arrays;

/**
 * The columns of a sparse Cholesky factor in groups that are stored and worked on as dense panels: the pivots of an elimination order, some of
 * them merged with the pivot above where that adds few zeros.
 *
 * <p>Supernode s has columns first[s] to first[s + 1] - 1 and below them the rows rows[s], all as places in the new order, in which every
 * supernode follows its children.
 */
final class Supernodes {
    /** Widths up to which a merger may bring this share of zeros: narrow panels cost more than zeros do. */
    private static final int[] NARROW = {4, 16, 48};

    private static final double[] NARROW_ZEROS = {0.5, 0.3, 0.1};

    /** The same for wide ones; the child must then have at least half of the rows that it gets. */
    private static final double WIDE_ZEROS = 0.05;

    private final int count;
    private final int[] order;
    private final int[] place;
    private final int[] first;
    private final int[][] rows;
    private final int[] height;
    private final double flops;
    private final long entries;

    private Supernodes(int[] order, int[] first, int[][] rows, int[] height) {
        this.count = rows.length;
        this.order = order;
        this.place = new int[order.length];
        for (int k = 0; k < order.length; k++) {
            place[order[k]] = k;
        }
        this.first = first;
        this.rows = rows;
        this.height = height;
        double operations = 0;
        long stored = 0;
        for (int s = 0; s < count; s++) {
            double w = first[s + 1] - first[s];
            double r = rows[s].length;
            // the sum of (r + k)^2 for k from 0 to w - 1
            operations += w * r * r + r * w * (w - 1) + (w - 1) * w * (2 * w - 1) / 6;
            stored += (long) (w * (w + r));
        }
        this.flops = operations;
        this.entries = stored;
    }

    static Supernodes of(MinimumDegree.Result ordering) {
        return new Merger(ordering).merged();
    }

    int count() {
        return count;
    }

    /** Column order[k] has place k. */
    int[] order() {
        return order;
    }

    int[] place() {
        return place;
    }

    int first(int s) {
        return first[s];
    }

    int width(int s) {
        return first[s + 1] - first[s];
    }

    /** The places of the rows below the columns of s, ascending. */
    int[] rows(int s) {
        return rows[s];
    }

    /** 0 for a leaf; more than that of any child. */
    int height(int s) {
        return height[s];
    }

    /** Multiplications and additions, counted together, of a factorisation, added zeros included. */
    double flops() {
        return flops;
    }

    /** Entries of all panels. */
    long entries() {
        return entries;
    }

    /** Which supernodes have rows among the columns of another. */
    Updates updates() {
        int[] owner = new int[order.length];
        int[] start = new int[count + 1];
        for (int s = 0; s < count; s++) {
            Arrays.fill(owner, first[s], first[s + 1], s);
        }
        for (int pass = 0; ; pass++) {
            int[] from = pass == 0 ? null : new int[start[count]];
            int[] begin = pass == 0 ? null : new int[start[count]];
            int[] end = pass == 0 ? null : new int[start[count]];
            int[] at = start.clone();
            for (int k = 0; k < count; k++) {
                int[] below = rows[k];
                for (int q = 0; q < below.length; ) {
                    int target = owner[below[q]];
                    int until = q;
                    while (until < below.length && below[until] < first[target + 1]) {
                        until++;
                    }
                    if (pass == 0) {
                        start[target + 1]++;
                    } else {
                        int slot = at[target]++;
                        from[slot] = k;
                        begin[slot] = q;
                        end[slot] = until;
                    }
                    q = until;
                }
            }
            if (pass == 1) {
                return new Updates(start, from, begin, end);
            }
            Arrays.parallelPrefix(start, Math::addExact);
        }
    }

    /**
     * By supernode s, in slots start[s] to start[s + 1] - 1 and ascending: supernode from has rows begin to end - 1 of its list among the columns
     * of s, so that its product of these rows with these and all later ones is to be subtracted from the panel of s.
     */
    record Updates(int[] start, int[] from, int[] begin, int[] end) {}

    /** Merges children into parents, then numbers all anew, children first. */
    private static final class Merger {
        private final MinimumDegree.Result ordering;
        private final int pivots;
        private final int[] parent;
        private final int[] width;
        private final int[] below;
        private final long[] zeros;
        /** Children of a pivot: head, then sibling[head], ... */
        private final int[] head;

        private final int[] sibling;
        /** Pivots of a supernode in the order of their columns: itself the last. */
        private final int[] firstMember;

        private final int[] nextMember;

        Merger(MinimumDegree.Result ordering) {
            this.ordering = ordering;
            this.pivots = ordering.patterns().length;
            this.parent = parents();
            this.width = new int[pivots];
            this.below = new int[pivots];
            this.zeros = new long[pivots];
            this.head = new int[pivots];
            this.sibling = new int[pivots];
            this.firstMember = new int[pivots];
            this.nextMember = new int[pivots];
            Arrays.fill(head, -1);
            Arrays.fill(nextMember, -1);
            for (int p = 0; p < pivots; p++) {
                width[p] = ordering.start()[p + 1] - ordering.start()[p];
                below[p] = ordering.patterns()[p].length;
                firstMember[p] = p;
            }
        }

        /** The pivot of the first row below; -1 at a root. */
        private int[] parents() {
            int[] pivotOf = new int[ordering.order().length];
            for (int p = 0; p < pivots; p++) {
                for (int k = ordering.start()[p]; k < ordering.start()[p + 1]; k++) {
                    pivotOf[ordering.order()[k]] = p;
                }
            }
            int[] result = new int[pivots];
            for (int p = 0; p < pivots; p++) {
                int least = pivots;
                for (int column : ordering.patterns()[p]) {
                    least = Math.min(least, pivotOf[column]);
                }
                result[p] = least == pivots ? -1 : least;
            }
            return result;
        }

        Supernodes merged() {
            int roots = -1;
            // children precede their parents, so that those of p are complete when it is p's turn
            for (int p = 0; p < pivots; p++) {
                adopt(p);
                if (parent[p] < 0) {
                    sibling[p] = roots;
                    roots = p;
                } else {
                    sibling[p] = head[parent[p]];
                    head[parent[p]] = p;
                }
            }
            return numbered(roots);
        }

        /** Merges those children of p that cost little, the ones with the longest patterns first. */
        private void adopt(int p) {
            int children = 0;
            for (int c = head[p]; c >= 0; c = sibling[c]) {
                children++;
            }
            long[] byRows = new long[children];
            int k = 0;
            for (int c = head[p]; c >= 0; c = sibling[c]) {
                byRows[k++] = (long) -below[c] << 32 | c;
            }
            Arrays.sort(byRows);
            head[p] = -1;
            for (long key : byRows) {
                int c = (int) key;
                if (pays(c, p)) {
                    merge(c, p);
                } else {
                    sibling[c] = head[p];
                    head[p] = c;
                }
            }
        }

        private boolean pays(int c, int p) {
            long rows = (long) width[p] + below[p];
            long w = (long) width[p] + width[c];
            double more = zeros[p] + zeros[c] + (double) width[c] * (rows - below[c]);
            double share = more / (w * (w + 1) / 2 + w * below[p]);
            for (int k = 0; k < NARROW.length; k++) {
                if (w <= NARROW[k]) {
                    return share <= NARROW_ZEROS[k];
                }
            }
            return share <= WIDE_ZEROS && 2L * below[c] >= rows;
        }

        private void merge(int c, int p) {
            zeros[p] += zeros[c] + (long) width[c] * (width[p] + below[p] - below[c]);
            width[p] += width[c];
            int last = firstMember[c];
            while (nextMember[last] >= 0) {
                last = nextMember[last];
            }
            nextMember[last] = firstMember[p];
            firstMember[p] = firstMember[c];
            for (int g = head[c]; g >= 0; ) {
                int following = sibling[g];
                sibling[g] = head[p];
                head[p] = g;
                g = following;
            }
        }

        private Supernodes numbered(int roots) {
            int n = ordering.order().length;
            int[] order = new int[n];
            int[] first = new int[pivots + 1];
            int[][] rows = new int[pivots][];
            int[] height = new int[pivots];
            int[] stack = new int[pivots];
            // the highest child so far of what is on the stack
            int[] depth = new int[pivots];
            int size = 0;
            int count = 0;
            int done = 0;
            for (int root = roots; root >= 0; root = sibling[root]) {
                stack[size++] = root;
                depth[root] = 0;
                while (size > 0) {
                    int p = stack[size - 1];
                    int child = head[p];
                    if (child >= 0) {
                        head[p] = sibling[child];
                        stack[size++] = child;
                        depth[child] = 0;
                        continue;
                    }
                    size--;
                    first[count] = done;
                    rows[count] = ordering.patterns()[p];
                    height[count] = depth[p];
                    count++;
                    if (size > 0) {
                        int above = stack[size - 1];
                        depth[above] = Math.max(depth[above], depth[p] + 1);
                    }
                    for (int q = firstMember[p]; q >= 0; q = nextMember[q]) {
                        for (int k = ordering.start()[q]; k < ordering.start()[q + 1]; k++) {
                            order[done++] = ordering.order()[k];
                        }
                    }
                }
            }
            first[count] = done;
            int[] place = new int[n];
            for (int k = 0; k < n; k++) {
                place[order[k]] = k;
            }
            int[][] kept = Arrays.copyOf(rows, count);
            for (int[] below : kept) {
                for (int k = 0; k < below.length; k++) {
                    below[k] = place[below[k]];
                }
                Arrays.sort(below);
            }
            return new Supernodes(order, Arrays.copyOf(first, count + 1), kept, Arrays.copyOf(height, count));
        }
    }
}
