package stackelberg.objective.program;

import java.util.Arrays;
import java.util.Optional;
import stackelberg.estimate.Loss;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.Cholesky;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.SymmetricEigen;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.solver.secular.ArrowSphere;

/**
 * Any convex loss l: for each eta the minimum over the ball of
 *
 * <pre>sum s l(S) + mu gamma tau + eta ((1 - tau) sum s l(P/(1 - tau)) - (1 - tau) B),    P = X u + V qHat,  S = P + tau z</pre>
 *
 * by Newton. The hedge is the perspective of the loss, so that all of it is convex. A step minimises the second-order model over the ball: a row of the hedge bends it by l''(p)/(1 - tau) along (x, v, p), p =
 * P/(1 - tau), in (u, qHat, tau). The rule w = u/(1 - tau), q = qHat/(1 - tau) of any point of the ball keeps the bound wherever the point does.
 */
final class ConvexFrontier implements Frontier<ConvexFrontier.Place> {
    /** What immutable columns may still see of a dual point, relative to the sizes of both: rounding of sums. */
    private static final double BALANCED = 1e-13;

    /** What they see is charged to the bound at this many times the immutable coefficients. */
    private static final double CHARGED = 10;

    /** With less of 1 - tau a point is next to the limit point. */
    private static final double FAR = 1e-8;

    private static final int MOST_STEPS = 200;

    private static final int MOST_HALVINGS = 50;

    private static final double DECREASE = 1e-4;

    /** The gap, relative to the loss, at which Newton stops; and steps without progress before it gives up. */
    private static final double ENOUGH = 1e-13;

    private static final int MOST_IDLE = 4;

    /** Added to the curvature of V, relative: solved with it a step is only a little shorter. */
    private static final double LITTLE = 1e-13;

    private static final double UNITS = 8 * 0x1p-52;

    private final PredictionGame game;
    private final WeightedRows rows;
    private final Loss loss;
    private final double[] s;
    private final double[] y;
    private final double[] z;
    private final double gamma;
    private final double half;
    private final double tilt;
    private final double least;
    private final Place pure;
    private Place last;

    /**
     * From the best rule after the move.
     *
     * @param pure where it lies in the ball, r, followed by qHat
     * @param least what H is counted from
     */
    ConvexFrontier(PredictionGame game, WeightedRows rows, double[] pure, double least) {
        this.game = game;
        this.rows = rows;
        this.loss = game.loss();
        this.s = game.weights();
        this.y = game.y();
        this.z = game.z();
        this.gamma = game.gamma();
        this.half = Math.sqrt(gamma) / 2;
        this.tilt = game.ridge() * gamma;
        this.least = least;
        this.last = place(0, pure);
        this.pure = last;
    }

    /**
     * A point of the ball.
     *
     * @param point r, followed by qHat
     * @param kept 1 - tau
     * @param above H of its rule less what H is counted from
     * @param moved M at the point itself, which is its rule's only on the sphere
     */
    record Place(double eta, double[] point, double kept, double above, double moved) implements Frontier.Place {
        @Override
        public double weight() {
            return eta * kept;
        }
    }

    /** A point and P there. */
    private record State(double[] point, double[] scores) {
        State moved(double length, State change) {
            double[] to = point.clone();
            Vectors.axpy(length, change.point, to);
            double[] at = scores.clone();
            Vectors.axpy(length, change.scores, at);
            return new State(to, at);
        }
    }

    private int n() {
        return rows.features();
    }

    private double tau(double[] point) {
        return (1 + point[n()]) / 2;
    }

    private double kept(double[] point) {
        return (1 - point[n()]) / 2;
    }

    /** (u, qHat). */
    private double[] scaled(double[] point) {
        int n = n();
        double[] theta = new double[n + rows.fixed()];
        for (int j = 0; j < n; j++) {
            theta[j] = half * point[j];
        }
        System.arraycopy(point, n + 1, theta, n, rows.fixed());
        return theta;
    }

