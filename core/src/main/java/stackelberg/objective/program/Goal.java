package stackelberg.objective.program;

import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;

/**
 * What Newton minimises over the ball:
 *
 * <pre>sum s l(S) + mu gamma tau + eta ((1 - tau) sum s l(p) - (1 - tau) B),    S = P + tau z,  p = P/(1 - tau)</pre>
 *
 * p the scores if nobody moves. The hedge is the perspective of the loss, so that all of it is convex: a row bends it by l''(p)/(1 - tau) along (x, p, b).
 *
 * <p>With a hedge P = X u + B q is what a point is kept with, because next to tau = 1 it has digits that S has not; without one S = X u + zHat tau + B q, because where wishes are common S does not
 * depend on tau.
 *
 * @param eta the weight of the hedge
 * @param bound B, the most that may be lost if nobody moves
 */
record Goal(Scores scores, Ball ball, boolean hedged, double eta, double bound) {
    /** Without a hedge. */
    Goal(Scores scores, Ball ball) {
        this(scores, ball, false, 0, 0);
    }

    Goal(Scores scores, Ball ball, double eta, double bound) {
        this(scores, ball, true, eta, bound);
    }

    /** P or S, but for the part of B q; linear in what it is given. */
    double[] at(double[] u, double tau) {
        return scores.moved(u, hedged ? 0 : tau);
    }

    /** S. */
    double[] after(double[] at, double tau) {
        double[] after = at.clone();
        if (hedged) {
            Vectors.axpy(tau, scores.z(), after);
        }
        return after;
    }

    /** p, with a hedge. */
    static double[] still(double[] at, double tau) {
        double[] p = at.clone();
        Vectors.scale(1 / (1 - tau), p);
        return p;
    }

    /** The loss after the move and the ridge. */
    double moved(double[] at, double tau) {
        return scores.value(after(at, tau)) + ball.tilt() * tau;
    }

    double value(double[] at, double tau) {
        if (eta == 0) {
            return moved(at, tau);
        }
        return tau < 1
                ? moved(at, tau) + eta * (1 - tau) * (scores.value(still(at, tau)) - bound)
                : Double.POSITIVE_INFINITY;
    }

    /** The slope along a change of P or S and of tau. */
    double slope(double[] at, double tau, double[] change, double tauChange) {
        double sum = Vectors.dot(scores.pushes(after(at, tau)), after(change, tauChange)) + ball.tilt() * tauChange;
        if (eta == 0) {
            return sum;
        }
        if (!(tau < 1)) {
            return Double.POSITIVE_INFINITY;
        }
        double[] p = still(at, tau);
        double[] along = p.clone();
        Vectors.scale(tauChange, along);
        Vectors.axpy(1, change, along);
        return sum + eta * (Vectors.dot(scores.pushes(p), along) + tauChange * (bound - scores.value(p)));
    }

    /**
     * To second order at a point.
     *
     * @param share see {@link Scores#curvatures}
     */
    Quadratic model(double[] r, double[] at, double share) {
        double tau = Ball.tau(r);
        double[] after = after(at, tau);
        double[] bends = scores.curvatures(after, share);
        double[] pushes = scores.pushes(after);
        if (!hedged) {
            return scores.isFormed()
                    ? FormedQuadratic.of(scores, ball, bends, pushes, r)
                    : KrylovQuadratic.of(scores, ball, bends, pushes, r);
        }
        double[] p = still(at, tau);
        double[] z = scores.z();
        double[] ofHedge = scores.pushes(p);
        double[] own = scores.curvatures(p, share);
        // the column of tau, times the curvature
        double[] across = new double[p.length];
        double byTau = eta * (bound - scores.value(p));
        double corner = 0;
        for (int i = 0; i < p.length; i++) {
            double bend = eta * own[i] / (1 - tau);
            byTau += pushes[i] * z[i] + eta * ofHedge[i] * p[i];
            corner += bends[i] * z[i] * z[i] + bend * p[i] * p[i];
            across[i] = bends[i] * z[i] + bend * p[i];
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
        sums.slopes()[n] = byTau;
        return FormedQuadratic.of(scores, ball, new Quadratic.Bends(bends, across), sums, r);
    }
}
