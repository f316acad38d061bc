package stackelberg.objective.program;

import java.util.Arrays;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;

/**
 * What Newton minimises over the ball:
 *
 * <pre>sum s l(S) + mu gamma tau + eta ((1 - tau) sum s l(p) - (1 - tau) B),    S = X u + zHat tau + B q,  p = (S - tau z)/(1 - tau)</pre>
 *
 * p the scores if nobody moves. The hedge is the perspective of the loss, so that all of it is convex: a row bends it by l''(p)/(1 - tau) along (x, zHat - z + p, b).
 *
 * @param eta the weight of the hedge; 0 for none
 * @param bound B, the most that may be lost if nobody moves
 */
record Goal(Scores scores, Ball ball, double eta, double bound) {
    /** Without a hedge. */
    Goal(Scores scores, Ball ball) {
        this(scores, ball, 0, 0);
    }

    /** p. */
    double[] still(double[] at, double tau) {
        double[] z = scores.z();
        double[] p = new double[at.length];
        Arrays.setAll(p, i -> (at[i] - tau * z[i]) / (1 - tau));
        return p;
    }

    /** The loss after the move and the ridge. */
    double moved(double[] at, double tau) {
        return scores.value(at) + ball.tilt() * tau;
    }

    double value(double[] at, double tau) {
        if (eta == 0) {
            return moved(at, tau);
        }
        return tau < 1
                ? moved(at, tau) + eta * (1 - tau) * (scores.value(still(at, tau)) - bound)
                : Double.POSITIVE_INFINITY;
    }

    /** The slope along a change of the scores and of tau. */
    double slope(double[] at, double tau, double[] change, double tauChange) {
        double sum = Vectors.dot(scores.pushes(at), change) + ball.tilt() * tauChange;
        if (eta == 0) {
            return sum;
        }
        if (!(tau < 1)) {
            return Double.POSITIVE_INFINITY;
        }
        double[] p = still(at, tau);
        double[] pushes = scores.pushes(p);
        double[] z = scores.z();
        double hedge = tauChange * (bound - scores.value(p));
        for (int i = 0; i < p.length; i++) {
            hedge += pushes[i] * (change[i] + tauChange * (p[i] - z[i]));
        }
        return sum + eta * hedge;
    }

    /**
     * To second order at a point.
     *
     * @param share see {@link Scores#curvatures}
     */
    Quadratic model(double[] r, double[] at, double share) {
        double[] bends = scores.curvatures(at, share);
        double[] pushes = scores.pushes(at);
        if (eta == 0) {
            return scores.isFormed()
                    ? FormedQuadratic.of(scores, ball, bends, pushes, r)
                    : KrylovQuadratic.of(scores, ball, bends, pushes, r);
        }
        double tau = Ball.tau(r);
        double[] p = still(at, tau);
        double[] z = scores.z();
        double[] zHat = scores.zHat();
        double[] ofHedge = scores.pushes(p);
        double[] own = scores.curvatures(p, share);
        // what the column of tau has beside zHat, times the curvature, and all of the column times it
        double[] more = new double[p.length];
        double[] across = new double[p.length];
        double byTau = eta * (bound - scores.value(p));
        double corner = 0;
        for (int i = 0; i < p.length; i++) {
            double bend = eta * own[i] / (1 - tau);
            double column = zHat[i] - z[i] + p[i];
            byTau += eta * ofHedge[i] * (p[i] - z[i]);
            corner += bends[i] * zHat[i] * zHat[i] + bend * column * column;
            across[i] = bends[i] * zHat[i] + bend * column;
            more[i] = bend * (p[i] - z[i]);
            pushes[i] += eta * ofHedge[i];
            bends[i] += bend;
        }
        Scores.Sums sums = scores.sums(bends, pushes);
        int n = scores.features();
        DenseMatrix gram = sums.gram();
        double[] border = scores.slopes(across);
        for (int j = 0; j < n; j++) {
            gram.set(n, j, border[j]);
        }
        gram.set(n, n, corner);
        double[] immutable = scores.fixed().transposeTimes(across);
        for (int b = 0; b < immutable.length; b++) {
            gram.set(n + 1 + b, n, immutable[b]);
        }
        sums.slopes()[n] += byTau;
        return FormedQuadratic.of(scores, ball, new Quadratic.Bends(bends, more), sums, r);
    }
}