    /** (w, q): what the point says of a rule. */
    double[] theta(Place place) {
        double[] theta = scaled(place.point);
        Vectors.scale(1 / place.kept, theta);
        return theta;
    }

    Place pure() {
        return pure;
    }

    /** The place of a point, r followed by qHat. */
    Place place(double eta, double[] point) {
        return place(eta, new State(point, rows.times(scaled(point))));
    }

    private Place place(double eta, State state) {
        double kept = kept(state.point);
        double honest = kept > 0 ? sum(state.scores, 1 / kept, 0) : Double.POSITIVE_INFINITY;
        double tau = tau(state.point);
        return new Place(eta, state.point, kept, honest - least, sum(state.scores, 1, tau) + tilt * tau);
    }

    /** sum s l(scale P + tau z). */
    private double sum(double[] scores, double scale, double tau) {
        double sum = 0;
        for (int i = 0; i < scores.length; i++) {
            sum += s[i] == 0 ? 0 : s[i] * loss.value(scale * scores[i] + tau * z[i], y[i]);
        }
        return sum;
    }

    private double value(State state, double eta, double bound) {
        double tau = tau(state.point);
        double kept = kept(state.point);
        double moved = sum(state.scores, 1, tau) + tilt * tau;
        if (eta == 0) {
            return moved;
        }
        return kept > 0 ? moved + eta * kept * (sum(state.scores, 1 / kept, 0) - bound) : Double.POSITIVE_INFINITY;
    }

    @Override
    public Place between(Place from, Place to, double part) {
        double[] point = from.point.clone();
        Vectors.scale(1 - part, point);
        Vectors.axpy(part, to.point, point);
        return place(from.eta, point);
    }

    @Override
    public Place at(double eta, double bound) {
        double[] from = last.point.clone();
        if (eta > 0 && kept(from) < FAR) {
            // next to the limit point the scores if nobody moves are not finite: begin at w = 0
            Arrays.fill(from, 0);
            from[n()] = -1;
        }
        State state = new State(from, rows.times(scaled(from)));
        double share = loss instanceof Loss.Huber ? 1 : 0;
        double value = value(state, eta, bound);
        int idle = 0;
        double before = Double.POSITIVE_INFINITY;
        for (int k = 0; k < MOST_STEPS && idle < MOST_IDLE; k++) {
            Model model = model(state, eta, bound, share);
            double scale = Math.max(sum(state.scores, 1, tau(state.point)), Double.MIN_NORMAL);
            if (model.gap <= ENOUGH * scale) {
                break;
            }
            idle = model.gap <= 0.5 * before ? 0 : idle + (share == 0 || model.gap < 1e-9 * scale ? 1 : 0);
            before = Math.min(before, model.gap);
            State change = new State(model.change, rows.times(scaled(model.change)));
            double length = 1;
            State next = state.moved(1, change);
            double reached = value(next, eta, bound);
            for (int h = 0; h < MOST_HALVINGS && !(reached <= value + DECREASE * length * model.slope); h++) {
                length /= 2;
                next = state.moved(length, change);
                reached = value(next, eta, bound);
            }
            if (!(reached <= value)) {
                if (share == 1 || loss.isSquared()) {
                    break;
                }
                share = 1;
                idle++;
                continue;
            }
            state = next;
            value = reached;
            share = length < 1 ? Math.min(1, Math.max(1e-3, 10 * share)) : share > 1e-6 ? share / 10 : 0;
        }
        last = place(eta, state);
        return last;
    }

    /**
     * The second-order model at a point.
     *
     * @param change from the point to its minimiser over the ball, of r and qHat
     * @param slope of the function along it
     * @param gap how far the function can be above its minimum, to first order in qHat
     */
    private record Model(double[] change, double slope, double gap) {}

