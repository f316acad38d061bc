package stackelberg.linalg;

/**
 * The inner loops of sparse products: one row of X, and k vectors of which entry (j, c) is at j k + c.
 *
 * <p>One call is one row and takes arrays, not fields, so that the compiler gets a small method many thousand calls before the first pass is
 * over. Two vectors go through together, because what costs is to find their place, not to add to it; two chains of sums hide the latency of
 * an addition. The same loops in C take about three quarters of the time.
 */
final class CsrRows {
    private CsrRows() {}

    /** u[at ... at + k - 1] = x'V for the row x that is stored at from ... end - 1. */
    static void multiply(int[] columns, double[] values, int from, int end, double[] v, int k, double[] u, int at) {
        if (k == 2) {
            multiplyPair(columns, values, from, end, v, u, at);
            return;
        }
        int c = 0;
        for (; c + 1 < k; c += 2) {
            multiplyTwo(columns, values, from, end, v, k, c, u, at + c);
        }
        if (c < k) {
            multiplyOne(columns, values, from, end, v, k, c, u, at + c);
        }
    }

    /** sum += x u' for the row x that is stored at from ... end - 1 and u[at ... at + k - 1]. */
    static void add(int[] columns, double[] values, int from, int end, double[] u, int at, int k, double[] sum) {
        if (k == 2) {
            addPair(columns, values, from, end, u[at], u[at + 1], sum);
            return;
        }
        int c = 0;
        for (; c + 1 < k; c += 2) {
            addTwo(columns, values, from, end, u[at + c], u[at + c + 1], k, c, sum);
        }
        if (c < k) {
            addOne(columns, values, from, end, u[at + c], k, c, sum);
        }
    }

    /** As {@link #multiplyTwo} where there are no other vectors: the pair at 2j costs a shift, not a product. */
    private static void multiplyPair(
            int[] columns, double[] values, int from, int end, double[] v, double[] u, int at) {
        double first = 0;
        double second = 0;
        double otherFirst = 0;
        double otherSecond = 0;
        int p = from;
        for (; p < end - 1; p += 2) {
            int j = columns[p] << 1;
            int l = columns[p + 1] << 1;
            double value = values[p];
            double next = values[p + 1];
            first += value * v[j];
            second += value * v[j + 1];
            otherFirst += next * v[l];
            otherSecond += next * v[l + 1];
        }
        if (p < end) {
            int j = columns[p] << 1;
            first += values[p] * v[j];
            second += values[p] * v[j + 1];
        }
        u[at] = first + otherFirst;
        u[at + 1] = second + otherSecond;
    }

    private static void addPair(
            int[] columns, double[] values, int from, int end, double first, double second, double[] sum) {
        for (int p = from; p < end; p++) {
            int j = columns[p] << 1;
            double value = values[p];
            sum[j] += value * first;
            sum[j + 1] += value * second;
        }
    }

    private static void multiplyTwo(
            int[] columns, double[] values, int from, int end, double[] v, int k, int c, double[] u, int at) {
        double first = 0;
        double second = 0;
        double otherFirst = 0;
        double otherSecond = 0;
        int p = from;
        for (; p < end - 1; p += 2) {
            int j = columns[p] * k + c;
            int l = columns[p + 1] * k + c;
            double value = values[p];
            double next = values[p + 1];
            first += value * v[j];
            second += value * v[j + 1];
            otherFirst += next * v[l];
            otherSecond += next * v[l + 1];
        }
        if (p < end) {
            int j = columns[p] * k + c;
            first += values[p] * v[j];
            second += values[p] * v[j + 1];
        }
        u[at] = first + otherFirst;
        u[at + 1] = second + otherSecond;
    }

    private static void multiplyOne(
            int[] columns, double[] values, int from, int end, double[] v, int k, int c, double[] u, int at) {
        double sum = 0;
        double other = 0;
        int p = from;
        for (; p < end - 1; p += 2) {
            sum += values[p] * v[columns[p] * k + c];
            other += values[p + 1] * v[columns[p + 1] * k + c];
        }
        if (p < end) {
            sum += values[p] * v[columns[p] * k + c];
        }
        u[at] = sum + other;
    }

    private static void addTwo(
            int[] columns,
            double[] values,
            int from,
            int end,
            double first,
            double second,
            int k,
            int c,
            double[] sum) {
        for (int p = from; p < end; p++) {
            int j = columns[p] * k + c;
            double value = values[p];
            sum[j] += value * first;
            sum[j + 1] += value * second;
        }
    }

    private static void addOne(
            int[] columns, double[] values, int from, int end, double first, int k, int c, double[] sum) {
        for (int p = from; p < end; p++) {
            sum[columns[p] * k + c] += values[p] * first;
        }
    }
}
