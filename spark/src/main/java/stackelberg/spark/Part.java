package stackelberg.spark;

import java.io.Serializable;

/** Sums over the rows of a partition, or over those of several; a problem takes their place. */
final class Part implements Serializable {
    private static final long serialVersionUID = 1L;

    final long rows;
    final double weight;
    final double[] sums;
    /** What is wrong with the first bad row, or null. */
    final String problem;

    private Part(long rows, double weight, double[] sums, String problem) {
        this.rows = rows;
        this.weight = weight;
        this.sums = sums;
        this.problem = problem;
    }

    static Part of(long rows, double weight, double[] sums) {
        return new Part(rows, weight, sums, null);
    }

    static Part bad(String problem) {
        return new Part(0, 0, new double[0], problem);
    }

    /** This and a later one; the sums of this are overwritten. */
    Part plus(Part later) {
        if (problem != null || later.problem != null) {
            return problem != null ? this : later;
        }
        for (int i = 0; i < sums.length; i++) {
            sums[i] += later.sums[i];
        }
        return new Part(rows + later.rows, weight + later.weight, sums, null);
    }
}
