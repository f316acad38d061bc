package stackelberg.linalg;

import java.util.Arrays;

/**
 * An elimination order that keeps the Cholesky factor of a sparse symmetric matrix sparse: approximate minimum degree on the quotient graph,
 * after Amestoy, Davis and Duff (1996).
 *
 * <p>Eliminating a variable p turns it into an element whose list is the pattern of column p of the factor, so that the symbolic
 * factorisation falls out of the ordering. Variables with the same neighbours are merged and eliminated together.
 */
final class MinimumDegree {
    private final int n;
    private final int[][] variables;
    private final int[] variableCount;
    private final int[][] elements;
    private final int[] elementCount;
    /** The variables of an element. */
    private final int[][] list;

    private final int[] listCount;
    private final boolean[] deadElement;
    /** How many columns a variable stands for; 0 once it is eliminated or merged into another. */
    private final int[] weight;
    /** Chains of merged variables: first, then next[first], ...; last[first] is the end. */
    private final int[] next;

    private final int[] last;
    private final int[] degree;
    private final int[] bucket;
    private final int[] before;
    private final int[] after;
    private final int[] mark;
    private final int[] outside;
    private final int[] outsideStamp;
    private int stamp;
    private int lowest;

    /** Columns in order of elimination. */
    private final int[] order;

    /** Per pivot where its columns begin in the order, and the columns below it. */
    private final int[] start;

    private final int[][] patterns;
    private int pivots;
    private int done;
    private long recorded;

    private MinimumDegree(CsrMatrix a) {
        n = a.rows();
        variables = new int[n][];
        variableCount = new int[n];
        elements = new int[n][4];
        elementCount = new int[n];
        list = new int[n][];
        listCount = new int[n];
        deadElement = new boolean[n];
        weight = new int[n];
        next = new int[n];
        last = new int[n];
        degree = new int[n];
        bucket = new int[n + 1];
        before = new int[n];
        after = new int[n];
        mark = new int[n];
        outside = new int[n];
        outsideStamp = new int[n];
        order = new int[n];
        start = new int[n + 1];
        patterns = new int[n][];
        Arrays.fill(weight, 1);
        Arrays.fill(next, -1);
        Arrays.fill(bucket, -1);
        for (int i = 0; i < n; i++) {
            last[i] = i;
            int[] neighbours = new int[a.rowEnd(i) - a.rowBegin(i)];
            int count = 0;
            for (int p = a.rowBegin(i); p < a.rowEnd(i); p++) {
                if (a.columnAt(p) != i) {
                    neighbours[count++] = a.columnAt(p);
                }
            }
            variables[i] = neighbours;
            variableCount[i] = count;
            degree[i] = count;
        }
        for (int i = n - 1; i >= 0; i--) {
            insert(i);
        }
    }

    /**
     * The order and the patterns.
     *
     * @param order column order[k] is eliminated as the k-th
     * @param start columns order[start[p]] to order[start[p + 1] - 1] are eliminated together as pivot p; they have the same pattern below them
     * @param patterns for each pivot the columns, not places, below it in the factor; they belong to later pivots
     */
    record Result(int[] order, int[] start, int[][] patterns) {}

    /**
     * Orders the pattern of a, which must be symmetric.
     *
     * @param limit what the patterns may hold; beyond, the rest is one pivot
     */
    static Result of(CsrMatrix a, long limit) {
        MinimumDegree m = new MinimumDegree(a);
        while (m.done < m.n && m.recorded <= limit) {
            m.eliminate(m.smallest());
        }
        if (m.done < m.n) {
            m.patterns[m.pivots++] = new int[0];
            for (int i = 0; i < m.n; i++) {
                if (m.weight[i] > 0) {
                    for (int j = i; j >= 0; j = m.next[j]) {
                        m.order[m.done++] = j;
                    }
                }
            }
            m.start[m.pivots] = m.done;
        }
        return new Result(m.order, Arrays.copyOf(m.start, m.pivots + 1), Arrays.copyOf(m.patterns, m.pivots));
    }

