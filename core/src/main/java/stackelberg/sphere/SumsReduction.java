package stackelberg.sphere;

import java.util.Arrays;
import stackelberg.game.Moments;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;

/**
 * The {@link Reduction} of a game of which only the formed sums are at hand: from the Gram matrix of [V, X, y, z - y], weights included, to
 * the sphere and back. The immutable columns V, an intercept among them, leave by a Schur complement: P X is never formed.
 */
final class SumsReduction extends Reduction {
    /** A column with this little (squared) outside the earlier immutable ones is taken as their combination: rounding leaves about 1e-16. */
    private static final double DEPENDENT = 0x1p-46;

    /** With less than this (squared) left of a column, the Schur complement has lost half of its digits. */
    private static final double DOUBTFUL = 1e-8;

    private final GramFamily family;
    /** How many columns V has. */
    private final int fixed;
    /** Which immutable columns are independent. */
    private final int[] kept;
    /** V'V = factor factor' on the kept columns. */
    private final double[][] factor;
    /** factor^{-1} V'[X, y, z - y], one row for each kept column. */
    private final double[][] coordinates;

    private final boolean accurate;

    private SumsReduction(
            double[] rootCosts,
            boolean intercept,
            GramFamily family,
            int fixed,
            int[] kept,
            double[][] factor,
            double[][] coordinates,
            boolean accurate) {
        super(rootCosts, intercept);
        this.family = family;
        this.fixed = fixed;
        this.kept = kept;
        this.factor = factor;
        this.coordinates = coordinates;
        this.accurate = accurate;
    }

    static SumsReduction eliminate(
            Moments moments, double[] rootCosts, double noise, boolean intercept, Workers workers) {
        DenseMatrix sums = moments.products();
        int n = rootCosts.length;
        int fixed = sums.rows() - n - 2;
        if (fixed < (intercept ? 1 : 0)) {
            throw new IllegalArgumentException("The sums are of " + sums.rows() + " columns; " + n + " manipulable ones"
                    + (intercept ? ", an intercept" : "") + ", y and z - y are more.");
        }
        double[] scale = new double[n + 2];
        Arrays.fill(scale, 1);
        System.arraycopy(rootCosts, 0, scale, 0, n);
        boolean accurate = true;

        // V'V = factor factor' in the order given, and the coordinates of everything else on the way
        int[] kept = new int[fixed];
        double[][] factor = new double[fixed][];
        double[][] coordinates = new double[fixed][];
        double[] norms = new double[fixed];
        int rank = 0;
        for (int j = 0; j < fixed; j++) {
            double[] line = sums.row(j);
            double[] l = new double[rank + 1];
            double left = line[j];
            for (int k = 0; k < rank; k++) {
                double value = line[kept[k]];
                for (int i = 0; i < k; i++) {
                    value -= l[i] * factor[k][i];
                }
                l[k] = value / factor[k][k];
                left -= l[k] * l[k];
            }
            if (!(left > DEPENDENT * line[j])) {
                continue;
            }
            accurate &= left >= DOUBTFUL * line[j];
            l[rank] = Math.sqrt(left);
            double[] others = new double[n + 2];
            for (int i = 0; i < others.length; i++) {
                double value = scale[i] * line[fixed + i];
                for (int k = 0; k < rank; k++) {
                    value -= l[k] * coordinates[k][i];
                }
                others[i] = value / l[rank];
            }
            kept[rank] = j;
            factor[rank] = l;
            norms[rank] = Math.sqrt(line[j]);
            coordinates[rank] = others;
            rank++;
        }

        DenseMatrix rest = DenseMatrix.zeros(n + 2, n + 2);
        double[] before = new double[n + 2];
        for (int i = 0; i < n + 2; i++) {
            double[] row = Arrays.copyOfRange(sums.row(fixed + i), fixed, fixed + n + 2);
            for (int j = 0; j < row.length; j++) {
                row[j] *= scale[i] * scale[j];
            }
            before[i] = row[i];
            rest.setRow(i, row);
        }
        double squaredNorm = Arrays.stream(before, 0, n).sum();
        double[][] used = Arrays.copyOf(coordinates, rank);
        if (rank > 0) {
            DenseMatrix c = DenseMatrix.of(used);
            c.transposeProduct(-1, c, 1, rest, workers);
            accurate &= clearDependent(rest, before);
        }
        // of y and of z = y + gap: what lies along the immutable columns
        double removedY = 0;
        double removedZ = 0;
        for (double[] c : used) {
            removedY += c[n] * c[n];
            removedZ += (c[n] + c[n + 1]) * (c[n] + c[n + 1]);
        }
        double removedNorm = Math.sqrt(removedY) + Math.sqrt(removedZ);
        // squared, because V'V has the square of the condition of V
        double conditioning = ProjectedColumns.conditioning(Arrays.copyOf(factor, rank), norms);
        var rounding = new FamilyRounding(squaredNorm, removedNorm, conditioning * conditioning, moments.rows() - rank);
        GramFamily family = GramFamily.of(rest, noise, rounding, workers);
        return new SumsReduction(
                rootCosts,
                intercept,
                family,
                fixed,
                Arrays.copyOf(kept, rank),
                Arrays.copyOf(factor, rank),
                used,
                accurate);
    }

    /** Columns of which only rounding is left become 0; says whether the others kept enough of themselves. */
    private static boolean clearDependent(DenseMatrix rest, double[] before) {
        boolean accurate = true;
        for (int i = 0; i < before.length; i++) {
            double left = rest.get(i, i);
            if (left > DEPENDENT * before[i]) {
                // of y and z - y only sums are needed, not directions
                accurate &= left >= DOUBTFUL * before[i] || i >= before.length - 2;
                continue;
            }
            for (int j = 0; j < before.length; j++) {
                rest.set(i, j, 0);
                rest.set(j, i, 0);
            }
        }
        return accurate;
    }

    @Override
    public SphereFamily family() {
        return family;
    }

    @Override
    public boolean accurate() {
        return accurate;
    }

    /** -V^+ (X v + wish z - y), z = y + gap. */
    @Override
    double[] immutablePart(double[] v, double wish) {
        int n = v.length;
        double[] c = new double[kept.length];
        for (int k = 0; k < c.length; k++) {
            double[] row = coordinates[k];
            c[k] = (1 - wish) * row[n] - wish * row[n + 1];
            for (int j = 0; j < n; j++) {
                c[k] -= row[j] * v[j];
            }
        }
        double[] q = new double[fixed];
        for (int k = c.length - 1; k >= 0; k--) {
            double value = c[k] / factor[k][k];
            q[kept[k]] = value;
            for (int l = 0; l < k; l++) {
                c[l] -= factor[k][l] * value;
            }
        }
        return q;
    }
}
