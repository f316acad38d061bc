package stackelberg.sphere;

import java.util.Arrays;
import java.util.Optional;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.sphere.SphereProblem.Evaluation;

/**
 * A sphere problem without a game, presented as a family with one member, so that solvers written for families can solve it.
 *
 * <p>It is the member at gamma = 4 of the sums X'PX = H without its last row and column, X'Pz = 2 H e_d, z'Pz = 4 H_dd, X'Py = X'Pz/2 - g and z'Py =
 * z'Pz/2 - 2 g_d (the formulas of {@link FamilyProblem}, solved for the sums). These are formal: there are no rows behind them, and "squares" such as yy
 * may be negative.
 */
final class SingleProblemFamily implements SphereFamily {
    /** The gamma at which sqrt(gamma)/2 = 1, so that X'PX is a part of H itself. */
    static final double GAMMA = 4;

    private final SphereProblem problem;
    private final int n;
    private final Sums sums;
    private final Rounding rounding;

    /** Makes the family of a problem that is given at one gamma only. */
    SingleProblemFamily(SphereProblem problem) {
        this.problem = problem;
        this.n = problem.dimension() - 1;
        DenseMatrix last = DenseMatrix.zeros(n + 1, 1);
        last.set(n, 0, 1);
        DenseMatrix product = DenseMatrix.zeros(n + 1, 1);
        problem.hessianTimes(last, product);
        double[] column = product.column(0);
        double[] g = problem.g();
        double p = problem.p();
        double[] xy = Arrays.copyOf(column, n);
        Vectors.axpy(-1, Arrays.copyOf(g, n), xy);
        double[] xz = Arrays.copyOf(column, n);
        Vectors.scale(2, xz);
        double corner = column[n];
        double yz = 2 * (corner - g[n]);
        // yy and the loss of the limit point are f at (0, -1) and (0, 1): p + H_dd -+ 2 g_d
        this.sums = new Sums(xy, xz, p + corner - 2 * g[n], yz, 4 * corner, p, p + corner + 2 * g[n]);
        this.rounding = new Rounding(problem.hessianNorm(), 0, 1, 0);
    }

    @Override
    public Sums sums() {
        return sums;
    }

    @Override
    public Rounding rounding() {
        return rounding;
    }

    @Override
    public double zeroRuleLoss() {
        return problem.zeroRuleLoss();
    }

    @Override
    public boolean isGram() {
        return problem.isGram();
    }

    @Override
    public Workers workers() {
        return problem.workers();
    }

    @Override
    public int rankBound() {
        return Math.max(0, n - problem.structuralNullity());
    }

    @Override
    public double[] startSizes() {
        double size = problem.hessianNorm();
        return new double[] {size + Vectors.norm(problem.g()), 2 * size};
    }

    @Override
    public void gramTimes(DenseMatrix v, DenseMatrix out) {
        DenseMatrix padded = DenseMatrix.zeros(n + 1, v.cols());
        padded.firstRows(n).setAll(v);
        DenseMatrix product = DenseMatrix.zeros(n + 1, v.cols());
        problem.hessianTimes(padded, product);
        out.setAll(product.firstRows(n));
    }

    @Override
    public DenseMatrix gram() {
        DenseMatrix gram = DenseMatrix.zeros(n, n);
        gram.setAll(problem.hessian().firstRows(n).columns(0, n));
        return gram;
    }

    /** Empty: there are no rows. */
    @Override
    public Optional<Dual> dual() {
        return Optional.empty();
    }

    @Override
    public Evaluation[] evaluate(double[] gammas, double[][] r) {
        Evaluation[] result = new Evaluation[gammas.length];
        for (int c = 0; c < gammas.length; c++) {
            result[c] = at(gammas[c]).evaluate(r[c]);
        }
        return result;
    }

    /**
     * Returns the problem itself.
     *
     * @throws IllegalArgumentException at any other gamma than 4
     */
    @Override
    public SphereProblem at(double gamma) {
        if (gamma != GAMMA) {
            throw new IllegalArgumentException("A sphere problem without a game is its own family at gamma " + GAMMA
                    + " only, not at " + gamma + ".");
        }
        return problem;
    }
}
