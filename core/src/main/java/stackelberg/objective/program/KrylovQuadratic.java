package stackelberg.objective.program;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.SymmetricEigen;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.solver.secular.ArrowSphere;

/**
 * The quadratic model with H given by products with the data: the problems on ball and sphere are solved in the Krylov
 * space of H and b, where H is tridiagonal; the basis is kept orthogonal. With many features the space grows until the
 * residual is small compared with the distance of the point from its optimum.
 */
final class KrylovQuadratic extends Quadratic {
    private static final int MOST_VECTORS = 200;

    /** The number of vectors between two solutions of the small problem. */
    private static final int LOOK = 5;

    private static final double NONE = 1e-14;
    private static final double FINE = 1e-11;

    private final double[][] borders;
    private double @Nullable [] b;

    private KrylovQuadratic(
            Scores scores,
            Ball ball,
            double[] w,
            double[] r,
            Elimination fixed,
            double[] fixedSlopes,
            double[] wholeSlopes,
            double[][] borders) {
        super(
                scores,
                ball,
                new Bends(w, new double[0]),
                r,
                fixed,
                fixedSlopes,
                wholeSlopes,
                less(wholeSlopes.clone(), fixed.solve(fixedSlopes), borders));
        this.borders = borders;
    }

    /** Subtracts sum_k lifted_k borders_k from the values. */
    private static double[] less(double[] values, double[] lifted, double[][] borders) {
        for (int k = 0; k < borders.length; k++) {
            Vectors.axpy(-lifted[k], borders[k], values);
        }
        return values;
    }

    static KrylovQuadratic of(Scores scores, Ball ball, double[] w, double[] nu, double[] r) {
        double[] whole = ball.slopes(scores.slopes(nu), scores.wished(nu));
        double[][] features = scores.curvedFixed(w);
        double[][] borders = new double[features.length][];
        for (int k = 0; k < borders.length; k++) {
            double[] column = scores.fixed().basis()[k].clone();
            for (int i = 0; i < column.length; i++) {
                column[i] *= w[i];
            }
            borders[k] = new Ball(ball.gamma(), 0).slopes(features[k], scores.wished(column));
        }
        return new KrylovQuadratic(
                scores,
                ball,
                w,
                r,
                Elimination.of(scores.fixed().gram(w)),
                scores.fixed().transposeTimes(nu),
                whole,
                borders);
    }

    /** Returns H v. */
    private double[] times(double[] v) {
        double[] between = new double[scores.people()];
        double[] byU = scores.curved(ball.u(v), v[v.length - 1] / 2, bends.w(), between);
        double[] product = new Ball(ball.gamma(), 0).slopes(byU, scores.wished(between));
        return less(product, fixed.solve(scores.fixed().transposeTimes(between)), borders);
    }

    private double[] b() {
        if (b == null) {
            b = Vectors.minus(slopes, times(r));
        }
        return b;
    }

    @Override
    Step inBall() {
        return solve(b(), true);
    }

    @Override
    Step onSphere(double sigma) {
        double[] pulled = b().clone();
        Vectors.axpy(-sigma, r, pulled);
        return solve(pulled, false);
    }

    /** Returns the residual of the optimality condition at r; the equation need not be solved more accurately. */
    private double left() {
        double multiplier = Math.max(0, -Vectors.dot(slopes, r));
        double[] rest = slopes.clone();
        Vectors.axpy(multiplier, r, rest);
        return Vectors.norm(rest);
    }

    private Step solve(double[] start, boolean inBall) {
        double size = Vectors.norm(start);
        double left = left();
        double enough = Math.max(FINE * size, Math.min(0.03, left / size) * left);
        List<double[]> basis = new ArrayList<>();
        List<Double> diagonal = new ArrayList<>();
        List<Double> beside = new ArrayList<>();
        double[] next = start.clone();
        double length = size;
        int most = Math.min(MOST_VECTORS, start.length);
        Step small = new Step(new double[0], 0);
        while (basis.size() < most && length > NONE * Math.max(size, largest(diagonal))) {
            Vectors.scale(1 / length, next);
            basis.add(next);
            double[] product = times(next);
            diagonal.add(Vectors.dot(product, next));
            for (int round = 0; round < 2; round++) {
                for (double[] vector : basis) {
                    Vectors.axpy(-Vectors.dot(vector, product), vector, product);
                }
            }
            next = product;
            length = Vectors.norm(next);
            beside.add(length);
            if (basis.size() % LOOK == 0 || basis.size() == most) {
                small = small(diagonal, beside, size, inBall);
                if (length * Math.abs(small.r()[small.r().length - 1]) <= enough) {
                    break;
                }
            }
        }
        if (small.r().length != basis.size()) {
            small = small(diagonal, beside, size, inBall);
        }
        double[] x = new double[start.length];
        for (int k = 0; k < basis.size(); k++) {
            Vectors.axpy(small.r()[k], basis.get(k), x);
        }
        double norm = Vectors.norm(x);
        if (norm > 1 || !inBall && norm > 0) {
            Vectors.scale(1 / norm, x);
        }
        return new Step(x, small.multiplier());
    }

    private static double largest(List<Double> values) {
        return values.stream().mapToDouble(Math::abs).max().orElse(0);
    }

    /** Solves the problem in the basis, where H is tridiagonal. */
    private static Step small(List<Double> diagonal, List<Double> beside, double size, boolean inBall) {
        int k = diagonal.size();
        DenseMatrix tridiagonal = DenseMatrix.zeros(k, k);
        for (int j = 0; j < k; j++) {
            tridiagonal.set(j, j, diagonal.get(j));
            if (j + 1 < k) {
                tridiagonal.set(j, j + 1, beside.get(j));
                tridiagonal.set(j + 1, j, beside.get(j));
            }
        }
        SymmetricEigen eigen = SymmetricEigen.of(tridiagonal, Workers.of(1));
        double[] d =
                Arrays.stream(eigen.values()).map(value -> Math.max(0, value)).toArray();
        double[] g = eigen.vectors().row(0);
        Vectors.scale(size, g);
        int last = k - 1;
        ArrowSphere.Solution solution = ArrowSphere.solve(
                Arrays.copyOf(d, last), new double[last], d[last], Arrays.copyOf(g, last), g[last], inBall);
        double[] back = new double[k];
        Arrays.setAll(back, j -> Vectors.dot(eigen.vectors().row(j), solution.r()));
        return new Step(back, solution.lambda());
    }
}
