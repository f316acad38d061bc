package stackelberg.sphere;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import stackelberg.estimate.Moments;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;

/**
 * The {@link Reduction} of a game of which only sums are known: the Gram matrix of M = [V, X, y, z - y], weights included. The immutable columns V are
 * eliminated by a Schur complement, M2'SM2 - (E'SM2)'(E'SM2) with M2 = [X, y, z - y]; P X is never formed.
 *
 * <p>The difference cancels for columns that lie mostly along V. Those of which only rounding remains are set to 0; if any other column lost more than half
 * of its digits, the reduction reports that it is not {@link #accurate}.
 */
final class SumsReduction extends Reduction {
    /** The share of a column's length outside V below which its square, 1e-8 of the whole, has lost half of its digits. */
    private static final double HALF = 1e-4;

    /** The share of a column's square outside V up to which it may be all rounding; rounding leaves about 1e-16. */
    private static final double LOST = 0x1p-46;

    private final GramFamily family;
    private final SumsProjection fixed;
    /** E'S[X, y, z - y], one row for each column of E. */
    private final double[][] coordinates;

    private final boolean accurate;

    private SumsReduction(
            double[] rootCosts,
            boolean intercept,
            double ridge,
            double @Nullable [] effects,
            GramFamily family,
            SumsProjection fixed,
            double[][] coordinates,
            boolean accurate) {
        super(rootCosts, intercept, ridge, effects);
        this.family = family;
        this.fixed = fixed;
        this.coordinates = coordinates;
        this.accurate = accurate;
    }

    /** Eliminates the immutable columns; parameters as in {@link Reduction#ofSums}, with the roots of the costs. */
    static SumsReduction eliminate(
            Moments moments,
            double[] rootCosts,
            double noise,
            double ridge,
            double @Nullable [] effects,
            boolean intercept,
            Workers workers) {
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
        SumsProjection projection = SumsProjection.of(sums, fixed, moments.rows());
        int rank = projection.rank();
        double[][] coordinates = new double[rank][n + 2];
        DenseMatrix rest = DenseMatrix.zeros(n + 2, n + 2);
        double[] before = new double[n + 2];
        double[] terms = new double[n + 2];
        for (int i = 0; i < n + 2; i++) {
            // E'S of the column, and its row of the Gram matrix before the subtraction
            double[] onV = Arrays.copyOf(sums.column(fixed + i), fixed);
            Vectors.scale(scale[i], onV);
            double[] c = projection.coordinates(onV);
            for (int k = 0; k < rank; k++) {
                coordinates[k][i] = c[k];
            }
            double[] row = Arrays.copyOfRange(sums.row(fixed + i), fixed, fixed + n + 2);
            for (int j = 0; j < row.length; j++) {
                row[j] *= scale[i] * scale[j];
            }
            before[i] = row[i];
            terms[i] = projection.terms(Math.sqrt(row[i]), c);
            rest.setRow(i, row);
        }
        double squaredNorm = Arrays.stream(before, 0, n).sum();
        // the parts of y and of z = y + gap along the immutable columns
        double removedY = 0;
        double removedZ = 0;
        for (double[] c : coordinates) {
            removedY += c[n] * c[n];
            removedZ += (c[n] + c[n + 1]) * (c[n] + c[n + 1]);
        }
        double removedNorm = Math.sqrt(removedY) + Math.sqrt(removedZ);
        double conditioning = projection.conditioning();
        // squared, because V'SV has the square of the condition of V
        var rounding =
                new SphereFamily.Rounding(squaredNorm, removedNorm, conditioning * conditioning, moments.rows() - rank);
        boolean accurate = projection.smallestPart() >= HALF;
        if (rank > 0) {
            DenseMatrix c = DenseMatrix.of(coordinates);
            c.transposeProduct(-1, c, 1, rest, workers);
            accurate &= clearDependent(projection, rest, before, terms);
            clearWish(projection, rest, before, terms);
            for (int j : projection.doubtful().keySet()) {
                double[] products = Arrays.copyOfRange(sums.row(j), fixed, fixed + n + 2);
                for (int i = 0; i < products.length; i++) {
                    products[i] *= scale[i];
                }
                accurate &= isDependent(projection, j, Math.sqrt(sums.get(j, j)), products, coordinates, before, terms);
            }
        }
        GramFamily family = GramFamily.of(rest, noise, rounding, workers);
        return new SumsReduction(rootCosts, intercept, ridge, effects, family, projection, coordinates, accurate);
    }