    private Model model(State at, double eta, double bound, double share) {
        int n = n();
        int k = rows.fixed();
        int m = rows.rows();
        double tau = tau(at.point);
        double kept = kept(at.point);
        double[] push = new double[m];
        double[] bend = new double[m];
        double[] across = new double[m];
        double byTau = tilt + eta * bound;
        double corner = 0;
        for (int i = 0; i < m; i++) {
            if (s[i] == 0) {
                continue;
            }
            double score = at.scores[i] + tau * z[i];
            double slope = s[i] * loss.slope(score, y[i]);
            double a = s[i] * curvature(score, y[i], share);
            push[i] = slope;
            bend[i] = a;
            across[i] = a * z[i];
            byTau += slope * z[i];
            corner += a * z[i] * z[i];
            if (eta > 0) {
                double p = at.scores[i] / kept;
                double hedge = eta * s[i] * loss.slope(p, y[i]);
                double b = eta * s[i] * curvature(p, y[i], share) / kept;
                push[i] += hedge;
                bend[i] += b;
                across[i] += b * p;
                byTau += hedge * p - eta * s[i] * loss.value(p, y[i]);
                corner += b * p * p;
            }
        }
        double[] slopes = rows.transposeTimes(push);
        double[] border = rows.transposeTimes(across);
        DenseMatrix gram = rows.gram(bend);
        // in units of r; the rows of V in the last k places
        double[] g = new double[n + 1 + k];
        double[][] h = new double[n + 1 + k][n + 1 + k];
        for (int j = 0; j < g.length; j++) {
            double unit = unit(j);
            int a = j < n ? j : j - 1;
            g[j] = j == n ? byTau / 2 : unit * slopes[a];
            for (int i = 0; i <= j; i++) {
                int b = i < n ? i : i - 1;
                double value = j == n
                        ? i == n ? corner / 4 : unit(i) / 2 * border[b]
                        : i == n ? unit / 2 * border[a] : unit * unit(i) * gram.get(a, b);
                h[j][i] = value;
                h[i][j] = value;
            }
        }
        Fixed fixed = Fixed.of(h, n + 1);
        double[] own = Arrays.copyOfRange(g, n + 1, g.length);
        double[] lifted = fixed.solve(own);
        double[] top = Arrays.copyOf(g, n + 1);
        double[][] curved = new double[n + 1][];
        double[][] solved = new double[n + 1][];
        for (int j = 0; j <= n; j++) {
            double[] side = Arrays.copyOfRange(h[j], n + 1, g.length);
            top[j] -= Vectors.dot(side, lifted);
            solved[j] = fixed.solve(side);
            curved[j] = Arrays.copyOf(h[j], n + 1);
            for (int i = 0; i <= j; i++) {
                curved[j][i] -= Vectors.dot(side, solved[i]);
                curved[i][j] = curved[j][i];
            }
        }
        double[] r = Arrays.copyOf(at.point, n + 1);
        double[] to = inBall(curved, top, r);
        double[] change = Vectors.minus(to, r);
        double[] fixedChange = lifted.clone();
        for (int j = 0; j <= n; j++) {
            Vectors.axpy(change[j], solved[j], fixedChange);
        }
        Vectors.scale(-1, fixedChange);
        double[] whole = Arrays.copyOf(change, n + 1 + k);
        System.arraycopy(fixedChange, 0, whole, n + 1, k);
        double gap = Math.max(0, Vectors.dot(top, r) + Vectors.norm(top)) + Math.abs(Vectors.dot(own, lifted)) / 2;
        return new Model(whole, Vectors.dot(g, whole), gap);
    }

    private double unit(int j) {
        return j < n() ? half : j == n() ? 0.5 : 1;
    }

    /** The curvature, or part of the way to that of a parabola above the loss, for the Huber loss, which has none where errors are large. */
    private double curvature(double score, double truth, double share) {
        double own = loss.curvature(score, truth);
        if (share == 0 || loss.isSquared()) {
            return own;
        }
        double off = loss.isLogistic() ? score : score - truth;
        double slope = loss.isLogistic() ? loss.prediction(score) - 0.5 : loss.slope(score, truth);
        double above = Math.abs(off) < 1e-4 ? (loss.isLogistic() ? 0.25 : 2) : slope / off;
        return own + share * Math.max(0, above - own);
    }

