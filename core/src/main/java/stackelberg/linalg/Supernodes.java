package stackelberg.linalg;

import java.util.Arrays;

/**
 * Groups the columns of a sparse Cholesky factor into "supernodes", which are stored and factored as dense panels: columns with the same or nearly the same
 * pattern below them. They are the pivots of {@link MinimumDegree}; a pivot is merged with its parent in the elimination tree if that adds few explicit zeros.
 *
 * <p>Supernode s has columns first[s] to first[s + 1] - 1, and below them the rows rows[s]. All of these are places in the new order, in which every supernode
 * comes after its children.
 */
final class Supernodes {
    /** Up to width NARROW[k] a merged panel may have the share NARROW_ZEROS[k] of explicit zeros: work on narrow panels is slow, so zeros cost less than they save. */
    private static final int[] NARROW = {4, 16, 48};

    private static final double[] NARROW_ZEROS = {0.5, 0.3, 0.1};

    /** The share of explicit zeros for wider panels; the child must also have at least half of the rows of the merged panel. */
    private static final double WIDE_ZEROS = 0.05;

    private final int count;
    private final int[] order;
    private final int[] place;
    private final int[] first;
    private final int[][] rows;
    private final int[] height;
    private final double flops;
    private final long entries;

    /** Makes the panels and adds up their size and the cost of a factorisation. */
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
            // Eliminating a column with j rows below it takes about j^2 operations: the sum of (r + k)^2 for k from 0
            // to w - 1.
            operations += w * r * r + r * w * (w - 1) + (w - 1) * w * (2 * w - 1) / 6;
            stored += (long) (w * (w + r));
        }
        this.flops = operations;
        this.entries = stored;
    }

    /** The supernodes for an elimination order. */
    static Supernodes of(MinimumDegree.Result ordering) {
        return new Merger(ordering).merged();
    }

    /** The number of supernodes. */
    int count() {
        return count;
    }

    /** The columns by their places: column order[k] has place k. */
    int[] order() {
        return order;
    }

    /** The places of the columns, the inverse of {@link #order}. */
    int[] place() {
        return place;
    }

    /** The place of the first column of s. */
    int first(int s) {
        return first[s];
    }

    /** The number of columns of s. */
    int width(int s) {
        return first[s + 1] - first[s];
    }

    /** The places of the rows below the columns of s, ascending. */
    int[] rows(int s) {
        return rows[s];
    }

    /** The height of s in the elimination tree: 0 for a leaf, otherwise one more than its highest child. Supernodes of equal height are independent. */
    int height(int s) {
        return height[s];
    }

    /** The floating-point operations of a factorisation, multiplications and additions together, explicit zeros included. */
    double flops() {
        return flops;
    }

    /** The number of entries of all panels. */
    long entries() {
        return entries;
    }

    /** For each supernode, the earlier ones that have rows among its columns and so update it. Two passes: the first counts, the second fills. */
    Updates updates() {
        int[] owner = new int[order.length];
        int[] start = new int[count + 1];
        for (int s = 0; s < count; s++) {
            Arrays.fill(owner, first[s], first[s + 1], s);
        }
        for (int pass = 0; ; pass++) {
            // start[count] is 0 in the first pass, which only counts.
            int[] from = new int[start[count]];
            int[] begin = new int[start[count]];
            int[] end = new int[start[count]];
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
     * The updates of supernode s are in slots start[s] to start[s + 1] - 1, ascending by the supernode {@code from}. Rows {@code begin} to {@code end - 1} of the
     * list of {@code from} are columns of s; the products of these rows with themselves and all later rows of that list are subtracted from the panel of s.
     */
    record Updates(int[] start, int[] from, int[] begin, int[] end) {}

    /** Merges children with their parents in the elimination tree, then renumbers the supernodes, children first. */
    private static final class Merger {
        private final MinimumDegree.Result ordering;
        private final int pivots;
        /** The parent of each pivot in the elimination tree, -1 for a root. */
        private final int[] parent;
        /** The number of columns of each supernode so far. */
        private final int[] width;
        /** The number of rows below the columns of each supernode. */
        private final int[] below;
        /** The number of explicit zeros that mergers have added. */
        private final long[] zeros;
        /** The children of a pivot as a linked list: head[p], sibling[head[p]], ..., ended by -1. */
        private final int[] head;

        private final int[] sibling;
        /** The pivots merged into a supernode as a linked list in the order of their columns; the supernode's own pivot is the last. */
        private final int[] firstMember;

        private final int[] nextMember;

        /** Starts with one supernode for each pivot of the ordering. */
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

        /** The parent of each pivot: the earliest pivot among the columns below it; -1 for a root. */
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

        /** The supernodes after merging. */
        Supernodes merged() {
            int roots = -1;
            // Children precede their parents, so the list of p's children is complete when p is reached.
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

        /** Merges the children of p for which that pays, those with the most rows first; the others stay children of p. */
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

        /** Whether merging child c into p adds an acceptable share of explicit zeros. */
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

        /** Merges child c into p: adds up counts, and joins the lists of members and of children. */
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

        /** Numbers the supernodes in postorder, by a depth-first traversal of the tree without recursion, and translates rows to places. */
        private Supernodes numbered(int roots) {
            int n = ordering.order().length;
            int[] order = new int[n];
            int[] first = new int[pivots + 1];
            int[][] rows = new int[pivots][];
            int[] height = new int[pivots];
            int[] stack = new int[pivots];
            // The height so far of each node on the stack.
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
