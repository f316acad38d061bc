package stackelberg.sphere;

import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;

/**
 * The {@link Projection} of rows of which only V'SV is at hand: V'SV = R'R on the independent columns, in the order given, and E = V R^{-1}.
 *
 * <p>V'SV has the square of what a column keeps outside the earlier ones, so a part below some 1e-6 of its length is lost in rounding. Such columns are
 * doubtful and count as dependent until somebody has measured them.
 */
final class SumsProjection extends Projection {
    /** Rows that one block adds up at most, one after the other. */
    private static final int BLOCK = 1 << 16;

    /** Where less than this share (squared) of what was measured lies outside, it says too little about that. */
    private static final double RELIABLE = 1e-2;

    /** What products with an E this good leave along V is removed afterwards by a second round, with an error of its square. */
    private static final double ORTHONORMAL = 1e-10;

    private final long rows;
    private final Map<Integer, double[]> measured;
    /** Coordinates on the columns of E before it, for every doubtful column. */
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
     * From the leading rows and columns of a symmetric matrix that starts with V'SV.
     *
     * @param rows how many were summed
     */
    static SumsProjection of(DenseMatrix sums, int columns, long rows) {
        return of(sums, columns, rows, Map.of());
    }

    /**
     * The same where doubtful columns have been measured.
     *
     * @param measured their columns of R; 0 on the diagonal of one that depends on the earlier columns, not a number where it is to be measured again
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

    /** What is left of the doubtful columns outside the earlier ones, as coefficients on V. */
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
     * The projection by what the rows say of the doubtful columns: those that the rule takes for dependent are so for good. Of the others only the
     * first counts, because it changes what the later ones have outside the earlier ones. If most of what was measured lies along the earlier columns
     * all the same, it has to be measured again without that.
     *
     * @param sums as this projection was made of
     * @param images V'Su for what is left u of each doubtful column
     * @param squares ||u||^2
     * @return this projection itself if all doubtful columns are dependent
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
            // the second time there is no better
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

    /** sum_i |q_i| ||v_i|| for q = R^{-1} c, which is overwritten: the lengths of what is added up to get E c from V. */
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

    /** The lengths of what is added up to get u - E c, c the coordinates of a u of this length. */
    double terms(double length, double[] c) {
        return length + terms(c.clone(), r, norms);
    }

    /** How far a product of two such differences may be off because the sums are rounded. */
    double rounding(double terms, double otherTerms) {
        return rounding(rows) * terms * otherTerms;
    }

    /** How far a sum over rows may be off, against the lengths of what it is a product of: measured up to half as much. */
    private static double rounding(long rows) {
        return 0x1p-52 * (64 + Math.min(rows, BLOCK) / 16.0);
    }

    /** E'Su from the leading entries V'Su of an image, u over the rows. */
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

    /** The coordinates of doubtful columns on the columns of E before them, by the number of the column. */
    Map<Integer, double[]> doubtful() {
        return doubtful;
    }

    /** Whether the measured E'SE is I. */
    static boolean isOrthonormal(DenseMatrix ee) {
        double worst = 0;
        for (int i = 0; i < ee.rows(); i++) {
            for (int j = 0; j < ee.cols(); j++) {
                worst = Math.max(worst, Math.abs(ee.get(i, j) - (i == j ? 1 : 0)));
            }
        }
        return worst <= ORTHONORMAL;
    }

    /** The same space from the measured E'SE = F'F (Cholesky QR, twice): E F^{-1} and F R; as it was where that has no full rank. */
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
