package stackelberg.spark;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** Sums over the rows of one or more partitions, or the message of a problem in their place. */
final class Part implements Serializable {
    private static final long serialVersionUID = 1L;

    final long rows;
    final double weight;
    final double[] sums;
    /** The message about the first invalid row; absent if all rows are valid. */
    final @Nullable String problem;

    private Part(long rows, double weight, double[] sums, @Nullable String problem) {
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

    /** Adds the sums of a later part to this one, in place. The problem of the earlier part comes first. */
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