    private int smallest() {
        while (bucket[lowest] < 0) {
            lowest++;
        }
        return bucket[lowest];
    }

    private void insert(int i) {
        int d = degree[i];
        before[i] = -1;
        after[i] = bucket[d];
        if (bucket[d] >= 0) {
            before[bucket[d]] = i;
        }
        bucket[d] = i;
        lowest = Math.min(lowest, d);
    }

    private void remove(int i) {
        if (before[i] >= 0) {
            after[before[i]] = after[i];
        } else {
            bucket[degree[i]] = after[i];
        }
        if (after[i] >= 0) {
            before[after[i]] = before[i];
        }
    }

    private void eliminate(int p) {
        remove(p);
        int size = formElement(p);
        countOutside(p);
        updateNeighbours(p, size);
        mergeIndistinguishable(p);
        record(p);
    }

    /** The list of the new element p: every live neighbour, directly or through an element, which p absorbs. Returns its weighted size. */
    private int formElement(int p) {
        stamp++;
        mark[p] = stamp;
        int capacity = variableCount[p];
        for (int k = 0; k < elementCount[p]; k++) {
            capacity += listCount[elements[p][k]];
        }
        int[] members = new int[Math.min(capacity, n)];
        int count = 0;
        int size = 0;
        for (int k = -1; k < elementCount[p]; k++) {
            int[] source = k < 0 ? variables[p] : list[elements[p][k]];
            int length = k < 0 ? variableCount[p] : listCount[elements[p][k]];
            for (int q = 0; q < length; q++) {
                int i = source[q];
                if (weight[i] > 0 && mark[i] != stamp) {
                    mark[i] = stamp;
                    members[count++] = i;
                    size += weight[i];
                }
            }
            if (k >= 0) {
                kill(elements[p][k]);
            }
        }
        variables[p] = null;
        list[p] = members;
        listCount[p] = count;
        return size;
    }

    private void kill(int e) {
        deadElement[e] = true;
        list[e] = null;
        listCount[e] = 0;
    }

    /** outside[e] = |L_e \\ L_p| for every element e next to a member of p. */
    private void countOutside(int p) {
        for (int k = 0; k < listCount[p]; k++) {
            int i = list[p][k];
            for (int q = 0; q < elementCount[i]; q++) {
                int e = elements[i][q];
                if (deadElement[e]) {
                    continue;
                }
                if (outsideStamp[e] != stamp) {
                    outsideStamp[e] = stamp;
                    outside[e] = liveSize(e);
                }
                outside[e] -= weight[i];
            }
        }
    }

    private int liveSize(int e) {
        int size = 0;
        int kept = 0;
        for (int k = 0; k < listCount[e]; k++) {
            int i = list[e][k];
            if (weight[i] > 0) {
                size += weight[i];
                list[e][kept++] = i;
            }
        }
        listCount[e] = kept;
        return size;
    }

    /** Shortens the lists of the members of p, bounds their new degrees, and takes along those that p alone touches. */
    private void updateNeighbours(int p, int size) {
        int remaining = n - done - weight[p];
        int kept = 0;
        int left = size;
        int[] members = list[p];
        for (int k = 0; k < listCount[p]; k++) {
            int i = members[k];
            remove(i);
            int bound = 0;
            int count = 0;
            for (int q = 0; q < elementCount[i]; q++) {
                int e = elements[i][q];
                if (deadElement[e]) {
                    continue;
                }
                if (outside[e] == 0) {
                    // all of e lies within p
                    kill(e);
                    continue;
                }
                bound += outside[e];
                elements[i][count++] = e;
            }
            elementCount[i] = count;
            int direct = 0;
            for (int q = 0; q < variableCount[i]; q++) {
                int j = variables[i][q];
                if (weight[j] > 0 && mark[j] != stamp) {
                    bound += weight[j];
                    variables[i][direct++] = j;
                }
            }
            variableCount[i] = direct;
            if (count == 0 && direct == 0) {
                left -= weight[i];
                absorb(p, i);
                continue;
            }
            addElement(i, p);
            int throughP = left - weight[i];
            degree[i] = Math.max(0, Math.min(remaining - weight[i], Math.min(degree[i] + throughP, bound + throughP)));
            members[kept++] = i;
        }
        listCount[p] = kept;
        for (int k = 0; k < kept; k++) {
            insert(members[k]);
        }
    }

