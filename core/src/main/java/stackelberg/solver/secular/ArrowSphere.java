package stackelberg.solver.secular;

import java.util.Arrays;
import stackelberg.linalg.Vectors;

/**
 * minimise r'H r + 2 g'r on ||r|| = 1 for an arrow matrix H = [[diag(d), c], [c', s]], each evaluation O(n).
 *
 * <p>Method: lambda = t - mu with mu the smallest eigenvalue of H and t >= 0, and t from ||(H + lambda I)^{-1} g|| = 1. All differences d_i -
 * mu are kept as they are and never recomputed from lambda, and the Schur complement of the border is written with mu eliminated, so nothing
 * cancels as t -> 0 and nearly hard cases need no special treatment. The hard case proper, g orthogonal to the eigenspace of mu and the norm
 * still below 1 at t = 0, is a branch of its own.
 */
public final class ArrowSphere {
    /** The smallest t tried: the normal doubles' own floor. */
    private static final double T_MIN = Double.MIN_NORMAL;

    private final double[] c;
    private final double[] g;
    private final double gBorder;
    /** d_i - mu. */
    private final double[] gap;
    /** The Schur complement of the border at t = 0: 0 if the border takes part in the smallest eigenvector. */
    private final double schurAtZero;
    /** Index of a diagonal entry that is the smallest eigenvalue by itself, or -1 if the border takes part. */
    private final int smallestAlone;

    /** c_i g_i / (d_i - mu). */
    private final double[] pull;

    private final double mu;

    /**
     * The solution in these coordinates.
     *
     * @param r the first n coordinates, then the border's
     * @param lambda the multiplier
     * @param nullComponent the coordinate along a null vector of H outside these coordinates
     * @param smallestEigenvalue mu, of the arrow matrix alone
     * @param smallestEigenvector a unit eigenvector of it
     */
    public record Solution(
            double[] r, double lambda, double nullComponent, double smallestEigenvalue, double[] smallestEigenvector) {}

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
            // a coupling below the last bit of H is no coupling: a backward error of eps ||H||
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
     * Solves for the arrow matrix, or for the arrow matrix with one more eigenvalue 0 that has no part in g.
     *
     * @param nullVector whether H has a null vector orthogonal to g and to all these coordinates
     */
    public static Solution solve(double[] d, double[] c, double s, double[] g, double gBorder, boolean nullVector) {
        ArrowSphere arrow = new ArrowSphere(d, c, s, g, gBorder);
        if (nullVector && arrow.mu >= 0) {
            // lambda >= 0 now, with equality in the hard case: t is counted from -mu
            double[] r = new double[d.length + 1];
            double square = arrow.squaredNorm(Math.max(T_MIN, arrow.mu), r);
            if (square <= 1) {
                return new Solution(r, 0, Math.sqrt(1 - square), arrow.mu, arrow.smallestEigenvector());
            }
        }
        return arrow.solution();
    }

    /** The same for the diagonal matrix of d, which is an arrow without couplings. */
    public static Solution solveDiagonal(double[] d, double[] g) {
        int last = d.length - 1;
        return solve(Arrays.copyOf(d, last), new double[last], d[last], Arrays.copyOf(g, last), g[last], false);
    }

    private Solution solution() {
        double[] r = new double[c.length + 1];
        double[] u = smallestEigenvector();
        double square = squaredNorm(T_MIN, r);
        if (square <= 1) {
            // the hard case: |r0 + tau u| = 1, and of the two roots the smaller border, so the rule that is pulled less
            double ur = Vectors.dot(u, r);
            Vectors.axpy(-ur - Math.sqrt(ur * ur + 1 - square), u, r);
            return new Solution(r, -mu, 0, mu, u);
        }
        double high = Math.max(T_MIN, 2 * normOfG());
        double t = BitBisection.firstTrue(T_MIN, high, candidate -> squaredNorm(candidate, r) <= 1);
        double deficit = 1 - squaredNorm(t, r);
        // near the hard case the component on u is a quotient of rounding errors, and the norm jumps over 1 as t grows;
        // what is missing is
        // added along u, at a residual of t tau, unless scaling r, at a residual of the missing part of g, is cheaper
        double tau = missing(r, u, deficit);
        if (t * Math.abs(tau) < deficit / 2 * normOfG()) {
            Vectors.axpy(tau, u, r);
        }
        return new Solution(r, t - mu, 0, mu, u);
    }

    /** The tau of smaller size with ||r + tau u||^2 - ||r||^2 = deficit. */
    private static double missing(double[] r, double[] u, double deficit) {
        double ur = Vectors.dot(u, r);
        double root = Math.sqrt(ur * ur + Math.max(0, deficit));
        double denominator = ur < 0 ? ur - root : ur + root;
        return denominator == 0 ? 0 : deficit / denominator;
    }

    /** A unit eigenvector of mu. */
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
     * <p>The right side of the border's equation is -gBorder + sum c_i g_i / (d_i - mu + t). Below d_i - mu, t only corrects the value at t = 0,
     * which is g on the smallest eigenvector, up to scale, and rounded alike for every t, so that the norm is smooth. Beyond, the value at t = 0
     * is the larger number, by far where d_i is hardly coupled and next to mu, and taking it away again would leave its rounding.
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

    private double normOfG() {
        double square = gBorder * gBorder;
        for (double value : g) {
            square += value * value;
        }
        return Math.sqrt(square);
    }

    /** How far the smallest root of s - mu - sum c_i^2/(d_i - mu) lies below the smallest coupled d: the root of an increasing function. */
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
