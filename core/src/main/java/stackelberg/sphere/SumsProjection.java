package stackelberg.sphere;

import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;

/**
 * The {@link Projection} of rows of which only V'SV is known: the Cholesky factorisation V'SV = R'R on the independent columns, in the given order, and
 * implicitly E = V R^{-1}.
 *
 * <p>V'SV holds squares, so the part of a column outside the earlier ones is lost in rounding if it is below some 1e-6 of the column's length. Such columns are
 * doubtful: they count as dependent until they have been measured on the rows, by {@link #doubtfulParts} and {@link #measured}.
 */
final class SumsProjection extends Projection {
    /** The largest number of rows that are summed one after the other; longer sums add the sums of blocks. */
    private static final int BLOCK = 1 << 16;

    /** A measured part is reliable if at least this share of its square lies outside the earlier columns; otherwise it is measured again. */
    private static final double RELIABLE = 1e-2;

    /** The largest entry of |E'SE - I| that needs no refinement: a second round of projection squares this error, which is then below eps. */
    private static final double ORTHONORMAL = 1e-10;

    private final long rows;
    /** The columns of R that came from measurements, by the index of the column of V. */
    private final Map<Integer, double[]> measured;
    /** For every doubtful column, its coordinates on the columns of E before it. */
    private final Map<Integer, double[]> doubtful;

    private SumsProjection(
            int columns,
            int[] source,
            double[][] r,
            double[] norms,
            long rows,
            Map<Integer, double[]> measured,
            Map<Integer, double[]> doubtful) {
        super(columns, source, r, norms);
        this.rows = rows;
        this.measured = measured;
        this.doubtful = doubtful;
    }

    /**
     * Factorises V'SV.
     *
     * @param sums a symmetric matrix whose leading block is V'SV
     * @param columns the number of columns of V
     * @param rows the number of rows that were summed
     */
    static SumsProjection of(DenseMatrix sums, int columns, long rows) {
        return of(sums, columns, rows, Map.of());
    }

    /**
     * Factorises V'SV, with measured columns of R in place of computed ones.
     *
     * @param measured columns of R by index; a diagonal entry 0 says that the column is dependent, NaN that it must be measured again
     */
    private static SumsProjection of(DenseMatrix sums, int columns, long rows, Map<Integer, double[]> measured) {
        int[] source = new int[columns];
        double[][] r = new double[columns][];
        double[] norms = new double[columns];
        Map<Integer, double[]> doubtful = new LinkedHashMap<>();
        int rank = 0;
        for (int j = 0; j < columns; j++) {
            double[] line = sums.row(j);
            double norm = Math.sqrt(line[j]);
            double[] l = measured.get(j);
            if (l == null) {
                l = new double[rank + 1];
                double left = line[j];
                for (int k = 0; k < rank; k++) {
                    double value = line[source[k]];
                    for (int i = 0; i < k; i++) {
                        value -= l[i] * r[k][i];
                    }
                    l[k] = value / r[k][k];
                    left -= l[k] * l[k];
                }
                double terms = norm + terms(Arrays.copyOf(l, rank), r, norms);
                boolean clear = left > rounding(rows) * terms * terms;
                l[rank] = clear ? Math.sqrt(left) : norm > 0 ? Double.NaN : 0;
            }
            double part = l[l.length - 1];
            if (Double.isNaN(part)) {
                doubtful.put(j, Arrays.copyOf(l, rank));
            } else if (part > 0) {
                source[rank] = j;
                r[rank] = l;
                norms[rank] = norm;
                rank++;
            }
        }
        return new SumsProjection(
                columns, Arrays.copyOf(source, rank), Arrays.copyOf(r, rank), norms, rows, measured, doubtful);
    }

    /** Returns, for each doubtful column, the coefficients on V of its part outside the earlier columns, to be measured by a product with the rows. */
    double[][] doubtfulParts() {
        double[][] parts = new double[doubtful.size()][];
        int i = 0;
        for (Map.Entry<Integer, double[]> column : doubtful.entrySet()) {
            double[] c = Arrays.copyOf(column.getValue(), rank());
            Vectors.scale(-1, c);
            parts[i] = coefficients(c);
            parts[i][column.getKey()] = 1;
            i++;
        }
        return parts;
    }