    private void addElement(int i, int e) {
        if (elementCount[i] == elements[i].length) {
            elements[i] = Arrays.copyOf(elements[i], 2 * elementCount[i]);
        }
        elements[i][elementCount[i]++] = e;
    }

    /** i becomes part of the variable into. */
    private void absorb(int into, int i) {
        next[last[into]] = i;
        last[into] = last[i];
        weight[into] += weight[i];
        weight[i] = 0;
        variables[i] = null;
        elements[i] = null;
    }

    /** Members of p with the same lists are the same variable from now on. */
    private void mergeIndistinguishable(int p) {
        int count = listCount[p];
        if (count < 2) {
            return;
        }
        long[] keys = new long[count];
        for (int k = 0; k < count; k++) {
            int i = list[p][k];
            int hash = 0;
            for (int q = 0; q < elementCount[i]; q++) {
                hash += elements[i][q] * 31 + 7;
            }
            for (int q = 0; q < variableCount[i]; q++) {
                hash += variables[i][q];
            }
            keys[k] = ((long) (hash & Integer.MAX_VALUE) << 32) | k;
        }
        Arrays.sort(keys);
        for (int a = 0; a < count; a++) {
            int i = list[p][(int) keys[a]];
            if (weight[i] == 0) {
                continue;
            }
            boolean marked = false;
            for (int b = a + 1; b < count && keys[b] >>> 32 == keys[a] >>> 32; b++) {
                int j = list[p][(int) keys[b]];
                if (weight[j] == 0 || elementCount[i] != elementCount[j] || variableCount[i] != variableCount[j]) {
                    continue;
                }
                if (!marked) {
                    marked = true;
                    markLists(i);
                }
                if (hasMarkedLists(j)) {
                    remove(i);
                    remove(j);
                    degree[i] = Math.max(0, degree[i] - weight[j]);
                    absorb(i, j);
                    insert(i);
                }
            }
        }
    }

    private void markLists(int i) {
        stamp++;
        for (int q = 0; q < elementCount[i]; q++) {
            outsideStamp[elements[i][q]] = stamp;
        }
        for (int q = 0; q < variableCount[i]; q++) {
            mark[variables[i][q]] = stamp;
        }
    }

    private boolean hasMarkedLists(int j) {
        for (int q = 0; q < elementCount[j]; q++) {
            if (outsideStamp[elements[j][q]] != stamp) {
                return false;
            }
        }
        for (int q = 0; q < variableCount[j]; q++) {
            if (mark[variables[j][q]] != stamp) {
                return false;
            }
        }
        return true;
    }

    /** Notes the columns of p and the pattern below them: the columns of its list. */
    private void record(int p) {
        int below = 0;
        int kept = 0;
        for (int k = 0; k < listCount[p]; k++) {
            int i = list[p][k];
            if (weight[i] > 0) {
                list[p][kept++] = i;
                below += weight[i];
            }
        }
        listCount[p] = kept;
        int[] pattern = new int[below];
        int count = 0;
        for (int k = 0; k < kept; k++) {
            for (int j = list[p][k]; j >= 0; j = next[j]) {
                pattern[count++] = j;
            }
        }
        for (int j = p; j >= 0; j = next[j]) {
            order[done++] = j;
        }
        patterns[pivots++] = pattern;
        start[pivots] = done;
        recorded += below;
        weight[p] = 0;
    }
}
