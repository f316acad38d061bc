package stackelberg.linalg;

import java.util.Arrays;

/**
 * Computes an elimination order that keeps the Cholesky factor of a sparse symmetric matrix sparse: approximate minimum degree on the quotient graph.
 *
 * <p>Method: the columns are the variables of a graph, with an edge for each entry. The variable with the lowest degree is eliminated; its neighbours become
 * connected with each other. Instead of storing these new edges, the eliminated variable p becomes an "element" with the list of its neighbours, which is the
 * pattern of column p of the factor. So the symbolic factorisation is a by-product of the ordering. Variables with the same neighbours are merged and eliminated
 * together. Degrees are upper bounds, which are cheaper than exact ones.
 *
 * <p>Reference: Amestoy, Davis and Duff, An approximate minimum degree ordering algorithm, SIAM J. Matrix Anal. Appl. 17 (1996).
 */
@SuppressWarnings(
        "NullAway") // lists of eliminated variables are set to null to free their memory, and never read again
final class MinimumDegree {
    private final int n;
    /** The neighbours of a variable that are variables. */
    private final int[][] variables;

    private final int[] variableCount;
    /** The neighbours of a variable that are elements. */
    private final int[][] elements;

    private final int[] elementCount;
    /** The variables of an element. */
    private final int[][] list;

    private final int[] listCount;
    /** Whether an element has been absorbed by a later one. */
    private final boolean[] deadElement;
    /** The number of columns that a variable stands for; 0 once it is eliminated or merged into another. */
    private final int[] weight;
    /** Merged variables as linked lists: i, next[i], ..., ended by -1; last[i] is the end of the list that begins with i. */
    private final int[] next;

    private final int[] last;
    /** An upper bound on the degree of each variable. */
    private final int[] degree;
    /** The variables by degree, as doubly linked lists: bucket[d] is the first of degree d, before and after are its neighbours in the list. */
    private final int[] bucket;

    private final int[] before;
    private final int[] after;
    /** A variable or element is marked if mark or outsideStamp equals the current stamp; a new stamp clears all marks at once. */
    private final int[] mark;

    /** For an element e next to the current pivot p, the weighted number of variables of e that are not in p. */
    private final int[] outside;

    private final int[] outsideStamp;
    private int stamp;
    /** No variable has a lower degree than this. */
    private int lowest;

    /** The columns in the order of elimination. */
    private final int[] order;

    /** The index in the order of each pivot's first column. */
    private final int[] start;

    /** The columns below each pivot in the factor. */
    private final int[][] patterns;

    private int pivots;
    /** The number of columns eliminated so far. */
    private int done;
    /** The total length of the patterns so far. */
    private long recorded;

    /** Builds the quotient graph of the pattern of a symmetric matrix, without its diagonal. */
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
     * The order of elimination and the pattern of the factor.
     *
     * @param order column order[k] is eliminated as the k-th, from 0
     * @param start columns order[start[p]] to order[start[p + 1] - 1] are eliminated together as pivot p; they have the same pattern below them
     * @param patterns for each pivot the columns, not places, below it in the factor; they belong to later pivots
     */
    record Result(int[] order, int[] start, int[][] patterns) {}

    /**
     * Orders the pattern of a, which must be symmetric.
     *
     * @param limit the largest total length of the patterns; once it is exceeded, all remaining columns become one dense pivot
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

    /** A variable of the lowest degree. */
    private int smallest() {
        while (bucket[lowest] < 0) {
            lowest++;
        }
        return bucket[lowest];
    }

    /** Adds a variable to the list of its degree. */
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

    /** Removes a variable from the list of its degree. */
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

    /** Eliminates variable p: one step of the algorithm. */
    private void eliminate(int p) {
        remove(p);
        int size = formElement(p);
        countOutside(p);
        updateNeighbours(p, size);
        mergeIndistinguishable(p);
        record(p);
    }

    /** Forms the list of the new element p: all neighbours of p, directly or through an element, which p absorbs. Returns its weighted size. */
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

    /** Marks an element as absorbed and frees its list. */
    private void kill(int e) {
        deadElement[e] = true;
        list[e] = null;
        listCount[e] = 0;
    }

    /** outside[e] = |L_e \\ L_p|, weighted, for every element e next to a member of p: |L_e| less the weight of each common member. */
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

    /** The weighted size of an element's list, from which eliminated and merged variables are removed on this occasion. */
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

    /** Updates the members of p: removes what p covers from their lists, bounds their new degrees, and merges into p those that have no other neighbours. */
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
                    // All of e lies within p, so p absorbs it ("aggressive absorption").
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
            // The smallest of three upper bounds: all remaining columns; the old degree plus p's members; the
            // neighbours counted list by list.
            int throughP = left - weight[i];
            degree[i] = Math.max(0, Math.min(remaining - weight[i], Math.min(degree[i] + throughP, bound + throughP)));
            members[kept++] = i;
        }
        listCount[p] = kept;
        for (int k = 0; k < kept; k++) {
            insert(members[k]);
        }
    }

    /** Adds an element to the neighbours of a variable. */
    private void addElement(int i, int e) {
        if (elementCount[i] == elements[i].length) {
            elements[i] = Arrays.copyOf(elements[i], 2 * elementCount[i]);
        }
        elements[i][elementCount[i]++] = e;
    }

    /** Merges variable i into another. */
    private void absorb(int into, int i) {
        next[last[into]] = i;
        last[into] = last[i];
        weight[into] += weight[i];
        weight[i] = 0;
        variables[i] = null;
        elements[i] = null;
    }

    /** Merges members of p with the same neighbours; candidates are found by sorting hashes of their lists. */
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

    /** Marks the neighbours of i with a new stamp. */
    private void markLists(int i) {
        stamp++;
        for (int q = 0; q < elementCount[i]; q++) {
            outsideStamp[elements[i][q]] = stamp;
        }
        for (int q = 0; q < variableCount[i]; q++) {
            mark[variables[i][q]] = stamp;
        }
    }

    /** Whether all neighbours of j are marked; with equal counts, j then has the same neighbours as the variable that was marked. */
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

    /** Records pivot p: its columns in the order, and the columns of its list as the pattern below them. */
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
