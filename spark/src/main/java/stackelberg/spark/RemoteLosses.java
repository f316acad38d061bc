package stackelberg.spark;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import stackelberg.game.LinearRule;
import stackelberg.game.Moments;
import stackelberg.game.Response;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.model.StackelbergModel;
import stackelberg.pipeline.Pipeline;
import stackelberg.sphere.Reduction.RemoteRows;

/** What rules lose on rows of which only sums come back: their errors are u = p - y = M c with M = [V, X, y, z - y] and c = (q, w, -1, 0). */
final class RemoteLosses {
    private final Function<DenseMatrix, RemoteRows.Product> times;
    private final int order;
    private final Naive naive;

    /**
     * Least squares, the naive rival.
     *
     * @param omega w'C^{-1}w
     * @param earned beta'C^{-1}w, by which moves are real
     * @param dd sum_i s_i ((z_i - y_i)^2 + sigma_i^2)
     */
    private record Naive(LinearRule rule, double omega, double earned, double dd) {}

    private RemoteLosses(Function<DenseMatrix, RemoteRows.Product> times, int order, Naive naive) {
        this.times = times;
        this.order = order;
        this.naive = naive;
    }

    /** By one read for all rules, without the naive rival. */
    static RemoteLosses ofRows(RemoteRows rows) {
        return new RemoteLosses(rows::times, rows.fixed() + rows.features() + 2, null);
    }

    /** From the sums at hand, without the naive rival. */
    static RemoteLosses ofSums(Moments sums, Workers workers) {
        return new RemoteLosses(c -> product(sums, c, workers), sums.order(), null);
    }

    /**
     * The same beside the naive rival.
     *
     * @param costs one for each column of X
     * @param effects of a move by one of each column of X on the target; null for nothing
     * @param dd sum_i s_i ((z_i - y_i)^2 + sigma_i^2)
     */
    RemoteLosses beside(LinearRule leastSquares, double[] costs, double[] effects, double dd) {
        double earned = effects == null ? 0 : leastSquares.earned(costs, effects);
        return new RemoteLosses(times, order, new Naive(leastSquares, leastSquares.omega(costs), earned, dd));
    }

    /** One for each solution. */
    List<StackelbergModel.Losses> of(List<Pipeline.Solution> solutions) {
        int last = solutions.size();
        DenseMatrix c = DenseMatrix.zeros(order, naive == null ? last : last + 1);
        for (int k = 0; k < last; k++) {
            c.setColumn(k, errorOf(solutions.get(k).rule()));
        }
        if (naive != null) {
            c.setColumn(last, errorOf(naive.rule));
        }
        RemoteRows.Product product = times.apply(c);
        List<StackelbergModel.Losses> losses = new ArrayList<>();
        for (int k = 0; k < last; k++) {
            double anticipated = solutions.get(k).loss();
            double honest = product.squares()[k];
            losses.add(
                    naive == null
                            ? new StackelbergModel.Losses(anticipated, honest, null, null)
                            : new StackelbergModel.Losses(
                                    anticipated,
                                    honest,
                                    product.squares()[last],
                                    attacked(product, solutions.get(k).gamma())));
        }
        return losses;
    }

    /** Of the naive rival, after everybody has moved: (1 - tau) u + tau (z - y) is left of every error, tau what is gamed. */
    private double attacked(RemoteRows.Product product, double gamma) {
        int last = product.squares().length - 1;
        Response response = Response.of(naive.omega, naive.earned, gamma);
        return Response.loss(
                response.kept(),
                response.gamed(),
                product.squares()[last],
                product.image().get(order - 1, last),
                naive.dd);
    }

    /** (q, w, -1, 0), the constant first in q where V has a column of ones. */
    private double[] errorOf(LinearRule rule) {
        double[] w = rule.w();
        double[] q = rule.q();
        double[] c = new double[order];
        int x = order - 2 - w.length;
        c[0] = rule.intercept();
        System.arraycopy(q, 0, c, x - q.length, q.length);
        System.arraycopy(w, 0, c, x, w.length);
        c[order - 2] = -1;
        return c;
    }

    /** M'SM C, and the squares, which rounding may not make negative. */
    private static RemoteRows.Product product(Moments sums, DenseMatrix c, Workers workers) {
        DenseMatrix image = DenseMatrix.zeros(c.rows(), c.cols());
        sums.products().times(c, image, workers);
        double[] squares = new double[c.cols()];
        for (int k = 0; k < squares.length; k++) {
            squares[k] = Math.max(0, Vectors.dot(c.column(k), image.column(k)));
        }
        return new RemoteRows.Product(image, squares);
    }
}