    /**
     * Returns the projection after the parts u of the doubtful columns outside the earlier ones were measured.
     *
     * <p>Columns that {@link Projection#isDependent} rejects stay dependent. Of the others only the first becomes independent, because it changes what the
     * later ones have outside the earlier ones. If most of a measured u lies along the earlier columns after all, that part is subtracted and the column is
     * measured a second time.
     *
     * @param sums the matrix that this projection was computed from
     * @param images V'Su of each doubtful column
     * @param squares ||u||^2 of each doubtful column
     * @return this object if all doubtful columns are dependent
     */
    SumsProjection measured(DenseMatrix sums, double[][] images, double[] squares) {
        Map<Integer, double[]> known = new HashMap<>(measured);
        boolean first = true;
        int i = 0;
        for (Map.Entry<Integer, double[]> column : doubtful.entrySet()) {
            int j = column.getKey();
            double[] l = Arrays.copyOf(column.getValue(), column.getValue().length + 1);
            double[] along = coordinates(images[i]);
            double square = squares[i];
            for (int k = 0; k < l.length - 1; k++) {
                l[k] += along[k];
                square -= along[k] * along[k];
            }
            // a second measurement is as good as it gets
            boolean reliable = square >= RELIABLE * squares[i] || measured.containsKey(j);
            double part = Math.sqrt(Math.max(0, reliable ? square : squares[i]));
            boolean dependent = isDependent(part, Math.sqrt(sums.get(j, j))) || Double.isNaN(part);
            if (dependent || first) {
                l[l.length - 1] = dependent ? 0 : reliable ? part : Double.NaN;
                known.put(j, l);
                first &= dependent;
            }
            i++;
        }
        return first ? this : of(sums, columns, rows, known);
    }

    /** Returns sum_i |q_i| ||v_i|| for q = R^{-1} c: the summed lengths of the terms that make up E c = V q. c is overwritten. */
    private static double terms(double[] c, double[][] r, double[] norms) {
        double sum = 0;
        for (int k = c.length - 1; k >= 0; k--) {
            double value = c[k] / r[k][k];
            sum += Math.abs(value) * norms[k];
            for (int l = 0; l < k; l++) {
                c[l] -= r[k][l] * value;
            }
        }
        return sum;
    }

    /**
     * Returns the summed lengths of the terms that make up u - E c.
     *
     * @param length ||u||
     * @param c E'Su
     */
    double terms(double length, double[] c) {
        return length + terms(c.clone(), r, norms);
    }

    /**
     * Returns an upper bound on the rounding error of an inner product u'v.
     *
     * @param terms the value of {@link #terms} for u
     * @param otherTerms the same for v
     */
    double rounding(double terms, double otherTerms) {
        return rounding(rows) * terms * otherTerms;
    }

    /** Returns an upper bound on the rounding error of an inner product over rows, relative to ||u|| ||v||; measured errors are at most half of it. */
    private static double rounding(long rows) {
        return 0x1p-52 * (64 + Math.min(rows, BLOCK) / 16.0);
    }

    /** Returns E'Su = R^{-T} V'Su by forward substitution, from an image whose leading entries are V'Su. */
    double[] coordinates(double[] image) {
        double[] c = new double[rank()];
        for (int k = 0; k < c.length; k++) {
            double value = image[source[k]];
            for (int l = 0; l < k; l++) {
                value -= r[k][l] * c[l];
            }
            c[k] = value / r[k][k];
        }
        return c;
    }

    /** Returns the coordinates of each doubtful column on the columns of E before it, by the index of the column. */
    Map<Integer, double[]> doubtful() {
        return doubtful;
    }

    /** Returns whether a measured E'SE is the identity to 1e-10. */
    static boolean isOrthonormal(DenseMatrix ee) {
        double worst = 0;
        for (int i = 0; i < ee.rows(); i++) {
            for (int j = 0; j < ee.cols(); j++) {
                worst = Math.max(worst, Math.abs(ee.get(i, j) - (i == j ? 1 : 0)));
            }
        }
        return worst <= ORTHONORMAL;
    }

    /**
     * Returns the projection onto the same space with a better E, by a second Cholesky QR: from the measured E'SE = F'F the new factors are E F^{-1} and F R.
     * Returns this object if E'SE is not of full rank.
     */
    SumsProjection refined(DenseMatrix ee) {
        SumsProjection second = of(ee, rank(), rows);
        if (second.rank() < rank()) {
            return this;
        }
        double[][] product = new double[rank()][];
        for (int k = 0; k < product.length; k++) {
            product[k] = new double[k + 1];
            for (int i = 0; i <= k; i++) {
                for (int l = 0; l <= i; l++) {
                    product[k][l] += second.r[i][l] * r[k][i];
                }
            }
        }
        return new SumsProjection(columns, source, product, norms, rows, measured, doubtful);
    }
}