    /** The minimiser over the ball of (x - r)'H(x - r)/2 + g'(x - r). */
    private static double[] inBall(double[][] h, double[] g, double[] r) {
        int n = r.length;
        SymmetricEigen eigen = SymmetricEigen.of(DenseMatrix.of(h), Workers.of(1));
        double[] d = eigen.values().clone();
        double[] b = new double[n];
        double floor = n * 0x1p-51 * Math.max(0, d[n - 1]);
        for (int i = 0; i < n; i++) {
            double[] q = eigen.vectors().column(i);
            d[i] = d[i] <= floor ? 0 : d[i];
            b[i] = Vectors.dot(q, g) - d[i] * Vectors.dot(q, r);
        }
        ArrowSphere.Solution solution = ArrowSphere.solveDiagonal(d, b);
        double[] x = solution.r();
        if (solution.lambda() < 0) {
            // the sphere's multiplier is negative only where H is definite: its minimum lies inside
            Arrays.setAll(x, i -> -b[i] / d[i]);
        }
        double[] to = new double[n];
        for (int i = 0; i < n; i++) {
            Vectors.axpy(x[i], eigen.vectors().column(i), to);
        }
        double norm = Vectors.norm(to);
        if (norm > 1) {
            Vectors.scale(1 / norm, to);
        }
        return to;
    }

    /** The curvature of V, factored with a little added where losses are too flat to tell. */
    private record Fixed(Optional<Cholesky> factor) {
        static Fixed of(double[][] h, int first) {
            int k = h.length - first;
            if (k == 0) {
                return new Fixed(Optional.empty());
            }
            double[][] inner = new double[k][];
            double largest = Double.MIN_NORMAL;
            for (int j = 0; j < k; j++) {
                inner[j] = Arrays.copyOfRange(h[first + j], first, h.length);
                largest = Math.max(largest, inner[j][j]);
            }
            Optional<Cholesky> factor = Optional.empty();
            for (double more = LITTLE; factor.isEmpty() && more < 1e6; more *= 100) {
                factor = Cholesky.of(DenseMatrix.of(inner), more * largest, Workers.of(1));
            }
            return new Fixed(factor);
        }

        double[] solve(double[] b) {
            double[] solution = b.clone();
            factor.ifPresent(own -> own.solve(solution));
            return solution;
        }
    }

    /** The best rule if nobody moves, least sum s l(D theta) + mu ||w||^2, by Newton: theta. */
    static double[] honest(PredictionGame game, WeightedRows rows) {
        // the same program with gamma so large that nobody moves would lose digits: this is a plain fit
        Loss loss = game.loss();
        int n = rows.features();
        double[] s = game.weights();
        double[] theta = new double[n + rows.fixed()];
        double[] scores = rows.times(theta);
        double share = loss instanceof Loss.Huber ? 1 : 0;
        double value = penalised(game, scores, theta, n);
        for (int k = 0; k < MOST_STEPS; k++) {
            double[] push = new double[scores.length];
            double[] bend = new double[scores.length];
            for (int i = 0; i < push.length; i++) {
                push[i] = s[i] == 0 ? 0 : s[i] * loss.slope(scores[i], game.y(i));
                double own = loss.curvature(scores[i], game.y(i));
                double off = scores[i] - game.y(i);
                double above = share == 0 || Math.abs(off) < 1e-4
                        ? Math.max(own, share * 2)
                        : Math.max(own, loss.slope(scores[i], game.y(i)) / off);
                bend[i] = s[i] * (own + share * (above - own));
            }
            double[] g = rows.transposeTimes(push);
            double[][] h = new double[g.length][];
            DenseMatrix gram = rows.gram(bend);
            for (int j = 0; j < g.length; j++) {
                h[j] = gram.row(j);
                if (j < n) {
                    g[j] += 2 * game.ridge() * theta[j];
                    h[j][j] += 2 * game.ridge();
                }
            }
            double[] change = Fixed.of(h, 0).solve(g);
            Vectors.scale(-1, change);
            double[] moved = rows.times(change);
            double slope = Vectors.dot(g, change);
            double length = 1;
            double[] next = theta;
            double[] at = scores;
            double reached = Double.NaN;
            for (int half = 0; half < MOST_HALVINGS; half++, length /= 2) {
                next = theta.clone();
                Vectors.axpy(length, change, next);
                at = scores.clone();
                Vectors.axpy(length, moved, at);
                reached = penalised(game, at, next, n);
                if (reached <= value + DECREASE * length * slope) {
                    break;
                }
            }
            if (!(reached < value)) {
                if (share == 0) {
                    break;
                }
                share = 0;
                continue;
            }
            theta = next;
            scores = at;
            value = reached;
            share = length < 1 && !loss.isLogistic() ? 1 : share > 1e-6 ? share / 10 : 0;
            if (-slope <= 1e-15 * value && share == 0) {
                break;
            }
        }
        return theta;
    }