    /**
     * Sets columns of which only rounding remains to 0.
     *
     * @param rest the Gram matrix after the elimination; modified
     * @param before the diagonal of the Gram matrix before the elimination
     * @param terms the summed lengths of the terms of each column
     * @return whether only rounding was set to 0, and every other column kept at least half of its digits
     */
    private static boolean clearDependent(SumsProjection fixed, DenseMatrix rest, double[] before, double[] terms) {
        boolean accurate = true;
        for (int i = 0; i < before.length; i++) {
            double left = rest.get(i, i);
            if (left > LOST * before[i]) {
                // y and z - y may lose digits: only their inner products are used, not their directions
                accurate &= left >= HALF * HALF * before[i] || i >= before.length - 2;
                continue;
            }
            accurate &= isNothing(fixed, rest.row(i), terms[i], terms);
            for (int j = 0; j < before.length; j++) {
                rest.set(i, j, 0);
                rest.set(j, i, 0);
            }
        }
        return accurate;
    }

    /** If only rounding remains of Pz = Py + P(z - y), makes it exactly 0: replaces P(z - y) by -Py. */
    private static void clearWish(SumsProjection fixed, DenseMatrix rest, double[] before, double[] terms) {
        int y = before.length - 2;
        int gap = y + 1;
        double[] products = rest.row(y);
        Vectors.axpy(1, rest.row(gap), products);
        double square = products[y] + products[gap];
        // y and z - y are its own two terms, so only products with the features, and with y, can show a remainder
        double[] features = Arrays.copyOf(products, y);
        boolean nothing = square <= LOST * (before[y] + before[gap])
                && isNothing(fixed, features, terms[y] + terms[gap], terms)
                && Math.abs(products[y]) <= fixed.rounding(terms[y] + terms[gap], terms[y]);
        if (nothing) {
            for (int i = 0; i < y; i++) {
                rest.set(gap, i, -rest.get(y, i));
                rest.set(i, gap, -rest.get(i, y));
            }
            rest.set(gap, y, -rest.get(y, y));
            rest.set(y, gap, -rest.get(y, y));
            rest.set(gap, gap, rest.get(y, y));
        }
    }

    /**
     * Returns whether the remainder of a column is rounding in all its inner products with the other columns. A part too small to show in its own square can
     * still show there, and one that shows in none of them does not influence the solution.
     */
    private static boolean isNothing(SumsProjection fixed, double[] products, double own, double[] terms) {
        for (int i = 0; i < products.length; i++) {
            if (Math.abs(products[i]) > fixed.rounding(own, terms[i])) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns whether a doubtful column of V is dependent as far as its inner products with X, y and z - y show, provided that at least one of them is
     * accurate enough to show a part that {@link Projection#isDependent} would keep.
     *
     * @param length the column's norm
     * @param products its inner products with X, y and z - y; overwritten with those of its part outside the earlier columns
     */
    private static boolean isDependent(
            SumsProjection fixed,
            int column,
            double length,
            double[] products,
            double[][] coordinates,
            double[] before,
            double[] terms) {
        double[] c = Objects.requireNonNull(fixed.doubtful().get(column));
        for (int k = 0; k < c.length; k++) {
            Vectors.axpy(-c[k], coordinates[k], products);
        }
        double own = fixed.terms(length, c);
        boolean couldTell = false;
        for (int i = 0; i < before.length; i++) {
            couldTell |= Projection.isDependent(fixed.rounding(own, terms[i]) / Math.sqrt(before[i]), length);
        }
        return couldTell && isNothing(fixed, products, own, terms);
    }

    @Override
    SphereFamily data() {
        return family;
    }

    @Override
    public double explainedGap() {
        double square = 0;
        for (double[] row : coordinates) {
            double gap = row[row.length - 1];
            square += gap * gap;
        }
        return square;
    }

    @Override
    Projection projection() {
        return fixed;
    }

    @Override
    public boolean accurate() {
        return accurate;
    }

    /** {@inheritDoc} -V^+ (X v + wish z - y), with z = y + gap. */
    @Override
    double[] immutablePart(double[] v, double wish) {
        int n = v.length;
        double[] c = new double[coordinates.length];
        for (int k = 0; k < c.length; k++) {
            double[] row = coordinates[k];
            c[k] = (1 - wish) * row[n] - wish * row[n + 1];
            for (int j = 0; j < n; j++) {
                c[k] -= row[j] * v[j];
            }
        }
        return fixed.coefficients(c);
    }
}
