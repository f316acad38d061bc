package stackelberg.game;

import java.util.List;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;

/**
 * Sums of products over some rows, M'SM for columns M in the order their maker chose: all that least squares, ridge and the sphere need of rows
 * that are many. Sums of different rows are added, never subtracted: a difference loses the digits of the few beside the many.
 *
 * @param products M'SM, symmetric; not copied
 * @param rows how many rows were summed
 * @param weight sum_i s_i
 */
public record Moments(DenseMatrix products, long rows, double weight) {
    public Moments {
        if (products.rows() != products.cols()) {
            throw new IllegalArgumentException(
                    "Sums of products are " + products.rows() + " x " + products.cols() + "; they must be square.");
        }
    }

    /** The order of M'SM. */
    public int order() {
        return products.rows();
    }

    /** The sums over the rows of both. */
    public Moments plus(Moments other) {
        return sum(List.of(this, other));
    }

    /** The sums over the rows of all parts, added in their order. */
    public static Moments sum(List<Moments> parts) {
        int order = parts.get(0).order();
        DenseMatrix sum = DenseMatrix.zeros(order, order);
        for (int i = 0; i < order; i++) {
            double[] row = new double[order];
            for (Moments part : parts) {
                Vectors.axpy(1, part.products.row(i), row);
            }
            sum.setRow(i, row);
        }
        return new Moments(
                sum,
                parts.stream().mapToLong(Moments::rows).sum(),
                parts.stream().mapToDouble(Moments::weight).sum());
    }

    /** The sums over the rows of all parts but one. */
    public static Moments without(List<Moments> parts, int left) {
        List<Moments> others = new java.util.ArrayList<>(parts);
        others.remove(left);
        return sum(others);
    }
}