    private static double penalised(PredictionGame game, double[] scores, double[] theta, int n) {
        double square = 0;
        for (int j = 0; j < n; j++) {
            square += theta[j] * theta[j];
        }
        return game.lossOf(scores) + game.ridge() * square;
    }

    /**
     * A lower bound of what the best rule if nobody moves loses, the minimiser of F = sum s l(D theta) + mu ||w||^2, from a theta next to it: for every nu with V'nu = 0
     *
     * <pre>F >= -sum s l*(nu/s) - ||X'nu||^2/(4 mu)</pre>
     *
     * or, where mu = 0, for every nu with D'nu = 0. With a ridge F bounds how far its minimiser's ||w|| is from this one's.
     */
    double honestLower(double[] theta) {
        double mu = game.ridge();
        int first = mu > 0 ? n() : 0;
        double[] scores = rows.times(theta);
        double[] nu = new double[scores.length];
        double[] bend = new double[scores.length];
        for (int i = 0; i < nu.length; i++) {
            nu[i] = s[i] == 0 ? 0 : s[i] * loss.slope(scores[i], y[i]);
            bend[i] = s[i] == 0 ? 0 : s[i] * loss.curvature(scores[i], y[i]);
        }
        double left = balance(nu, nu, bend, first);
        double value = -left * CHARGED * (1 + Vectors.norm(theta));
        double sizes = 0;
        for (int i = 0; i < nu.length; i++) {
            double conjugate = s[i] == 0 ? 0 : s[i] * conjugate(nu[i] / s[i], y[i]);
            value -= conjugate;
            sizes += Math.abs(conjugate) + Math.abs(nu[i]) * (Math.abs(y[i]) + Math.abs(scores[i]));
        }
        value -= UNITS * sizes;
        if (mu > 0) {
            double push = Vectors.norm(Arrays.copyOf(rows.transposeTimes(nu), n()));
            value -= push * push / (4 * mu);
            double norm = Vectors.norm(Arrays.copyOf(theta, n()));
            double off = Math.sqrt(Math.max(0, game.lossOf(scores) + mu * norm * norm - value) / mu);
            value -= mu * (norm + off) * (norm + off);
        }
        return Double.isFinite(value) ? Math.max(0, value) : 0;
    }

    /** l*(a), at the end of its domain where only rounding has put a beyond it. */
    private double conjugate(double a, double truth) {
        double inside = Math.max(loss.lowest(truth), Math.min(loss.highest(truth), a));
        return Math.abs(a - inside) <= UNITS * Math.max(1, Math.abs(a))
                ? loss.conjugate(inside, truth)
                : Double.POSITIVE_INFINITY;
    }

