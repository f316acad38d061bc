package stackelberg.objective.program;

import java.util.Arrays;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Gram;
import stackelberg.linalg.SymmetricEigen;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.solver.secular.ArrowSphere;

/**
 * The quadratic model with H formed and its block on the features decomposed: in that basis H is an arrow matrix for
 * every gamma.
 */
final class FormedQuadratic extends Quadratic {
    /** An eigenvalue below this fraction of the largest, for each feature, is rounding. */
    private static final double ROUNDING = 2 * 0x1p-52;

    private final SymmetricEigen eigen;
    /** The arrow matrix of H, in units of r and in eigenvectors. */
    private final double[] d;

    private final double[] c;
    private final double corner;
    private final double[] b;
    private final double last;

    private FormedQuadratic(
            Scores scores,
            Ball ball,
            Bends bends,
            double[] r,
            Elimination fixed,
            double[] whole,
            double[] slopes,
            double[][] curved) {
        super(
                scores,
                ball,
                bends,
                r,
                fixed,
                Arrays.copyOfRange(whole, r.length, whole.length),
                inBall(ball, whole, r.length - 1),
                inBall(ball, slopes, r.length - 1));
        int n = r.length - 1;
        double half = ball.half();
        double[][] top = new double[n][];
        Arrays.setAll(top, j -> Arrays.copyOf(curved[j], n));
        this.eigen = n == 0
                ? new SymmetricEigen(new double[0], DenseMatrix.zeros(0, 0))
                : SymmetricEigen.of(DenseMatrix.of(top), Workers.of(1));
        double largest = n == 0 ? 0 : Math.abs(eigen.values()[n - 1]);
        this.d = Arrays.stream(eigen.values())
                .map(value -> value <= n * ROUNDING * largest ? 0 : half * half * value)
                .toArray();
        double[] border = new double[n];
        Arrays.setAll(border, j -> half / 2 * curved[n][j]);
        this.c = turned(border);
        this.corner = Math.max(0, curved[n][n]) / 4;
        double[] here = turned(r);
        double[] g = turned(this.slopes);
        this.b = new double[n];
        // a direction without curvature changes no score, so the slope along it is rounding
        Arrays.setAll(c, j -> d[j] == 0 ? 0 : c[j]);
        Arrays.setAll(b, j -> d[j] == 0 ? 0 : g[j] - d[j] * here[j] - c[j] * r[n]);
        this.last = this.slopes[n] - Vectors.dot(c, here) - corner * r[n];
    }

    static FormedQuadratic of(Scores scores, Ball ball, double[] w, double[] nu, double[] r) {
        return of(scores, ball, new Bends(w, new double[0]), scores.sums(w, nu), r);
    }

    /** @param sums of u, tau and q; the lower triangle counts */
    static FormedQuadratic of(Scores scores, Ball ball, Bends bends, Scores.Sums sums, double[] r) {
        int n = r.length;
        int k = scores.fixed().size();
        DenseMatrix gram = sums.gram();
        Gram.symmetrize(gram);
        double[][] rows = new double[n + k][];
        Arrays.setAll(rows, gram::row);
        double[][] inner = new double[k][];
        Arrays.setAll(inner, b -> Arrays.copyOfRange(rows[n + b], n, n + k));
        Elimination fixed = Elimination.of(inner);
        double[] slopes = Arrays.copyOf(sums.slopes(), n);
        double[] lifted = fixed.solve(Arrays.copyOfRange(sums.slopes(), n, n + k));
        double[][] curved = new double[n][];
        double[][] solved = new double[n][];
        for (int j = 0; j < n; j++) {
            double[] border = Arrays.copyOfRange(rows[j], n, n + k);
            slopes[j] -= Vectors.dot(border, lifted);
            solved[j] = fixed.solve(border);
            curved[j] = Arrays.copyOf(rows[j], n);
        }
        for (int j = 0; j < n && k > 0; j++) {
            double[] border = Arrays.copyOfRange(rows[j], n, n + k);
            for (int i = 0; i <= j; i++) {
                curved[j][i] -= Vectors.dot(border, solved[i]);
                curved[i][j] = curved[j][i];
            }
        }
        return new FormedQuadratic(scores, ball, bends, r, fixed, sums.slopes(), slopes, curved);
    }

    /** Returns Q'v for the first entries. */
    private double[] turned(double[] v) {
        int n = eigen.values().length;
        double[] turned = new double[n];
        for (int i = 0; i < n; i++) {
            Vectors.axpy(v[i], eigen.vectors().row(i), turned);
        }
        return turned;
    }

    private double[] turnedBack(double[] v, double lastEntry) {
        int n = eigen.values().length;
        double[] back = new double[n + 1];
        double[] top = Arrays.copyOf(v, n);
        for (int i = 0; i < n; i++) {
            back[i] = Vectors.dot(eigen.vectors().row(i), top);
        }
        back[n] = lastEntry;
        return back;
    }

    private static double[] inBall(Ball ball, double[] slopes, int n) {
        return ball.slopes(Arrays.copyOf(slopes, n), slopes[n]);
    }

    @Override
    Step inBall() {
        return solve(b, last, true);
    }

    @Override
    Step onSphere(double sigma) {
        double[] pulled = b.clone();
        Vectors.axpy(-sigma, turned(r), pulled);
        return solve(pulled, last - sigma * r[r.length - 1], false);
    }

    private Step solve(double[] g, double gLast, boolean inBall) {
        // the ball is a sphere with one more coordinate, on which nothing depends
        ArrowSphere.Solution solution = ArrowSphere.solve(d, c, corner, g, gLast, inBall);
        double[] x = solution.r();
        double[] point = turnedBack(x, x[d.length]);
        double norm = Vectors.norm(point);
        if (!inBall || solution.lambda() > 0 || norm > 1) {
            Vectors.scale(1 / norm, point);
        }
        return new Step(point, solution.lambda());
    }
}
