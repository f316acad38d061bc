package stackelberg.solver.secular;

import java.util.Arrays;
import stackelberg.linalg.Vectors;

/**
 * Minimises r'H r + 2 g'r on ||r|| = 1 for an arrow matrix H = [[diag(d), c], [c', s]]; each evaluation of the secular equation costs O(n).
 *
 * <p><b>Problem.</b> A sphere problem in coordinates in which all of H but its last row and column is diagonal. H may be indefinite. All three cases.
 *
 * <p><b>Method.</b> With mu the smallest eigenvalue of H, write lambda = t - mu, t >= 0, and find t with ||(H + lambda I)^{-1} g|| = 1 by bisection. The
 * differences d_i - mu are computed once and never from lambda, and the Schur complement of the border is written with mu eliminated. Hence nothing cancels as t
 * -> 0, and nearly hard cases need no special treatment. The hard case (g orthogonal to the eigenspace of mu, and the norm still below 1 at t = 0) is a branch
 * of its own: an eigenvector of mu is added (docs/theory.md, "Hard case").
 *
 * <p><b>Cost per iteration.</b> O(n); at most 63 iterations for mu and 63 for t.
 *
 * <p><b>When it fails.</b> Never on finite numbers; the result has an error of a few eps ||H||.
 *
 * <p><b>Reference.</b> Gander, Golub and von Matt, A constrained eigenvalue problem (1989), for the secular equation.
 */
public final class ArrowSphere {
    /** The smallest t that is tried, the smallest normal double. */
    private static final double T_MIN = Double.MIN_NORMAL;

    private final double[] c;
    private final double[] g;
    private final double gBorder;
    /** d_i - mu. */
    private final double[] gap;
    /** The Schur complement of the border at t = 0, s - mu - sum c_i^2/(d_i - mu); 0 if the border has a part in the smallest eigenvector. */
    private final double schurAtZero;
    /** The index of a diagonal entry without coupling that is the smallest eigenvalue; -1 if the smallest eigenvector involves the border. */
    private final int smallestAlone;
    /** c_i g_i/(d_i - mu). */
    private final double[] pull;
    /** The smallest eigenvalue of H. */
    private final double mu;

    /**
     * The minimiser.
     *
     * @param r the first n coordinates, then the border's
     * @param lambda the multiplier
     * @param nullComponent the coordinate along a null vector outside these coordinates, 0 or more; ||r||^2 + nullComponent^2 = 1
     * @param smallestEigenvalue mu, of the arrow matrix alone
     * @param smallestEigenvector a unit eigenvector of mu
     */
    public record Solution(
            double[] r, double lambda, double nullComponent, double smallestEigenvalue, double[] smallestEigenvector) {}

    /** Computes mu and the differences d_i - mu. */
    private ArrowSphere(double[] d, double[] c, double s, double[] g, double gBorder) {
        int n = d.length;
        this.g = g;
        this.gBorder = gBorder;
        this.c = c.clone();
        double norm = Math.abs(s);
        for (int i = 0; i < n; i++) {
            norm = Math.max(norm, Math.max(Math.abs(d[i]), Math.abs(c[i])));
        }
        double coupledMin = Double.POSITIVE_INFINITY;
        double aloneMin = Double.POSITIVE_INFINITY;
        int alone = -1;
        for (int i = 0; i < n; i++) {
            // a coupling below half a unit in the last place of H is set to 0, a backward error of at most eps ||H||
            if (Math.abs(c[i]) <= 0x1p-53 * norm) {
                this.c[i] = 0;
                if (d[i] < aloneMin) {
                    aloneMin = d[i];
                    alone = i;
                }
            } else {
                coupledMin = Math.min(coupledMin, d[i]);
            }
        }
        // mu is either the smallest uncoupled d_i, or a root of s - mu - sum c_i^2/(d_i - mu) below all coupled d_i
        boolean coupled = Double.isFinite(coupledMin);
        double below = coupled ? distanceBelow(d, this.c, s, coupledMin) : 0;
        double root = coupled ? coupledMin - below : s;
        this.gap = new double[n];
        if (alone >= 0 && aloneMin < root) {
            this.mu = aloneMin;
            this.smallestAlone = alone;
            double schur = s - mu;
            for (int i = 0; i < n; i++) {
                gap[i] = d[i] - mu;
                if (this.c[i] != 0) {
                    schur -= this.c[i] * this.c[i] / gap[i];
                }
            }
            this.schurAtZero = Math.max(0, schur);
        } else {
            this.mu = root;
            this.smallestAlone = -1;
            this.schurAtZero = 0;
            for (int i = 0; i < n; i++) {
                gap[i] = coupled ? Math.max(0, d[i] - coupledMin + below) : d[i] - root;
            }
        }
        this.pull = new double[n];
        for (int i = 0; i < n; i++) {
            pull[i] = this.c[i] == 0 ? 0 : this.c[i] * g[i] / gap[i];
        }
    }

    /**
     * Returns the minimiser for an arrow matrix, or for the arrow matrix with one more eigenvalue 0 whose eigenvector is orthogonal to g.
     *
     * @param d the diagonal
     * @param c the border, as long as d
     * @param s the last diagonal entry
     * @param g the first n entries of g
     * @param gBorder the last entry of g
     * @param nullVector whether H has a null vector orthogonal to g and to all these coordinates
     */
    public static Solution solve(double[] d, double[] c, double s, double[] g, double gBorder, boolean nullVector) {
        ArrowSphere arrow = new ArrowSphere(d, c, s, g, gBorder);
        if (nullVector && arrow.mu >= 0) {
            // the smallest eigenvalue is 0 now, so lambda >= 0, with equality in the hard case: that is t = mu
            double[] r = new double[d.length + 1];
            double square = arrow.squaredNorm(Math.max(T_MIN, arrow.mu), r);
            if (square <= 1) {
                return new Solution(r, 0, Math.sqrt(1 - square), arrow.mu, arrow.smallestEigenvector());
            }
        }
        return arrow.solution();
    }