    /**
     * Moves nu, and what it is a part of, to where the columns of D from the first on see nothing of the latter, in proportion to the curvature.
     *
     * @return the norm of what they still see; infinite where that is more than rounding, as in a column all of whose rows have no curvature
     */
    private double balance(double[] nu, double[] both, double[] bend, int first) {
        int order = n() + rows.fixed();
        if (first == order) {
            return 0;
        }
        DenseMatrix gram = rows.gram(bend);
        double[][] h = new double[order][];
        Arrays.setAll(h, gram::row);
        Fixed fixed = Fixed.of(h, first);
        for (int round = 0; round < 3; round++) {
            double[] off = Arrays.copyOfRange(rows.transposeTimes(both), first, order);
            double[] step = new double[order];
            System.arraycopy(fixed.solve(off), 0, step, first, off.length);
            double[] change = rows.times(step);
            for (int i = 0; i < nu.length; i++) {
                nu[i] -= bend[i] * change[i];
                if (both != nu) {
                    both[i] -= bend[i] * change[i];
                }
            }
        }
        double left = Vectors.norm(Arrays.copyOfRange(rows.transposeTimes(both), first, order));
        double[] ones = new double[bend.length];
        Arrays.fill(ones, 1);
        DenseMatrix plain = rows.gram(ones);
        double squares = 0;
        for (int j = first; j < order; j++) {
            squares += plain.row(j)[j];
        }
        return left <= BALANCED * Vectors.norm(both) * Math.sqrt(squares) ? left : Double.POSITIVE_INFINITY;
    }

    /**
     * A lower bound of M for every rule with H at most a bound, from the losses' conjugates l*: for every nu, pi with V'(nu + eta s pi) = 0 and D = eta (B + sum s l*(pi))
     *
     * <pre>M >= -sum s l*(nu/s) - D + c/2 - sqrt(gamma)/2 sqrt(||X'(nu + eta s pi)||^2 + c^2/gamma),    c = z'nu + mu gamma + D</pre>
     *
     * with the slopes of the losses at the point for nu and s pi, nu moved to V'(nu + eta s pi) = 0 in proportion to the curvature. 0 where that leaves the domain of the conjugate.
     */
    double lower(Place place, double bound) {
        int m = rows.rows();
        double[] scores = rows.times(scaled(place.point));
        double tau = tau(place.point);
        double eta = place.kept > 0 ? place.eta : 0;
        double[] nu = new double[m];
        double[] both = new double[m];
        double[] bend = new double[m];
        double weight = eta * bound;
        double sizes = weight;
        for (int i = 0; i < m; i++) {
            if (s[i] == 0) {
                continue;
            }
            double score = scores[i] + tau * z[i];
            nu[i] = s[i] * loss.slope(score, y[i]);
            bend[i] = s[i] * loss.curvature(score, y[i]);
            both[i] = nu[i];
            if (eta > 0) {
                double p = scores[i] / place.kept;
                double pi = loss.slope(p, y[i]);
                double conjugate = eta * s[i] * loss.conjugate(pi, y[i]);
                weight += conjugate;
                sizes += Math.abs(conjugate) + eta * s[i] * Math.abs(pi) * (Math.abs(p) + Math.abs(y[i]));
                both[i] += eta * s[i] * pi;
            }
        }
        double left = balance(nu, both, bend, n());
        double fixed = Vectors.norm(Arrays.copyOfRange(place.point, n() + 1, place.point.length));
        double value = -weight - left * CHARGED * (1 + fixed);
        double c = tilt + weight;
        for (int i = 0; i < m; i++) {
            if (s[i] == 0) {
                continue;
            }
            double conjugate = s[i] * conjugate(nu[i] / s[i], y[i]);
            value -= conjugate;
            c += nu[i] * z[i];
            sizes += Math.abs(conjugate)
                    + Math.abs(nu[i]) * (Math.abs(y[i]) + Math.abs(z[i]) + Math.abs(scores[i] + tau * z[i]));
        }
        double[] u = Arrays.copyOf(rows.transposeTimes(both), n());
        double top = half * Vectors.norm(u);
        double lower = value + c / 2 - Math.hypot(top, c / 2) - UNITS * sizes;
        return Double.isFinite(lower) ? Math.max(0, lower) : 0;
    }
}
