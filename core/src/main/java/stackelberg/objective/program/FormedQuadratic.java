package stackelberg.objective.program;

import java.util.Arrays;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Gram;
import stackelberg.linalg.SymmetricEigen;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.solver.secular.ArrowSphere;

/** H formed, and that of the features decomposed: its own multiplier makes it an arrow, whatever gamma is. */
final class FormedQuadratic extends Quadratic {
    /** A smaller part of the largest eigenvalue, for each feature, is rounding. */
    private static final double ROUNDING = 2 * 0x1p-52;

    private final SymmetricEigen eigen;
    /** In units of r, of eigenvectors: the arrow of H. */
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
        // what does not bend does not slope either: such a direction is nobody's score
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

    /** Q'v of the first entries. */
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
        Step step = onSphere(0);
        return step.multiplier() >= 0 ? step : inside();
    }

    /** H is definite where the multiplier of the sphere is negative. */
    private Step inside() {
        double schur = corner;
        double right = -last;
        for (int j = 0; j < d.length; j++) {
            schur -= c[j] * c[j] / d[j];
            right += c[j] * b[j] / d[j];
        }
        double lastEntry = right / schur;
        double[] x = new double[d.length];
        Arrays.setAll(x, j -> -(b[j] + c[j] * lastEntry) / d[j]);
        double[] inside = turnedBack(x, lastEntry);
        double norm = Vectors.norm(inside);
        if (norm > 1) {
            Vectors.scale(1 / norm, inside);
        }
        return new Step(inside, 0);
    }

    @Override
    Step onSphere(double sigma) {
        double[] pulled = b.clone();
        Vectors.axpy(-sigma, turned(r), pulled);
        ArrowSphere.Solution solution = ArrowSphere.solve(d, c, corner, pulled, last - sigma * r[r.length - 1], false);
        double[] x = solution.r();
        double[] point = turnedBack(x, x[d.length]);
        Vectors.scale(1 / Vectors.norm(point), point);
        return new Step(point, solution.lambda());
    }

    @Override
    double[][] flat(int most) {
        double[][] directions = new double[Math.min(most, d.length)][];
        Arrays.setAll(directions, k -> {
            double[] unit = new double[d.length];
            unit[k] = 1;
            return turnedBack(unit, 0);
        });
        return directions;
    }
}
