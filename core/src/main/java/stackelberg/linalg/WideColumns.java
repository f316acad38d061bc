package stackelberg.linalg;

/** Column indices of four bytes. The loops are those of {@link NarrowColumns}; Java has no way to share them between array types without slowing them. */
final class WideColumns extends Columns {
    private final int[] columns;

    WideColumns(int[] columns) {
        this.columns = columns;
    }

    @Override
    int get(int entry) {
        return columns[entry];
    }

    @Override
    void multiplyQuad(double[] values, int from, int end, double[] v, double[] u, int at) {
        double first = 0;
        double second = 0;
        double third = 0;
        double fourth = 0;
        double otherFirst = 0;
        double otherSecond = 0;
        double otherThird = 0;
        double otherFourth = 0;
        int p = from;
        for (; p < end - 1; p += 2) {
            int j = columns[p] << 2;
            double value = values[p];
            first += value * v[j];
            second += value * v[j + 1];
            third += value * v[j + 2];
            fourth += value * v[j + 3];
            int l = columns[p + 1] << 2;
            double next = values[p + 1];
            otherFirst += next * v[l];
            otherSecond += next * v[l + 1];
            otherThird += next * v[l + 2];
            otherFourth += next * v[l + 3];
        }
        if (p < end) {
            int j = columns[p] << 2;
            double value = values[p];
            first += value * v[j];
            second += value * v[j + 1];
            third += value * v[j + 2];
            fourth += value * v[j + 3];
        }
        u[at] = first + otherFirst;
        u[at + 1] = second + otherSecond;
        u[at + 2] = third + otherThird;
        u[at + 3] = fourth + otherFourth;
    }

    @Override
    void multiplyPair(double[] values, int from, int end, double[] v, double[] u, int at) {
        double first = 0;
        double second = 0;
        double otherFirst = 0;
        double otherSecond = 0;
        int p = from;
        for (; p < end - 1; p += 2) {
            int j = columns[p] << 1;
            first += values[p] * v[j];
            second += values[p] * v[j + 1];
            int l = columns[p + 1] << 1;
            otherFirst += values[p + 1] * v[l];
            otherSecond += values[p + 1] * v[l + 1];
        }
        if (p < end) {
            int j = columns[p] << 1;
            first += values[p] * v[j];
            second += values[p] * v[j + 1];
        }
        u[at] = first + otherFirst;
        u[at + 1] = second + otherSecond;
    }

    @Override
    void multiplyOne(double[] values, int from, int end, double[] v, double[] u, int at) {
        double sum = 0;
        double other = 0;
        int p = from;
        for (; p < end - 3; p += 4) {
            sum += values[p] * v[columns[p]];
            other += values[p + 1] * v[columns[p + 1]];
            sum += values[p + 2] * v[columns[p + 2]];
            other += values[p + 3] * v[columns[p + 3]];
        }
        for (; p < end; p++) {
            sum += values[p] * v[columns[p]];
        }
        u[at] = sum + other;
    }

    @Override
    void addQuad(double[] values, int from, int end, double[] u, int at, double[] sum) {
        double first = u[at];
        double second = u[at + 1];
        double third = u[at + 2];
        double fourth = u[at + 3];
        for (int p = from; p < end; p++) {
            int j = columns[p] << 2;
            double value = values[p];
            sum[j] += value * first;
            sum[j + 1] += value * second;
            sum[j + 2] += value * third;
            sum[j + 3] += value * fourth;
        }
    }

    @Override
    void addPair(double[] values, int from, int end, double first, double second, double[] sum) {
        for (int p = from; p < end; p++) {
            int j = columns[p] << 1;
            sum[j] += values[p] * first;
            sum[j + 1] += values[p] * second;
        }
    }

    @Override
    void addOne(double[] values, int from, int end, double factor, double[] sum) {
        int p = from;
        for (; p < end - 3; p += 4) {
            sum[columns[p]] += values[p] * factor;
            sum[columns[p + 1]] += values[p + 1] * factor;
            sum[columns[p + 2]] += values[p + 2] * factor;
            sum[columns[p + 3]] += values[p + 3] * factor;
        }
        for (; p < end; p++) {
            sum[columns[p]] += values[p] * factor;
        }
    }
}
