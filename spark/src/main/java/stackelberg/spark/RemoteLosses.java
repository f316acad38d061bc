package stackelberg.spark;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import stackelberg.estimate.Moments;
import stackelberg.game.LinearRule;
import stackelberg.game.Response;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.model.StackelbergModel;
import stackelberg.objective.Solution;
import stackelberg.sphere.Reduction.RemoteRows;

/** Computes the losses of rules on distributed rows from sums only: the errors of a rule are u = p - y = M c with M = [V, X, y, z - y] and c = (q, w, -1, 0). */
final class RemoteLosses {
    private final Function<DenseMatrix, RemoteRows.Product> times;
    private final int order;
    private final @Nullable Naive naive;

    /**
     * The least squares rule, with which rules are compared.
     *
     * @param omega w'C^{-1}w
     * @param earned beta'C^{-1}w, the real change of the label for a move along C^{-1}w
     * @param gaps sum_i s_i ((z_i - y_i)^2 + sigma_i^2)
     */
    private record Naive(LinearRule rule, double omega, double earned, double gaps) {}

    private RemoteLosses(Function<DenseMatrix, RemoteRows.Product> times, int order, @Nullable Naive naive) {
        this.times = times;
        this.order = order;
        this.naive = naive;
    }

    /** The losses of all rules but least squares, from one pass over the rows. */
    static RemoteLosses ofRows(RemoteRows rows) {
        return new RemoteLosses(rows::times, rows.fixed() + rows.features() + 2, null);
    }

    /** The losses of all rules but least squares, from sums of products. */
    static RemoteLosses ofSums(Moments sums, Workers workers) {
        return new RemoteLosses(c -> product(sums, c, workers), sums.order(), null);
    }

    /**
     * The losses of all rules and of least squares, from sums of products.
     *
     * @param costs one for each column of X
     * @param effects the real change of the label for a move of each column of X by one unit; null without effects
     * @param gaps sum_i s_i ((z_i - y_i)^2 + sigma_i^2)
     */
    RemoteLosses beside(LinearRule leastSquares, double[] costs, double @Nullable [] effects, double gaps) {
        double earned = effects == null ? 0 : leastSquares.earned(costs, effects);
        return new RemoteLosses(times, order, new Naive(leastSquares, leastSquares.omega(costs), earned, gaps));
    }

    /** The losses of each solution. */
    List<StackelbergModel.Losses> of(List<Solution> solutions) {
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
                                    attacked(naive, product, solutions.get(k).gamma())));
        }
        return losses;
    }

    /** The loss of least squares after the move, whose errors are a u + b (z - y): a is the error that remains, b the part of the gap that is gamed. */
    private double attacked(Naive naive, RemoteRows.Product product, double gamma) {
        int last = product.squares().length - 1;
        Response response = Response.of(naive.omega, naive.earned, gamma);
        return Response.loss(
                response.remainingError(),
                response.gamed(),
                product.squares()[last],
                product.image().get(order - 1, last),
                naive.gaps);
    }

    /** The coefficients c = (q, w, -1, 0); q begins with the intercept if V has a column of ones. */
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

    /** M'SM C and the squared norms c'M'SMc, set to 0 where rounding made them negative. */
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