    /** Returns the minimiser for the diagonal matrix of d, which is an arrow matrix without couplings. */
    public static Solution solveDiagonal(double[] d, double[] g) {
        int last = d.length - 1;
        return solve(Arrays.copyOf(d, last), new double[last], d[last], Arrays.copyOf(g, last), g[last], false);
    }

    /** Returns the minimiser: the hard case, or the root t of the secular equation. */
    private Solution solution() {
        double[] r = new double[c.length + 1];
        double[] u = smallestEigenvector();
        double square = squaredNorm(T_MIN, r);
        if (square <= 1) {
            // hard case: ||r0 + tau u|| = 1 has two roots tau. The negative one gives the smaller border alphaTilde,
            // since
            // u's border is >= 0, and with it the smaller pull-through
            double ur = Vectors.dot(u, r);
            Vectors.axpy(-ur - Math.sqrt(ur * ur + 1 - square), u, r);
            return new Solution(r, -mu, 0, mu, u);
        }
        double high = Math.max(T_MIN, 2 * normOfG());
        double t = BitBisection.firstTrue(T_MIN, high, candidate -> squaredNorm(candidate, r) <= 1);
        double deficit = 1 - squaredNorm(t, r);
        // near the hard case the component along u is a quotient of rounding errors, and the norm jumps over 1 as t
        // grows.
        // The missing length is added along u, which makes a residual of t tau, unless leaving it to the caller, who
        // scales
        // r to length 1, makes a smaller one (deficit/2 ||g||)
        double tau = missing(r, u, deficit);
        if (t * Math.abs(tau) < deficit / 2 * normOfG()) {
            Vectors.axpy(tau, u, r);
        }
        return new Solution(r, t - mu, 0, mu, u);
    }

    /** Returns the root tau of smaller size of ||r + tau u||^2 - ||r||^2 = deficit, in the form that does not cancel. */
    private static double missing(double[] r, double[] u, double deficit) {
        double ur = Vectors.dot(u, r);
        double root = Math.sqrt(ur * ur + Math.max(0, deficit));
        double denominator = ur < 0 ? ur - root : ur + root;
        return denominator == 0 ? 0 : deficit / denominator;
    }

    /** Returns a unit eigenvector of mu. */
    private double[] smallestEigenvector() {
        int n = c.length;
        double[] u = new double[n + 1];
        if (smallestAlone >= 0) {
            u[smallestAlone] = 1;
            return u;
        }
        u[n] = 1;
        for (int i = 0; i < n; i++) {
            u[i] = c[i] == 0 ? 0 : -c[i] / gap[i];
        }
        Vectors.scale(1 / Vectors.norm(u), u);
        return u;
    }

    /**
     * Fills r = -(H + (t - mu) I)^{-1} g and returns ||r||^2.
     *
     * <p>The right side of the border's equation is -gBorder + sum c_i g_i/(d_i - mu + t). For t < d_i - mu the term is computed as its value at t = 0 less a
     * correction: the values at t = 0 sum to the component of g along the smallest eigenvector (up to scale), with the same rounding for every t, so that the
     * norm is a smooth function. For larger t that difference would cancel, badly if d_i is close to mu and weakly coupled, and the term is computed directly.
     */
    private double squaredNorm(double t, double[] r) {
        int n = c.length;
        double schur = schurAtZero + t;
        double right = -gBorder;
        double correction = 0;
        for (int i = 0; i < n; i++) {
            if (c[i] != 0) {
                double factor = t * c[i] / (gap[i] * (gap[i] + t));
                schur += factor * c[i];
                if (t < gap[i]) {
                    right += pull[i];
                    correction += factor * g[i];
                } else {
                    right += c[i] * g[i] / (gap[i] + t);
                }
            }
        }
        double border = (right - correction) / schur;
        double square = border * border;
        for (int i = 0; i < n; i++) {
            double numerator = c[i] == 0 ? -g[i] : -g[i] - c[i] * border;
            r[i] = numerator == 0 ? 0 : numerator / (gap[i] + t);
            square += r[i] * r[i];
        }
        r[n] = border;
        return Double.isNaN(square) ? Double.POSITIVE_INFINITY : square;
    }

    /** Returns ||g||, an upper bound on t: at lambda = ||g|| - mu the norm of the solution is at most 1. */
    private double normOfG() {
        double square = gBorder * gBorder;
        for (double value : g) {
            square += value * value;
        }
        return Math.sqrt(square);
    }

    /** Returns how far the smallest root of s - mu - sum c_i^2/(d_i - mu) is below the smallest coupled d_i; the distance is the root of an increasing function. */
    private static double distanceBelow(double[] d, double[] c, double s, double coupledMin) {
        double square = 0;
        for (double value : c) {
            square += value * value;
        }
        double high = 2 * (Math.sqrt(square) + Math.max(0, coupledMin - s));
        return BitBisection.firstTrue(T_MIN, Math.max(T_MIN, high), tau -> {
            double value = s - coupledMin + tau;
            for (int i = 0; i < c.length; i++) {
                if (c[i] != 0) {
                    value -= c[i] * c[i] / (d[i] - coupledMin + tau);
                }
            }
            return value >= 0;
        });
    }
}
