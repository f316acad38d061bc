package stackelberg.objective.program;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.SymmetricEigen;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.solver.secular.ArrowSphere;

/**
 * H by products with the data alone: the ball's and the sphere's problem in the Krylov space of H and b, where H is tridiagonal, kept orthogonal. Where features are many, it
 * grows until what is left of the equation is small beside how far the point is from its optimum.
 */
final class KrylovQuadratic extends Quadratic {
    private static final int MOST_VECTORS = 200;

    /** Vectors between two looks at the problem. */
    private static final int LOOK = 5;

    private static final double NONE = 1e-14;
    private static final double FINE = 1e-11;
    private static final int MOST_PROJECTIONS = 150;

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

    /** values -= sum_k lifted_k borders_k. */
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

    /** H v. */
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

    /** What is left of the optimality of r, by which the equation need not be solved better. */
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
        Small small = new Small(new double[0], 0, 0);
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
                if (length * Math.abs(small.y[small.y.length - 1]) <= enough) {
                    break;
                }
            }
        }
        if (small.y.length != basis.size()) {
            small = small(diagonal, beside, size, inBall);
        }
        double[] x = new double[start.length];
        for (int k = 0; k < small.y.length; k++) {
            Vectors.axpy(small.y[k], basis.get(k), x);
        }
        // where nothing else depends on tau, it is free to complete the norm
        x[x.length - 1] -= small.free;
        double norm = Vectors.norm(x);
        if (norm > 1 || !inBall && norm > 0) {
            Vectors.scale(1 / norm, x);
        }
        return new Step(x, small.multiplier);
    }

    private static double largest(List<Double> values) {
        return values.stream().mapToDouble(Math::abs).max().orElse(0);
    }

    /** The problem in the basis. */
    private record Small(double[] y, double multiplier, double free) {}

    private Small small(List<Double> diagonal, List<Double> beside, double size, boolean inBall) {
        int k = diagonal.size();
        boolean free = scores.isCommon() && ball.ridge() == 0;
        if (k == 0) {
            return new Small(new double[0], 0, free ? 1 : 0);
        }
        double[][] tridiagonal = new double[k][k];
        for (int j = 0; j < k; j++) {
            tridiagonal[j][j] = diagonal.get(j);
            if (j + 1 < k) {
                tridiagonal[j][j + 1] = beside.get(j);
                tridiagonal[j + 1][j] = beside.get(j);
            }
        }
        SymmetricEigen eigen = SymmetricEigen.of(DenseMatrix.of(tridiagonal), Workers.of(1));
        double[] d =
                Arrays.stream(eigen.values()).map(value -> Math.max(0, value)).toArray();
        double[] g = eigen.vectors().row(0);
        Vectors.scale(size, g);
        double[] top = Arrays.copyOf(d, k - 1);
        double[] gTop = Arrays.copyOf(g, k - 1);
        ArrowSphere.Solution solution = ArrowSphere.solve(top, new double[k - 1], d[k - 1], gTop, g[k - 1], free);
        double[] y = solution.r();
        double multiplier = solution.lambda();
        if (inBall && multiplier < 0) {
            Arrays.setAll(y, j -> d[j] <= NONE * d[k - 1] ? 0 : -g[j] / d[j]);
            multiplier = 0;
        }
        double[] back = new double[k];
        for (int j = 0; j < k; j++) {
            back[j] = Vectors.dot(eigen.vectors().row(j), y);
        }
        return new Small(back, multiplier, solution.nullComponent());
    }

    @Override
    double[][] flat(int most) {
        double[] unit = new double[r.length];
        unit[r.length - 1] = 1;
        double[] random = new Random(1).doubles(r.length, -1, 1).toArray();
        return Arrays.stream(new double[][] {unit, random})
                .limit(most)
                .map(this::flattened)
                .toArray(double[][]::new);
    }

    /** What is left of a direction once everything that bends is taken from it: conjugate gradients for H x = H v, and v - x. */
    private double[] flattened(double[] v) {
        double[] x = v.clone();
        double[] residual = times(x);
        Vectors.scale(-1, residual);
        double[] direction = residual.clone();
        double square = Vectors.dot(residual, residual);
        double first = square;
        for (int k = 0; k < MOST_PROJECTIONS && square > 1e-28 * first; k++) {
            double[] product = times(direction);
            double bend = Vectors.dot(direction, product);
            if (!(bend > 0)) {
                break;
            }
            Vectors.axpy(square / bend, direction, x);
            Vectors.axpy(-square / bend, product, residual);
            double now = Vectors.dot(residual, residual);
            Vectors.scale(now / square, direction);
            Vectors.axpy(1, residual, direction);
            square = now;
        }
        double norm = Vectors.norm(x);
        Vectors.scale(norm > 0 ? 1 / norm : 1, x);
        return x;
    }
}
