package stackelberg.sphere;

import java.util.Arrays;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;

/**
 * E = V T with E'SE = I, from V'SV alone: {@link ProjectedColumns} for rows that are kept elsewhere.
 *
 * <p>Forming V'SV squares the condition of V, so E'SE is measured afterwards and T is refined by it (Cholesky QR, twice). Columns that depend on
 * those before them have a row of zeros in T.
 */
final class RemoteProjection {
    /** A column with this little (squared) outside the earlier ones is taken as their combination: rounding leaves about 1e-16. */
    private static final double DEPENDENT = 0x1p-46;

    /** What products with a T this good leave along V is removed afterwards by a second round, with an error of its square. */
    private static final double ORTHONORMAL = 1e-10;

    private final int columns;
    /** The columns of T. */
    private final double[][] t;
    /** The lengths of the columns of V. */
    private final double[] norms;

    private RemoteProjection(int columns, double[][] t, double[] norms) {
        this.columns = columns;
        this.t = t;
        this.norms = norms;
    }

    /** From the leading rows and columns of a symmetric matrix that starts with V'SV; Gram-Schmidt in the order given. */
    static RemoteProjection of(DenseMatrix gram, int columns) {
        double[][] t = new double[columns][];
        double[] norms = new double[columns];
        int rank = 0;
        for (int j = 0; j < columns; j++) {
            double[] line = Arrays.copyOf(gram.row(j), columns);
            double[] direction = new double[columns];
            direction[j] = 1;
            double left = line[j];
            norms[j] = Math.sqrt(left);
            for (int k = 0; k < rank; k++) {
                double c = Vectors.dot(t[k], line);
                left -= c * c;
                Vectors.axpy(-c, t[k], direction);
            }
            if (left > DEPENDENT * line[j]) {
                Vectors.scale(1 / Math.sqrt(left), direction);
                t[rank++] = direction;
            }
        }
        return new RemoteProjection(columns, Arrays.copyOf(t, rank), norms);
    }

    int rank() {
        return t.length;
    }

    /** {@link ProjectedColumns#conditioning}: ||T||_F with the columns of V taken at length 1. */
    double conditioning() {
        double squares = 0;
        for (double[] column : t) {
            for (int j = 0; j < columns; j++) {
                squares += column[j] * norms[j] * column[j] * norms[j];
            }
        }
        return Math.max(1, Math.sqrt(squares));
    }

    /** T c: the coefficients on V of E c. */
    double[] coefficients(double[] c) {
        double[] result = new double[columns];
        for (int k = 0; k < t.length; k++) {
            Vectors.axpy(c[k], t[k], result);
        }
        return result;
    }

    /** The k-th column of T. */
    double[] column(int k) {
        return t[k].clone();
    }

    /** T'a for the leading entries a = V'Su of an image: the coordinates E'Su. */
    double[] coordinates(double[] image) {
        double[] onV = Arrays.copyOf(image, columns);
        return Arrays.stream(t).mapToDouble(column -> Vectors.dot(column, onV)).toArray();
    }

    static boolean isOrthonormal(DenseMatrix ee) {
        double worst = 0;
        for (int i = 0; i < ee.rows(); i++) {
            for (int j = 0; j < ee.cols(); j++) {
                worst = Math.max(worst, Math.abs(ee.get(i, j) - (i == j ? 1 : 0)));
            }
        }
        return worst <= ORTHONORMAL;
    }

    /** The same space from the measured E'SE. */
    RemoteProjection refined(DenseMatrix ee) {
        RemoteProjection second = of(ee, t.length);
        double[][] product = new double[second.rank()][];
        for (int k = 0; k < product.length; k++) {
            product[k] = coefficients(second.t[k]);
        }
        return new RemoteProjection(columns, product, norms);
    }
}
